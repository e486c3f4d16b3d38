package load

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/internal/diag"
	"gpupipe/internal/tools"
)

// slow is when a case counts as hanging, on a busy machine too: parse gives up
// by itself after maxParseTime, with an error that the cases do not expect.
const slow = 2 * maxParseTime

// parseWithin runs parse and fails the test if it does not return in time.
func parseWithin(t *testing.T, cfg Config) (*Parsed, error) {
	t.Helper()
	type result struct {
		p   *Parsed
		err error
	}
	done := make(chan result, 1)
	go func() {
		p, err := parse(&cfg)
		done <- result{p, err}
	}()
	select {
	case r := <-done:
		checkPositioned(t, r.err)
		return r.p, r.err
	case <-time.After(slow):
		t.Fatalf("no result after %v", slow)
		return nil, nil
	}
}

// checkPositioned fails the test if an error is not what users may see.
func checkPositioned(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var one *diag.Error
	var list diag.List
	if errors.As(err, &one) {
		list = diag.List{one}
	} else if !errors.As(err, &list) {
		t.Fatalf("error is no diagnostic: %v", err)
	}
	for _, e := range list {
		if e.Pos.File == "" || e.Code == "" || e.Message == "" {
			t.Errorf("incomplete diagnostic %#v", e)
		}
		text := e.Error()
		for _, secret := range []string{"kl-", "__kl_", "kl_", "_Nonnull", encoding.PreludeName, ".go:", "TODO"} {
			if strings.Contains(text, secret) {
				t.Errorf("diagnostic shows %q: %s", secret, text)
			}
		}
	}
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

const kernelText = "__kernel void k(__global float *x) { x[0] = 1; }\n"

// TestHostileInput holds every kind of input that made cc.Parse hang, exhaust
// memory, overflow the stack or panic, and its relatives.
func TestHostileInput(t *testing.T) {
	tools.Heavy(t)
	nested := func(open, close string, n int) string {
		return "void f(void) { x = " + strings.Repeat(open, n) + "1" + strings.Repeat(close, n) + "; }"
	}
	bomb := func(n int, body string) string {
		var b strings.Builder
		b.WriteString("#define A0 " + body + "\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "#define A%d A%d A%d\n", i, i-1, i-1)
		}
		fmt.Fprintf(&b, "int a = A%d;\n", n)
		return b.String()
	}
	pasted := func(n int) string {
		text := "#define ID(x) x\n#define A0 1\n"
		for i := range n {
			text += fmt.Sprintf("#define A%d +A##%d +A##%d\n", i+1, i, i)
		}
		return text + fmt.Sprintf("int a = ID(A%d);\n", n)
	}
	for _, c := range []struct {
		name, text string
		want       string // in the error; "" = none
	}{
		{"empty", "", ""},
		{"blank", " \n\t\n", ""},
		{"no newline at the end", "int x;", ""},
		{"byte order mark", "\ufeffint x;", ""},
		{"carriage returns", "int x;\r\nint \\\r\ny;\r\n", ""},
		{"empty _Pragma", `_Pragma("")`, ""},
		{"empty _Pragma in a body", `void f(void) { _Pragma("") for(;;); }`, ""},
		{"empty _Pragma in a macro", "#define P _Pragma(\"\")\nvoid f(void) { P for(;;); P }", ""},
		{"_Pragma without an operand", "_Pragma", "_Pragma takes"},
		{"_Pragma not closed", "void f(void) { _Pragma(\"x\" }", ""},
		{"star at the end", "int *", "ends too early"},
		{"star at the end of a header", "#include \"star.h\"\n", "ends too early"},
		{"parameter star at the end", "void f(int *", "ends too early"},
		{"backslash at the end", "int x;\\", ""},
		{"backslash newline at the end", "int x;\\\n", ""},
		{"backslash in a string at the end", "char *s = \"abc\\", "not closed"},
		{"backslash newline in a string at the end", "char *s = \"abc\\\n", "not closed"},
		{"backslash in a character at the end", "int c = '\\", "not closed"},
		{"backslash newline in a comment at the end", "int x; // a\\\n", ""},
		{"two continuation lines", "int \\\n\\\nx;", ""},
		{"string over lines", "char *s = \"a\nb\";", "not closed"},
		{"comment not closed", "int x; /* a\n", "comment is not closed"},
		{"apostrophe in #error taken out", "#if 0\n#error don't\n#endif\nint x;", ""},
		{"apostrophe in text taken out", "#if 0\ndon't\n#endif\nint x;", ""},
		{"bare #define", "#define", "#define needs a name"},
		{"bare #define taken out", "#if 0\n#define\n#endif\nint x;", ""},
		{"#define of a number", "#define 3 4\n", "#define needs a name"},
		{"bare #undef", "#undef\nint x;", ""},
		{"bare #include", "#include\n", "malformed #include"},
		{"#include not closed", "#include <a\nint x;", "malformed #include"},
		{"#include of a number", "#include 3\n", "malformed #include"},
		{"bare #if", "#if\n#endif\n", "#if"},
		{"half #if", "#if 1 +\n#endif\n", "#if"},
		{"bad number in #if", "#if 1LLL\n#endif\n", "malformed number in #if"},
		{"float in #if", "#if 1.5\n#endif\n", "#if"},
		{"division by zero in #if", "#if 1/0\n#endif\n", "division by zero"},
		{"missing #endif", "#if 1\nint x;", "#endif"},
		{"#endif alone", "#endif\n", "#endif"},
		{"#elif after #else", "#if 0\n#else\n#elif 1\n#endif\n", "#e"},
		{"unknown directive", "#foo\n", "unknown directive #foo"},
		{"lone #", "#\nint x;", ""},
		{"bare #line", "#line\nint x;", ""},
		{"macro call not closed", "#define M(x) x\nint a = M(1;\n", "macro"},
		{"macro call not closed at the end", "#define M(x) x\nint a = M(", "macro"},
		{"macro parameters not closed", "#define M(x\n", ")"},
		{"too many macro arguments", "#define M(x) x\nint a = M(1, 2);", "too many macro arguments"},
		{"pasting to nothing", "#define M(a) a##\nint x = M(1);", ""},
		{"pasted _Pragma", "#define C(a, b) a##b\nint x; C(_Pra, gma)(\"unroll\") int y;", ""},
		{"own include marks", "#pragma __kl_enter 0 0\n#pragma __kl_leave 0\n#pragma __kl_diag 99\n#pragma __kl_reject -1\nint x;", ""},
		{"private use character", "int \ue001\ue002 x;", "unexpected"},
		{"NUL and invalid UTF-8", "int x\x00 = \xff;", "unexpected"},
		{"include cycle", "#include \"cycle.h\"\n", "includes itself without end"},
		{"include cycle of two", "#include \"a.h\"\n", "includes itself without end"},
		{"branching include cycle", "#include \"twice.h\"\n", "includes itself without end"},
		{"file includes itself", "#include \"k.cl\"\n", "includes itself without end"},
		{"file includes itself by __FILE__", "#include __FILE__\n", "k.cl:1:1: error[INCLUDE]: k.cl includes itself without end"},
		{"include of a directory", "#include \"dir\"\n", "k.cl:1:1: error[INCLUDE]: cannot read \"dir\": dir: is a folder"},
		{"parentheses", nested("(", ")", 100_000), "brackets nested more than 1000 deep"},
		{"parentheses, never closed", nested("(", "", 1001), "brackets nested more than 1000 deep"},
		{"brackets", nested("a[", "]", 100_000), "brackets nested more than 1000 deep"},
		{"braces", "void f(void) " + strings.Repeat("{", 100_000), "brackets nested more than 1000 deep"},
		{"ten megabytes of brackets", strings.Repeat("(", 10<<20), "brackets nested more than 1000 deep"},
		{"ten megabytes of closing brackets", strings.Repeat(")", 10<<20), "more than 2000000 tokens"},
		{"brackets from macros", bomb(10, "(((") + "\n", "when macros are expanded"},
		{"#if nested", strings.Repeat("#if 1\n", 100_000), "#if nested more than 1000 deep"},
		{"minus signs", nested("-", "", 100_000), "nested in one statement"},
		{"casts", nested("(int)", "", 100_000), "nested in one statement"},
		{"negations from macros", bomb(17, "!") + "\n", "nested in one statement"},
		{"assignments", nested("a=", "", 100_000), "nested in one statement"},
		{"conditionals", nested("a?b:", "", 100_000), "nested in one statement"},
		{"sums", "int x = 1" + strings.Repeat("+1", 100_000) + ";", "nested in one statement"},
		{"pointers", "int " + strings.Repeat("*", 100_000) + "p;", "nested in one statement"},
		{"else-ifs", "void f(int a) { " + strings.Repeat("if (a) a = 1; else ", 100_000) + ";}", "nested in one statement"},
		{"else-ifs with commas", "void f(int a) { " + strings.Repeat("if (a) a = 1, a = 2; else ", 100_000) + ";}", "nested in one statement"},
		{"loops in loops", "void f(int a) { " + strings.Repeat("for (;;) ", 100_000) + ";}", "nested in one statement"},
		{"do in do", "void f(int a) { " + strings.Repeat("do ", 100_000) + ";}", "nested in one statement"},
		{"labels", "void f(int a) { " + strings.Repeat("case 1: ", 100_000) + ";}", "nested in one statement"},
		{"pragmas", "void f(int a) { " + strings.Repeat("\n#pragma unroll\n", 100_000) + "for(;;);}", "nested in one statement"},
		{"macro bomb", bomb(40, "1"), "k.cl:42:9: error[LIMIT]: the macro A40 may expand to more than 500000 tokens"},
		{"macro bomb in #if", bomb(2, "1") + "#define B0 1+1\n#define B1 " + strings.Repeat("B0 ", 1000) + "\n#define B2 " + strings.Repeat("B1 ", 1000) + "\n#if B2\n#endif\n", "the macro B2 may expand"},
		{"arguments that are used once each, nested", "#define ADD(x, y) ((x)+(y))\n#define FIRST(x, y) x\nint a = " +
			strings.Repeat("ADD(1,", 30) + "1" + strings.Repeat(")", 30) + " + " + strings.Repeat("FIRST(1,", 200) + "1" + strings.Repeat(")", 200) + ";\n", ""},
		{"macro bomb in the second of two arguments", "#define D(x, y) y y\nint a = " + strings.Repeat("D(1,", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro D may expand"},
		{"macro bomb in named variable arguments", "#define D(x, y...) y y\nint a = " + strings.Repeat("D(1,2,", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro D may expand"},
		{"macro bomb of a name with its arguments behind it", "#define D(x, y) y y\n#define N D\nint a = " + strings.Repeat("N(1,", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro N may expand"},
		{"macro bomb of pasted names", pasted(30), "the macro ID may expand"},
		{"macro bomb in an argument", "#define P(x) x y ## z\n#define B1 " + strings.Repeat("1 ", 2000) + "\n#define B2 " + strings.Repeat("B1 ", 2000) + "\nint a = P(B2);\n", "the macro P may expand"},
		{"macro bomb by arguments", "#define D(x) x x\nint a = " + strings.Repeat("D(", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro D may expand"},
		{"macro bomb by nested arguments", "#define D(x) x x\n#define E(x) D(D(D(D(D(D(D(x)))))))\n#define F(x) E(E(E(x)))\nint a = F(1);\n", "the macro F may expand"},
		{"macro bomb from a header", "#include \"bomb.h\"\nint a = BOMB;\n", "k.cl:2:9: error[LIMIT]: the macro BOMB may"},
		{"macro bomb in #elif behind a dead #if", bomb(0, "1") + "#define B0 1+1\n#define B1 " + strings.Repeat("B0 ", 1000) + "\n#define B2 " + strings.Repeat("B1 ", 1000) + "\n#if 0\n#elif B2\n#endif\n", "the macro B2 may expand"},
		{"macro bomb by an alias", "#define D(x) x x\n#define E D\nint a = " + strings.Repeat("E(", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro E may expand"},
		{"macro bomb of macros in each other", everyOther(14) + "int a = A0;\n", "the macro A0 may expand"},
		{"macro bomb in a dead branch", "#if 0\n#define X(a) a a\n#else\n#define X(a) a\n#endif\nint a = " + strings.Repeat("X(", 30) + "1" + strings.Repeat(")", 30) + ";\n", ""},
		{"macro bomb in the other branch", "#if 1\n#define X(a) a a\n#else\n#define X(a) a\n#endif\nint a = " + strings.Repeat("X(", 30) + "1" + strings.Repeat(")", 30) + ";\n", "k.cl:6:9: error[LIMIT]: the macro X may expand"},
		{"macro bomb taken back", "#define X(a) a a\n#undef X\n#define X(a) a\nint a = " + strings.Repeat("X(", 30) + "1" + strings.Repeat(")", 30) + ";\n", ""},
		{"macro bomb restored", "#define X(a) a a\n#pragma push_macro(\"X\")\n#undef X\n#define X(a) a\n#pragma pop_macro(\"X\")\nint a = " + strings.Repeat("X(", 30) + "1" + strings.Repeat(")", 30) + ";\n", "the macro X may expand"},
		{"macro bomb defined among arguments", "#define I(a) a\n#define X(a) a\nint a = I(\n#undef X\n#define X(a) a a\n" + strings.Repeat("X(", 30) + "1" + strings.Repeat(")", 30) + ");\n", "the macro I may expand"},
		{"macro bomb taken out", bomb(0, "1") + "#if 0\n" + bomb(40, "1")[12:] + "#endif\n", ""},
		{"macro bomb never used", strings.TrimSuffix(bomb(40, "1"), "int a = A40;\n"), ""},
		{"recursive macros", "#define A B B\n#define B A A\nint a = sizeof(int) A B;\n", "unexpected"},
		{"many statements from macros", "#define S x = 1; x = 2; x = 3; x = 4; x = 5;\nvoid f(int x) {" + strings.Repeat("S S S S S S S S S S S S S\n", 9000) + "}", "when its macros are expanded"},
		{"too large", strings.Repeat("int x;\n", 3<<20), "larger than 16 MB"},
		{"long tables are fine", "__constant int t[] = {" + strings.Repeat("-1,", 50_000) + "};", ""},
		{"long blocks are fine", "void f(int a) {" + strings.Repeat("if (a) a = -a; else a = a + 1;\n", 5_000) + "}", ""},
		{"long switches are fine", "void f(int a) { switch (a) {" + strings.Repeat("case 1: a = 2; break;\n", 5_000) + "}}", ""},
		{"deep but allowed", nested("(", ")", 900), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseWithin(t, Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL, FS: fstest.MapFS{
				"k.cl":    {Data: []byte("#include \"k.cl\"\n")},
				"cycle.h": {Data: []byte("int a;\n#include \"cycle.h\"\n")},
				"a.h":     {Data: []byte("#include \"b.h\"\n")},
				"b.h":     {Data: []byte("#include \"a.h\"\n")},
				"twice.h": {Data: []byte("#include \"twice.h\"\n#include \"twice.h\"\n")},
				"star.h":  {Data: []byte("int *")},
				"bomb.h":  {Data: []byte(bomb(40, "1")[:len(bomb(40, "1"))-len("int a = A40;\n")] + "#define BOMB A40\n")},
				"dir/x.h": {Data: []byte("int x;")},
			}})
			switch {
			case err == nil && c.want != "":
				t.Errorf("no error, want %q", c.want)
			case err != nil && c.want == "" && !strings.Contains(c.name, "not closed") && !strings.Contains(c.name, "past") && !strings.Contains(c.name, "number"):
				t.Errorf("unexpected error: %.300v", err)
			case err != nil && !strings.Contains(err.Error(), c.want):
				t.Errorf("error %.300q, want %q", err, c.want)
			}
		})
	}
}

// TestManyIncludes stops an exponential number of includes without a cycle.
func TestManyIncludes(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 40 {
		files[fmt.Sprintf("h%d.h", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "#include \"h%d.h\"\n#include \"h%d.h\"\n", i+1, i+1)}
	}
	files["h40.h"] = &fstest.MapFile{}
	_, err := parseWithin(t, Config{File: "k.cl", Text: "#include \"h0.h\"\n", Dialect: source.OpenCL, FS: files})
	if err == nil || !strings.Contains(err.Error(), "more than 100000 #include executed") {
		t.Errorf("got %v", err)
	}
}

// TestWatchdog gives up on what the other limits let through: here, on
// functions that never end and never allocate, or allocate without end.
func TestWatchdog(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	_, err := guarded(time.Now().Add(20*time.Millisecond), maxHeap, func() int { <-stop; return 0 })
	if err == nil || !strings.Contains(err.Error(), "parsing takes longer than 1m0s") {
		t.Errorf("got %v", err)
	}
	_, err = guarded(time.Now().Add(time.Hour), maxHeap, func() int { panic("boom") })
	if err == nil || err.Error() != "boom" {
		t.Errorf("got %v", err)
	}
	if n, err := guarded(time.Now().Add(time.Hour), maxHeap, func() int { return 3 }); n != 3 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

// TestCrash reports a panic of the parser as what it is.
func TestCrash(t *testing.T) {
	l := newLoader(&Config{File: "k.cl", Text: kernelText, Dialect: source.OpenCL})
	err := l.crashed(panicked{"cpp.go:1: index out of range\nstack"})
	if got := err.Error(); !strings.HasPrefix(got, "k.cl: error[INTERNAL]: the parser failed: ") || !strings.Contains(got, "please report") {
		t.Errorf("got %q", got)
	}
}
