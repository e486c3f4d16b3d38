package load

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/source"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// parse is Parse without template arguments that are known.
func parse(cfg *Config) (*Parsed, error) { return Parse(cfg, cxx.NewInstances()) }

// parseTree parses a program that has no errors.
func parseTree(t testing.TB, cfg Config) *Parsed {
	t.Helper()
	p, err := parse(&cfg)
	if err != nil {
		t.Fatalf("%v\n%s", err, cfg.Text)
	}
	return p
}

// userTokens returns the tokens of the user's part of the tree, in order.
func userTokens(p *Parsed) (toks []cc.Token) {
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if !p.FromPrelude(tu.ExternalDeclaration) {
			toks = append(toks, cc.NodeTokens(tu.ExternalDeclaration)...)
		}
	}
	return toks
}

// checkPositions checks every identifier called at_LINE_COLUMN, or
// at_FILE_LINE_COLUMN for FILE.h, against its position, and that there are
// want of them.
func checkPositions(t *testing.T, p *Parsed, want int) {
	t.Helper()
	n := 0
	for _, tok := range userTokens(p) {
		parts := strings.Split(tok.SrcStr(), "_")
		if parts[0] != "at" || len(parts) < 3 {
			continue
		}
		n++
		w := diag.Pos{File: "k.cl"}
		if len(parts) > 3 {
			w.File = parts[1] + ".h"
		}
		w.Line, _ = strconv.Atoi(parts[len(parts)-2])
		w.Column, _ = strconv.Atoi(parts[len(parts)-1])
		if got := p.Pos(tok); got != w {
			t.Errorf("%s is at %v", tok.SrcStr(), got)
		}
	}
	if n != want {
		t.Errorf("%d marked tokens in the tree, want %d", n, want)
	}
}

func TestPositions(t *testing.T) {
	files := fstest.MapFS{
		"inc.h":       {Data: []byte("int at_inc_1_5;\n#include \"sub/deep.h\"\n\tint at_inc_3_6;\n")},
		"sub/deep.h":  {Data: []byte("#line 7 \"deep.h\"\nint at_deep_7_5; // comment\n#include \"near.h\"\n")},
		"sub/near.h":  {Data: []byte("#line 1 \"near.h\"\n#pragma once\nint at_near_2_5;\n")},
		"lib/found.h": {Data: []byte("#line 1 \"found.h\"\nint at_found_1_5;")},
	}
	for _, c := range []struct {
		name string
		d    source.Dialect
		n    int
		text string
	}{
		{"plain", source.OpenCL, 2, "int at_1_5;\n\n  int at_3_7;"},
		{"crlf", source.OpenCL, 2, "int at_1_5;\r\nint at_2_5;\r\n"},
		{"byte order mark", source.OpenCL, 1, "\ufeffint at_1_8;"},
		{"comments", source.OpenCL, 2, "/* a\n b */ int at_2_11; // c\n/**/int at_3_9;"},
		{"continuation", source.OpenCL, 4, "int at_1_5 \\\n, at_2_3\\\n\\\n, at_4_3;\nint at_5_5;\n"},
		{"continuation with blanks", source.OpenCL, 2, "int at_1_5; \\ \t\n int at_2_6;\n"},
		{"continued name", source.OpenCL, 1, "int at_\\\n1_5;\n"},
		{"object macro", source.OpenCL, 2, "#define X at_2_5\nint X;\nint at_3_5;\n"},
		{"function macro", source.OpenCL, 3, "#define D(a, b) int a, b\n\n  D(at_3_3, at_3_3);\nint at_4_5;\n"},
		{"macro over lines", source.OpenCL, 3, "#define D(a, b) int a, b\nD(at_2_1,\n  at_2_1\n);\nint at_5_5;\n"},
		{"continued macro", source.OpenCL, 2, "#define D \\\n  int at_4_1 \\\n  ;\nD\nint at_5_5;\n"},
		{"line", source.OpenCL, 3, "int at_1_5;\n#line 100\nint at_100_5;\n# 7 \"x.h\"\n\nint at_x_8_5;\n"},
		{"line taken out", source.OpenCL, 1, "#if 0\n#line 100\n#endif\nint at_4_5;\n"},
		{"include", source.OpenCL, 7, "#include \"inc.h\"\nint at_2_5;\n#include <found.h>\nint at_4_5;\n"},
		{"include by macro", source.OpenCL, 6, "#define I \"inc.h\"\n#include I\nint at_3_5;\n#define F <found.h>\n#include F\n"},
		{"include twice", source.OpenCL, 2, "#include \"sub/near.h\"\n#include \"sub/near.h\"\nint at_3_5;\n"},
		{"pragma", source.OpenCL, 5, "void f(void) {\n  int at_2_7;\n#pragma unroll at_3_16 + at_3_26\nfor(;;) at_4_9;\n  at_5_3;\n}"},
		{"pragma operator", source.OpenCL, 2, "void f(void) {\n  _Pragma(\"unroll 4\") for(;;) at_2_31;\n at_3_2;\n}"},
		{"attribute", source.OpenCL, 3, "void f(void) {\n  __attribute__((opencl_unroll_hint(at_2_37))) for(;;) at_2_56;\n at_3_2;\n}"},
		{"attribute over lines", source.OpenCL, 2, "void f(void) {\n  __attribute__((opencl_unroll_hint(\n  at_3_3)))\nfor(;;) at_4_9;\n}"},
		{"qualifiers", source.OpenCL, 2, "__kernel void at_1_15(__global float *at_1_39) {}"},
		{"directive comment", source.OpenCL, 2, "int at_1_5;\n// idgen: local=4\n__kernel void at_3_15(void) {}"},
		{"casts", source.CUDA, 4, "__device__ void f(void) {\n  at_2_3 = static_cast<float>(at_2_31) + float(at_2_48) + at_2_59;\n}"},
		{"reference casts", source.CUDA, 2, "__device__ void f(void) {\n  reinterpret_cast<int &>(at_2_27) = at_2_38;\n}"},
		{"references", source.CUDA, 2, "__device__ void f(int &at_1_24, int at_1_37) {}"},
		{"defaults", source.CUDA, 3, "__device__ void f(int a = at_1_27, int at_1_40 = 3, int at_1_57 = 1) {}"},
		{"namespace", source.CUDA, 2, "namespace a { __device__ int at_1_30;\n}\n__device__ int at_3_16;\n"},
		{"qualified", source.CUDA, 2, "__device__ void f(void) { a::b::at_1_33 = ::at_1_45; }"},
		{"host code", source.CUDA, 1, "int main() {\n /* x\n*/ return \\\n 0;\n}\n__device__ int at_6_16;\n"},
		{"struct", source.CUDA, 3, "struct S { int at_1_16; }; __device__ S at_1_41;\nenum class E { at_2_16 };\n"},
		{"using", source.CUDA, 1, "using T = float; __device__ T at_1_31;\n"},
		{"left out", source.CUDA, 1, "template <int N> __global__ void t() {}\n__global__ void at_2_17() {}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parseTree(t, Config{File: "k.cl", Text: c.text, Dialect: c.d, FS: files, IncludePaths: []string{"lib"}})
			checkPositions(t, p, c.n)
		})
	}
}

// TestEnd checks that only the prelude and the user's program are in the tree.
func TestEnd(t *testing.T) {
	p := parseTree(t, Config{File: "k.cl", Text: "// idgen: local=4\n" + kernelText, Dialect: source.OpenCL})
	var names []string
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		ed := tu.ExternalDeclaration
		if p.FromPrelude(ed) {
			continue
		}
		if ed.FunctionDefinition == nil {
			t.Errorf("unexpected declaration %s", cc.NodeSource(ed))
			continue
		}
		names = append(names, ed.FunctionDefinition.Declarator.Name())
	}
	if fmt.Sprint(names) != "[k]" {
		t.Errorf("functions %v", names)
	}
}

// TestCommandLine checks -D, -U and --include.
func TestCommandLine(t *testing.T) {
	cfg := Config{
		File: "k.cl", Dialect: source.OpenCL,
		Text:     "#if A == 1 && B == 2 && F(3) == 6 && !defined(C) && !defined(__IMAGE_SUPPORT__) && INC\nint ok;\n#endif\n",
		Defines:  []string{"A", "B=2", "F(x)=(x * 2)", "C=1"},
		Undefs:   []string{"C", "__IMAGE_SUPPORT__"},
		Includes: []string{"pre.h"},
		FS:       fstest.MapFS{"pre.h": {Data: []byte("#define INC B\n")}},
	}
	if p := parseTree(t, cfg); len(userTokens(p)) != 3 {
		t.Errorf("macros of the command line are not as given: %v", userTokens(p))
	}
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Defines: []string{"3=4"}}, "<command line>: error[SYNTAX]: -D 3=4 defines no macro\n\twrite -D NAME or -D NAME=VALUE"},
		{Config{Defines: []string{"A=1\nint x;"}}, "<command line>: error[SYNTAX]: -D A=1\nint x; defines no macro\n\twrite -D NAME or -D NAME=VALUE"},
		{Config{Undefs: []string{"a b"}}, "<command line>: error[SYNTAX]: -U a b names no macro"},
		{Config{Includes: []string{"a\"b"}}, `<command line>: error[INCLUDE]: --include "a\"b" names no file`},
		{Config{Includes: []string{"none.h"}}, "<command line>:1:1: error[INCLUDE]: cannot find \"none.h\"\n\tno file can be included here"},
		{Config{Defines: []string{"float=double long"}, Text: "float x;"}, ""},
	} {
		c.cfg.File, c.cfg.Dialect = "k.cl", source.OpenCL
		_, err := parse(&c.cfg)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %s, want %s", c.cfg, got, c.want)
		}
	}
}

// TestLiteralMacros checks that no name of ours and no clock reach the program.
func TestLiteralMacros(t *testing.T) {
	p := parseTree(t, Config{File: "dir/k.cl", Dialect: source.OpenCL, Text: "#define F __FILE__ __DATE__\n#ifdef __FILE__\nchar *s = F __TIME__; int l =\n__LINE__;\n#endif\n"})
	var b strings.Builder
	for _, tok := range userTokens(p) {
		b.WriteString(tok.SrcStr())
	}
	if got, want := b.String(), `char*s="dir/k.clJan  1 197000:00:00";intl=4;`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
