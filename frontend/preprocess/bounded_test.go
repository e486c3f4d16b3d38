package preprocess

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	_ "gpupipe/internal/test/tools" // garbage is collected less often
)

// chain is macros 1 to n, each from a format that has its own number twice and then that of the one before it.
func chain(n int, first, format string) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	for i := range n {
		b.WriteString(strings.NewReplacer("<n>", fmt.Sprint(i+1), "<m>", fmt.Sprint(i)).Replace(format) + "\n")
	}
	return b.String()
}

// everyOther defines n macros, each of all others.
func everyOther(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "#define A%d 1", i)
		for k := range n {
			if k != i {
				fmt.Fprintf(&b, " A%d", k)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestBounded has texts whose preprocessing would take time or memory without end, and how each ends: in an error,
// or in few tokens.
func TestBounded(t *testing.T) {
	files := fstest.MapFS{"self.h": {Data: []byte("#include \"self.h\"\n#include \"self.h\"\n")},
		"d30.h": {Data: []byte("int x;\n")}}
	for i := range 30 {
		files[fmt.Sprintf("d%d.h", i)] = &fstest.MapFile{
			Data: []byte(strings.Repeat(fmt.Sprintf("#include \"d%d.h\"\n", i+1), 2))}
	}
	many := strings.Repeat
	const tooMany = "macros expand to more than"
	for _, c := range []struct{ name, source, want string }{
		{"an include cycle", "#include \"self.h\"\n", "files include each other"},
		{"includes that double", "#include \"d0.h\"\n", "files are included"},
		{"bodies that double", chain(40, "#define A0 x", "#define A<n> A<m> A<m>") + "A40", tooMany},
		{"bodies that double to nothing", chain(40, "#define A0", "#define A<n> A<m> A<m>") + "A40", tooMany},
		{"arguments that double", chain(40, "#define A0(...) __VA_ARGS__",
			"#define A<n>(...) A<m>(__VA_ARGS__,__VA_ARGS__)") + "A40(1)", tooMany},
		{"calls of calls", chain(40, "#define A0(x) x x", "#define A<n>(x) A<m>(A<m>(x))") + "A40(y)", tooMany},
		{"names that double", chain(40, "#define A0(x) x", "#define A<n>(x) A<m>(x##x)") + "A40(abcdefgh)", tooMany},
		{"strings that double", chain(40, "#define S(x) #x\n#define A0(x) x", "#define A<n>(x) A<m>(S(x)S(x))") +
			"A40(\"\\\"\")", tooMany},
		{"nested arguments", "#define f(x) x\n" + many("f(", 20000) + many(")", 20000), tooMany},
		{"a long chain", chain(60_000, "#define A0 x", "#define A<n> A<m>") + "A60000", tooMany},
		{"a chain of more macros than a program has", chain(mostMacros+1, "#define A0 x", "#define A<n> A<m>"),
			"macros are defined here"},
		{"mutual recursion", "#define a a b a\n#define b b a b\na", ""},
		{"nested __VA_OPT__", "#define e(...) " + many("__VA_OPT__(", 1000) + many(")", 1000) + "\ne(1)", ""},
		{"open conditions", many("#if 1\n", 100_000), "has no #endif"},
		{"brackets in a condition", "#if " + many("(", 100_000) + "\n#endif", "is nested too deep"},
		{"signs in a condition", "#if " + many("- ", 100_000) + "1\n#endif", "is nested too deep"},
		{"choices in a condition", "#if " + many("1?", 100_000) + "1\n#endif", "is nested too deep"},
		{"brackets of __has_include", "#if __has_include(" + many("(", 100_000) + "\n#endif", ""},
		{"unknown directives", many("#foo\n", 100_000), "there is no directive #foo"},
		{"quotes", many("'\n", 100_000), "the quote ' is not closed"},
		{"continued lines", many("+"+many("\\\n", 10_000)+"a", 3), ""},
		{"raw strings", many("R\"x(", 100_000), "the raw string is not closed"},
		{"open _Pragma", many("_Pragma(", 10_000), "write _Pragma"},
		{"calls without end", "#define f(x) x\n" + many("f(", 100_000), "is not closed"},
		{"an empty _Pragma", "_Pragma(\"\")", ""},
		{"a bare #define", "#define", "#define needs a name"},
		{"a backslash in a string at the end", "char *s = \"a\\", "the quote \" is not closed"},
		{"a backslash at the end", "a \\", ""},
		{"a backslash in a comment at the end", "int x; // a\\\n", ""},
		{"what is taken out", "#if 0\n#error don't\ndon't\n#define\n#foo\n#endif\nint x;", ""},
		{"a bomb taken out", "#if 0\n" + chain(40, "#define A0 x", "#define A<n> A<m> A<m>") + "A40\n#endif", ""},
		{"a bomb that is not used", chain(40, "#define A0 x", "#define A<n> A<m> A<m>"), ""},
		{"a bomb in a condition", chain(40, "#define A0 1", "#define A<n> A<m>+A<m>") + "#if A40\n#endif", tooMany},
		{"a bomb in a condition that is not reached", chain(40, "#define A0 1", "#define A<n> A<m>+A<m>") +
			"#if 1\n#elif A40\n#endif", ""},
		{"a bomb of pasted names", chain(40, "#define ID(x) x\n#define A0 1", "#define A<n> +A##<m> +A##<m>") +
			"ID(A40)", tooMany},
		{"a bomb in the second argument", "#define D(x, y) y y\n" + many("D(1,", 40) + "1" + many(")", 40), tooMany},
		{"a bomb restored", "#define X(a) a a\n#pragma push_macro(\"X\")\n#undef X\n#define X(a) a\n" +
			"#pragma pop_macro(\"X\")\n" + many("X(", 40) + "1" + many(")", 40), tooMany},
		{"a bomb taken back", "#define X(a) a a\n#undef X\n#define X(a) a\n" + many("X(", 40) + "1" +
			many(")", 40), ""},
		{"arguments used once, nested", "#define ADD(x, y) ((x)+(y))\n" + many("ADD(1,", 100) + "1" + many(")", 100),
			""},
		{"macros in each other", everyOther(14) + "A0", tooMany},
		{"a pasted _Pragma", "#define C(a, b) a##b\nint x; C(_Pra, gma)(\"unroll\") int y;", ""},
		{"lone #", "#\n#undef\n#line\nint x;", ""},
		{"#elif behind #else", "#if 0\n#else\n#elif 1\n#endif", "#elif"},
		{"NUL and invalid UTF-8", "int x\x00 = \xff;", ""},
	} {
		r := Run(Config{File: "k.cu", Text: c.source, FS: files, Limits: Limits{Tokens: 200_000}})
		switch {
		case c.want == "" && len(r.Errors) > 0:
			t.Errorf("%s: %v", c.name, r.Errors[0])
		case c.want != "" && (len(r.Errors) == 0 || !strings.Contains(r.Errors[0].Message, c.want) ||
			!r.Errors[0].Pos.IsValid()):
			t.Errorf("%s: %.300v, want %q", c.name, r.Errors, c.want)
		case len(r.Tokens) > 1_000_000 || len(r.Errors) > mostErrors:
			t.Errorf("%s: %d tokens, %d errors", c.name, len(r.Tokens), len(r.Errors))
		}
	}
}
