package locality

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"gpupipe/internal/test/tools"
)

// How far apart two groups touch what they share is what a list of all accesses says, folded or not, stores at
// unknown addresses counted each as sectors of their own.
func TestApartAgainstList(t *testing.T) {
	far, unknown := 0, 0
	for seed := range uint64(tools.Cases(300, 60)) {
		k := storing(rand.New(rand.NewPCG(seed, 11)), true, true)
		k.sector = sectorOf(seed)
		in := k.input()
		a := &analysis{Input: in, sector: sectorSize(max(k.sector, 32))}
		a.counted, _ = in.Shapes.spread(in.Warps, a.sector)
		for i := range in.Warps {
			w := in.Shapes.known(in.Warps[i])
			a.plain = append(a.plain, w.folded())
		}
		p := a.pace(nil)
		var all []Touch
		for i := range a.counted {
			w := a.counted[i].unfolded(1 << 20)
			all = append(all, w.Touches...)
		}
		r := rand.New(rand.NewPCG(seed, 12))
		for range 20 {
			x, y := &all[r.IntN(len(all))], &all[r.IntN(len(all))]
			b := in.Shapes.at(x.Shape).buffer
			if in.Shapes.unknown(x) || b != in.Shapes.at(y.Shape).buffer {
				continue
			}
			at, shift := sectorsTouched(in.Shapes, x, int64(a.sector))[0], r.Int64N(64)
			bytes := span{at.number * int64(a.sector), (at.number + 1) * int64(a.sector)}
			other := span{y.Start - shift, y.Start - shift + int64(a.sector)}
			when := func(bytes span) interval {
				in := interval{never, -1}
				for i := range all {
					sh := a.Shapes.at(all[i].Shape)
					for _, s := range sh.spans {
						if sh.buffer == b && s.lo+all[i].Start < bytes.hi && bytes.lo < s.hi+all[i].Start {
							in.first, in.last = min(in.first, all[i].At), max(in.last, all[i].At)
						}
					}
				}
				return in
			}
			own, others := when(bytes), when(other)
			if got := [2]interval{p.when(p.own[b], bytes), p.when(p.own[b], other)}; got != [2]interval{own, others} {
				t.Fatalf("seed %d: touched at %v, want %v and %v", seed, got, own, others)
			}
			from, to := min(own.last, others.last), max(own.first, others.first)
			between := map[sector]bool{}
			for i := range all {
				if all[i].At > from && all[i].At < to {
					for _, s := range sectorsTouched(a.Shapes, &all[i], int64(a.sector)) {
						if between[s] = true; s.buffer == unknownBuffer {
							unknown++
						}
					}
				}
			}
			want := int64(0)
			if n := len(between); n > 0 && others.last >= 0 {
				want = int64(a.sector) << bits.Len(uint(n-1))
				far++
			}
			if got := p.apart(own, others); got != want {
				t.Fatalf("seed %d: %d bytes apart, want %d", seed, got, want)
			}
		}
	}
	if far < tools.Cases(300, 60) || unknown < tools.Cases(300, 60) {
		t.Errorf("only %d are apart, with %d stores at unknown addresses", far, unknown)
	}
}
