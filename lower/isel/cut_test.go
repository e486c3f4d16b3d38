package isel

import (
	"testing"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// TestCut: the parts of an access are its elements in order, each aligned as far as it reaches, as wide as that and the
// target allow.
func TestCut(t *testing.T) {
	for _, typ := range []lower.Type{lower.U8, lower.U16, lower.F32, lower.F64} {
		for n := 1; n <= 16; n++ {
			for _, align := range []int64{1, 2, 4, 8, 16, 32} {
				for _, widest := range []int64{8, 16} {
					next, size := 0, typ.Size()
					for _, p := range cut(&ir.Instr{Type: typ, Align: align}, n, widest) {
						from, bytes := int64(p.first)*size, int64(p.count)*size
						padded := p.count == 3 && p.bytes == 4*size && p.first+3 == n
						if p.first != next || p.count < 1 || p.bytes != bytes && !padded || p.bytes&(p.bytes-1) != 0 ||
							p.bytes > widest || from%p.bytes != 0 || p.bytes > max(align, size) {
							t.Errorf("%d of %v aligned to %d, by %d: %v", n, typ, align, widest, p)
						}
						next += p.count
						if twice := 2 * p.bytes; next+p.count <= n && !padded && twice <= widest && twice <= align &&
							from%twice == 0 {
							t.Errorf("%d of %v aligned to %d, by %d: %v may be wider", n, typ, align, widest, p)
						}
					}
					if next != n {
						t.Errorf("%d of %v aligned to %d: %d", n, typ, align, next)
					}
				}
			}
		}
	}
}
