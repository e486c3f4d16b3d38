package source

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
)

// TestDigest: a digest is that of all tokens, whether those in front of the program were hashed before or are now.
func TestDigest(t *testing.T) {
	cfg := Config{File: "k.cu", Text: "__global__ void k(int *x) { *x = N; }", Dialect: ast.CUDA, Defines: []string{"N=3"},
		Target: target.Target{Level: target.O2, Compiler: target.NVCC, WarpSize: 32}}
	for range 2 {
		p, err := Preprocess(cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := cfg.Tokens(false)
		h := sha256.New()
		hashTokens(h, r.Tokens)
		hashNotes(h, r)
		if len(r.Before) == 0 || !bytes.Equal(h.Sum(nil), p.Sum[:]) {
			t.Errorf("%x with %d tokens in front, %x of all", p.Sum, len(r.Before), h.Sum(nil))
		}
	}
}
