package remedy_test

import (
	"math"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate/remedy"
)

// TestParse reads what String prints, and refuses the rest.
func TestParse(t *testing.T) {
	for _, text := range []string{"line 36: conflict-free", "ld.global(A)@31: coalesced", "atomic(n): spread",
		"global: hidden", "loop: removed"} {
		r, err := remedy.Parse(text)
		if err != nil || r.String() != text {
			t.Errorf("%q is read as %q: %v", text, r, err)
		}
	}
	for text, want := range map[string]string{
		"removed":            "is not of the form",
		"line x: removed":    `"x" is not a line number`,
		"line 3: coalesce":   "did you mean coalesced?",
		"line 3: fast":       "one of conflict-free, coalesced, spread, hidden, removed",
		"ld.global(: hidden": "in parentheses",
	} {
		if _, err := remedy.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, word := range []string{"spread", "hidden"} {
		if !strings.Contains(remedy.Help(), word) {
			t.Errorf("the help lacks %s", word)
		}
	}
}

// kernel has a strided access of local and of global memory, an atomic on one address, a sum and a barrier.
func kernel(t *testing.T) *remedy.Kernel {
	t.Helper()
	b := idg.NewBuilder()
	access := func(op, buffer string, space idg.Space, stride int64, line int) idg.InstrID {
		a := idg.Access{Space: space, Buffer: buffer, Width: 4}
		for lane := range int64(32) {
			a.Offsets = append(a.Offsets, lane*stride)
		}
		return b.Instr(idg.Instr{Op: op, Type: "f32", Access: b.Access(a), Lanes: 32,
			Pos: idg.Pos{File: "k.cl", Line: line, Column: 1}})
	}
	b.Begin(0)
	for _, in := range []idg.InstrID{
		access("ld.local", "tile", idg.SpaceLocal, 128, 1), access("ld.global", "A", idg.SpaceGlobal, 128, 2),
		access("atomic.add.local", "n", idg.SpaceLocal, 0, 3),
		b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 4, Column: 1}}),
		b.Instr(idg.Instr{Op: "barrier", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 5, Column: 1}}),
	} {
		b.Add(in)
	}
	d, err := latencies.Builtin("rtx3090")
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := remedy.NewKernel(idgtest.Build(t, b), m, latencies.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &k
}

// TestWith: each kind changes what it names and nothing else, and says why it changes nothing.
func TestWith(t *testing.T) {
	k := kernel(t)
	plain, err := k.With()
	if err != nil {
		t.Fatal(err)
	}
	for text, index := range map[string]int{
		"line 1: conflict-free": 0, "global(A): coalesced": 1, "line 3: spread": 2, "fp32: hidden": 3,
		"barrier: removed": 4,
	} {
		r, err := remedy.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := k.With(r)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err := m.Mapping.Verify(m.Graph); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for i := range m.Mapping.Entries {
			was, is := plain.Mapping.Entries[i].Timing, m.Mapping.Entries[i].Timing
			switch {
			case i != index && was != is:
				t.Errorf("%s changes %s from %v to %v", text, k.Graph.Instrs()[i].Op, was, is)
			case i == index && (was == is || is.CPI.Cmp(was.CPI) > 0 || is.Latency.Cmp(was.Latency) > 0):
				t.Errorf("%s makes %v of %v", text, is, was)
			}
		}
	}
	for text, want := range map[string]string{
		"line 9: removed":       "picks no instruction",
		"line 4: coalesced":     "are coalesced",
		"line 2: conflict-free": "have no bank conflicts",
		"line 2: spread":        "no atomics there",
		"line 5: hidden":        "take no time",
	} {
		r, err := remedy.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.With(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestChanged: changes of rules, which the command line does not have, make of an access what they say.
func TestChanged(t *testing.T) {
	k := kernel(t)
	global := func(in *idg.Instr) bool { return in.Op == "ld.global" }
	changed := func(c remedy.Change) latencies.Entry {
		t.Helper()
		m, did, err := k.Changed(c)
		if err != nil || !did {
			t.Fatalf("changed %v: %v", did, err)
		}
		if err := m.Mapping.Verify(m.Graph); err != nil {
			t.Fatal(err)
		}
		return m.Mapping.Entries[1]
	}
	was := k.Mapping.Entries[1]
	if e := changed(remedy.Replace(global, func(*idg.Instr) string { return "add.s32" })); e.Timing == was.Timing ||
		e.Timing != k.Mapping.Entries[3].Timing && e.Transactions != 0 {
		t.Errorf("a sum instead: %+v", e)
	}
	if e := changed(remedy.Widen(global, 4)); e.Transactions < was.Transactions || e.Least != 4*was.Least {
		t.Errorf("four elements at once: %d of %d transactions, was %d of %d", e.Transactions, e.Least,
			was.Transactions, was.Least)
	}
	four := func(*idg.Instr) float64 { return 4 }
	if e := changed(remedy.Change{Kind: remedy.Once, Pick: global, Of: four}); math.Abs(
		e.Timing.CPI.Float()/was.Timing.CPI.Float()-0.25) > 0.05 || e.Slots() != 0 {
		t.Errorf("one of four: %v of %v, %d slots", e.Timing.CPI, was.Timing.CPI, e.Slots())
	}
	tiled := remedy.Change{Kind: remedy.Tiled, Of: func(*idg.Instr) float64 { return 8 }, Pick: global,
		As: func(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
			own := *a
			own.Space, own.Offsets = idg.SpaceLocal, make([]int64, len(a.Offsets))
			in.Op = "ld.local"
			return in, &own
		}}
	if e := changed(tiled); e.Timing.CPI.Cmp(was.Timing.CPI) >= 0 || e.Second.CPI.IsZero() && e.Timing.CPI.IsZero() {
		t.Errorf("a tile: %+v, was %+v", e, was)
	}
	n := func(in *idg.Instr) bool { return strings.HasPrefix(in.Op, "atomic") }
	half, _, err := k.Changed(remedy.Change{Kind: remedy.Spread, Pick: n, Share: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := k.Changed(remedy.Change{Kind: remedy.Spread, Pick: n})
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := all.Mapping.Entries[2].Timing.CPI, half.Mapping.Entries[2].Timing.CPI,
		k.Mapping.Entries[2].Timing.CPI; a.Cmp(b) >= 0 || b.Cmp(c) >= 0 {
		t.Errorf("no, half and all updates of one word: %v, %v, %v", a, b, c)
	}
	if got := remedy.Once.String(); got != "invalid remedy" {
		t.Errorf("%q is for the command line", got)
	}
}
