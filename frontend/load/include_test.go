package load

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"gpupipe/frontend/source"
)

func TestIncludes(t *testing.T) {
	files := fstest.MapFS{
		"k.cl":           {},
		"here.h":         {Data: []byte("int here;\n")},
		"inc/sys.h":      {Data: []byte("int sys;\n")},
		"inc/here.h":     {Data: []byte("int wrong;\n")},
		"inc/sub/a.h":    {Data: []byte("#include \"b.h\"\n#include \"../sys.h\"\n#include \"other.h\"\n")},
		"inc/sub/b.h":    {Data: []byte("int b;\n")},
		"inc/other.h":    {Data: []byte("int other;\n")},
		"once.h":         {Data: []byte("#pragma once\nint once;\n")},
		"guard.h":        {Data: []byte("#ifndef G\n#define G\nint guard;\n#endif\n")},
		"plain.h":        {Data: []byte("int X;\n")},
		"recursive.h":    {Data: []byte("#if N > 0\nint n;\n#if N == 2\n#undef N\n#define N 1\n#else\n#undef N\n#define N 0\n#endif\n#include \"recursive.h\"\n#endif\n")},
		"self once.h":    {Data: []byte("#pragma once\n#include \"self once.h\"\nint self;\n")},
		"copy/once.h":    {Data: []byte("#pragma once\nint once;\n")},
		"quote.h":        {Data: []byte("int quote;")},
		"unterminated.h": {Data: []byte("#if 1\n")},
		"inc/next.h":     {Data: []byte("int next;\n")},
		"once_skipped.h": {Data: []byte("#include \"once.h\"\n#include \"once.h\"\nint after;\n")},
	}
	for _, c := range []struct{ name, text, want string }{
		{"beside the file first", "#include \"here.h\"\n", "here"},
		{"in the include paths", "#include \"sys.h\"\n", "sys"},
		{"system only in the include paths", "#include <here.h>\n", "wrong"},
		{"relative to the including file", "#include \"sub/a.h\"\n", "b sys other"},
		{"once", "#include \"once.h\"\n#include \"once.h\"\nint z;", "once z"},
		{"once under two names", "#include \"once.h\"\n#include \"inc/../once.h\"\nint z;", "once z"},
		{"once as a copy", "#include \"once.h\"\n#include \"copy/once.h\"\nint z;", "once z"},
		{"once inside", "#include \"once_skipped.h\"\nint z;", "once after z"},
		{"once in itself", "#include \"self once.h\"\nint z;", "self z"},
		{"once in the main file", "#pragma once\nint z;", "z"},
		{"guard", "#include \"guard.h\"\n#include \"guard.h\"\nint z;", "guard z"},
		{"several times", "#define X a\n#include \"plain.h\"\n#undef X\n#define X b\n#include \"plain.h\"\n", "a b"},
		{"recursive with an end", "#define N 2\n#include \"recursive.h\"\nint z;", "n n z"},
		{"by macro", "#define STR(x) #x\n#define FILE2(x) STR(x.h)\n#include FILE2(quote)\n", "quote"},
		{"by -D", "#include FROM_D\n", "quote"},
		{"taken out", "#if 0\n#include \"missing.h\"\n#endif\nint z;", "z"},
		{"has include", "#if __has_include(\"quote.h\") && !__has_include(\"none.h\") && __has_include(<sys.h>) && !__has_include(<quote.h>)\nint z;\n#endif\n", "z"},
		{"ifdef has include", "#ifdef __has_include\nint z;\n#endif\n", "z"},
		{"include_next", "#include_next <next.h>\n", "next"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parseTree(t, Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL, FS: files, IncludePaths: []string{"inc"}, Defines: []string{"FROM_D=\"quote.h\""}})
			var names []string
			for _, tok := range userTokens(p) {
				if s := tok.SrcStr(); s != "int" && s != ";" {
					names = append(names, s)
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("declares %q, want %q", got, c.want)
			}
		})
	}
}

func TestIncludeErrors(t *testing.T) {
	files := fstest.MapFS{
		"a.h":     {Data: []byte("int a;\n#include \"b.h\"\n")},
		"bad.h":   {Data: []byte("\n  int int x y;\n")},
		"open.h":  {Data: []byte("int a;\n#if 1\n")},
		"big.h":   {Data: []byte(strings.Repeat(" ", maxBytes))},
		"deep.h":  {Data: []byte(strings.Repeat("(", 2000))},
		"half.cl": {Data: []byte("__kernel void k(void) {\n")},
	}
	for _, c := range []struct {
		text, want string
		fs         fs.FS
	}{
		{"int x;\n  #include \"none.h\"\n", "k.cl:2:3: error[INCLUDE]: cannot find \"none.h\"\n\tadd its directory with -I DIR", files},
		{"#include \"none.h\"\n", "k.cl:1:1: error[INCLUDE]: cannot find \"none.h\"\n\tno file can be included here", nil},
		{"#define N \"none.h\"\n\n#include N\n", "k.cl:3:1: error[INCLUDE]: cannot find \"none.h\"\n\tadd its directory with -I DIR", files},
		{"#include \"a.h\"\n", "a.h:2:1: error[INCLUDE]: cannot find \"b.h\"\n\tadd its directory with -I DIR", files},
		{"#include \"bad.h\"\n", "bad.h:2:13: error[SYNTAX]: unexpected \"y\", expected a declaration or a function", files},
		{"#include \"open.h\"\nint x;", "open.h:3:1: error[SYNTAX]: expected #endif", files},
		{"#include \"big.h\"\n", "big.h: error[LIMIT]: the program is larger than 16 MB or has more than 2000 files", files},
		{"#include \"deep.h\"\n", "deep.h:1:1001: error[LIMIT]: brackets nested more than 1000 deep", files},
		{"#include EMPTY\n", "k.cl:1:1: error[INCLUDE]", files},
	} {
		_, err := parseWithin(t, Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL, FS: c.fs})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestSystemHeaders(t *testing.T) {
	p := parseTree(t, Config{File: "k.cu", Text: "#include <cuda_runtime.h>\n#include <mma.h>\n#include <vector>\n#include <thrust/sort.h>\n#include <sub/x.h>\n__global__ void k() {}\n", Dialect: source.CUDA})
	want := "k.cu:4:1: note[INCLUDE]: system header <thrust/sort.h> is taken as empty\nk.cu:5:1: note[INCLUDE]: system header <sub/x.h> is taken as empty"
	if got := p.Warnings.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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
func (failingFile) Read([]byte) (int, error)   { return 0, fs.ErrInvalid }
func (failingFile) Close() error               { return nil }

func TestFailingFileSystem(t *testing.T) {
	for text, want := range map[string]string{
		"#include \"x.h\"\n":       "k.cl:1:1: error[INCLUDE]: cannot read \"x.h\": x.h: permission denied",
		"\n#include \"fails.h\"\n": "k.cl:2:1: error[INCLUDE]: cannot read \"fails.h\": fails.h: invalid argument",
	} {
		_, err := parseWithin(t, Config{File: "k.cl", Text: text, Dialect: source.OpenCL, FS: hostileFS{}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
