package prelude_test

import (
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/target"
)

// TestHeaders checks that every declaration of the headers parses.
func TestHeaders(t *testing.T) {
	headers := map[string]string{"std": prelude.Before(ast.CUDA, &target.Target{})[1].Text}
	for _, name := range prelude.LibraryHeaders() {
		text, ok := prelude.Header(name, "")
		if !ok || text == "" {
			t.Errorf("%s: no text", name)
		}
		headers[name] = text
	}
	for name, text := range headers {
		r := preprocess.Run(preprocess.Config{File: name, Text: text})
		if err := r.Errors.Err(); err != nil {
			t.Error(err)
		}
		check(t, syntax.Parse(r.Tokens, syntax.Options{Language: syntax.CUDA, IsType: isType}).Decls)
	}
}

func isType(name string) bool {
	switch name {
	case "half", "__nv_bfloat16", "uint4", "uint2", "float2", "float4", "uint", "ulong", "int64_t", "dim3":
		return true
	}
	return false
}

func check(t *testing.T, list []syntax.Decl) {
	for _, d := range list {
		switch d := d.(type) {
		case *syntax.Namespace:
			check(t, d.Decls)
		case *syntax.BadDecl:
			t.Errorf("%s: %v", d.Ident, d.Err)
		}
	}
}
