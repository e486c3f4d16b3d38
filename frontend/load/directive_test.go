package load

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/source"

	"modernc.org/cc/v4"
)

// showDirectives prints what the tree holds of the directives.
func showDirectives(p *Parsed) string {
	var b strings.Builder
	for _, d := range p.Directives {
		fmt.Fprintf(&b, "%d:%d %s:", d.Pos.Line, d.Pos.Column, d.Kernel.Declarator.Name())
		for _, f := range d.Fields {
			fmt.Fprintf(&b, " %d:%d %s=", f.Pos.Line, f.Pos.Column, f.Key)
			for i, e := range f.Exprs {
				if i > 0 {
					b.WriteString(" , ")
				}
				b.WriteString(strings.ReplaceAll(cc.NodeSource(e), " ", ""))
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestDirectives(t *testing.T) {
	const kernel = "__kernel void k(int n) {}\n"
	for _, c := range []struct{ name, text, want string }{
		{"one", "// idgen: local=8,8 global=1024,1024\n" + kernel, "1:1 k: 1:11 local=(8) , (8) 1:21 global=(1024) , (1024)"},
		{"no blank", "//idgen:groups=4\n" + kernel, "1:1 k: 1:9 groups=(4)"},
		{"as on the command line", "// idgen: local=8x4x2 groups=128x1\n" + kernel, "1:1 k: 1:11 local=(8) , (4) , (2) 1:23 groups=(128) , (1)"},
		{"arguments", "// idgen: arg.n=3 arg.alpha=-1.5f dynamic-local=4*sizeof(int)\n" + kernel, "1:1 k: 1:11 arg.n=(3) 1:19 arg.alpha=(-1.5f) 1:35 dynamic-local=(4*sizeof(int))"},
		{"lines add up", "// idgen: local=8\n\n  // idgen: global=64\n" + kernel, "1:1 k: 1:11 local=(8)\n3:3 k: 3:13 global=(64)"},
		{"macros", "#define B 8\n// idgen: local=B,B/2 global=F(B,2)\n#define F(a,b) (a*b)\n" + kernel, "2:1 k: 2:11 local=(8) , (8/2) 2:23 global=((8*2))"},
		{"command line", "// idgen: local=DEFINED\n" + kernel, "1:1 k: 1:11 local=(16)"},
		{"next kernel", "// idgen: local=1\n__kernel void a(void) {}\nvoid f(void) {}\n// idgen: local=2\n__kernel void b(void) {}\n__kernel void c(void) {}", "1:1 a: 1:11 local=(1)\n4:1 b: 4:11 local=(2)"},
		{"taken out", "#if 0\n// idgen: local=1\n// idgen: nonsense\n#endif\n" + kernel, ""},
		{"else", "#ifdef NONE\n// idgen: local=1\n#else\n// idgen: local=2\n#endif\n" + kernel, "4:1 k: 4:11 local=(2)"},
		{"behind code is none", "int x; // idgen: local=1\n" + kernel, ""},
		{"block comment is none", "/* idgen: local=1 */\n" + kernel, ""},
		{"other comment", "// see idgen: local=1\n// idgen local=1\n" + kernel, ""},
		{"between type and name", "__kernel void\n// idgen: local=1\nk(int n) {}\n", "2:1 k: 2:11 local=(1)"},
		{"continuation is none", "#define A \\\n// idgen: local=1\n" + kernel, ""},
		{"crlf", "// idgen: local=8\r\n" + kernel, "1:1 k: 1:11 local=(8)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parseTree(t, Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL, Defines: []string{"DEFINED=16"}})
			if got := showDirectives(p); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestDirectiveErrors(t *testing.T) {
	const kernel = "\n__kernel void k(int n) {}\n"
	for _, c := range []struct{ text, want string }{
		{"// idgen: locla=8", "k.cl:1:11: error[DIRECTIVE]: unknown key \"locla\"\n\tdid you mean local?"},
		{"// idgen: local=8 group=8", "k.cl:1:19: error[DIRECTIVE]: unknown key \"group\"\n\tdid you mean groups?"},
		{"// idgen: threads=8", "k.cl:1:11: error[DIRECTIVE]: unknown key \"threads\"\n\tthe keys are local, global, groups, dynamic-local, arg.NAME"},
		{"// idgen: args.n=8", "k.cl:1:11: error[DIRECTIVE]: unknown key \"args.n\""},
		{"// idgen: arg.=8", "k.cl:1:11: error[DIRECTIVE]: \"arg.\" names no parameter\n\twrite arg.NAME=VALUE"},
		{"// idgen: local = 8", "k.cl:1:11: error[DIRECTIVE]: \"local\" is no KEY=VALUE\n\ta value holds no blanks: local=8,8 arg.n=N*2"},
		{"// idgen: local=", "k.cl:1:17: error[DIRECTIVE]: \"\" is no constant expression"},
		{"// idgen: local=8,", "k.cl:1:19: error[DIRECTIVE]: \"\" is no constant expression\n\ta value holds no blanks: local=8,8 arg.n=N*2"},
		{"// idgen: local=8, 8", "k.cl:1:19: error[DIRECTIVE]: \"\" is no constant expression\n\ta value holds no blanks: local=8,8 arg.n=N*2"},
		{"// idgen: local=8;}", "k.cl:1:17: error[DIRECTIVE]: \"8;}\" is no constant expression"},
		{"// idgen: local=(8", "k.cl:1:17: error[DIRECTIVE]: \"(8\" is no constant expression"},
		{"// idgen: local=8//8", "k.cl:1:17: error[DIRECTIVE]: \"8//8\" is no constant expression"},
		{"// idgen: local=8x8x8x8", "k.cl:1:11: error[DIRECTIVE]: local takes at most 3 values, not 4"},
		{"// idgen: local=1,2,3,4", "k.cl:1:11: error[DIRECTIVE]: local takes at most 3 values, not 4"},
		{"// idgen: dynamic-local=1,2", "k.cl:1:11: error[DIRECTIVE]: dynamic-local takes at most 1 values, not 2"},
		{"// idgen: local=8 local=4", "k.cl:1:19: error[DIRECTIVE]: local is given twice for kernel k"},
		{"// idgen: local=8\n// idgen: local=8", "k.cl:2:11: error[DIRECTIVE]: local is given twice for kernel k"},
		{"// idgen: local=4 global=float+1", "k.cl:1:31: error[DIRECTIVE]: unexpected '+', expected ')'\n\ta directive's values are constant expressions of C"},
	} {
		_, err := parseWithin(t, Config{File: "k.cl", Text: c.text + kernel, Dialect: source.OpenCL})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"// idgen:" + kernel, "k.cl:1:1: warning[DIRECTIVE]: empty directive"},
		{kernel + "// idgen: local=8", "k.cl:3:1: warning[DIRECTIVE]: no kernel follows this directive"},
	} {
		p := parseTree(t, Config{File: "k.cl", Text: c.text, Dialect: source.OpenCL})
		if got := p.Warnings.Error(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	_, err := parseWithin(t, Config{File: "k.cl", Text: strings.Repeat("// idgen: local=1,2,3\n", 400) + kernel, Dialect: source.OpenCL})
	if err == nil || !strings.Contains(err.Error(), "more than 1000 values in directives") {
		t.Errorf("got %v", err)
	}
}

// TestDirectiveOfRejectedKernel checks that a directive never moves on to the
// wrong kernel.
func TestDirectiveOfRejectedKernel(t *testing.T) {
	p := parseTree(t, Config{File: "k.cu", Dialect: source.CUDA, Text: "// idgen: local=1\n__global__ void a() { throw 1; }\n// idgen: local=2\n__global__ void b() {}\n"})
	if got, want := showDirectives(p), "3:1 b: 3:11 local=(2)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
