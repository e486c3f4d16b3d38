package latencies

import (
	"math"
	"strings"
	"testing"

	"gpupipe/idg"
)

// TestCrossingUpdates: what is updated or written passes both halves of L2 where the farther one has it; what
// is read does if it is not found.
func TestCrossingUpdates(t *testing.T) {
	g := graphOf(t, 32, op{op: "add.f32", line: 1})
	groups := float64(g.Launch.TotalGroups())
	const crossing, served, memory = 0.5, 0.5, 0.25
	traffic := func(op string, store bool, sectors int, offsets ...int64) *Traffic {
		in := &idg.Instr{Op: op, Type: "f32", Lanes: 32, Access: 1}
		h := &hierarchy{crossing: crossing, sector: 32, byInstr: map[idg.InstrID]Served{1: {L2: served, Memory: memory}},
			unknown: []unknownAccess{{id: 1, in: in, sectors: sectors,
				a: &idg.Access{Space: idg.SpaceGlobal, Width: 4, Store: store, Offsets: offsets}}}}
		r := &Traffic{}
		h.passL2(g, r)
		return r
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v sectors, not %v", what, got, want)
		}
	}
	near("updated", traffic("atomic.add.global", true, 32).L2UpdatedSectors, (1+crossing)*groups*(served+memory))
	one := traffic("atomic.add.global", true, 1, make([]int64, 32)...)
	near("updated at one place, a lane at a time", one.L2UpdatedSectors, 32*(1+crossing)*groups*(served+memory))
	near("written", traffic("st.global", true, 32).L2WrittenSectors, (1+crossing)*groups*(served+memory))
	near("read", traffic("ld.global", false, 32).L2ReadSectors, groups*(served+memory)+crossing*groups*memory)
}

// TestNestedBrackets: as many brackets as a device file may nest, and one more.
func TestNestedBrackets(t *testing.T) {
	for n, refused := range map[int]bool{maxFlowNested: false, maxFlowNested + 1: true} {
		text := strings.Repeat("[", n) + strings.Repeat("]", n) + "\n"
		if e := checkShape("d.yaml", []byte("a: "+text)); (e != nil) != refused {
			t.Errorf("%d brackets: %v", n, e)
		}
	}
}
