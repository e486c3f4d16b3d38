package comparison

import "math"

// geometric is n numbers from low to high with equal quotients, ascending; the
// higher end alone for n = 1.
func geometric(low, high float64, n int) []float64 {
	if n == 1 {
		return []float64{high}
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = low * math.Pow(high/low, float64(i)/float64(n-1))
	}
	list[n-1] = high
	return list
}
