package fit

import (
	"math"
	"slices"
	"strings"
)

// Geometry is what conflicts and strides tell of the memories.
type Geometry struct {
	Banks, Segment       int     // local memory's banks, of 4 bytes; bytes of a transaction of device memory
	BanksFit, SegmentFit float64 // mean relative error of λ; 0 = not measured, the usual is assumed
}

// What is taken to be the case where nothing was measured: that of NVIDIA's GPUs since 2010, and sectors.
const (
	usualBanks   = 32
	usualSegment = 32
	bankBytes    = 4
)

// findGeometry takes the numbers of banks and bytes for which λ of conflicts and strides is as the rules of
// A 6.3 and V16 2.5 have it.
func findGeometry(r *Result) Geometry {
	warp := max(r.Device.WarpSize, 1)
	passes := func(banks int) func(stride int) float64 {
		return func(stride int) float64 { // words of different rows in one bank
			most := map[int]int{}
			for lane := range min(warp, banks) {
				most[lane*stride%banks]++
			}
			n := 0
			for _, x := range most {
				n = max(n, x)
			}
			return float64(n)
		}
	}
	segments := func(bytes int) func(stride int) float64 {
		return func(stride int) float64 {
			lines := map[int]bool{}
			for lane := range warp {
				lines[lane*stride*4/bytes] = true
			}
			return float64(len(lines)*bytes) / float64(warp*4)
		}
	}
	g := Geometry{Banks: usualBanks, Segment: usualSegment}
	g.Banks, g.BanksFit = r.nearest("ld.local.conflict", "ld.local.conflict1", []int{usualBanks, 16, 64}, passes)
	g.Segment, g.SegmentFit = r.nearest("ld.global.stride", "ld.global", []int{usualSegment, 64, 128}, segments)
	return g
}

// nearest is the candidate whose rule gives the ratios of λ of some classes to that of one of them best.
func (r *Result) nearest(prefix, base string, candidates []int, rule func(int) func(int) float64) (int, float64) {
	one := r.class(base)
	var others []*Class
	for i := range r.Classes {
		if c := &r.Classes[i]; strings.HasPrefix(c.Name, prefix) && c.Refused == "" && c.Param > 1 {
			others = append(others, c)
		}
	}
	if one == nil || len(others) == 0 {
		return candidates[0], 0
	}
	errors := make([]float64, len(candidates))
	for i, n := range candidates {
		of := rule(n)
		for _, c := range others {
			errors[i] += math.Abs(math.Log(c.CPI.Value / one.CPI.Value / of(c.Param)))
		}
		errors[i] /= float64(len(others))
	}
	least := slices.Index(errors, slices.Min(errors))
	return candidates[least], max(errors[least], 1e-6)
}
