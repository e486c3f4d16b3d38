package unroll

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Groups may execute more or less than others without being at an edge: rows of a
// triangle, rays that leave the scene, pixels of a set. Then some of them stand for the
// launch, spread evenly over it in its order.

// How many groups stand for a launch of uneven groups: at least, and at most, if the mean of
// what they execute is not known to sampledError (one standard error) with fewer, and if they do
// not record more than sampledInstructions, about two seconds' work.
const (
	sampledGroups       = 32
	mostSampledGroups   = 256
	sampledError        = 0.05
	sampledInstructions = 1 << 22
)

// probes are the samples that show whether groups are uneven.
var probes = [...]int64{5, 26}

// stratum is an interval of groups, numbered in launch order, and the one that stands for them.
type stratum struct{ group, groups int64 }

// stratumOf is the i-th of n equal parts of a launch of so many groups. Which group of a part
// stands for it differs from part to part, by multiples of the golden ratio, so that they are
// spread over the columns of the launch, too.
func stratumOf(i, n, total int64) stratum {
	first, end := part(i, n, total), part(i+1, n, total)
	const golden = 0x9e3779b97f4a7c15 // of 2^64
	within, _ := bits.Mul64(uint64(i+1)*golden, uint64(end-first))
	return stratum{first + int64(within), end - first}
}

// part is where the i-th of n equal parts begins.
func part(i, n, total int64) int64 {
	hi, lo := bits.Mul64(uint64(i), uint64(total))
	q, _ := bits.Div64(hi, lo, uint64(n)) // i ≤ n, so that q ≤ total
	return int64(q)
}

// groupAt is where a group of the launch is, by its number.
func (o *Options) groupAt(number int64) [3]int64 {
	x, rest := number%o.Groups[0], number/o.Groups[0]
	return [3]int64{x, rest % o.Groups[1], rest / o.Groups[1]}
}

// numberOf is the number of a group in launch order.
func (o *Options) numberOf(group [3]int64) int64 {
	return group[0] + o.Groups[0]*(group[1]+o.Groups[1]*group[2])
}

// launch is the launch of the options.
func (o *Options) launch() *idg.Launch {
	return &idg.Launch{Local: o.Local, Groups: o.Groups, WarpSize: o.WarpSize}
}

// inside is the nearest group that is not at an edge of the launch.
func (o *Options) inside(group [3]int64) [3]int64 {
	for d, n := range o.Groups {
		if n > 2 {
			group[d] = min(max(group[d], 1), n-2)
		}
	}
	return group
}

// uneven reports whether the first warp of some sample executes more or less than that of
// the group in the middle, which executes so much. At the edges it may for guards.
func uneven(st *static, opt Options, homes homes, executed int64) (bool, error) {
	total := opt.launch().TotalGroups()
	n := min(sampledGroups, total)
	seen := [][3]int64{opt.group}
	for _, i := range probes {
		opt.group = opt.inside(opt.groupAt(stratumOf(i*n/sampledGroups, n, total).group))
		if slices.Contains(seen, opt.group) {
			continue
		}
		seen = append(seen, opt.group)
		r, err := resolveWarp(st, opt, idg.NewBuilder(), 0, homes, nil)
		if err != nil {
			return false, err
		}
		if r.executed != executed {
			return true, nil
		}
	}
	return false, nil
}

// enoughSamples is how many samples tell what the groups of a launch execute on the
// average, by what the first warps of the least number of samples do; and the standard error
// of the mean with so many.
func enoughSamples(st *static, opt Options, homes homes, warps int) (int64, float64, error) {
	total := opt.launch().TotalGroups()
	n := min(sampledGroups, total)
	if n == total {
		return n, 0, nil
	}
	var recorded int
	var executed []float64
	for i := range n {
		opt.group = opt.groupAt(stratumOf(i, n, total).group)
		r, err := resolveWarp(st, opt, idg.NewBuilder(), 0, homes, nil)
		if err != nil {
			return 0, 0, err
		}
		recorded += r.trace.Nodes() * warps
		executed = append(executed, float64(r.executed))
	}
	e := errorOfMean(executed)
	most := max(n, min(mostSampledGroups, total, int64(float64(n)*sampledInstructions/float64(recorded+1))))
	m := max(n, min(most, int64(float64(n)*(e/sampledError)*(e/sampledError))))
	return m, e * math.Sqrt(float64(n)/float64(m)), nil
}

// errorOfMean estimates the relative standard error of the mean of a sample of one from each
// part of a whole, from the differences between neighbours.
func errorOfMean(sample []float64) float64 {
	var sum, differences float64
	for i, x := range sample {
		sum += x
		if i > 0 {
			differences += (x - sample[i-1]) * (x - sample[i-1])
		}
	}
	if len(sample) < 2 || sum == 0 {
		return 0
	}
	n := float64(len(sample))
	return math.Sqrt(differences/2*n/(n-1)) / sum
}

// sampledKinds adds the programs of groups spread over the launch. The builder has the
// programs of the warps of the group in the middle, which stands for the groups around it.
func sampledKinds(st *static, opt Options, b *idg.Builder, warps []uint32, homes homes) (diag.List, error) {
	total := opt.launch().TotalGroups()
	n, deviation, err := enoughSamples(st, opt, homes, len(warps))
	if err != nil {
		return nil, err
	}
	middle := opt.numberOf(opt.group)
	instructions := 0
	for i := range n {
		s := stratumOf(i, n, total)
		if first := part(i, n, total); first <= middle && middle < first+s.groups {
			continue
		}
		opt.group = opt.groupAt(s.group)
		if instructions/kindBudget > opt.MaxInstructions {
			return diag.List{diag.Notef(st.k.Pos, "GROUPS",
				"groups from %v on are taken to be like the one in the middle: the others exceed %d instructions",
				opt.group, kindBudget*opt.MaxInstructions)}, nil
		}
		recorded, err := resolveKind(st, opt, b, s.groups, warps, homes)
		if err != nil {
			return nil, err
		}
		instructions += recorded
	}
	note := diag.Notef(st.k.Pos, "GROUPS",
		"groups execute more or less than others: %d of %d, spread over the launch, stand for all", n, total)
	if deviation > 0 {
		note.Message += fmt.Sprintf("; what they execute on the average is known to about %.2g%%", 100*deviation)
	}
	return diag.List{note}, nil
}
