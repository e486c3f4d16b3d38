package export

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"gpupipe/idg"
)

// launch is that of groups of so many warps of 32 lanes.
func launch(warps int64) idg.Launch {
	return idg.Launch{Local: [3]int64{32 * warps, 1, 1}, Groups: [3]int64{100, 1, 1}, WarpSize: 32}
}

// build finishes a graph that is expected to be valid.
func build(t *testing.T, b *idg.Builder, h idg.Header) *idg.Graph {
	t.Helper()
	g, err := b.Build(h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// text is what a form writes of a graph.
func text(t *testing.T, form func(io.Writer, *idg.Graph) error, g *idg.Graph) string {
	t.Helper()
	var b strings.Builder
	if err := form(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestKinds: up to listedKinds kinds of groups are listed, more are summed up. The group of kind n
// executes 2(n+1) instructions, in two warps; the others execute two.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kinds int
		want  string
	}{
		{0, ""},
		{1, "other kinds of groups\n  like number 10   2 groups of 100, 4 instructions in a group\n"},
		{16, "  like number 25   2 groups of 100, 34 instructions in a group\n"},
		{17, "other kinds of groups\n  17 kinds         34 groups of 100, 4 to 36 instructions in a group, 20 on the " +
			"average\n"},
	} {
		b := idg.NewBuilder()
		add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32})
		program := func(n int) {
			b.Begin(0)
			for range n {
				b.Add(add)
			}
		}
		program(1)
		for n := range c.kinds {
			b.BeginKind(int64(10+n), 2)
			program(n + 2)
		}
		text := unbroken(text(t, Stats, build(t, b, idg.Header{Kernel: "k", Launch: launch(2)})))
		if !strings.Contains(text, c.want) || strings.Contains(text, "other kinds") != (c.kinds > 0) {
			t.Errorf("%d kinds: %q is missing in\n%s", c.kinds, c.want, text)
		}
		if n := strings.Count(text, "\n  like number "); n != c.kinds && c.kinds <= listedKinds {
			t.Errorf("%d kinds: %d are listed", c.kinds, n)
		}
	}
}

// unbroken has each line that goes on in the next one whole.
func unbroken(text string) string { return strings.ReplaceAll(text, "\n    ", " ") }

func TestDivergence(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	h := idg.Header{Kernel: "k", Launch: launch(1), Branches: []idg.Branch{
		{Kind: "if", Decision: "varies", Origin: "work-item ids", Executed: 2},
		{Kind: "if", Decision: "diverged", Origin: "work-item ids", Executed: 2,
			Divergence: &idg.Divergence{Warps: 4, DivergedWarps: 1, Executions: 8, Diverged: 2, Lanes: 200}},
	}}
	text := unbroken(text(t, Stats, build(t, b, h)))
	for _, want := range []string{
		"if: varies (work-item ids), executed 2 times\n",
		"if: diverged (work-item ids), executed 2 times; 1 of 4 warps diverged (2 of 8 executions), 25.0 lanes " +
			"active on average\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// TestLongProgram: of 10^9 iterations the statistics are known as well, but for the largest level.
// The forms that list instructions one by one refuse them.
func TestLongProgram(t *testing.T) {
	const trips = 1_000_000_000
	b := idg.NewBuilder()
	b.Begin(0)
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32})
	last := b.Add(add)
	b.BeginLoop()
	for range 10 {
		last = b.Add(add, idg.Edge{From: last, Kind: idg.Data})
		b.NextIteration()
	}
	if b.Again(1, trips-10) == 0 {
		t.Fatal("the iterations do not repeat")
	}
	b.EndLoop()
	g := build(t, b, idg.Header{Kernel: "k", Launch: launch(1)})
	want := fmt.Sprintf("  instructions     %d\n  dependences      %d data, 0 control, 0 order\n  critical path    "+
		"%d instructions\n  parallelism      1.00 instructions on average\n", trips+1, trips, trips+1)
	if text := text(t, Stats, g); !strings.Contains(text, want) {
		t.Errorf("%q is missing in\n%s", want, text)
	}
	for _, f := range forms[2:] {
		if err := f.Write(&strings.Builder{}, g); err == nil || !strings.Contains(err.Error(), idg.CodeTooLarge) {
			t.Errorf("%s: error %v", f.Name, err)
		}
	}
}
