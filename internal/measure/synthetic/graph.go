package synthetic

import (
	"math/rand/v2"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/measure"
)

// special is the second instruction of the mix (A 4.2).
const special = "cos.approx.f32"

// ops are the instructions of a class's microbenchmark.
func ops(c measure.Class) []string {
	switch c.Kind {
	case measure.Mix:
		return []string{"add.f32", special}
	case measure.Launch:
		return []string{"add.f32"}
	}
	return slices.DeleteFunc(append(strings.Fields(c.With), c.Op), func(op string) bool { return op == "" })
}

// writer builds the program of one warp.
type writer struct {
	*idg.Builder
	last  []idg.Executed // of each chain: what the next instruction waits for
	begun []bool         // of each chain
	gate  bool           // what was added last is one
	sum   idg.Executed   // of a loop
}

// graph is the microbenchmark of a point, and how many instructions of its class a warp executes.
func (b *Bench) graph(p measure.Point) (*idg.Graph, int64, error) {
	warps := (p.GroupSize + b.device.WarpSize - 1) / b.device.WarpSize
	w := &writer{Builder: idg.NewBuilder()}
	working, idle := make([]uint32, 0, warps), make([]uint32, 0, warps)
	for i := range uint32(warps) {
		if p.Class.Kind == measure.Placement && int(i)%p.Class.Param != 0 {
			idle = append(idle, i)
		} else {
			working = append(working, i)
		}
	}
	w.Begin(working...)
	n := b.write(w, p)
	if len(idle) > 0 {
		w.Begin(idle...)
		w.Add(w.Instr(idg.Instr{Op: p.Class.Op, Lanes: uint8(b.device.WarpSize)}))
	}
	locality, footprint := b.cached(w, p, n*int64(len(working)))
	g, err := w.Build(idg.Header{
		Locality: locality, Footprint: footprint,
		Source: idg.Source{File: p.Class.Name, Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{
			Local: [3]int64{int64(p.GroupSize), 1, 1}, Groups: [3]int64{int64(p.Groups) * int64(b.device.ComputeUnits),
				1, 1}, WarpSize: b.device.WarpSize,
		},
	})
	return g, n, err
}

// cached says of classes that read a cache that all groups read the same bytes again and again, which the
// cache above it does not hold.
func (b *Bench) cached(w *writer, p measure.Point, executed int64) (list []idg.Locality, f *idg.Footprint) {
	distance := int64(idg.SectorBytes)
	switch {
	case strings.HasSuffix(p.Class.Name, ".l1"):
	case strings.HasSuffix(p.Class.Name, ".l2"):
		l1 := int64(0)
		if b.device.Memory.L1 != nil {
			l1 = b.device.Memory.L1.Bytes
		}
		for distance <= l1 {
			distance *= 2
		}
	default:
		return nil, nil
	}
	sectors := executed * int64(4*b.device.WarpSize/idg.SectorBytes)
	list = []idg.Locality{{
		Instr: w.Instr(b.instr(w, p, p.Class.Op)), Sectors: sectors,
		Warp: []idg.Reuse{{Distance: distance, Sectors: sectors}},
	}}
	return list, &idg.Footprint{ReadBytes: distance, LaunchReadBytes: distance, SharedBytes: distance}
}

// write adds a warp's instructions and returns how many of the class there are.
func (b *Bench) write(w *writer, p measure.Point) int64 {
	if p.Class.Kind == measure.Launch {
		w.Add(w.Instr(b.instr(w, p, "add.f32")))
		return 0
	}
	step := b.step(w, p)
	w.last, w.begun = make([]idg.Executed, p.Chains), make([]bool, p.Chains)
	iterations := max(p.Instructions/b.perIteration(p), 1)
	w.BeginLoop()
	for left := iterations; left > 0; left-- {
		left -= w.Again(int64(len(step)*p.Chains), left-1)
		for chain := range p.Chains {
			if p.Class.Op == "loop" {
				w.loop(step)
			} else {
				w.chain(chain, step)
			}
		}
		w.NextIteration()
	}
	w.EndLoop()
	return iterations * b.perIteration(p)
}

// perIteration is how many instructions of the class all chains of a warp execute in one step.
func (b *Bench) perIteration(p measure.Point) int64 {
	n := 1
	switch {
	case p.Class.Kind == measure.Mix:
		n = p.Class.Param + 1
	case p.Class.With == "" || p.Class.Kind == measure.Rate:
		n = len(ops(p.Class))
	}
	return int64(n * p.Chains)
}

// part is one instruction of a step.
type part struct {
	class   idg.InstrID
	gate    bool // what follows waits for it as control
	barrier bool // waits for the issue of what precedes it
	free    bool // waits for nothing
}

// chain adds a step of a chain: each instruction waits for the one before.
func (w *writer) chain(chain int, step []part) {
	for _, s := range step {
		switch {
		case s.free || !w.begun[chain]:
			w.last[chain] = w.Add(s.class)
		case s.barrier && !w.gate:
			w.last[chain] = w.Add(s.class, idg.Edge{From: w.last[chain], Kind: idg.Order})
		case w.gate:
			w.last[chain] = w.Add(s.class, idg.Edge{From: w.last[chain], Kind: idg.Control})
		default:
			w.last[chain] = w.Add(s.class, idg.Edge{From: w.last[chain], Kind: idg.Data})
		}
		w.begun[chain], w.gate = true, s.gate
	}
}

// loop adds an iteration: an addition, which waits for the last one, and the loop's instruction, for
// which the next iteration waits.
func (w *writer) loop(step []part) {
	if !w.begun[0] {
		w.sum = w.Add(step[0].class)
		w.last[0] = w.Add(step[1].class)
		w.begun[0] = true
		return
	}
	gate := idg.Edge{From: w.last[0], Kind: idg.Control}
	w.sum = w.Add(step[0].class, idg.Edge{From: w.sum, Kind: idg.Data}, gate)
	w.last[0] = w.Add(step[1].class, gate)
}

// step is what each chain executes again and again.
func (b *Bench) step(w *writer, p measure.Point) []part {
	if p.Class.Kind == measure.Mix {
		add := part{class: w.Instr(b.instr(w, p, "add.f32"))}
		return append(slices.Repeat([]part{add}, p.Class.Param), part{class: w.Instr(b.instr(w, p, special))})
	}
	var step []part
	for _, op := range ops(p.Class) {
		o := isa.Parse(op)
		step = append(step, part{
			class: w.Instr(b.instr(w, p, op)),
			gate:  o.Gate(), barrier: o.Verb == isa.Barrier,
			free: o.Verb == isa.Store || p.Class.Kind == measure.Rate,
		})
	}
	return step
}

// instr is an instruction with its access.
func (b *Bench) instr(w *writer, p measure.Point, op string) idg.Instr {
	in := idg.Instr{Op: op, Lanes: uint8(b.device.WarpSize)}
	o := isa.Parse(op)
	if !o.Memory() {
		return in
	}
	a := idg.Access{Space: o.Space, Width: 4, Store: o.Verb == isa.Store || o.Verb == isa.Atomic, Buffer: "data"}
	stride, first := int64(4), int64(0)
	switch _, variant, _ := strings.Cut(strings.Replace(p.Class.Name, "copy.global", op, 1), op); {
	case strings.HasSuffix(variant, ".same"):
		stride = 0
	case strings.HasPrefix(variant, ".bytes"):
		a.Width, stride = uint16(p.Class.Param), int64(p.Class.Param)
	case strings.HasPrefix(variant, ".conflict"), strings.HasPrefix(variant, ".stride"):
		stride = 4 * int64(p.Class.Param)
	case variant == ".misaligned":
		first = 4
	case o.Space == isa.Constant:
		stride = 0
	}
	random := rand.New(rand.NewPCG(1, 0))
	for lane := range int64(b.device.WarpSize) {
		at := first + lane*stride
		if strings.HasSuffix(p.Class.Name, ".random") {
			at = random.Int64N(1<<28) &^ 3
		}
		a.Offsets = append(a.Offsets, at)
	}
	in.Access, in.Type = w.Access(a), "f32"
	return in
}
