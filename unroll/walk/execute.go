package walk

import (
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Counts is how often each instruction of a code is executed.
type Counts struct {
	Instrs []*machine.Instr
	Times  []int64 // by all warps of the launch
	// Assumed is what decided that was not known.
	Assumed []string
}

// middle is the group that stands for all.
func middle(o unroll.Options) [3]int64 {
	return [3]int64{o.Groups[0] / 2, o.Groups[1] / 2, o.Groups[2] / 2}
}

// Count executes the warps of the group in the middle, which stands for all.
func Count(c *machine.Code, o unroll.Options) (*Counts, error) {
	s := newStatic(c)
	r := &Counts{Instrs: s.instrs, Times: make([]int64, len(s.instrs))}
	launch := launchOf(o)
	for n := range launch.WarpsPerGroup() {
		w := newWarp(s, o, middle(o), int(n))
		if w.run(); w.err != nil {
			return nil, w.err
		}
		for i, k := range w.counts {
			r.Times[i] += k * launch.TotalGroups()
		}
	}
	for _, e := range s.notes.Sorted() {
		r.Assumed = append(r.Assumed, e.Error())
	}
	return r, nil
}

func launchOf(o unroll.Options) *idg.Launch {
	return &idg.Launch{Local: o.Local, Groups: o.Groups, WarpSize: o.WarpSize}
}

// run executes the warp.
func (w *warp) run() {
	w.block(w.c.code.Body)
	for i := range w.loops {
		w.closes(&w.loops[i])
	}
	if w.err == nil {
		w.checkExecuted()
	}
}

// execution makes a graph of what the warps of a launch execute.
type execution struct {
	s       *static
	o       unroll.Options
	b       *idg.Builder
	launch  *idg.Launch
	numbers []uint32 // of the warps of a group that are executed
	warps   []*warp  // those of the group in the middle
	roles   *roles
	classes []class // by instruction, of all warps
	reuse   *Reuse  // nil: nobody asks where memory was touched
	races   *races  // nil: there can be none
}

func newExecution(k *lower.Kernel, c *machine.Code, o unroll.Options) *execution {
	x := &execution{s: newStatic(c), o: o, b: idg.NewBuilder(), launch: launchOf(o)}
	x.s.kernel = k
	x.s.waitsForPresent = o.Source.Dialect == "cuda"
	for i, l := range k.Loops {
		x.s.loopPos[i+1] = l.Pos
	}
	x.s.sources = max(x.s.sources, len(k.Loops))
	x.classes = make([]class, len(x.s.instrs))
	return x
}

// Execute executes warps of the group in the middle, and of others if these are asked for, and returns the graph of
// what they execute. The kernel is that which the code was compiled from. Under Options.Strict what had to be assumed
// is an error.
func Execute(k *lower.Kernel, c *machine.Code, o unroll.Options) (*idg.Graph, diag.List, error) {
	x := newExecution(k, c, o)
	if o.Locality != unroll.WithoutLocality {
		x.reuse = newReuse(x.s, o)
		x.reuse.follow = x.follow
	}
	x.chooseWarps()
	x.races = newRaces(x.s, o.DynamicLocal, len(x.numbers))
	if err := x.survey(); err != nil {
		return nil, nil, err
	}
	if err := x.assignRoles(); err != nil {
		return nil, nil, err
	}
	if err := x.group(); err != nil {
		return nil, nil, err
	}
	if err := x.kinds(); err != nil {
		return nil, nil, err
	}
	if o.Steps != nil {
		*o.Steps = x.s.spent
	}
	h := x.header(k)
	x.s.checkChoices(&o)
	x.s.checkContents(&o)
	x.s.checkShifts()
	x.checkBarriers()
	x.checkRaces()
	x.tellFaults()
	x.s.checkPragmas(h.Loops)
	x.s.checkLimits(h.Loops)
	g, err := x.b.Build(h)
	if err != nil {
		return nil, nil, err
	}
	notes := x.s.notes
	if x.reuse != nil {
		if o.Before != nil {
			if err := o.Before(g); err != nil {
				return nil, nil, err
			}
		}
		notes = append(notes, x.reuse.analyse(&g.Header, middle(o))...)
	}
	for _, e := range append(slices.Clone(o.Notes), notes...) {
		g.Notes = append(g.Notes, idg.Note{Pos: e.Pos, Code: e.Code, Text: e.Message,
			Advice: strings.Join(e.Notes, "\n")})
	}
	err = g.Verify()
	if err == nil && o.Strict {
		err = strictError(notes)
	}
	return g, notes, err
}

// chooseWarps lists the warps of a group that are executed.
func (x *execution) chooseWarps() {
	n := uint32(x.launch.WarpsPerGroup())
	switch x.o.Warps {
	case unroll.FirstWarp:
		n = 1
	case unroll.ListedWarps:
		x.numbers = []uint32{0}
		for _, w := range x.o.WarpList {
			if w >= n {
				x.s.says(diag.Warningf(diag.Pos{}, "WARPS", "there is no warp %d: a group has %d warps", w, n))
				continue
			}
			x.numbers = append(x.numbers, w)
		}
		slices.Sort(x.numbers)
		x.numbers = slices.Compact(x.numbers)
		return
	}
	for w := range n {
		x.numbers = append(x.numbers, w)
	}
}

// group executes the group in the middle.
func (x *execution) group() error {
	for i, n := range x.numbers {
		w, err := x.warp(middle(x.o), n)
		if err != nil {
			return err
		}
		x.warps = append(x.warps, w)
		if x.reuse != nil {
			x.reuse.warps, x.reuse.last = append(x.reuse.warps, w.out.warp), w.spent
		}
		w.release()
		w.out = nil // only what it counted is asked for
		if left := len(x.numbers) - i - 1; left > 0 && !x.s.affords(&x.o, 1, w.spent) {
			x.s.says(diag.Notef(x.s.code.Pos, "WARPS",
				"only %d of %d warps are resolved, and the others taken for the "+
					"last of these: together they exceed %d instructions", i+1, len(x.numbers),
				x.o.MaxInstructions))
			x.numbers = x.numbers[:i+1]
			break
		}
	}
	return nil
}

// warp executes a warp and adds its program to the builder.
func (x *execution) warp(group [3]int64, number uint32) (*warp, error) {
	w := newWarp(x.s, x.o, group, int(number))
	x.b.Begin(number)
	r := x.reuse
	if group != middle(x.o) {
		r = nil
	} else if w.races = x.races; w.races != nil {
		w.races.left = w.races.each
	}
	w.out = newRecorder(x.s, x.b, x.classes, r, int(number))
	if complete := x.o.Barrier == unroll.WaitComplete; complete || x.o.Level == unroll.O0 {
		w.out.order = newOrder(x.s, complete)
		w.out.order.memory = x.o.Level == unroll.O0
	}
	if err := x.follow(w); err != nil {
		return nil, err
	}
	w.run()
	return w, w.err
}

// header is what the graph says of the kernel, its launch, and what was decided.
func (x *execution) header(k *lower.Kernel) idg.Header {
	o, u := &x.o, &x.s.code.Resources
	h := idg.Header{Source: o.Source, Kernel: k.Name, Level: o.Level.String(), Compiler: o.Compiler.String(),
		MachineCode: o.Level != unroll.O0, GPU: o.GPU, Capability: o.Capability, Launch: *x.launch,
		Resources: idg.Resources{LocalBytes: LocalBytes(k, o), Registers: u.Registers, RegistersEstimated: true,
			PrivateBytes: u.PrivateBytes - u.SpillBytes, SpilledBytes: u.SpillBytes, Unbounded: u.Unbounded},
		Loops: x.s.loopList(x.warps), Branches: x.s.branchList(x.warps)}
	h.Launch.Args = unroll.ArgList(k, *o)
	return h
}

// LocalBytes is the size of a group's local memory.
func LocalBytes(k *lower.Kernel, o *unroll.Options) int64 {
	var n int64
	dynamic := false
	for _, x := range k.Objects {
		if x.Space == idg.SpaceLocal {
			n += x.Size
			dynamic = dynamic || x.Dynamic
		}
	}
	if dynamic {
		n += o.DynamicLocal
	}
	return n
}

// strictError turns what had to be assumed into errors.
func strictError(l diag.List) error {
	var out diag.List
	for _, e := range l {
		if diag.IsAssumption(e) {
			c := *e
			c.Severity = diag.SeverityError
			out.Add(&c)
		}
	}
	return out.Err()
}
