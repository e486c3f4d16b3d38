package finding

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate/remedy"
)

// at has lanes at places.
func at(offsets ...int64) *idg.Access {
	return &idg.Access{Space: idg.SpaceGlobal, Buffer: "x", Width: 4, Offsets: offsets}
}

// TestBeside: neighbouring lanes access neighbouring elements.
func TestBeside(t *testing.T) {
	if beside(at(0, 8)) || !beside(at(8, 12)) || beside(at(0)) {
		t.Error("neighbours are taken for others")
	}
}

// TestShifted: rows of neighbours that only begin elsewhere than transactions do are no work for another order.
func TestShifted(t *testing.T) {
	for _, c := range []struct {
		offsets []int64
		least   int
		want    bool
	}{
		{[]int64{28, 32, 36, 40, 44, 48, 52, 56}, 1, true},               // two transactions for one
		{[]int64{28, 32, 36, 40, 156, 160, 164, 168}, 2, true},           // two rows
		{[]int64{0, 64, 128, 192}, 1, false},                             // apart
		{[]int64{0, 4, 8, 12, 1024, 1028, 1032, 1036}, 1, false},         // two rows for one
		{[]int64{0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44}, 1, false}, // takes two
		{[]int64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48}, 2, true}, // takes two of three
	} {
		s := site{access: at(c.offsets...), entry: &latencies.Entry{Least: c.least}}
		if got := s.shifted(32); got != c.want {
			t.Errorf("%v, at least %d: %v", c.offsets, c.least, got)
		}
	}
}

// TestRanked: gaps between places go, their order stays.
func TestRanked(t *testing.T) {
	if got := ranked([]int64{4096, 0, 0, 128}, 4); !slices.Equal(got, []int64{8, 0, 0, 4}) {
		t.Errorf("%v", got)
	}
}

// TestNeighbours: four loads of consecutive elements, row by row, are one of all four; of three none is, nor of rows
// that a tile as wide as a group has in the same banks.
func TestNeighbours(t *testing.T) {
	d, err := latencies.Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n, want int
		width   int64 // of a group
	}{{4, 4, 16}, {3, 0, 16}, {4, 0, 32}} {
		n, want := c.n, c.want
		b := idg.NewBuilder()
		b.Begin(0)
		for k := range int64(n) {
			b.Add(b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 2, Access: b.Access(*at(4*k, 4096+4*k)),
				Pos: idg.Pos{File: "k", Line: int(k) + 1}}))
		}
		r := &Run{Kernel: remedy.Kernel{Graph: idgtest.Build(t, b), Mapping: &latencies.Mapping{Device: d}}}
		r.Graph.Launch.Local[0] = c.width
		var loads []*idg.Instr
		for i := range r.Graph.Instrs() {
			loads = append(loads, &r.Graph.Instrs()[i])
		}
		wide, rest := r.neighbours(loads)
		if wide[*loads[0]] != want || len(rest) != max(0, want-1) {
			t.Errorf("%d loads in groups of %d: %v and %v", n, c.width, wide, rest)
		}
	}
}

// TestArrange: a finding goes where another one of the same cause saves as much, one that needs another stands behind
// it, and the rest are in the order of what they save.
func TestArrange(t *testing.T) {
	list := arrange([]Finding{{Code: "latency", Saved: 0.1, last: true},
		{Code: "divergence", Saved: 0.1, symptom: true}, {Code: "uncoalesced", Saved: 0.5},
		{Code: "tile", Saved: 0.8, after: "swapped-axes"}, {Code: "swapped-axes", Saved: 0.6},
		{Code: "extra-traffic", Saved: 0.9}})
	var codes []string
	for _, f := range list {
		codes = append(codes, f.Code)
	}
	if want := []string{"swapped-axes", "tile", "divergence", "latency"}; !slices.Equal(codes, want) {
		t.Errorf("%q, want %q", codes, want)
	}
}

// TestFolded: what is computed of a counter alone is constant once its loop is unrolled, and a sum for addresses goes
// into their offsets; not what others want as well.
func TestFolded(t *testing.T) {
	b := idg.NewBuilder()
	instr := func(op string, column int, a idg.AccessID) idg.InstrID {
		return b.Instr(idg.Instr{Op: op, Lanes: 1, Access: a, Pos: idg.Pos{File: "k", Line: 1, Column: column}})
	}
	text := "i+j+k+l"
	counter, item := instr("mov.s32", 1, 0), instr("index", 3, 0)
	double, sum, other := instr("shl.s32", 5, 0), instr("add.s32", 2, 0), instr("add.s32", 4, 0)
	load, product := instr("ld.global", 7, b.Access(*at(0))), instr("mul.f32", 3, 0)
	b.Begin(0)
	i, x := b.Add(counter), b.Add(item)
	two := b.Add(double, idg.Edge{From: i, Kind: idg.Data})
	address := b.Add(sum, idg.Edge{From: x, Kind: idg.Data}, idg.Edge{From: two, Kind: idg.Data})
	value := b.Add(other, idg.Edge{From: x, Kind: idg.Data}, idg.Edge{From: two, Kind: idg.Data})
	b.Add(load, idg.Edge{From: address, Kind: idg.Data})
	b.Add(product, idg.Edge{From: value, Kind: idg.Data})
	g, err := b.Build(idg.Header{Kernel: "k", Source: idg.Source{File: "k", Text: text}, Launch: idg.Launch{
		Local: [3]int64{1, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Kernel: remedy.Kernel{Graph: g}}
	folded := r.foldedBy(func(in *idg.Instr) bool { return in.Pos.Column == 1 })
	for id, want := range map[idg.InstrID]bool{counter: true, item: false, double: true, sum: true, other: false,
		load: false, product: false} {
		if in := g.Instr(id); folded[*in] != want {
			t.Errorf("%s in column %d: %v, want %v", in.Op, in.Pos.Column, !want, want)
		}
	}
}

// TestOnlyFor: integers and conditions that only the addresses of loads are computed of, directly or not; not what
// something else is computed of as well, nor accesses, results of other types, and what is not used. A condition of
// what adds up the loaded values counts, too.
func TestOnlyFor(t *testing.T) {
	b := idg.NewBuilder()
	want := map[idg.InstrID]bool{}
	b.Begin(0)
	add := func(op string, only bool, a idg.AccessID, from ...idg.Executed) idg.Executed {
		in := b.Instr(idg.Instr{Op: op, Lanes: 1, Access: a, Pos: idg.Pos{File: "k", Line: 1, Column: len(want) + 1}})
		want[in] = only
		var edges []idg.Edge
		for _, v := range from {
			edges = append(edges, idg.Edge{From: v, Kind: idg.Data})
		}
		return b.Add(in, edges...)
	}
	x, y := b.Access(*at(0)), b.Access(*at(4))
	row := add("mul.s32", true, 0)
	both := add("add.s32", false, 0)
	inside := add("setp.lt.s32", true, 0, row)
	summed, elsewhere := add("setp.lt.s32", true, 0), add("setp.gt.s32", false, 0)
	near := add("setp.lt.f32", false, 0)
	index := add("ld.global", false, y)
	address := add("add.s32", true, 0, row, both)
	factor := add("mul.f32", false, 0)
	load := add("ld.global", false, x, address, inside, index, near, factor)
	sum := add("fma.f32", false, 0, load, summed)
	product := add("mul.f32", false, 0, sum, elsewhere)
	add("add.s32", false, 0, both) // not used
	add("st.global", false, y, product)
	r := &Run{Kernel: remedy.Kernel{Graph: idgtest.Build(t, b)}}
	var loads []*idg.Instr
	for i := range r.Graph.Instrs() {
		if in := &r.Graph.Instrs()[i]; in.Access == x {
			loads = append(loads, in)
		}
	}
	only := r.onlyFor(loads)
	for id, want := range want {
		if in := r.Graph.Instr(id); only[*in] != want {
			t.Errorf("%s in column %d: %v, want %v", in.Op, in.Pos.Column, !want, want)
		}
	}
}
