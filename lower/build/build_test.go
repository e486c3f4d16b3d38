package build_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// check builds every kernel of a source and counts operands where values meet.
func check(t *testing.T, c frontend.Config) {
	t.Helper()
	for _, f := range irtest.Build(t, c) {
		f.Body.Walk(func(in *ir.Instr) {
			want, got := len(in.Args), len(in.Args)
			switch in.Op {
			case lower.OpLoop:
				want = len(in.Blocks[0].Params)
			case lower.OpContinue:
				want = len(in.Target.Blocks[0].Params)
			case lower.OpLeave:
				want = len(in.Target.Results)
			case lower.OpYield:
				if in.Parent.Owner != nil {
					want = len(in.Parent.Owner.Results)
				}
			}
			if got != want {
				t.Errorf("%s: %v: %v has %d operands, want %d", f.Name, in.Pos, in.Op, got, want)
			}
			for _, b := range in.Blocks {
				if b.Last() == nil || !b.Last().IsTerminator() {
					t.Errorf("%s: %v: a block of %v has no end", f.Name, in.Pos, in.Op)
				}
			}
		})
	}
}

// TestCorpus builds the built-in kernels and those of package lower's golden files.
func TestCorpus(t *testing.T) { irtest.Corpus(t, check) }
