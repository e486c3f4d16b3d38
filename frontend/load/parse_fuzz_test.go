package load

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// FuzzParseTree feeds the parser anything: it must return, in time, a tree whose
// every token has a position in the text, or positioned diagnostics that show
// nothing of the encodings.
func FuzzParseTree(f *testing.F) {
	for _, s := range []string{
		kernelText,
		"#define N 4\n#define M(a,b) a##b\n#if N > 3 && defined(N)\nint M(x,y) = N;\n#elif 0\n#else\n#endif\n",
		"typedef struct { float4 a; int b[3]; } S; __constant S s = {(float4)(1,2,3,4), {1,2,3}};",
		"void f(int a) { _Pragma(\"unroll 4\") for(;;);\n#pragma unroll N\nwhile(a--) { } }\n",
		"#line 5 \"x.c\"\n#error foo\n#undef X\n#include \"a.h\"\n#include <b.h>\n",
		"// idgen: local=8,8 arg.n=3\n__attribute__((reqd_work_group_size(8,8,1))) __kernel void k(__local float (*x)[8]){ (*x)[1] += ((float2)(1,2)).xy.x; }",
		"template <int N> __global__ void k(float &x) { auto f = [&](int a) { return a; }; static_cast<int>(x); }\nnamespace a { struct P { int x; }; __device__ P p; }\n",
		"int a = '\\", "int *", "#define A \\\n(\\\nint A", "/* \"", "\"\\\n",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, cuda bool) {
		if len(text) > 4096 {
			return
		}
		cfg := &Config{File: "k.cl", Text: text, Dialect: source.OpenCL, FS: fstest.MapFS{"a.h": {Data: []byte("int a;\n#include \"a.h\"\n")}}}
		if cuda {
			cfg.Dialect = source.CUDA
		}
		start := time.Now()
		p, err := parse(cfg)
		if d := time.Since(start); d > 20*time.Second {
			t.Fatalf("took %v", d)
		}
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			if p.FromPrelude(tu.ExternalDeclaration) || tu.ExternalDeclaration.Position().Filename == nameMissing {
				continue // not the user's text
			}
			for _, tok := range cc.NodeTokens(tu.ExternalDeclaration) {
				if pos := p.Pos(tok); pos.Line < 0 || pos.Column < 1 && tok.SrcStr() != "" {
					t.Errorf("%q has the position %v", tok.SrcStr(), pos)
				}
			}
		}
	})
}

func checkFuzzError(t *testing.T, err error) {
	t.Helper()
	var one *diag.Error
	var list diag.List
	if errors.As(err, &one) {
		list = diag.List{one}
	} else if !errors.As(err, &list) {
		t.Fatalf("error is no diagnostic: %v", err)
	}
	for _, e := range list {
		if e.Pos.File == "" || e.Code == tokens.CodeLimit && strings.Contains(e.Message, "takes longer") {
			t.Errorf("bad diagnostic %v", e)
		}
	}
}
