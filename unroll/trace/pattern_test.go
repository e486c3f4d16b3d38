package trace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
)

// Nodes come back as they were recorded, and as they were changed, near and far
// dependences alike; those that recur share a pattern.
func TestPatterns(t *testing.T) {
	type recordedNode struct {
		Node
		deps, order []NodeID
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var tr Trace
	var want []recordedNode
	ids := func(i int) (out []NodeID) {
		for range min(rng.IntN(4), i) {
			id := NodeID(1 + rng.IntN(i))
			switch rng.IntN(4) {
			case 0, 1:
				id = NodeID(max(1, i-rng.IntN(4)))
			case 2:
				id = NodeID(1 + rng.IntN(min(i, 3)))
			}
			if at, found := slices.BinarySearch(out, id); !found {
				out = slices.Insert(out, at, id)
			}
		}
		return out
	}
	touches := TouchID(0)
	for i := range 50 * nearNodes {
		n := recordedNode{Node: Node{Op: [...]string{"add.f32", "mul.f32", "ld.global"}[rng.IntN(3)],
			Lanes: uint8(1 + rng.IntN(2)), Flags: Flags(rng.IntN(4)), Access: idg.AccessID(rng.IntN(2))}}
		n.deps, n.order = ids(i), ids(i)
		if len(n.deps) > 0 {
			n.X = n.deps[0]
		}
		if rng.IntN(2) == 0 {
			touches++
			n.Touch = touches
		}
		want = append(want, n)
		tr.Add(n.Node, n.deps, n.order)
	}
	for range 10_000 {
		i := rng.IntN(len(want))
		deps := ids(i)
		tr.change(tr.at(i), func(c *content) { c.deps, c.access = deps, 7 })
		want[i].deps, want[i].Access = deps, 7
	}
	for i, w := range want {
		n := tr.at(i)
		k := tr.kinds.of(n.kind)
		deps, order := tr.deps(n), tr.order(n)
		if k.op != w.Op || n.lanes != w.Lanes || n.flags != w.Flags || n.access != w.Access || tr.Touch(i) != w.Touch ||
			n.operand(n.x) != w.X || n.operand(n.y) != 0 || !slices.Equal(deps, w.deps) ||
			!slices.Equal(order, w.order) {
			t.Fatalf("node %d is %+v %v %v, want %+v", i, n, deps, order, w)
		}
	}

	var loop Trace
	for i := range 1_000_000 {
		loop.Add(Node{Op: "add.f32", X: NodeID(i)}, []NodeID{NodeID(i)}[:min(1, i)], nil)
		if i == nearNodes {
			loop.Add(Node{Op: "mul.f32"}, []NodeID{1}, nil)
		}
	}
	if loop.patterns.length > 4 {
		t.Errorf("a loop has %d patterns", loop.patterns.length)
	}
}
