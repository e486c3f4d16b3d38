package unroll

import (
	enc "encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestTable holds the table against a map: what it finds is what was put last, and
// what was put or found among the last tableReach operations is found.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	type known struct {
		id valueID
		at int // of the last insertion or find
	}
	var table table
	want := map[uint64]known{}
	forgotten := 0
	for i := range 5 * tableReach {
		n := rng.Uint64N(uint64(i)/2 + 1)
		if rng.IntN(2) == 0 {
			n = uint64(i) // a new one
		}
		key := enc.AppendUvarint([]byte("key"), n)
		hash := hashKey(key)
		if i%3 == 0 {
			hash &= 7 // many keys in one place
			key = append(enc.AppendUvarint([]byte("few"), n%64), byte(hash))
			n = n%64 | 1<<40 | uint64(hash)<<50
		}
		switch k, ok := want[n]; {
		case rng.IntN(9) == 0:
			table.put(hash, key, entry{})
			delete(want, n)
		case rng.IntN(3) == 0:
			e := table.find(hash, key)
			if e.v != nil && (!ok || e.v.id != k.id) {
				t.Fatalf("step %d: key %d has %v, want %v", i, n, e.v.id, k)
			}
			if e.v == nil && ok {
				if i-k.at <= tableReach {
					t.Fatalf("step %d: key %d of step %d is forgotten", i, n, k.at)
				}
				forgotten++
				delete(want, n)
			} else if ok {
				want[n] = known{k.id, i}
			}
		default:
			id := valueID(i + 1)
			table.put(hash, key, entry{v: &value{id: id}})
			want[n] = known{id, i}
		}
	}
	if forgotten == 0 {
		t.Error("nothing is ever forgotten")
	}
	if n := len(table.young.items) + len(table.old.items); n > 2*tableReach {
		t.Errorf("%d entries, more than two generations of %d", n, tableReach)
	}
	table.clear()
	for n := range want {
		key := enc.AppendUvarint([]byte("key"), n)
		if e := table.find(hashKey(key), key); e.v != nil {
			t.Fatalf("key %d is found in an empty table", n)
		}
	}
}
