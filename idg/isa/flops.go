package isa

import (
	"fmt"
	"strings"
)

// FloatOperations is how many floating-point operations a warp instruction does with so many lanes active, as
// profilers count them: additions and products, and two for a product and sum. A product of matrices
// counts whole, whatever the lanes.
func (o Op) FloatOperations(lanes int) float64 {
	n := float64(lanes)
	if o.Has(Packed) {
		n *= 2
	}
	var rows, columns, depth int
	switch o.Verb {
	case Fma, Mad:
		n *= 2
	case Add, Sub, Mul:
	case HMMA:
		shape, _, _ := strings.Cut(o.rest(), ".")
		if _, err := fmt.Sscanf(shape, "168%d", &depth); err != nil {
			return 0
		}
		return float64(2 * 16 * 8 * depth)
	case WGMMA: // a quarter for each warp of the four
		shape, _, _ := strings.Cut(o.rest(), ".")
		if _, err := fmt.Sscanf(shape, "m%dn%dk%d", &rows, &columns, &depth); err != nil {
			return 0
		}
		return float64(2*rows*columns*depth) / 4
	default:
		return 0
	}
	if !o.Type.Float() {
		return 0
	}
	return n
}
