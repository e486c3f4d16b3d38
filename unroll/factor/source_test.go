package factor_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// lowered is the first kernel of a source text, of CUDA if its name ends in .cu.
func lowered(t testing.TB, file, text string) *lower.Kernel {
	t.Helper()
	dialect := ast.OpenCL
	if strings.HasSuffix(file, ".cu") {
		dialect = ast.CUDA
	}
	u, err := frontend.Parse(frontend.Config{File: file, Text: text, Dialect: dialect})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, text)
	}
	k, err := lower.Lower(u, u.Kernels[0])
	if err != nil {
		t.Fatalf("lower: %v\n%s", err, text)
	}
	return k
}

// resolve resolves a kernel.
func resolve(t testing.TB, k *lower.Kernel, opt unroll.Options) *unroll.Result {
	t.Helper()
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatalf("resolve: %v", err)
	}
	return res
}
