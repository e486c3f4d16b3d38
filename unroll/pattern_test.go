package unroll

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
		node
		deps, order []nodeID
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var tr trace
	var want []recordedNode
	ids := func(i int) (out []nodeID) {
		for range min(rng.IntN(4), i) {
			id := nodeID(1 + rng.IntN(i))
			switch rng.IntN(4) {
			case 0, 1:
				id = nodeID(max(1, i-rng.IntN(4)))
			case 2:
				id = nodeID(1 + rng.IntN(min(i, 3)))
			}
			if at, found := slices.BinarySearch(out, id); !found {
				out = slices.Insert(out, at, id)
			}
		}
		return out
	}
	touches := touchID(0)
	for i := range 50 * nearNodes {
		n := recordedNode{node: node{op: [...]string{"add.f32", "mul.f32", "ld.global"}[rng.IntN(3)], lanes: uint8(1 + rng.IntN(2)), flags: nodeFlags(rng.IntN(4)), access: idg.AccessID(rng.IntN(2))}}
		n.deps, n.order = ids(i), ids(i)
		if len(n.deps) > 0 {
			n.x = n.deps[0]
		}
		if rng.IntN(2) == 0 {
			touches++
			n.touch = touches
		}
		want = append(want, n)
		tr.add(n.node, n.deps, n.order)
	}
	for range 10_000 {
		i := rng.IntN(len(want))
		deps := ids(i)
		tr.change(tr.at(i), func(c *content) { c.deps, c.access = deps, 7 })
		want[i].deps, want[i].access = deps, 7
	}
	for i, w := range want {
		n := tr.at(i)
		k := tr.kinds.of(n.kind)
		deps, order := tr.deps(n), tr.order(n)
		if k.op != w.op || n.lanes != w.lanes || n.flags != w.flags || n.access != w.access || tr.touch(i) != w.touch ||
			n.operand(n.x) != w.x || n.operand(n.y) != 0 || !slices.Equal(deps, w.deps) || !slices.Equal(order, w.order) {
			t.Fatalf("node %d is %+v %v %v, want %+v", i, n, deps, order, w)
		}
	}

	var loop trace
	for i := range 1_000_000 {
		loop.add(node{op: "add.f32", x: nodeID(i)}, []nodeID{nodeID(i)}[:min(1, i)], nil)
		if i == nearNodes {
			loop.add(node{op: "mul.f32"}, []nodeID{1}, nil)
		}
	}
	if loop.patterns.length > 4 {
		t.Errorf("a loop has %d patterns", loop.patterns.length)
	}
}
