package walk_test

import (
	"fmt"
	"testing"

	"gpupipe/idg"
)

// TestVectorBytes: whatever instructions stand for a load or a store of a vector, together they touch each of its bytes
// once.
func TestVectorBytes(t *testing.T) {
	for typ, size := range map[string]int{"uchar": 1, "short": 2, "int": 4, "double": 8} {
		for _, n := range []int{2, 3, 4, 8, 16} {
			for _, format := range []string{
				"kernel void k(global T *a, global T *b) { size_t i = get_local_id(0); vstoreN(vloadN(i, a), i, b); }",
				"kernel void k(global TN *a, global TN *b) { size_t i = get_local_id(0); b[i] = a[i]; }",
			} {
				text := fmt.Sprintf("#define TN %s%d\n#define T %[1]s\n#define vloadN vload%[2]d\n#define vstoreN "+
					"vstore%[2]d\n%s\n", typ, n, format)
				g, _ := graphOf(t, "k.cl", text, "-O2")
				touched := map[string]map[int64]int{"a": {}, "b": {}}
				for _, a := range accesses(t, g, idg.SpaceGlobal) {
					if len(a.Offsets) != 32 {
						t.Fatalf("%d lanes of %s\n%s", len(a.Offsets), a.Buffer, text)
					}
					for _, at := range a.Offsets {
						for i := range int64(a.Width) {
							touched[a.Buffer][at+i]++
						}
					}
				}
				for buffer, bytes := range touched {
					apart, used := n, n
					if n == 3 && format[21] == 'N' { // has the size of four
						apart = 4
					}
					for i := range int64(32 * apart * size) {
						if inside := i/int64(size)%int64(apart) < int64(used); bytes[i] > 1 || inside && bytes[i] == 0 {
							t.Fatalf("byte %d of %s is touched %d times\n%s", i, buffer, bytes[i], text)
						}
					}
				}
			}
		}
	}
}
