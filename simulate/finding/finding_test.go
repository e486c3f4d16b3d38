package finding_test

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/finding"
	"gpupipe/simulate/remedy"
)

// found are the findings on a graph.
func found(t *testing.T, b *idg.Builder, cfg simulate.Config) []finding.Finding {
	t.Helper()
	return outcome(t, b, cfg).Findings
}

func outcome(t *testing.T, b *idg.Builder, cfg simulate.Config) *finding.Outcome {
	t.Helper()
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &finding.Run{Config: cfg}
	if r.Kernel, err = remedy.NewKernel(idgtest.Build(t, b), mapper, latencies.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Launch = simulate.NewLaunch(r.Graph, r.Mapping)
	if r.Result, err = r.Launch.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if r.Causes, err = cause.Of(r.Result, d); err != nil {
		t.Fatal(err)
	}
	out, err := finding.Find(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// program has n copies of an access, each waited for by a sum.
func program(op, buffer string, space idg.Space, stride int64, n int) *idg.Builder {
	b := idg.NewBuilder()
	a := idg.Access{Space: space, Buffer: buffer, Width: 4, Store: op[:2] == "st"}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, lane*stride)
	}
	in := b.Instr(idg.Instr{Op: op, Type: "f32", Access: b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 7, Column: 3}})
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 8, Column: 3}})
	b.Begin(0)
	for range n {
		v := b.Add(in)
		b.Add(add, idg.Edge{From: v, Kind: idg.Order})
	}
	return b
}

// TestMinor: what textbooks would change is named where it saves nothing, if it keeps a resource busy, and once.
func TestMinor(t *testing.T) {
	for _, c := range []struct {
		roots int // independent, for each access
		want  []string
	}{{0, []string{"small-groups"}}, {40, []string{"bank-conflicts", "small-groups"}},
		{4000, []string{"small-groups"}}} {
		b := program("ld.local", "tile", idg.SpaceLocal, 128, 8)
		root := b.Instr(idg.Instr{Op: "native_cos.f32", Lanes: 32})
		for range 8 * c.roots {
			b.Add(root)
		}
		var codes []string
		for _, f := range outcome(t, b, simulate.Config{Groups: 320}).Minor {
			codes = append(codes, f.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("with %d functions for each access: %q, want %q", c.roots, codes, c.want)
		}
	}
}

// TestFind: the first finding on each program, and that nothing is found where nothing is to be gained.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		op, buffer string
		space      idg.Space
		stride     int64
		want       string
	}{
		{"ld.local", "tile", idg.SpaceLocal, 128, "bank-conflicts"},
		{"ld.local", "tile", idg.SpaceLocal, 4, ""},
		{"ld.global", "A", idg.SpaceGlobal, 128, "uncoalesced"},
		{"atomic.add.local", "n", idg.SpaceLocal, 0, "same-address"},
		{"st.private", idg.SpillBuffer, idg.SpacePrivate, 4, "spills"},
	} {
		list := found(t, program(c.op, c.buffer, c.space, c.stride, 500), simulate.Config{Groups: 64})
		got := ""
		if len(list) > 0 {
			got = list[0].Code
		}
		if got != c.want {
			t.Errorf("%s by %d bytes: %q, want %q: %+v", c.op, c.stride, got, c.want, list)
		}
		for i, f := range list {
			if f.Saved < finding.Least || i > 0 && f.Saved > list[i-1].Saved || f.What == "" || f.Proof == "" ||
				f.Remedy == "" {
				t.Errorf("%s: %+v", c.op, f)
			}
		}
	}
	list := found(t, program("ld.global", "A", idg.SpaceGlobal, 4, 50), simulate.Config{Groups: 1})
	if !slices.ContainsFunc(list, func(f finding.Finding) bool { return f.Code == "few-groups" }) {
		t.Errorf("a launch of one group: %+v", list)
	}
	for _, r := range finding.Rules() {
		if r[0] == "" || r[1] == "" {
			t.Errorf("a rule without a name: %q", r)
		}
	}
}
