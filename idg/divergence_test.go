package idg

import (
	"strings"
	"testing"
)

func divergingGraph(d *Divergence) (*Graph, error) {
	b := NewBuilder()
	b.Begin(0)
	h := header(1)
	h.Branches = []Branch{{Kind: "if", Decision: "varies", Origin: "work-item ids", Executed: 2},
		{Kind: "if", Decision: "diverged", Origin: "work-item ids", Executed: 2, Divergence: d}}
	return b.Build(h)
}

func TestDivergence(t *testing.T) {
	g, err := divergingGraph(&Divergence{Warps: 4, DivergedWarps: 1, Executions: 8, Diverged: 2, Lanes: 200})
	if err != nil {
		t.Fatal(err)
	}
	doc := encode(t, g, EncodeOptions{})
	for name, got := range readings(t, doc, EncodeOptions{}) {
		if d := diff(g, got); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
	if err := schemaCheck(t)(doc); err != nil {
		t.Error(err)
	}
}

func TestVerifyDivergence(t *testing.T) {
	for _, d := range []Divergence{
		{},
		{Warps: 2, Executions: 1, Lanes: 2},
		{Warps: 1, DivergedWarps: 2, Executions: 2, Diverged: 2, Lanes: 2},
		{Warps: 1, DivergedWarps: 1, Executions: 1, Lanes: 2},
		{Warps: 1, DivergedWarps: 1, Executions: 1, Diverged: 2, Lanes: 2},
		{Warps: 1, Executions: 3, Lanes: 2},
		{Warps: 1, Executions: 3, Lanes: 3*MaxWarpSize + 1},
		{Warps: 1, Executions: 3, Diverged: -1, Lanes: 3},
	} {
		if _, err := divergingGraph(&d); err == nil || !strings.Contains(err.Error(), "branch 1: ") {
			t.Errorf("%+v: %v", d, err)
		}
	}
	if _, err := divergingGraph(&Divergence{Warps: 1, Executions: 3, Lanes: 3 * MaxWarpSize}); err != nil {
		t.Error(err)
	}
}
