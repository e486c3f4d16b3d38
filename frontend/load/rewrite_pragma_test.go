package load

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"

	"modernc.org/cc/v4"
)

// labels returns all labelled statements of a tree, in order.
func labels(p *Parsed) (found []*cc.LabeledStatement) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return
			}
			if l, ok := v.Interface().(*cc.LabeledStatement); ok {
				found = append(found, l)
			}
			walk(v.Elem())
			return
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type.Implements(reflect.TypeFor[cc.Node]()) && f.Type != reflect.TypeFor[cc.Token]() {
				walk(v.Field(i))
			}
		}
	}
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if !p.FromPrelude(tu.ExternalDeclaration) {
			walk(reflect.ValueOf(tu.ExternalDeclaration))
		}
	}
	return found
}

// hints describes every unroll pragma and the statement behind it.
func hints(p *Parsed) (all []string) {
	for _, l := range labels(p) {
		h, ok := p.Hint(l)
		if !ok {
			continue
		}
		s := fmt.Sprintf("%d:%d ", h.Pos.Line, h.Pos.Column)
		switch h.Kind {
		case ast.UnrollFull:
			s += "full"
		case ast.NoUnroll:
			s += "no"
		case ast.UnrollFactor:
			s += fmt.Sprint("factor ", h.Value)
			if h.Factor != nil {
				s = strings.TrimSuffix(s, "0") + strings.ReplaceAll(cc.NodeSource(h.Factor), " ", "")
			}
		default:
			s += "none"
		}
		body := l.Statement
		for body != nil && body.Case == cc.StatementLabeled {
			body = body.LabeledStatement.Statement
		}
		switch {
		case body == nil:
			s += " nothing"
		case body.Case == cc.StatementIteration:
			s += " " + body.IterationStatement.Token.SrcStr()
		default:
			s += " " + body.Case.String()
		}
		all = append(all, s+" | "+h.Text)
	}
	return all
}

func TestPragmaSpellings(t *testing.T) {
	const head = `#define N 4
#define F(x) (x * 2)
#define HINT __attribute__((opencl_unroll_hint(8)))
#define PRAGMA(x) _Pragma(#x)
#define EXPAND(x) PRAGMA(x)
#define FULL _Pragma("unroll")
#define FOR(p, i, n) p for (int i = 0; i < n; i++)
`
	for _, c := range []struct{ text, want string }{
		{"#pragma unroll\nfor (;;);", "1:1 full for | #pragma unroll"},
		{"#pragma unroll 4\nfor (;;);", "1:1 factor (4) for | #pragma unroll 4"},
		{"#pragma unroll(4)\nwhile (1);", "1:1 factor ((4)) while | #pragma unroll(4)"},
		{"#pragma unroll (N)\ndo ; while (1);", "1:1 factor ((4)) do | #pragma unroll (N)"},
		{"#pragma unroll N\nfor (;;);", "1:1 factor (4) for | #pragma unroll N"},
		{"#pragma unroll N/2 + F(1) // a\nfor (;;);", "1:1 factor (4/2+(1*2)) for | #pragma unroll N/2 + F(1)"},
		{"#pragma unroll ((int)N)\nfor (;;);", "1:1 factor (((int)4)) for | #pragma unroll ((int)N)"},
		{"#pragma unroll sizeof(int)\nfor (;;);", "1:1 factor (sizeof(int)) for | #pragma unroll sizeof(int)"},
		{"#pragma unroll 1\nfor (;;);", "1:1 factor (1) for | #pragma unroll 1"},
		{"#pragma nounroll\nfor (;;);", "1:1 no for | #pragma nounroll"},
		{"  #  pragma  unroll  \\\n 4\nfor (;;);", "1:3 factor (4) for | #  pragma  unroll   4"},
		{"#pragma /* a */ unroll /* b */ 4 /* c */\nfor (;;);", "1:1 factor (4) for | #pragma /* a */ unroll /* b */ 4"},
		{"#pragma clang loop unroll(full)\nfor (;;);", "1:1 full for | #pragma clang loop unroll(full)"},
		{"#pragma clang loop unroll(enable)\nfor (;;);", "1:1 full for | #pragma clang loop unroll(enable)"},
		{"#pragma clang loop unroll(disable)\nfor (;;);", "1:1 no for | #pragma clang loop unroll(disable)"},
		{"#pragma clang loop vectorize(enable) unroll_count(N)\nfor (;;);", "1:1 factor (4) for | #pragma clang loop vectorize(enable) unroll_count(N)"},
		{"#pragma clang loop unroll_count(2) unroll(enable)\nfor (;;);", "1:1 factor (2) for | #pragma clang loop unroll_count(2) unroll(enable)"},
		{"#pragma GCC unroll 8\nfor (;;);", "1:1 factor (8) for | #pragma GCC unroll 8"},
		{"__attribute__((opencl_unroll_hint)) for (;;);", "1:1 full for | __attribute__((opencl_unroll_hint))"},
		{"__attribute__((opencl_unroll_hint(N)))\nfor (;;);", "1:1 factor (4) for | __attribute__((opencl_unroll_hint(N)))"},
		{"__attribute__((unused, __opencl_unroll_hint__(3), cold)) for (;;);", "1:1 factor (3) for | __attribute__((unused, __opencl_unroll_hint__(3), cold))"},
		{"HINT for (;;);", "1:1 factor (8) for | __attribute__((opencl_unroll_hint(8)))"},
		{"_Pragma(\"unroll\") for (;;);", "1:1 full for | #pragma unroll"},
		{"_Pragma(\"unroll 2*N\") for (;;);", "1:1 factor (2*4) for | #pragma unroll 2*N"},
		{"_Pragma (\n\"unroll(N)\"\n) for (;;);", "1:1 factor ((4)) for | #pragma unroll(N)"},
		{"PRAGMA(unroll 4) for (;;);", "1:1 factor 4 for | #pragma unroll 4"},
		{"PRAGMA(unroll N) for (;;);", "1:1 factor 4 for | #pragma unroll N"},
		{"EXPAND(unroll N) for (;;);", "1:1 factor 4 for | #pragma unroll 4"},
		{"PRAGMA(nounroll) for (;;);", "1:1 no for | #pragma nounroll"},
		{"PRAGMA(ivdep) for (;;);", "1:1 none for | #pragma ivdep"},
		{"FULL for (;;);", "1:1 full for | #pragma unroll"},
		{"FOR(_Pragma(\"unroll 4\"), i, 8);", "1:1 factor (4) for | #pragma unroll 4"},
		{"if (1)\n#pragma unroll 2\nfor (;;);\nelse\n#pragma unroll 3\nfor (;;);", "2:1 factor (2) for | #pragma unroll 2; 5:1 factor (3) for | #pragma unroll 3"},
		{"for (;;)\n#pragma unroll\nfor (;;) {\n#pragma unroll 2\nfor (;;);\n}", "2:1 full for | #pragma unroll; 4:1 factor (2) for | #pragma unroll 2"},
		{"#pragma unroll 2\n#pragma nounroll\nfor (;;);", "1:1 factor (2) for | #pragma unroll 2; 2:1 no for | #pragma nounroll"},
		{"switch (1) { case 1:\n#pragma unroll\nfor (;;); break; default: ; }", "2:1 full for | #pragma unroll"},
		{"#pragma unroll\nlabel: for (;;);", "1:1 full for | #pragma unroll"},
		// Not before a loop: it parses, and the checker warns.
		{"#pragma unroll\nint a;", "1:1 full StatementExpr | #pragma unroll"},
		{"#pragma unroll\n", "1:1 full StatementExpr | #pragma unroll"},
		{"{\n#pragma unroll\n}", "2:1 full StatementExpr | #pragma unroll"},
		{"#pragma unroll\nif (1) ;", "1:1 full StatementSelection | #pragma unroll"},
	} {
		text := head + "__kernel void k(void) {\n#line 1\n" + c.text + "\n}\n"
		p, err := parse(&Config{File: "k.cl", Text: text, Dialect: source.OpenCL})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := strings.Join(hints(p), "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
		if len(p.Warnings) > 0 {
			t.Errorf("%s: %v", c.text, p.Warnings)
		}
	}
}

// TestPragmaWarnings has the pragmas that do nothing, and say so or not.
func TestPragmaWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma STDC FP_CONTRACT ON\n#pragma GCC diagnostic push\n#pragma clang diagnostic pop\n#pragma once\n", ""},
		{"#pragma\nint x;", ""},
		{"#pragma unroll\nint x;", "k.cl:1:9: warning[PRAGMA]: #pragma unroll is ignored: it stands before no loop"},
		{"#pragma omp parallel for\nint x;", "k.cl:1:9: note[PRAGMA]: unknown #pragma omp parallel for is ignored"},
		{"#if 0\n#pragma omp\n#endif\nint x;", ""},
		{"#pragma pack(1)\nint x;", "k.cl:1:9: warning[PRAGMA]: #pragma pack is ignored: members keep their natural alignment"},
		{"void f(void) {\n  #pragma unroll 4 5\nfor(;;);}", "k.cl:2:11: warning[PRAGMA]: #pragma unroll 4 5 is ignored: \"4 5\" is no factor"},
		{"void f(void) {\n#pragma unroll (4\nfor(;;);}", "k.cl:2:9: warning[PRAGMA]: #pragma unroll ( 4 is ignored: \"( 4\" is no factor"},
		{"void f(void) {\n#pragma unroll 4; }\nfor(;;);}", "k.cl:2:9: warning[PRAGMA]: #pragma unroll 4 ; } is ignored: \"4 ; }\" is no factor"},
		{"void f(void) {\n#pragma nounroll 3\nfor(;;);}", "k.cl:2:9: warning[PRAGMA]: #pragma nounroll 3 is ignored: nounroll takes nothing after it"},
		{"void f(void) {\n#pragma clang loop unroll\nfor(;;);}", "k.cl:2:9: warning[PRAGMA]: #pragma clang loop unroll is ignored: \"unroll\" takes its value in parentheses"},
		{"void f(void) {\n#pragma clang loop unroll(maybe)\nfor(;;);}", "k.cl:2:9: warning[PRAGMA]: #pragma clang loop unroll ( maybe ) is ignored: clang loop unroll takes full, enable or disable"},
		{"void f(int a) {\n if (a) ;\n#pragma unroll\nelse ; }", "k.cl:3:9: warning[PRAGMA]: #pragma unroll is ignored: it stands before no loop"},
		{"void f(int a) {\n a = 1 +\n#pragma unroll\n2; }", "k.cl:3:9: warning[PRAGMA]: #pragma unroll is ignored: it stands before no loop"},
		{"int a[] = {\n#pragma unroll\n2 };", "k.cl:2:9: warning[PRAGMA]: #pragma unroll is ignored: it stands before no loop"},
		{"struct s {\n#pragma unroll\nint a; };", "k.cl:2:9: warning[PRAGMA]: #pragma unroll is ignored: it stands before no loop"},
		{"void f(int a) { a = _Pragma(\"unroll\") 2; }", "k.cl:1:21: warning[PRAGMA]: _Pragma is ignored: it stands before no statement"},
		{"void f(int a) { _Pragma(\"unroll 4 5\") for(;;); }", "k.cl:1:17: warning[PRAGMA]: _Pragma is ignored: \"4 5\" is no factor"},
		{"#warning old\nint x;", "k.cl:1:2: warning[PRAGMA]: #warning old"},
	} {
		p, err := parse(&Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := strings.TrimSpace(p.Warnings.Error()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestStringPragmaWarning has the one pragma that typing finds wrong.
func TestStringPragmaWarning(t *testing.T) {
	p := parseTree(t, Config{File: "k.cl", Dialect: source.OpenCL, Text: "#define P(x) _Pragma(#x)\nvoid f(void) {\n P(unroll n + 1) for(;;);\n}"})
	if got := hints(p); len(got) != 1 || got[0] != "3:2 none for | #pragma unroll n + 1" {
		t.Errorf("got %q", got)
	}
	if got, want := p.Warnings.Error(), "k.cl:3:2: warning[PRAGMA]: #pragma unroll n + 1 is ignored: its factor is no number"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestIsExpression(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"4", true}, {"N", true}, {"-N", true}, {"a+b*c", true}, {"f(a,b)", true}, {"a[1]", true}, {"(int)4", true}, {"(a)", true},
		{"a?b:c", true}, {"1<<3", true}, {"!a&&~b", true}, {"'a'", true}, {"sizeof(int)", true}, {"1.5f", true}, {".5", true}, {"a.b", true},
		{"", false}, {"4 5", false}, {"a b", false}, {"(4", false}, {"4)", false}, {")(", false}, {"+", false}, {"a+", false}, {"a,b", false},
		{"a;b", false}, {"{a}", false}, {"\"a\"", false}, {"a=b", false}, {"*", false}, {"a::b", false}, {"[1]", false}, {"(,)", false}, {"#a", false},
	} {
		l, _, err := tokens.Lex(c.text, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := isExpression(l.Words(0, len(l.Tokens))); got != c.want {
			t.Errorf("isExpression(%q) = %v", c.text, got)
		}
	}
}
