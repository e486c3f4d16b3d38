package walk

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// Groups may execute what the one in the middle does not: at the edges of the launch for guards of the data, elsewhere
// because of what they compute - rows of a triangle, pixels of a set.

// kinds executes groups besides the one in the middle, of which the builder makes kinds where they differ.
func (x *execution) kinds() error {
	if x.launch.TotalGroups() == 1 {
		return nil
	}
	switch x.o.Kinds {
	case unroll.EdgeGroups:
		return x.edges([3][]position{positions(x.o.Groups[0]), positions(x.o.Groups[1]), positions(x.o.Groups[2])})
	case unroll.SampledIfUneven:
		if !x.s.affords(&x.o, int64(len(probes)), x.warps[0].spent) {
			x.s.says(diag.Notef(x.s.code.Pos, "GROUPS", "the group in the middle stands for all: its warps are "+
				"too long to look whether others execute as much"))
			return nil
		}
		uneven, err := x.uneven()
		if err != nil {
			return err
		}
		if uneven {
			return x.sampled()
		}
		at, err := x.unevenEdges()
		if err != nil {
			return err
		}
		return x.edges(at)
	case unroll.SampledGroups:
		return x.sampled()
	}
	return nil
}

// kind executes a group that stands for so many.
func (x *execution) kind(group [3]int64, groups int64) error {
	x.b.BeginKind(x.numberOf(group), groups)
	for _, n := range x.numbers {
		if _, err := x.warp(group, n); err != nil {
			return err
		}
	}
	return nil
}

// exceeded notes that groups from one on are not executed, if what others are has been.
func (x *execution) exceeded(before int64, where string, group [3]int64) bool {
	if (x.s.spent-before)/kindsBudget <= int64(x.o.MaxInstructions) {
		return false
	}
	x.s.says(diag.Notef(x.s.code.Pos, "GROUPS", "groups %sfrom %v on are taken to be like the one in the middle: the "+
		"others exceed %d instructions", where, group, kindsBudget*x.o.MaxInstructions))
	return true
}

// position is a place in one dimension of the launch and how many groups are at such places.
type position struct{ id, groups int64 }

// positions lists the first group, one in the middle that stands for those between, and the last.
func positions(n int64) []position {
	switch n {
	case 1:
		return []position{{0, 1}}
	case 2:
		return []position{{0, 1}, {1, 1}}
	}
	return []position{{0, 1}, {n / 2, n - 2}, {n - 1, 1}}
}

// leastEdge is how much of what a launch executes its groups at an edge must change to be executed by themselves.
const leastEdge = 0.01

// unevenEdges are the positions of the group in the middle, and of groups at edges that execute otherwise.
func (x *execution) unevenEdges() (at [3][]position, err error) {
	for d, n := range x.o.Groups {
		inside := position{middle(x.o)[d], n}
		for _, p := range positions(n) {
			if p.id == inside.id || 1/float64(n) < leastEdge {
				continue
			}
			apart, err := x.unevenEdge(d, p.id)
			if err != nil {
				return at, err
			}
			if apart {
				inside.groups--
				at[d] = append(at[d], p)
			}
		}
		at[d] = append(at[d], inside)
	}
	return at, nil
}

// unevenEdge reports whether groups at an edge change the launch by leastEdge if all their warps do as one does: the
// first warp of the first group, which guards against what is in front of the data cut, and the last one of the last.
func (x *execution) unevenEdge(d int, id int64) (bool, error) {
	group, n := middle(x.o), x.o.Groups[d]
	group[d] = id
	all := int64(0)
	for _, w := range x.warps {
		all += w.executed()
	}
	least := leastEdge * float64(n) * float64(all) / float64(len(x.warps))
	last := len(x.warps) - 1
	for _, i := range []int{0, last} {
		if n > 2 && (i == 0) != (id == 0) && last > 0 {
			continue
		}
		w, err := x.probe(group, x.numbers[i])
		if err != nil {
			return false, err
		}
		if math.Abs(float64(w.executed()-x.warps[i].executed())) >= least {
			return true, nil
		}
	}
	return false, nil
}

// edges executes groups at corners, edges and faces of the launch. Most of them are equal to others.
func (x *execution) edges(at [3][]position) error {
	before := x.s.spent
	for _, c := range at[2] {
		for _, b := range at[1] {
			for _, a := range at[0] {
				group := [3]int64{a.id, b.id, c.id}
				if group == middle(x.o) {
					continue
				}
				if x.exceeded(before, "at the edges ", group) {
					return nil
				}
				if err := x.kind(group, a.groups*b.groups*c.groups); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// How many groups stand for a launch of uneven groups: at least, and at most, if the mean of what they execute is not
// known to sampledError (one standard error) with fewer, and if they do not execute more than sampledInstructions one
// by one, about two seconds' work. Where even the least number would, leastSampled at least are left of it.
const (
	sampledGroups       = 32
	leastSampled        = 4
	mostSampledGroups   = 256
	sampledError        = 0.05
	sampledInstructions = 1 << 22
)

// probes are the samples that show whether groups are uneven.
var probes = [...]int64{5, 26}

// stratum is an interval of groups, numbered in launch order, and the one that stands for them.
type stratum struct{ group, groups int64 }

// stratumOf is the i-th of n equal parts of a launch of so many groups. Which group of a part stands for it differs
// from part to part, by multiples of the golden ratio, so that they are spread over the columns of the launch, too.
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

// groupAt is where a group of the launch is, by its number in launch order.
func (x *execution) groupAt(number int64) [3]int64 {
	n := x.o.Groups
	a, rest := number%n[0], number/n[0]
	return [3]int64{a, rest % n[1], rest / n[1]}
}

func (x *execution) numberOf(group [3]int64) int64 {
	return group[0] + x.o.Groups[0]*(group[1]+x.o.Groups[1]*group[2])
}

// inside is the nearest group that is not at an edge of the launch.
func (x *execution) inside(group [3]int64) [3]int64 {
	for d, n := range x.o.Groups {
		if n > 2 {
			group[d] = min(max(group[d], 1), n-2)
		}
	}
	return group
}

// probe executes a warp that is in no graph.
func (x *execution) probe(group [3]int64, number uint32) (*warp, error) {
	w := newWarp(x.s, x.o, group, int(number))
	w.run()
	w.release()
	return w, w.err
}

// executed is how many instructions a warp executes.
func (w *warp) executed() (n int64) {
	for _, k := range w.counts {
		n += k
	}
	return n
}

// uneven reports whether the first warp of some sample executes more or less than that of the group in the middle. At
// the edges it may for guards.
func (x *execution) uneven() (bool, error) {
	total := x.launch.TotalGroups()
	n := min(sampledGroups, total)
	seen := [][3]int64{middle(x.o)}
	for _, i := range probes {
		group := x.inside(x.groupAt(stratumOf(i*n/sampledGroups, n, total).group))
		if slices.Contains(seen, group) {
			continue
		}
		seen = append(seen, group)
		w, err := x.probe(group, 0)
		if err != nil {
			return false, err
		}
		if w.executed() != x.warps[0].executed() {
			return true, nil
		}
	}
	return false, nil
}

// enough is how many samples tell what the groups of a launch execute on the average, by what the first warps of the
// least number of samples do; and the standard error of the mean with so many.
func (x *execution) enough() (samples int64, deviation float64, err error) {
	total := x.launch.TotalGroups()
	each := x.warps[0].steps * int64(len(x.numbers))
	n := min(sampledGroups, total, max(leastSampled, int64(x.o.MaxInstructions)/(each+1)))
	if n == total {
		return n, 0, nil
	}
	steps := int64(0)
	var executed []float64
	for i := range n {
		w, err := x.probe(x.groupAt(stratumOf(i, n, total).group), 0)
		if err != nil {
			return 0, 0, err
		}
		steps += w.steps * int64(len(x.numbers))
		executed = append(executed, float64(w.executed()))
	}
	e := errorOfMean(executed)
	most := max(n, min(mostSampledGroups, total, int64(float64(n)*sampledInstructions/float64(steps+1))))
	m := max(n, min(most, int64(float64(n)*(e/sampledError)*(e/sampledError))))
	return m, e * math.Sqrt(float64(n)/float64(m)), nil
}

// errorOfMean estimates the relative standard error of the mean of a sample of one from each part of a whole, from the
// differences between neighbours.
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

// sampled executes groups spread over the launch. The group in the middle stands for those around it.
func (x *execution) sampled() error {
	total := x.launch.TotalGroups()
	n, deviation, err := x.enough()
	if err != nil {
		return err
	}
	at, before := x.numberOf(middle(x.o)), x.s.spent
	for i := range n {
		s := stratumOf(i, n, total)
		if first := part(i, n, total); first <= at && at < first+s.groups {
			continue
		}
		group := x.groupAt(s.group)
		if x.exceeded(before, "", group) {
			return nil
		}
		if err := x.kind(group, s.groups); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("groups execute more or less than others: %d of %d, spread over the launch, stand for all", n,
		total)
	if deviation > 0 {
		text += fmt.Sprintf("; what they execute on the average is known to about %.2g%%", 100*deviation)
	}
	x.s.says(diag.Notef(x.s.code.Pos, "GROUPS", "%s", text))
	return nil
}
