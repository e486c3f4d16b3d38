package preprocess

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"modernc.org/cc/v4"
)

func text(tokens []Token) string {
	var b strings.Builder
	for _, t := range tokens {
		switch {
		case t.Kind == EOF:
			continue
		case t.Kind == Pragma || t.Kind == Directive:
			b.WriteString("[" + t.Text + "]")
			continue
		case b.Len() > 0:
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// TestMacros has the examples of C11 6.10.3.5 and what is easily done wrong.
func TestMacros(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"object", "#define N 4\nint a[N];", "int a [ 4 ] ;"},
		{"rescan", "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"},
		{"recursive", "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n" +
			"#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
			"f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;"},
		{"stringise", "#define str(s) # s\n#define xstr(s) str(s)\n#define INC(n) vers ## n\nxstr(INC(2).h) str( a " +
			"\"b\\n\" 'c' )", `"vers2.h" "a \"b\\n\" 'c'"`},
		{"paste", "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), " +
			"t(,,12), t(,,) };", "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;"},
		{"hash_hash", "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n" +
			"#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);", `char p [ ] = "x ## y" ;`},
		{"variadic", "#define e(...) f(__VA_ARGS__)\n#define g(a, ...) f(a, ##__VA_ARGS__)\n#define o(a, ...) f(a " +
			"__VA_OPT__(,) __VA_ARGS__)\ne(1,2) g(1) g(1,2) o(1) o(1,2)",
			"f ( 1 , 2 ) f ( 1 ) f ( 1 , 2 ) f ( 1 ) f ( 1 , 2 )"},
		{"gnu variadic", "#define e(args...) f(args)\ne(1,2)", "f ( 1 , 2 )"},
		{"not called", "#define f(a) a\nint f; f (3)", "int f ; 3"},
		{"over lines", "#define f(a, b) a b\nf(1,\n  2)", "1 2"},
		{"conditions", "#define A 3\n#if A > 2 && defined(A) && !defined B\nyes\n#elif 1/0\nno\n#else\nno\n#endif\n" +
			"#if 0\n'tis\n#if 1\nno\n#endif\n#endif\n#ifdef B\nno\n#endif", "yes"},
		{"arithmetic", "#if (1 << 4 | 3) == 0x13 && -1 < 0u + 1 ? 0 : 'a' == 97\nyes\n#endif\n#if 0 && 1/0\n#else\n" +
			"yes\n#endif\n#if 7 >= 7 && 8 >> 1 == 4\nyes\n#endif", "yes yes yes"},
		{"pragma", "#define N 4\n#pragma unroll N\nfor\n_Pragma(\"unroll 2\") while",
			"[#pragma unroll N] for[#pragma unroll 2] while"},
		{"a pragma that a macro makes", "#define N 4\n#define U #pragma unroll N\n#define F(a) a\nU\nfor(;;) F(\n  U\nint)",
			"[#pragma unroll 4] for ( ; ; ) # pragma unroll 4 int"},
		{"defined that a macro makes", "#define A (defined(B) && C)\n#define C defined A\n#define B 0\n#define F(x) x\n" +
			"#if A && F(C) && !F(defined D)\nyes\n#endif", "yes"},
		{"directive", "#define N 4\n// idgen: local=N,8\n// other\nvoid", "[local=N,8] void"},
		{"raw", "R\"x(a\n\"b)x\" \"a\\\"b\"", "R\"x(a\n\"b)x\" \"a\\\"b\""},
		{"splice", "in\\\nt a\\\n; // co\\\nmment\nb", "int a ; b"},
		{"kept macros", "#define A 1\n#pragma push_macro(\"A\")\n#pragma push_macro(\"B\")\n#undef A\n#define A 2\n" +
			"#define B 3\nA B\n#pragma pop_macro(\"A\")\n_Pragma(\"pop_macro(\\\"B\\\")\")\nA B", "2 3 1 B"},
		{"brackets", "A<B<int>> x >>= 1 >= 2;", "A < B < int > > x > > = 1 > = 2 ;"},
		{"numbers", "1'000 1e+5f .5 0x1p-3 1.f", "1'000 1e+5f .5 0x1p-3 1.f"},
		{"built in", "__LINE__\n__COUNTER__ __COUNTER__ __FILE__", `1 0 1 "k.cu"`},
	} {
		r := Run(Config{File: "k.cu", Text: c.source})
		if got := text(r.Tokens); got != c.want || r.Errors.Err() != nil {
			t.Errorf("%s: %s\nwant %s\n%v", c.name, got, c.want, r.Errors)
		}
	}
}

func TestIncludes(t *testing.T) {
	files := fstest.MapFS{
		"src/a.h":     {Data: []byte("#pragma once\nint a;\n#include \"sub/b.h\"")},
		"src/sub/b.h": {Data: []byte("#include \"../a.h\"\n#include <c.h>\nint b;")},
		"inc/c.h":     {Data: []byte("int c;")},
		"src/x.h":     {Data: []byte("#include \"x.h\"")},
	}
	cfg := Config{File: "src/k.cu", FS: files, IncludePaths: []string{"inc"},
		Library: func(name string) (string, bool) { return "", name == "known" }}
	cfg.Text = "#include \"a.h\"\n#include \"a.h\"\n#include <known>\n#include <missing>\n#if __has_include(\"a.h\") " +
		"&& !__has_include(<no>)\nyes\n#endif"
	r := Run(cfg)
	if got := text(r.Tokens); got != "int a ; int c ; int b ; yes" || r.Errors.Err() != nil {
		t.Errorf("%s\n%v", got, r.Errors)
	}
	if w := r.Warnings; len(w) != 1 || w[0].Message != "system header <missing> is taken as empty" ||
		w[0].Pos.Line != 4 {
		t.Errorf("missing: %v", w)
	}
	if p := r.Tokens[1].Pos; p.File != "src/a.h" || p.Line != 2 || p.Column != 5 {
		t.Errorf("a stands at %v", p)
	}
	cfg.Text = "#include \"x.h\""
	if e := Run(cfg).Errors; len(e) != 1 || !strings.Contains(e[0].Message, "include each other") {
		t.Errorf("a cycle: %v", e)
	}
	cfg.Text = "#include \"aa.h\""
	if e := Run(cfg).Errors; len(e) != 1 || !strings.Contains(e.Error(), "did you mean a.h?") {
		t.Errorf("a missing file: %v", e)
	}
}

// TestLibraryRead: what stands for a library's headers does not stand beside the headers themselves.
func TestLibraryRead(t *testing.T) {
	cfg := Config{File: "k.cu", IncludePaths: []string{"inc"}, FS: fstest.MapFS{
		"inc/lib/a.h": {Data: []byte("#include <lib/b.h>\n#include <other/c.h>")},
		"inc/lib/b.h": {Data: []byte("read")}, "inc/other/c.h": {Data: []byte("read")}},
		Library: func(string) (string, bool) { return "built_in", true }}
	for include, want := range map[string]string{"\"lib/a.h\"": "read built_in", "<lib/a.h>": "built_in"} {
		cfg.Text = "#include " + include
		if got := text(Run(cfg).Tokens); got != want {
			t.Errorf("%s: %s, want %s", include, got, want)
		}
	}
}

// TestErrors has the position and a part of each message.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"#define", "k.cu:1:1: error[SYNTAX]: #define needs a name"},
		{"x\n#if 1", "k.cu:2:1: error[SYNTAX]: the condition has no #endif"},
		{"#endif", "#endif without #if"},
		{"#if 1 +\n#endif", "is not expected here"},
		{"#if 1/0\n#endif", "divides by zero"},
		{"#error no way", "k.cu:1:1: error[ERROR-DIRECTIVE]: #error no way"},
		{"#define f(a) a\nf(1", "k.cu:2:1: error[SYNTAX]: the call of the macro f is not closed"},
		{"#define f(a) a\nf(1,2)", "takes 1 arguments, not 2"},
		{"#define f(a,a) a", "has two parameters a"},
		{"/* x", "k.cu:1:1: error[SYNTAX]: the comment is not closed"},
		{"char *s = \"abc;\n", "k.cu:1:11: error[SYNTAX]: the quote \" is not closed"},
		{"#define p(a,b) a##b\np(+,/)", "is not a token"},
		{"a _Pragma", "k.cu:1:3: error[SYNTAX]: write _Pragma(\"text\")"},
		{"_Pragma(\n", "write _Pragma"},
		{"#foo", "there is no directive #foo"},
		{"#include \"nowhere.h\"", `cannot find "nowhere.h"`},
	} {
		e := Run(Config{File: "k.cu", Text: c.source}).Errors
		if len(e) == 0 || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.source, e, c.want)
		}
	}
}

// TestAgainstCC compares the tokens of all kernels at hand with those of modernc.org/cc.
func TestAgainstCC(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../kernels/*.c[lu]", "../../testdata/*/*.c[lu]", "../testdata/*.c[lu]"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 20 {
		t.Fatalf("%d files", len(files))
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		if err := preprocessedByCC(name, string(source), &want); err != nil {
			continue // what cc refuses is another test's
		}
		var got strings.Builder
		for _, k := range Run(Config{File: name, Text: string(source)}).Tokens {
			if k.Kind != Pragma && k.Kind != Directive {
				got.WriteString(k.Text)
			}
		}
		if g, w := got.String(), strings.Join(strings.Fields(want.String()),
			""); strings.Join(strings.Fields(g), "") != w {
			t.Errorf("%s: %d bytes of tokens, cc has %d", name, len(g), len(w))
		}
	}
}

func preprocessedByCC(name, source string, w io.Writer) error {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		return err
	}
	return cc.Preprocess(&cc.Config{ABI: abi}, []cc.Source{{Name: name, Value: source + "\n"}}, w)
}

// FuzzRun: whatever the text is, it ends, and tokens stand where their text does.
func FuzzRun(f *testing.F) {
	for _, s := range []string{"#define f(a,...) #a a##a __VA_OPT__(x) __VA_ARGS__\nf(1,2)",
		"#if 1\n#elif\n#else\n#endif", "_Pragma(\"unroll 2\")", "R\"(a)\" 'a' \"b\\\"\" /* */ //\n",
		"#include <a>\n#line 3 \"x\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		r := Run(Config{File: "k", Text: source, Limits: Limits{Tokens: 100_000}})
		lines := strings.Split(strings.TrimPrefix(source, "\ufeff"), "\n")
		for _, k := range r.Tokens {
			if k.From != nil || k.Kind == EOF || k.Kind == Pragma || strings.Contains(source, "\\") ||
				strings.Contains(source, "#") || strings.Contains(source, "__") || strings.Contains(k.Text, "\n") {
				continue
			}
			if l := k.Pos.Line; l > len(lines) || !strings.HasPrefix(lines[l-1][min(len(lines[l-1]), k.Pos.Column-1):],
				strings.Split(k.Text, "\n")[0]) {
				t.Fatalf("%q is not at %v", k.Text, k.Pos)
			}
		}
	})
}

func BenchmarkRun(b *testing.B) {
	source, err := os.ReadFile("../../kernels/mmul.cu")
	if err != nil {
		b.Fatal(err)
	}
	all := strings.Repeat(string(source), 1000)
	b.ReportAllocs()
	for b.Loop() {
		Run(Config{File: "k.cu", Text: all})
	}
	b.ReportMetric(float64(strings.Count(all, "\n"))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// TestBrackets: preprocessing ends where more brackets are open than anybody reads.
func TestBrackets(t *testing.T) {
	r := Run(Config{File: "k.cl", Text: strings.Repeat("({", 60_000) + "x"})
	if want := "k.cl:1:100001: error[TOO-LARGE]: 100001 brackets are open here"; r.Errors.Error() != want ||
		len(r.Tokens) > 100_100 {
		t.Errorf("%v, %d tokens, want %s", r.Errors, len(r.Tokens), want)
	}
	if r := Run(Config{File: "k.cl", Text: strings.Repeat("()[]{}", 60_000)}); len(r.Errors) > 0 {
		t.Error(r.Errors)
	}
}
