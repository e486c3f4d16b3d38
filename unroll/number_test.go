package unroll

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestNumberingScopes(t *testing.T) {
	var n numbering
	n.init(nil)
	v := &value{id: 1}
	has := func(key string, want bool) {
		t.Helper()
		if _, ok := n.find([]byte(key)); ok != want {
			t.Errorf("%s found: %v, want %v", key, ok, want)
		}
	}
	put := func(key string, level, innermost int32, speculative bool) {
		n.put([]byte(key), entry{v: v}, level, innermost, speculative)
	}
	put("invariant", 0, 2, true)
	put("outer", 1, 2, true)
	put("inner", 2, 2, true)
	n.forget(2) // the inner loop's next iteration
	has("invariant", true)
	has("outer", true)
	has("inner", false)

	n.open()
	put("side", 2, 2, true)
	put("hoisted", 1, 2, true)
	put("load", 1, 2, false)
	n.open()
	put("nested side", 2, 2, true)
	n.close()
	has("nested side", false)
	has("side", true)
	n.close()
	has("side", false)   // computed only where the branch was taken
	has("hoisted", true) // invariant in the innermost loop: computed before it
	has("load", false)   // a load is not executed speculatively
	has("outer", true)

	n.forget(1)
	has("outer", false)
	has("hoisted", false)
	has("invariant", true)
}

// TestNumberingKeepsOuterEntries: an entry that a branch side replaces is back
// after the branch.
func TestNumberingKeepsOuterEntries(t *testing.T) {
	var n numbering
	n.init(nil)
	rng := rand.New(rand.NewPCG(4, 4))
	for round := range 300 {
		want := map[string]valueID{}
		for i := range 10 {
			key := fmt.Sprint(i)
			id := valueID(round*100 + i + 1)
			n.put([]byte(key), entry{v: &value{id: id}}, 1, 1, true)
			want[key] = id
		}
		n.open()
		for range rng.IntN(8) {
			n.put([]byte(fmt.Sprint(rng.IntN(14))), entry{v: &value{id: 1 << 30}}, 1, 1, rng.IntN(2) == 0)
		}
		n.close()
		for i := range 14 {
			e, ok := n.find([]byte(fmt.Sprint(i)))
			if id := want[fmt.Sprint(i)]; ok != (id != 0) || ok && e.v.id != id {
				t.Fatalf("round %d: entry %d is %v %v after the branch, want %d", round, i, ok, e.v, id)
			}
		}
		n.forget(1)
	}
}
