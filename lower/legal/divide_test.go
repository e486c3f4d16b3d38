package legal

import (
	"math/bits"
	"testing"
)

// TestMagic: quotients by magic numbers are those of divisions.
func TestMagic(t *testing.T) {
	numbers := []uint32{0, 1, 2, 5, 6, 7, 37, 38, 39, 1000, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1}
	for _, c := range []uint64{3, 5, 6, 7, 10, 12, 14, 38, 100, 641, 1<<31 - 1, 1<<31 + 1, 1<<32 - 1} {
		k := 0
		m, s, add := unsignedMagic(c, 32, 0)
		if add && c%2 == 0 {
			k = bits.TrailingZeros64(c)
			m, s, add = unsignedMagic(c>>k, 32, uint(k))
		}
		for _, x := range numbers {
			y := uint64(x >> k)
			q := y * m >> 32
			if add {
				q = ((y-q)>>1 + q) >> (s - 1)
			} else {
				q >>= s
			}
			if q != uint64(x)/c {
				t.Fatalf("%d / %d: %d with %#x, %d, %v", x, c, q, m, s, add)
			}
		}
	}
	for _, c := range []int64{3, 5, 7, 9, 38, -3, -7, 100, 125, 1<<31 - 1} {
		m, s := signedMagic(c, 32)
		for _, u := range numbers {
			x := int64(int32(u))
			q := x * m >> 32
			if c > 0 && m < 0 {
				q += x
			} else if c < 0 && m > 0 {
				q -= x
			}
			q = int64(int32(q))
			q = q>>s + int64(uint32(q)>>31)
			if q != x/c {
				t.Fatalf("%d / %d: %d with %#x, %d", x, c, q, m, s)
			}
		}
	}
	for _, x := range []uint64{0, 1, 6, 38, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 2, 1<<64 - 1} {
		for _, c := range []uint64{3, 5, 6, 7, 10, 14, 641, 1<<32 + 1, 1<<63 - 1, 1<<63 + 1, 1<<64 - 1} {
			for zeros := range uint(3) { // that the number is known to have
				x := x >> zeros
				m, s, add := unsignedMagic(c, 64, zeros)
				q, _ := bits.Mul64(x, m)
				if add {
					q = ((x-q)>>1 + q) >> (s - 1)
				} else {
					q >>= s
				}
				if q != x/c {
					t.Errorf("%d / %d, %d zeros: %d with %#x, %d, %v", x, c, zeros, q, m, s, add)
				}
			}
		}
		for _, c := range []int64{3, 5, 7, 38, -3, -7, 125, 1<<32 + 1, 1<<63 - 1} {
			x := int64(x)
			m, s := signedMagic(c, 64)
			high, _ := bits.Mul64(uint64(x), uint64(m))
			q := int64(high) - x>>63&m - m>>63&x // as of signed numbers
			if c > 0 && m < 0 {
				q += x
			} else if c < 0 && m > 0 {
				q -= x
			}
			if q = q>>s + int64(uint64(q)>>63); q != x/c {
				t.Errorf("%d / %d: %d with %#x, %d", x, c, q, m, s)
			}
		}
	}
}
