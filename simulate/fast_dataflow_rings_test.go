package simulate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// TestSharedRings: completions of many classes whose latencies depend on the load
// lie in few rings, in the reference's order.
func TestSharedRings(t *testing.T) {
	r := rand.New(rand.NewPCG(*fastSeed, 31))
	f := newFixture(t, 2, "alu", "mem")
	f.mapping.Device.Memory.Contention = &latencies.Contention{Unloaded: cycles(t, "1"), Queueing: cycles(t, "30"),
		Capacity: cycles(t, "50")}
	f.begin()
	for v := range 400 {
		op, subsystem := "ld.global", "mem"
		if r.IntN(3) == 0 {
			op, subsystem = "add.f32", "alu"
		}
		c := f.class(op, subsystem, "1", fmt.Sprint(10*(1+r.IntN(4))))
		var edges []idg.Edge
		for u := range v {
			if u >= v-20 && r.IntN(8) == 0 {
				edges = append(edges, idg.Edge{From: idg.Executed(u), Kind: idg.EdgeKind(1 + r.IntN(3))})
			}
		}
		f.builder.Add(c, edges...)
	}
	kinds := []GroupKind{{f.graph(1), &f.mapping, 1}}
	for _, mode := range []IssueMode{Dataflow, Blocks} {
		cfg := Config{Groups: 40, Concurrent: 8, Full: true, Issue: mode}
		s, err := (&Launch{kinds: kinds}).prepare(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(newDataflow(s).futures.rings); n > 20 {
			t.Errorf("%v: %d rings", mode, n)
		}
		got := f.runKinds(kinds, cfg)
		cfg.Engine = EngineReference
		if d := difference(got, f.runKinds(kinds, cfg)); d != "" || got.Contention.Accesses == 0 {
			t.Errorf("%v: %s", mode, d)
		}
	}
}
