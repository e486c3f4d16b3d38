package idg

import (
	"math"
	"strings"
	"testing"
)

// valid graph to be broken: a load by four lanes, and a store by another warp.
func verifiable(t *testing.T) *Graph {
	b := NewBuilder()
	a := b.Access(Access{Space: SpaceGlobal, Width: 4, Offsets: []int64{0, 4, 8, 12}})
	ld := b.Instr(Instr{Op: "ld.global", Access: a, Lanes: 4})
	st := b.Instr(Instr{Op: "st.global", Access: a, Lanes: 4})
	h := header(2)
	h.Loops, h.Branches, h.Notes = []Loop{{}}, []Branch{{}}, []Note{{}}
	b.Begin(0)
	b.Add(ld)
	b.Add(ld, Edge{0, Data})
	b.Add(ld, Edge{0, Data}, Edge{1, Order})
	b.Begin(1)
	b.Add(st)
	return build(t, b, h)
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(g *Graph)
	}{
		{"local size", "at least 1", func(g *Graph) { g.Launch.Local[1] = 0 }},
		{"groups", "at least 1", func(g *Graph) { g.Launch.Groups[2] = -5 }},
		{"warp size 0", "warp size 0", func(g *Graph) { g.Launch.WarpSize = 0 }},
		{"warp size 65", "warp size 65", func(g *Graph) { g.Launch.WarpSize = 65 }},
		{"group size", "more than 1048576 work items per group", func(g *Graph) {
			g.Launch.Local = [3]int64{1 << 10, 1 << 10, 2}
		}},
		{"group size overflows", "work items per group", func(g *Graph) {
			g.Launch.Local = [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}
		}},
		{"launch size", "2^53", func(g *Graph) { g.Launch.Groups = [3]int64{1 << 48, 1, 1} }},
		{"launch size overflows", "2^53", func(g *Graph) { g.Launch.Groups = [3]int64{1 << 32, 1 << 32, 1} }},
		{"resources", "negative resources", func(g *Graph) { g.Resources.Registers = -1 }},
		{"loop", "loop 0 has a negative count", func(g *Graph) { g.Loops[0].Trips = -2 }},
		{"loop position", "loop 0 has the position", func(g *Graph) { g.Loops[0].Pos.Line = -1 }},
		{"branch", "branch 0 was executed -1", func(g *Graph) { g.Branches[0].Executed = -1 }},
		{"branch position", "branch 0 has the position", func(g *Graph) { g.Branches[0].Pos.Line = -1 }},
		{"note position", "note 0 has the position", func(g *Graph) { g.Notes[0].Pos.Column = -1 }},
		{"space", "no address space", func(g *Graph) { g.accesses[0].Space = 0 }},
		{"width", "0 bytes wide", func(g *Graph) { g.accesses[0].Width = 0 }},
		{"no lanes", "offsets for 0 lanes", func(g *Graph) { g.accesses[0].Offsets = []int64{} }},
		{"not normalised", "not normalised: its lowest offset 256", func(g *Graph) {
			g.accesses[0].Offsets = []int64{256, 260, 264, 268}
		}},
		{"negative offset", "not normalised: its lowest offset -4", func(g *Graph) { g.accesses[0].Offsets[2] = -4 }},
		{"offset", "spans", func(g *Graph) { g.accesses[0].Offsets[3] = math.MaxInt64 }},
		{"reason", "a reason for having none", func(g *Graph) { g.accesses[0].Assumed = "why" }},
		{"op", "no op", func(g *Graph) { g.instrs[0].Op = "" }},
		{"lanes 0", "0 active lanes of 32", func(g *Graph) { g.instrs[0].Lanes = 0 }},
		{"lanes 33", "33 active lanes of 32", func(g *Graph) { g.instrs[0].Lanes = 33 }},
		{"lanes and offsets", "3 active lanes but access 1 has offsets for 4", func(g *Graph) {
			g.instrs[0].Lanes = 3
		}},
		{"access", "access 2 of 1", func(g *Graph) { g.instrs[0].Access = 2 }},
		{"instruction position", "has the position", func(g *Graph) { g.instrs[0].Pos.Line = -1 }},
		{"no warps", "lists no warps", func(g *Graph) { g.programs[1].Warps = nil }},
		{"warp 2", "lists warp 2; a group of 64 work items has 2", func(g *Graph) { g.programs[1].Warps[0] = 2 }},
		{"warp twice", "warp 1 is listed by two programs", func(g *Graph) { g.programs[0].Warps = []uint32{0, 1} }},
		{"warp order", "lists warp 0 after warp 1", func(g *Graph) { g.programs[0].Warps = []uint32{1, 0} }},
		{"no warp 0", "no program lists warp 0", func(g *Graph) { g.programs = g.programs[1:] }},
		{"program order", "before the program that precedes it", func(g *Graph) {
			g.programs[0], g.programs[1] = g.programs[1], g.programs[0]
		}},
		{"no program", "no program", func(g *Graph) { g.programs = nil }},
		{"class", "class 3 of 2", func(g *Graph) { g.programs[0].patterns.all[1].class = 3 }},
		{"class 0", "class 0 of 2", func(g *Graph) { g.programs[0].patterns.all[1].class = 0 }},
		{"pattern", "stored instruction 1 has pattern 3 of 3", func(g *Graph) { g.programs[0].code[1] = 3 }},
		{"before the start", "instruction 0 depends on what would be 1 before it", func(g *Graph) {
			g.programs[0].code[0], g.programs[0].code[1] = 1, 0
		}},
		{"edge order", "twice or out of order", func(g *Graph) { g.programs[0].patterns.producers[1].Distance = 1 }},
		{"edge kind", "invalid kind", func(g *Graph) { g.programs[0].patterns.producers[0].Kind = 4 }},
		{"cycle", "at no distance", func(g *Graph) { g.programs[0].patterns.producers[0].Distance = 0 }},
		{"base", "at no distance", func(g *Graph) { g.programs[0].patterns.producers[0].Base = Absolute + 1 }},
		{"rows", "inconsistent rows", func(g *Graph) { g.programs[0].patterns.all[1].first = 7 }},
		{"based", "inconsistent rows", func(g *Graph) { g.programs[0].patterns.all[1].based = true }},
		{"length", "executes 3 instructions and 3 dependences, not 4 and 3", func(g *Graph) { g.programs[0].length++ }},
		{"edges", "executes 3 instructions and 3 dependences, not 3 and 2", func(g *Graph) { g.programs[0].edges-- }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := verifiable(t)
			if err := g.Verify(); err != nil {
				t.Fatalf("before: %v", err)
			}
			c.spoil(g)
			if err := g.Verify(); err == nil || !strings.HasPrefix(err.Error(), "idg: ") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A spoiled program of two loops within each other says what is wrong with it.
func TestVerifyRepetitions(t *testing.T) {
	const code = `{"i":1},{"i":1},{"repeat":3,"body":[{"i":1,"D":[0],"d":[1]},{"repeat":4,"body":[{"i":2,"d1":[1]},{"i":2,"c":[1]}]}]}`
	for _, c := range []struct {
		name, want string
		spoil      func(p *Program)
	}{
		{"count 1", "repetition 2", func(p *Program) { p.repeats[1].Count = 1 }},
		{"empty", "repetition 1", func(p *Program) { p.repeats[0].End = p.repeats[0].First }},
		{"beyond the end", "repetition 1", func(p *Program) { p.repeats[0].End = 6 }},
		{"overlap", "repetition 2", func(p *Program) { p.repeats[0].End = 4 }},
		{"order", "repetition 2", func(p *Program) { p.repeats[1].First = 1 }},
		{"parent", "repetition 2", func(p *Program) { p.repeats[1].Parent = 0 }},
		{"too long", "executes", func(p *Program) { p.repeats[0].Count = MaxExecuted }},
		{"overflow", "executes", func(p *Program) {
			p.repeats[0].Count, p.repeats[1].Count = math.MaxInt64, math.MaxInt64
		}},
		{"other length", "executes 35 instructions", func(p *Program) { p.repeats[1].Count++ }},
		{"base", "instruction 3 counts from enclosing repetition 3 of 2", func(p *Program) {
			p.patterns.producers[2].Base = 3
		}},
		{"later", "instruction 2 depends on 2, which is not before it", func(p *Program) {
			p.patterns.producers[0] = Producer{Data, Absolute, 2}
		}},
		{"before the start", "instruction 3 depends on -1", func(p *Program) { p.patterns.producers[2].Distance = 4 }},
		{"order of a row", "instruction 2 depends on 0 twice", func(p *Program) {
			p.patterns.producers[1] = Producer{Data, 1, 2}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := Decode(strings.NewReader(withCode(code)), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Verify(); err != nil {
				t.Fatalf("before: %v", err)
			}
			c.spoil(g.programs[0])
			if err := g.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A producer that moves along with the repetitions meets one that stays, in the
// second of them.
func TestVerifyMeeting(t *testing.T) {
	g,
		err := Decode(strings.NewReader(
		withCode(`{"i":1},{"i":1},{"repeat":3,"body":[{"repeat":4,"body":[{"i":2}]},{"i":1,"d":[5],"D":[5]}]}`)), "")
	if err != nil {
		t.Fatal(err)
	}
	p := g.programs[0]
	for distance, want := range map[int64]string{4: "", 5: "",
		6: "instruction 11, of a later repetition, depends twice"} {
		p.patterns.producers[0].Distance = distance
		if err := g.Verify(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("distance %d: error %v, want %q", distance, err, want)
		}
	}
}

func TestVerifyAcceptsLargeLaunches(t *testing.T) {
	g := verifiable(t)
	g.Launch.Groups = [3]int64{1 << 31, 65535, 1} // 2^31 x 65535 x 64 work items
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
}
