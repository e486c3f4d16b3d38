package idg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// diff compares graphs in every field; empty and nil lists are equal.
func diff(want, got *Graph) string {
	if reflect.DeepEqual(want, got) { // much faster
		return ""
	}
	return cmp.Diff(want, got, cmp.AllowUnexported(Graph{}), cmpopts.EquateEmpty(),
		cmp.Transformer("expanded", func(p *Program) expanded {
			return expanded{p.Warps, p.Len(), p.Edges(), rows(p)}
		}))
}

// expanded is a program to compare, whatever repetitions it is stored with.
type expanded struct {
	Warps         []uint32
	Length, Edges int64
	Rows          string
}

// flat expands a program of a test.
func flat(t testing.TB, p *Program) *Flat {
	t.Helper()
	f, err := p.Expanded(MaxExpanded)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// header is a valid header for groups of the given number of warps of 32 lanes.
func header(warps int64) Header {
	return Header{
		Source: Source{File: "k.cl", Dialect: "opencl"},
		Kernel: "k",
		Launch: Launch{Local: [3]int64{32 * warps, 1, 1}, Groups: [3]int64{4, 1, 1}, WarpSize: 32},
	}
}

// build finishes a graph that is expected to be valid.
func build(t testing.TB, b *Builder, h Header) *Graph {
	t.Helper()
	g, err := b.Build(h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// chars are what random texts are made of: what JSON, DOT and XML must escape,
// and more.
var chars = []string{"a", "B", "7", " ", "\n", "\t", "\r", "\"", "\\", "/", "<", "&", "'", "]]>", "\x01", "\x7f", "é",
	"λ", "\u2028", "𝛬", "\uFFFD"}

func randomText(r *rand.Rand) string {
	s := ""
	for range r.IntN(6) {
		s += chars[r.IntN(len(chars))]
	}
	return s
}

func randomPos(r *rand.Rand) Pos {
	switch r.IntN(4) {
	case 0:
		return Pos{}
	case 1:
		return Pos{File: "k.cl", Line: 1 + r.IntN(9)}
	}
	return Pos{File: "k.cl" + randomText(r), Line: 1 + r.IntN(9), Column: 1 + r.IntN(80)}
}

// randomGraph makes any valid graph. Its programs repeat blocks, nested ones
// too, so that there is something to fold.
func randomGraph(t testing.TB, r *rand.Rand) *Graph {
	t.Helper()
	warps := 1 + r.Int64N(5)
	h := header(warps)
	h.Source.Text, h.Source.SHA256, h.Kernel, h.Level, h.Compiler = randomText(r), randomText(r), randomText(r),
		"O2", "nvcc"
	h.Resources = Resources{LocalBytes: r.Int64N(4096), Registers: r.IntN(64), RegistersEstimated: r.IntN(2) == 0}
	h.MachineCode = h.Resources.Registers%2 == 1 // draws nothing, so that the rest stays what it was
	if h.MachineCode && h.Resources.Registers%3 == 1 {
		h.GPU = "a \"device\""
	}
	for range r.IntN(3) {
		h.Source.Defines = append(h.Source.Defines, randomText(r))
		h.Launch.Args = append(h.Launch.Args, Arg{randomText(r), randomText(r), r.IntN(2) == 0})
		h.Loops = append(h.Loops, Loop{
			Pos: randomPos(r), Kind: "for", Depth: r.IntN(3), Pragma: randomText(r), Trips: r.Int64N(9) - 1,
			Origin:   randomText(r),
			Executed: r.Int64N(9), Factor: r.Int64N(9), Full: r.IntN(2) == 0, Remainder: r.Int64N(3),
			Reason: randomText(r)})
		h.Branches = append(h.Branches, Branch{Pos: randomPos(r), Kind: "if", Decision: randomText(r),
			Origin: randomText(r), Executed: r.Int64N(1 << 60)})
		h.Notes = append(h.Notes, Note{Pos: randomPos(r), Code: "CODE", Text: randomText(r)})
	}
	b := NewBuilder()
	classes := randomClasses(r, b)
	for w := range warps {
		if w > 0 && r.IntN(3) == 0 {
			continue // executes what the warp before it does
		}
		b.Begin(uint32(w))
		n := 0
		randomBlock(r, b, classes, &n, 0)
	}
	return build(t, b, h)
}

func randomClasses(r *rand.Rand, b *Builder) []InstrID {
	var ids []InstrID
	for range 1 + r.IntN(5) {
		in := Instr{Op: "add.f32", Lanes: uint8(1 + r.IntN(32)), Pos: randomPos(r)}
		if r.IntN(2) == 0 {
			in.Op, in.Type = "ld.global", "f32"
			a := Access{Space: Space(1 + r.IntN(5)), Width: uint16(1 + r.IntN(16)), Store: r.IntN(2) == 0,
				Buffer: randomText(r)}
			if r.IntN(4) == 0 {
				a.Assumed = "value loaded from memory"
			} else {
				for range in.Lanes {
					a.Offsets = append(a.Offsets, r.Int64N(5000)-2500)
				}
			}
			in.Access = b.Access(a)
		}
		ids = append(ids, b.Instr(in))
	}
	return ids
}

// randomBlock adds a few instructions and repeated blocks to a program of n
// nodes.
func randomBlock(r *rand.Rand, b *Builder, classes []InstrID, n *int, depth int) {
	type step struct {
		class InstrID
		back  []Edge // From is a distance here
	}
	for range 1 + r.IntN(3) {
		if depth < 3 && r.IntN(3) == 0 {
			seed := r.Uint64()
			for range 1 + r.IntN(5) { // the same block again
				randomBlock(rand.New(rand.NewPCG(seed, 1)), b, classes, n, depth+1)
			}
			continue
		}
		s := step{class: classes[r.IntN(len(classes))]}
		for range r.IntN(4) {
			s.back = append(s.back, Edge{Executed(1 + r.IntN(8)), EdgeKind(1 + r.IntN(3))})
		}
		var edges []Edge
		for _, e := range s.back {
			if int(e.From) <= *n {
				edges = append(edges, Edge{Executed(*n) - e.From, e.Kind})
			}
		}
		b.Add(s.class, edges...)
		*n++
	}
}

// synthetic makes a program of n instructions shaped like a tiled matrix product
// with a rolled outer loop: loads, a barrier, a chain of multiply-adds, a loop
// instruction.
func synthetic(t testing.TB, n int) *Graph {
	t.Helper()
	b := NewBuilder()
	classes := make([]InstrID, 50)
	for i := range classes {
		classes[i] = b.Instr(Instr{Op: "fma.f32", Lanes: 32, Pos: Pos{File: "k.cl", Line: 10 + i, Column: 5}})
	}
	b.Begin(0)
	for v := range n {
		i := v % len(classes)
		var edges []Edge
		back := func(d int, k EdgeKind) {
			if d <= v {
				edges = append(edges, Edge{Executed(v - d), k})
			}
		}
		switch {
		case i == 0:
			back(1, Control)
		case i < 8:
			back(i, Control)
		case i == 8: // barrier
			for d := 1; d <= 8; d++ {
				back(d, Order)
			}
		default:
			back(1, Data)
			back(i-8, Control)
			back(len(classes), Data)
		}
		b.Add(classes[i], edges...)
	}
	return build(t, b, header(1))
}

func TestProgramOf(t *testing.T) {
	b := NewBuilder()
	one, two := b.Instr(Instr{Op: "add.f32", Lanes: 32}), b.Instr(Instr{Op: "mul.f32", Lanes: 32})
	b.Begin(0)
	b.Add(one)
	b.Begin(2)
	b.Add(two)
	b.Begin(5)
	b.Add(one)
	g := build(t, b, header(8))
	// 1 executes what 0 does, 3 and 4 what 2 does, 6 and 7 what 5 does.
	if got, want := fmt.Sprint(g.Programs()[0].Warps, g.Programs()[1].Warps), "[0 5] [2]"; got != want {
		t.Fatalf("programs of warps %s, want %s", got, want)
	}
	for w, want := range []int{0, 0, 1, 1, 1, 0, 0, 0} {
		if got := g.ProgramOf(int64(w)); got != g.Programs()[want] {
			t.Errorf("warp %d executes %v, want program %d", w, got, want)
		}
	}
	for _, w := range []int64{-1, 8, 1 << 32} {
		if p := g.ProgramOf(w); p != nil {
			t.Errorf("warp %d executes %v, want none", w, p)
		}
	}
	if got := g.Executions(); !slices.Equal(got, []int64{5, 3}) {
		t.Errorf("executions %v, want [5 3]", got)
	}
}

// Executions must agree with asking for every warp.
func TestExecutionsAgreeWithProgramOf(t *testing.T) {
	for seed := range uint64(200) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 7)))
		want := make([]int64, len(g.Programs()))
		for w := range g.Launch.WarpsPerGroup() {
			want[slices.Index(g.Programs(), g.ProgramOf(w))]++
		}
		if got := g.Executions(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: executions %v, want %v", seed, got, want)
		}
	}
}

func TestLaunchSizes(t *testing.T) {
	for _, c := range []struct {
		groups, local [3]int64
		want          string
	}{
		{[3]int64{128, 128, 1}, [3]int64{8, 8, 1}, "128x128 groups of 8x8 work items"},
		{[3]int64{1, 1, 1}, [3]int64{64, 1, 1}, "1 group of 64 work items"},
		{[3]int64{1, 2, 1}, [3]int64{1, 1, 1}, "1x2 groups of 1 work item"},
	} {
		if got := (&Launch{Groups: c.groups, Local: c.local}).Sizes(); got != c.want {
			t.Errorf("%v of %v: %s, want %s", c.groups, c.local, got, c.want)
		}
	}
}
