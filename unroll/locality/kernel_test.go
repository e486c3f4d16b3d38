package locality

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"weak"

	"gpupipe/idg"
)

// kernel is a kernel to test with: what a warp of a group does, in order.
type kernel struct {
	sector int64 // bytes; 0 = 32
	launch idg.Launch
	run    func(w *lanes)
}

// lanes is one executing warp of a kernel.
type lanes struct {
	shapes *Shapes
	launch *idg.Launch
	group  [3]int64
	warp   Warp
	at     int64
	first  int64 // linear id of the first lane's work item within the group
	n      int   // work items
	folded bool  // loops are repeats
}

// item is the ids of a work item.
type item struct{ local, group, global [3]int64 }

// access executes a memory instruction of all lanes; offset gives each lane's
// byte offset, false = not active.
func (l *lanes) access(instr idg.InstrID, b BufferID, width int64, reads, writes bool,
	offset func(item) (int64, bool)) {
	a := Access{Buffer: b, Space: idg.SpaceGlobal, Width: width, Reads: reads, Writes: writes}
	for i := range l.n {
		linear, size := l.first+int64(i), l.launch.Local
		x := item{local: [3]int64{linear % size[0], linear / size[0] % size[1], linear / (size[0] * size[1])},
			group: l.group}
		for d := range 3 {
			x.global[d] = x.group[d]*size[d] + x.local[d]
		}
		if o, ok := offset(x); ok {
			a.Offsets = append(a.Offsets, o)
		}
	}
	if len(a.Offsets) > 0 {
		t := Touch{At: l.at, Instr: instr}
		t.Shape, t.Start = l.shapes.Intern(&a)
		l.warp.Touches = append(l.warp.Touches, t)
	}
	l.at++
}

func (l *lanes) load(instr idg.InstrID, b BufferID, offset func(item) int64) {
	l.access(instr, b, 4, true, false, func(x item) (int64, bool) { return offset(x), true })
}

func (l *lanes) store(instr idg.InstrID, b BufferID, offset func(item) int64) {
	l.access(instr, b, 4, false, true, func(x item) (int64, bool) { return offset(x), true })
}

// unknown stores so many bytes at addresses that are not known.
func (l *lanes) unknown(instr idg.InstrID, bytes int64) {
	l.warp.Touches = append(l.warp.Touches, Touch{At: l.at, Instr: instr, Shape: l.shapes.InternUnknown(bytes)})
	l.at++
}

func (l *lanes) barrier() {
	l.warp.Barriers = append(l.warp.Barriers, l.at)
	l.at++
}

// loop executes a body n times. Folded, what is behind the first iterations is one
// repeat.
func (l *lanes) loop(first, n int64, body func(i int64)) {
	for i := range n {
		if i < first || !l.folded || i == n-1 {
			body(i)
			continue
		}
		touches, barriers, at := len(l.warp.Touches), len(l.warp.Barriers), l.at
		body(i)
		r := Repeat{
			At: l.at, Length: l.at - at, Copies: n - 1 - i,
			TouchesFrom: touches, TouchesEnd: len(l.warp.Touches), BarriersFrom: barriers,
			BarriersEnd: len(l.warp.Barriers),
		}
		body(i + 1)
		for k := r.TouchesFrom; k < r.TouchesEnd; k++ {
			r.Drifts = append(r.Drifts, l.warp.Touches[k+r.TouchesEnd-r.TouchesFrom].Start-l.warp.Touches[k].Start)
		}
		l.warp.Touches, l.warp.Barriers, l.at = l.warp.Touches[:r.TouchesEnd], l.warp.Barriers[:r.BarriersEnd],
			r.At+r.Copies*r.Length
		l.warp.Repeats = append(l.warp.Repeats, r)
		return
	}
}

// warp executes one warp.
func (k *kernel) warp(s *Shapes, group [3]int64, number uint32) Warp {
	first := int64(number) * int64(k.launch.WarpSize)
	l := &lanes{shapes: s, launch: &k.launch, group: group, first: first,
		n: int(min(int64(k.launch.WarpSize), k.launch.WorkItems()-first))}
	l.warp.Number = number
	k.run(l)
	return l.warp
}

// group executes all warps of a group.
func (k *kernel) group(s *Shapes, group [3]int64) []Warp {
	var out []Warp
	for w := range k.launch.WarpsPerGroup() {
		out = append(out, k.warp(s, group, uint32(w)))
	}
	return out
}

// input is the analysis of the group in the middle.
func (k *kernel) input() *Input {
	in := &Input{Launch: k.launch, Shapes: NewShapes(), SectorBytes: k.sector}
	for d := range 3 {
		in.Group[d] = k.launch.Groups[d] / 2
	}
	in.Warps = k.group(in.Shapes, in.Group)
	in.Resolve = func(group [3]int64, warp uint32) (Warp, error) { return k.warp(in.Shapes, group, warp), nil }
	return in
}

// sectorOf is a size of sectors for the kernel of a seed.
func sectorOf(seed uint64) int64 { return []int64{0, 128, 64, 0, 256}[seed%5] }

// affine is a random kernel whose accesses move by constants from group to
// group.
func affine(r *rand.Rand) *kernel {
	k := &kernel{launch: idg.Launch{WarpSize: 1 + r.IntN(4), Local: [3]int64{1 + r.Int64N(4), 1 + r.Int64N(3), 1}}}
	for d := range 3 {
		k.launch.Groups[d] = 1 + r.Int64N(7-2*int64(d))
	}
	k.run = randomAccesses(r, func(x item, c [6]int64) int64 {
		// Large enough that nothing lies before a buffer.
		sum := int64(4096)
		for d := range 3 {
			sum += c[d]*x.group[d] + c[d+3]*x.local[d]
		}
		return sum
	})
	return k
}

// scattered is a random kernel whose accesses do not.
func scattered(r *rand.Rand) *kernel {
	k := affine(r)
	k.run = randomAccesses(r, func(x item, c [6]int64) int64 {
		sum := int64(4096)
		for d := range 3 {
			sum += c[d]*(x.group[d]*x.group[d]%5) + c[d+3]*x.local[d]
		}
		return sum
	})
	return k
}

func randomAccesses(r *rand.Rand, offset func(x item, coefficients [6]int64) int64) func(*lanes) {
	var program []func(l *lanes)
	for instr := range 1 + r.IntN(5) {
		var c [6]int64
		for d := range c {
			c[d] = [...]int64{0, 4, 32, 64, 256, -4, -32, 20, 100}[r.IntN(9)]
		}
		b, width, kind := BufferID(1+r.IntN(2)), int64(4)<<r.IntN(3), r.IntN(3)
		skipped := r.IntN(5) == 0 // by odd warps
		program = append(program, func(l *lanes) {
			if skipped && l.warp.Number%2 == 1 {
				return
			}
			l.access(idg.InstrID(instr+1), b, width, kind != 1, kind != 0, func(x item) (int64, bool) {
				return offset(x, c), true
			})
		})
		if r.IntN(4) == 0 {
			program = append(program, (*lanes).barrier)
		}
	}
	times := 1 + r.IntN(3)
	return func(l *lanes) {
		for range times {
			for _, step := range program {
				step(l)
			}
		}
	}
}

// TestResultHoldsNothing: who keeps a graph does not keep what its analysis went through, as one that points into it
// would.
func TestResultHoldsNothing(t *testing.T) {
	in := affine(rand.New(rand.NewPCG(1, 2))).input()
	shapes := weak.Make(in.Shapes)
	r, err := Analyse(in)
	if err != nil {
		t.Fatal(err)
	}
	in = nil
	runtime.GC()
	if shapes.Value() != nil {
		t.Error("the shapes are still there")
	}
	runtime.KeepAlive(r)
}
