package preprocess

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"gpupipe/internal/diag"
)

// TestWhereFilesAreFound has the ways of naming a file, and how often it is read.
func TestWhereFilesAreFound(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	files := fstest.MapFS{
		"k.cl": file(""), "here.h": file("here\n"), "inc/sys.h": file("sys\n"), "inc/here.h": file("wrong\n"),
		"inc/sub/a.h": file("#include \"b.h\"\n#include \"../sys.h\"\n#include \"other.h\"\n"),
		"inc/sub/b.h": file("b\n"),
		"inc/other.h": file("other\n"), "once.h": file("#pragma once\nonce\n"),
		"guard.h": file("#ifndef G\n#define G\nguard\n#endif\n"),
		"plain.h": file("X\n"), "self.h": file("#pragma once\n#include \"self.h\"\nself\n"), "quote.h": file("quote"),
		"recursive.h": file("#if N > 0\nn\n#if N == 2\n#undef N\n#define N 1\n#else\n#undef N\n#define N 0\n#endif\n" +
			"#include \"recursive.h\"\n#endif\n"),
		"inc/next.h": file("next\n"), "inside.h": file("#include \"once.h\"\n#include \"once.h\"\nafter\n"),
		"use.h": file("#pragma once\n#define USE\n"),
	}
	for _, c := range []struct{ name, text, want string }{
		{"beside the file first", "#include \"here.h\"\n", "here"},
		{"in the include paths", "#include \"sys.h\"\n", "sys"},
		{"in the include paths alone", "#include <here.h>\n", "wrong"},
		{"relative to the file that includes", "#include \"sub/a.h\"\n", "b sys other"},
		{"once", "#include \"once.h\"\n#include \"once.h\"\nz", "once z"},
		{"once under two names", "#include \"once.h\"\n#include \"inc/../once.h\"\nz", "once z"},
		{"once inside", "#include \"inside.h\"\nz", "once after z"},
		{"once in itself", "#include \"self.h\"\nz", "self z"},
		{"once in the main file", "#pragma once\nz", "z"},
		{"guard", "#include \"guard.h\"\n#include \"guard.h\"\nz", "guard z"},
		{"several times", "#define X a\n#include \"plain.h\"\n#undef X\n#define X b\n#include \"plain.h\"\n", "a b"},
		{"recursive with an end", "#define N 2\n#include \"recursive.h\"\nz", "n n z"},
		{"by a macro", "#define STR(x) #x\n#define NAME(x) STR(x.h)\n#include NAME(quote)\n", "quote"},
		{"by -D", "#include FROM_D\n", "quote"},
		{"taken out", "#if 0\n#include \"missing.h\"\n#endif\nz", "z"},
		{"on a condition of a header", "#include \"use.h\"\n#if defined(USE)\n#include \"here.h\"\n#endif\n", "here"},
		{"__has_include", "#if __has_include(\"quote.h\") && !__has_include(\"none.h\") && __has_include(<sys.h>) && " +
			"!__has_include(<quote.h>)\nz\n#endif\n", "z"},
		{"#ifdef __has_include", "#ifdef __has_include\nz\n#endif\n", "z"},
		{"#include_next", "#include_next <next.h>\n", "next"},
	} {
		r := Run(Config{File: "k.cl", Text: c.text, FS: files, IncludePaths: []string{"inc"},
			Defines: []string{"FROM_D=\"quote.h\""}})
		if got := text(r.Tokens); got != c.want || r.Errors.Err() != nil {
			t.Errorf("%s: %s, want %s\n%v", c.name, got, c.want, r.Errors)
		}
	}
}

// hostileFS fails in every way that a file system can.
type hostileFS struct{}

func (hostileFS) Open(name string) (fs.File, error) {
	if name == "fails.h" {
		return failingFile{}, nil
	}
	return nil, fs.ErrPermission
}

type failingFile struct{ fs.FileInfo }

func (failingFile) Stat() (fs.FileInfo, error) { return failingFile{}, nil }
func (failingFile) IsDir() bool                { return false }
func (failingFile) Size() int64                { return 1 }
func (failingFile) Read([]byte) (int, error)   { return 0, fs.ErrInvalid }
func (failingFile) Close() error               { return nil }

// TestIncludeErrors has the position, in the file that includes, and the advice.
func TestIncludeErrors(t *testing.T) {
	files := fstest.MapFS{
		"a.h": {Data: []byte("int a;\n#include \"b.h\"\n")}, "open.h": {Data: []byte("int a;\n#if 1\n")}, "dir/x.h": {},
		"k.cl": {Data: []byte("#include \"k.cl\"\n")}, "c.h": {Data: []byte("#include \"d.h\"\n")},
		"d.h": {Data: []byte("#include \"c.h\"\n")},
	}
	for _, c := range []struct {
		text, want string
		fs         fs.FS
	}{
		{"int x;\n  #include \"none.h\"\n", "k.cl:2:3: error[INCLUDE]: cannot find \"none.h\"\n" +
			"\tadd its directory with -I DIR", files},
		{"#include \"none.h\"\n", "k.cl:1:1: error[INCLUDE]: cannot find \"none.h\"\n" +
			"\tno file can be included here", nil},
		{"#define N \"none.h\"\n\n#include N\n", "k.cl:3:1: error[INCLUDE]: cannot find \"none.h\"", files},
		{"#include \"a.h\"\n", "a.h:2:1: error[INCLUDE]: cannot find \"b.h\"", files},
		{"#include \"open.h\"\nint x;", "open.h:2:1: error[SYNTAX]: the condition has no #endif", files},
		{"#include\n", "k.cl:1:1: error", files},
		{"#include EMPTY\n", "k.cl:1:1: error", files},
		{"#include <a\nint x;", "k.cl:1:1: error", files},
		{"#include 3\n", "k.cl:1:1: error", files},
		{"#include \"dir\"\n", "k.cl:1:1: error[INCLUDE]: cannot read \"dir\": dir: is a folder", files},
		{"#include \"c.h\"\n", "c.h:1:1: error[INCLUDE]: files include each other", files},
		{"#include \"k.cl\"\n", "k.cl:1:1: error[INCLUDE]: files include each other", files},
		{"#include __FILE__\n", "k.cl:1:1: error[INCLUDE]: files include each other", files},
		{"#include \"x.h\"\n", "k.cl:1:1: error[INCLUDE]: cannot read \"x.h\": x.h: permission denied", hostileFS{}},
		{"\n#include \"fails.h\"\n", "k.cl:2:1: error[INCLUDE]: cannot read \"fails.h\": fails.h: invalid argument",
			hostileFS{}},
	} {
		if e := Run(Config{File: "k.cl", Text: c.text, FS: c.fs}).Errors; len(e) != 1 ||
			!strings.HasPrefix(e[0].Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, e, c.want)
		}
	}
}

// TestCommandLine has -D, -U and --include, and how they are wrong.
func TestCommandLine(t *testing.T) {
	cfg := Config{
		File: "k.cl", Text: "#if A == 1 && B == 2 && F(3) == 6 && !defined(C) && INC\nok\n#endif\n",
		Defines: []string{"A", "B=2", "F(x)=(x * 2)", "C=1"}, Undefs: []string{"C"}, Includes: []string{"pre.h"},
		FS: fstest.MapFS{"pre.h": {Data: []byte("#define INC B\n")}},
	}
	if r := Run(cfg); text(r.Tokens) != "ok" || r.Errors.Err() != nil {
		t.Errorf("%s\n%v", text(r.Tokens), r.Errors)
	}
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Defines: []string{"3=4"}}, "<command line>: error[SYNTAX]: -D 3=4 defines no macro"},
		{Config{Defines: []string{"A\nint x;"}}, "<command line>: error[SYNTAX]: -D A\nint x; defines no macro"},
		{Config{Undefs: []string{"a b"}}, "<command line>: error[SYNTAX]: -U a b names no macro"},
		{Config{Includes: []string{"none.h"}}, "<command line>: error[INCLUDE]: cannot find \"none.h\""},
		{Config{Defines: []string{"float=double long"}, Text: "float x;"}, ""},
	} {
		c.cfg.File = "k.cl"
		e := Run(c.cfg).Errors
		if c.want == "" && len(e) > 0 || c.want != "" && (len(e) != 1 || !strings.HasPrefix(e[0].Error(), c.want)) {
			t.Errorf("%+v:\n got %v\nwant %s", c.cfg, e, c.want)
		}
	}
}

// TestNoClock: the same text gives the same tokens at any time.
func TestNoClock(t *testing.T) {
	r := Run(Config{File: "dir/k.cl", Text: "__FILE__ __DATE__ __TIME__\n__LINE__"})
	if got, want := text(r.Tokens), `"dir/k.cl" "Jan  1 1970" "00:00:00" 2`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPositions: a token called at_LINE_COLUMN, or at_FILE_LINE_COLUMN of FILE.h, stands there.
func TestPositions(t *testing.T) {
	files := fstest.MapFS{
		"inc.h":       {Data: []byte("int at_inc_1_5;\n#include \"sub/deep.h\"\n\tint at_inc_3_6;\n")},
		"sub/deep.h":  {Data: []byte("#line 7 \"deep.h\"\nint at_deep_7_5; // comment\n#include \"near.h\"\n")},
		"sub/near.h":  {Data: []byte("#line 1 \"near.h\"\n#pragma once\nint at_near_2_5;\n")},
		"lib/found.h": {Data: []byte("#line 1 \"found.h\"\nint at_found_1_5;")},
	}
	for _, c := range []struct {
		name string
		n    int
		text string
	}{
		{"plain", 2, "int at_1_5;\n\n  int at_3_7;"},
		{"carriage returns", 2, "int at_1_5;\r\nint at_2_5;\r\n"},
		{"byte order mark", 1, "\ufeffint at_1_5;"},
		{"comments", 2, "/* a\n b */ int at_2_11; // c\n/**/int at_3_9;"},
		{"continued lines", 4, "int at_1_5 \\\n, at_2_3\\\n\\\n, at_4_3;\nint at_5_5;\n"},
		{"continuation with blanks", 2, "int at_1_5; \\ \t\n int at_2_6;\n"},
		{"continued name", 1, "int at_\\\n1_5;\n"},
		{"object macro", 2, "#define X at_2_5\nint X;\nint at_3_5;\n"},
		{"function macro", 3, "#define D(a, b) int a, b\n\n  D(at_3_5, at_3_13);\nint at_4_5;\n"},
		{"macro over lines", 3, "#define D(a, b) int a, b\nD(at_2_3,\n  at_3_3\n);\nint at_5_5;\n"},
		{"continued macro", 2, "#define D \\\n  int at_4_1 \\\n  ;\nD\nint at_5_5;\n"},
		{"#line", 3, "int at_1_5;\n#line 100\nint at_100_5;\n# 7 \"x.h\"\n\nint at_x_8_5;\n"},
		{"line 0", 2, "#line 0\nint at_1_5;\n# 0 \"x.h\"\nint at_x_1_5;\n"},
		{"#line taken out", 1, "#if 0\n#line 100\n#endif\nint at_4_5;\n"},
		{"include", 7, "#include \"inc.h\"\nint at_2_5;\n#include <found.h>\nint at_4_5;\n"},
		{"include by a macro", 6, "#define I \"inc.h\"\n#include I\nint at_3_5;\n#define F <found.h>\n#include F\n"},
		{"include twice", 2, "#include \"sub/near.h\"\n#include \"sub/near.h\"\nint at_3_5;\n"},
		{"_Pragma", 2, "_Pragma(\"unroll 4\") for(;;) at_1_29;\n at_2_2;"},
	} {
		r := Run(Config{File: "k.cl", Text: c.text, FS: files, IncludePaths: []string{"lib"}})
		n := 0
		for _, tok := range r.Tokens {
			parts := strings.Split(tok.Text, "_")
			if tok.Kind != Ident || parts[0] != "at" {
				continue
			}
			n++
			want := "k.cl:" + strings.Join(parts[1:], ":")
			if len(parts) > 3 {
				want = parts[1] + ".h:" + strings.Join(parts[2:], ":")
			}
			if got := diag.Pos.String(tok.Pos); got != want {
				t.Errorf("%s: %s is at %s", c.name, tok.Text, got)
			}
		}
		if n != c.n || r.Errors.Err() != nil {
			t.Errorf("%s: %d tokens, want %d: %v", c.name, n, c.n, r.Errors)
		}
	}
}
