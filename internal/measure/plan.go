package measure

import "slices"

// Plan returns the launches of the classes in the order in which they are measured: those of a class and
// its chains stand together, the lowest occupancy first. Their instructions are not chosen yet.
func Plan(p Properties, list []Class, quick bool) []Point {
	l := layout{p: p, quick: quick, cpu: p.Type == "CPU"}
	var points []Point
	for _, c := range list {
		for _, chains := range c.Chains {
			if quick && chains != slices.Min(c.Chains) && chains != slices.Max(c.Chains) {
				continue
			}
			for _, s := range l.shapes(c) {
				points = append(points, Point{Class: c, Chains: chains, GroupSize: s.warps * l.warp(), Groups: s.groups,
					WarpsPerUnit: s.resident})
			}
		}
	}
	return points
}

// What a point takes beside the launches themselves, in the time that one launch takes for each resident warp: its
// calls of the driver, and those of a program that is compiled and whose length is chosen. A full run on one H100 took
// 0.6 ms, 4 ms and 8.5 ms.
const (
	callsCost   = 7
	programCost = 14
)

// Shares are the shares of a plan's time that are over when each point begins, and behind the last.
func Shares(plan []Point) []float64 {
	list, sum := make([]float64, len(plan)+1), 0.0
	for i, p := range plan {
		list[i] = sum
		if i == 0 || plan[i-1].Class.Name != p.Class.Name || plan[i-1].Chains != p.Chains {
			sum += programCost
		}
		sum += callsCost + float64(p.WarpsPerUnit)
	}
	list[len(plan)] = sum
	for i := range list {
		list[i] /= max(sum, 1)
	}
	return list
}

// shape is a launch in warps: those of a group, groups of a compute unit, and warps resident there.
type shape struct{ warps, groups, resident int }

// layout is what a device can hold.
type layout struct {
	p          Properties
	quick, cpu bool
}

func (l layout) warp() int { return max(1, l.p.WarpSize) }

// most are the warps of a compute unit.
func (l layout) most() int {
	const assumed, cpu = 32, 8 // where the device does not tell
	switch {
	case l.p.MaxWarps > 0:
		return l.p.MaxWarps
	case l.cpu:
		return cpu
	}
	return assumed
}

// groups are those of a compute unit; every GPU of the device files holds as many.
func (l layout) groups() int {
	const assumed = 16
	if l.p.MaxGroups > 0 {
		return l.p.MaxGroups
	}
	return assumed
}

// largest are the warps of the largest group.
func (l layout) largest() int {
	const items = 1024
	return max(1, min(min(l.p.MaxGroupSize, items)/l.warp(), l.most()))
}

// full is as many groups of so many warps as are resident together.
func (l layout) full(warps int) int { return max(1, min(l.groups(), l.most()/warps)) }

// usual is a group of several warps that fills every compute unit.
func (l layout) usual() int {
	if l.cpu {
		return 2
	}
	return min(4, l.largest())
}

// shapes are the launches of a class.
func (l layout) shapes(c Class) []shape {
	switch c.Kind {
	case Barrier, IterBarrier:
		return l.groupSizes()
	case Mix:
		return l.of(l.usual(), func(k int) bool { return k == l.full(l.usual()) || !l.quick })
	case Rate:
		return l.of(l.usual(), func(k int) bool { return k == l.full(l.usual()) || 2*k == l.full(l.usual()) })
	case Chain:
		if c.Needs == Group { // whose sums leave registers for few groups
			return l.of(l.usual(), func(k int) bool { return k <= 4 && k&(k-1) == 0 })
		}
	case Issue:
		return []shape{{1, 1, 1}, {2, 1, 2}, {4, 1, 4}}[:min(3, l.largest())]
	case Placement:
		warps := l.largest()
		return []shape{{warps, 1, (warps + c.Param - 1) / c.Param}}
	case Replacement:
		return l.waves()
	case Launch:
		return l.launches()
	case Stream:
		return l.stream()
	}
	return l.occupancies()
}

// of are launches of one group size at the occupancies that are wanted.
func (l layout) of(warps int, wanted func(groups int) bool) []shape {
	var list []shape
	for k := 1; k <= l.full(warps); k++ {
		if wanted(k) {
			list = append(list, shape{warps, k, warps * k})
		}
	}
	return list
}

// occupancies are those at which a chain is measured.
func (l layout) occupancies() []shape {
	power := func(k int) bool { return k&(k-1) == 0 }
	if l.cpu && l.quick { // a CPU's compiler runs for each group size
		return l.of(l.usual(), func(int) bool { return true })
	}
	sizes := []int{1, 2, 4, 8}
	if l.quick {
		sizes = []int{1, 4}
	}
	var list []shape
	for _, warps := range sizes {
		if warps > l.largest() {
			break
		}
		list = append(list, l.of(warps, func(k int) bool {
			if l.quick {
				return k == l.full(warps) || power(k) && (warps > 1 || k == 1)
			}
			return k == l.full(warps) || power(k) || warps == 1 && (k <= 8 || k%4 == 0)
		})...)
	}
	return list
}

// groupSizes are groups of all sizes, alone and as many as fit.
func (l layout) groupSizes() []shape {
	var list []shape
	for warps := 1; warps <= l.largest(); warps *= 2 {
		if l.cpu && l.quick && warps > l.usual() {
			break
		}
		list = append(list, l.of(warps, func(k int) bool {
			return k == 1 || k == l.full(warps) ||
				!l.quick && k&(k-1) == 0
		})...)
	}
	return list
}

// waves are launches of so many times the groups that are resident together.
func (l layout) waves() []shape {
	var list []shape
	warps := l.usual()
	for _, waves := range []int{1, 2, 4, 8} {
		list = append(list, shape{warps, waves * l.full(warps), warps * l.full(warps)})
	}
	return list
}

// launches are of a growing number of groups.
func (l layout) launches() []shape {
	var list []shape
	for _, groups := range []int{1, 4, 16, 64} {
		list = append(list, shape{l.usual(), groups, l.usual() * min(groups, l.full(l.usual()))})
	}
	return list
}

// stream is a launch of groups that touch many times what L2 holds, 16 bytes by each work item.
func (l layout) stream() []shape {
	const times, assumed, bytes = 16, 4 << 20, 16
	l2 := l.p.L2Bytes
	if l2 == 0 {
		l2 = assumed
	}
	warps := min(2*l.usual(), l.largest())
	groups := times * l2 / int64(bytes*warps*l.warp()*max(l.p.ComputeUnits, 1))
	return []shape{{warps, max(int(groups), 1), warps * l.full(warps)}}
}
