package arrange

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/machine"
)

// TestZones schedules random blocks from both ends, whatever instruction could come next: each zone says which could,
// how long they would wait, and how many registers live where it ends, as what has been scheduled defines it.
func TestZones(t *testing.T) {
	pending := 0
	for seed := range uint64(tools.Cases(60, 20)) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := randomCode(t, "gfx90a", r, 40)
		walk(c.Body, func(in *machine.Instr) { in.Guard = machine.Guard{} }) // which AMD's have not
		s := newStages(c, &machine.Options{MaxThreads: 256})
		for i, b := range s.blocks {
			b.cluster()
			b.most = 1 + r.IntN(12)
			b.begin(s.limits(s.waves))
			z := plainZones{s: b, at: map[*zone]map[int32]int32{b.zones[0]: {}, b.zones[1]: {}}}
			for range b.count {
				for _, zone := range b.zones {
					z.verify(t, zone)
					pending += len(zone.pending)
					zone.refill()
				}
				zone := b.zones[r.IntN(2)]
				list := zone.available
				p := pick{node: list[r.IntN(len(list))], top: zone.top}
				z.at[zone][p.node] = max(zone.cycle, z.ready(zone, p.node))
				b.take(p)
			}
			if t.Failed() {
				t.Fatalf("seed %d block %d", seed, i)
			}
		}
	}
	if pending == 0 {
		t.Error("a choice is always among all instructions")
	}
}

// plainZones are the zones of a block as they are defined.
type plainZones struct {
	s  *occupancySchedule
	at map[*zone]map[int32]int32 // by zone: what has been scheduled, and when
}

// around lists what has to be scheduled before a node, from a zone's end.
func (p *plainZones) around(z *zone, i int32) []edgeTo {
	if z.top {
		return p.s.preds[i]
	}
	return p.s.succs[i]
}

// free reports whether all of that has been scheduled.
func (p *plainZones) free(z *zone, i int32) bool {
	for _, e := range p.around(z, i) {
		_, done := p.at[z][e.node]
		if !done && (int(e.node) < p.s.count || !p.free(z, e.node)) {
			return false
		}
	}
	return true
}

// ready is the cycle from which a node can be issued.
func (p *plainZones) ready(z *zone, i int32) (cycle int32) {
	for _, e := range p.around(z, i) {
		at, ok := p.at[z][e.node]
		if !ok {
			at = p.ready(z, e.node)
		}
		cycle = max(cycle, at+e.after)
	}
	return cycle
}

// pressure counts the registers with a value that lives where a zone ends.
func (p *plainZones) pressure(z *zone) (sum pressure) {
	v, b := p.s.values, p.s.b
	inside := func(i int32) bool { _, ok := p.at[z][i]; return ok }
	read, made := make([]bool, len(v.word)), make([]bool, len(v.word)) // from here on; above
	for n := range v.word {
		read[n], made[n] = b.out[n], b.alive[n]
	}
	for i := range int32(p.s.count) {
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			switch above := inside(i) == z.top; {
			case n >= 0 && !above:
				read[n] = true
			case n < 0 && above:
				made[^n] = true
			}
		}
	}
	seen := map[machine.Reg]bool{}
	for n, word := range v.word {
		if r := p.s.l.owner[word]; read[n] && made[n] && !seen[r] {
			seen[r] = true
			sum.add(b.class[n], int32(p.s.l.code.Reg(r).Words), p.s.wave)
		}
	}
	return sum
}

func (p *plainZones) verify(t *testing.T, z *zone) {
	t.Helper()
	var want, got []int32
	for i := range int32(p.s.count) {
		if p.s.done[i] || !p.free(z, i) {
			continue
		}
		want = append(want, i)
		if wait := max(0, p.ready(z, i)-z.cycle); z.stall(i) != wait {
			t.Errorf("node %d waits for %d cycles, want %d", i, z.stall(i), wait)
		}
	}
	for _, i := range slices.Concat(z.available, z.pending) {
		if !p.s.done[i] {
			got = append(got, i)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%v could come next, want %v", got, want)
	}
	if sum := p.pressure(z); z.now != sum {
		t.Errorf("top %t: %v live, want %v", z.top, z.now, sum)
	}
}
