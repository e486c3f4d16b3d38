package chart

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

func profile() *Profile {
	return &Profile{Title: "p", Note: "n", X: "cycles", To: 100, Parts: []Part{
		{"warps", []Row{
			{"warp 0", []Span{{Kind: 0, From: 0, To: 4}, {Kind: 0, From: 4, To: 20, Waits: true}}},
			{"warp 1", []Span{{Kind: 1, From: 1, To: 3}}},
		}},
		{"pipelines", []Row{{"comp", nil}}},
	}}
}

func TestProfile(t *testing.T) {
	out := svg(t, profile().Write)
	contains(t, out, "p", "n", "cycles", "warps", "warp 0", "warp 1", "pipelines", "comp", "100")
	p := profile()
	p.Parts[0].Rows[1].Spans[0].To = 40
	if svg(t, p.Write) == out {
		t.Error("a longer span makes no difference")
	}
	contains(t, svg(t, Profiles{profile(), p}.Write), "warp 0")
}

// TestProfileIsBounded: a row of very many spans is drawn with so many as can be seen.
func TestProfileIsBounded(t *testing.T) {
	p := profile()
	row := &p.Parts[0].Rows[0]
	for i := range 100_000 {
		row.Spans = append(row.Spans, Span{From: float64(i) / 1000, To: float64(i)/1000 + 0.0005})
	}
	if out := svg(t, p.Write); len(out) > 25_000 {
		t.Errorf("%d bytes", len(out))
	}
}

// TestExecution: a run of two dependent instructions in two warps on two pipelines.
func TestExecution(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	first := b.Add(b.Instr(idg.Instr{Op: "add.f32", Lanes: 32}))
	b.Add(b.Instr(idg.Instr{Op: "ld.local", Type: "f32", Lanes: 32}), idg.Edge{From: first, Kind: idg.Data})
	launch := idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{2, 1, 1}, WarpSize: 32}
	g, err := b.Build(idg.Header{Kernel: "k", Launch: launch})
	if err != nil {
		t.Fatal(err)
	}
	device, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := latencies.NewMapper(device, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate.Run(context.Background(), g, m, simulate.Config{Groups: 2, Profile: true})
	if err != nil {
		t.Fatal(err)
	}
	c := Execution(r.Profile, simulate.ProfileOptions{}, device.TitleOf)
	var got []string
	for _, part := range c.Parts {
		got = append(got, part.Heading)
		for _, row := range part.Rows {
			busy := 0
			for _, s := range row.Spans {
				if !s.Waits {
					busy++
				}
			}
			got = append(got, fmt.Sprintf("%s: %d", row.Name, busy))
		}
	}
	const want = "warps (group.warp); 0.0: 2; 1.0: 2; pipelines; FP32/INT: 2; shared: 2"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	c = Execution(r.Profile, simulate.ProfileOptions{MaxWarps: 1}, nil)
	if c.Parts[0].Heading != "warps (group.warp), 1 of 2" {
		t.Error(c.Parts[0].Heading)
	}
	contains(t, svg(t, c.Write), "0.0", "time (cycles)")
}
