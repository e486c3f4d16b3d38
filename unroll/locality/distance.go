package locality

import "math/bits"

// distances counts sectors by the distance to their last touch, in classes: powers of two, and three between each two.
type distances [4 * 40]int64

// classOf is the class of a distance in sectors, 1 at least.
func classOf(d int64) int {
	if d <= 4 {
		return int(max(d, 1)) - 1
	}
	e := bits.Len64(uint64(d - 1)) // 2^(e-1) < d <= 2^e
	part := (d - 1 - 1<<(e-1)) >> (e - 3)
	return min(4*(e-2)+int(part), len(distances{})-1)
}

// Rounded is a distance in sectors as it is counted: rounded up to three significant bits (idg.Reuse).
func Rounded(d int64) int64 { return mostOf(classOf(d)) }

// mostOf is the largest distance of a class.
func mostOf(class int) int64 {
	if class < 4 {
		return int64(class) + 1
	}
	e := class/4 + 2
	return 1<<(e-1) + int64(class%4+1)<<(e-3)
}
