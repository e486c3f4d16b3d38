package unroll_test

import (
	"bytes"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// mapped is ExactContext as a mapper that the resolver does not know.
type mapped struct{ unroll.ExactContext }

func (m mapped) Map(a unroll.LaneAccess) idg.Access { return m.ExactContext.Map(a) }

// TestKnownContexts: contexts that are remembered are those that mapping every
// access gives.
func TestKnownContexts(t *testing.T) {
	compared := 0
	for seed := range uint64(tools.Cases(40, 10)) {
		k := lowerKernel(t, generateKernel(seed))
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			opt := unroll.Options{Target: unroll.Target{Level: level}, Local: [3]int64{24, 3}, Groups: [3]int64{4, 2},
				AssumeTrips: 3, MaxInstructions: 50_000}
			if seed%2 == 0 {
				opt.Kinds = unroll.EdgeGroups
			}
			want, err := unroll.Resolve(k, opt)
			if err != nil {
				continue
			}
			opt.Context = mapped{}
			got, err := unroll.Resolve(k, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(encoded(t, want.Graph), encoded(t, got.Graph)) {
				t.Fatalf("seed %d at %v: the documents differ", seed, level)
			}
			compared++
		}
	}
	if compared < tools.Cases(40, 10) {
		t.Errorf("only %d documents were compared", compared)
	}
}
