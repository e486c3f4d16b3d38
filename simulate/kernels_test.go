package simulate

import (
	"testing"

	"gpupipe/idg"
)

// tiledKernel has the shape of a tiled matrix multiplication with tiles of
// size × size work items (golden 9): each outer iteration reads two global
// values, stores them to local memory between barriers, and multiplies and adds
// size pairs of local values. Parameters of P19 Tables II and III for Pascal.
func tiledKernel(t testing.TB, size, iterations int) *fixture {
	f := newFixture(t, (size*size+31)/32, "alu", "global", "local", "sync")
	d := f.mapping.Device
	d.IssueLimit = cycles(t, "4")
	d.Limits.Warps, d.Limits.Groups = 64, 32
	ldA, ldB := f.class("ld.global", "global", "7", "210"), f.class("ld.global", "global", "8", "409")
	stA, stB := f.class("st.local", "local", "1", "30"), f.class("st.local", "local", "1", "30")
	barrier := f.class("barrier", "sync", "2", "70")
	ld, fma := f.class("ld.local", "local", "1", "30"), f.class("fma.f32", "alu", "0.25", "6")
	loop, out := f.class("loop", "alu", "1.75", "29"), f.class("st.global", "global", "12", "378")
	f.begin()
	b := f.builder
	gate := []idg.Edge{} // the loop instruction of the iteration before
	sum := []idg.Edge{}
	for range iterations {
		a, c := b.Add(ldA, gate...), b.Add(ldB, gate...)
		sa, sc := b.Add(stA, data(a)), b.Add(stB, data(c))
		filled := b.Add(barrier, order(sa), order(sc))
		var reads []idg.Edge
		for range size {
			x, y := b.Add(ld, control(filled)), b.Add(ld, control(filled))
			sum = []idg.Edge{data(b.Add(fma, append(sum, data(x), data(y))...))}
			reads = append(reads, order(x), order(y))
		}
		used := b.Add(barrier, append(reads, control(filled))...)
		gate = []idg.Edge{control(b.Add(loop, control(used)))}
	}
	b.Add(out, sum...)
	return f
}
