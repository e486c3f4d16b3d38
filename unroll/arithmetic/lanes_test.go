package arithmetic

import (
	"math"
	"testing"

	"gpupipe/lower"
)

// TestLanes: all lanes at once give what Binary gives for each, of every operation and type.
func TestLanes(t *testing.T) {
	numbers := []uint64{0, 1, 2, 3, 7, 31, 32, 127, 128, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1<<31 - 1, 1 << 31,
		math.MaxUint32, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}
	some := map[lower.Op]bool{}
	for typ := lower.Pred; typ <= lower.Ptr; typ++ {
		for op := range lower.Op(255) {
			for _, y := range numbers {
				var a, b, got []uint64
				for _, x := range numbers {
					a, b = append(a, Canon(typ, x)), append(b, Canon(typ, y))
				}
				if got = make([]uint64, len(a)-1); !Lanes(op, typ, got, a, b) {
					continue
				}
				some[op] = true
				for i, r := range got {
					if want, ok := Binary(op, typ, a[i], b[i]); !ok || r != want {
						t.Errorf("%v of %v: %d and %d give %d, want %d (%v)", op, typ, a[i], b[i], r, want, ok)
					}
				}
			}
		}
	}
	for _, op := range []lower.Op{lower.Add, lower.Sub, lower.Mul, lower.And, lower.Or, lower.Xor, lower.Eq, lower.Ne,
		lower.Lt, lower.Le, lower.Gt, lower.Ge} {
		if !some[op] {
			t.Errorf("%v is not computed in all lanes at once", op)
		}
	}
}
