package unroll

import (
	"fmt"
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// Result is a resolved kernel.
type Result struct {
	Graph    *idg.Graph
	Warnings diag.List
}

// Resolve executes a kernel for the chosen warps of one work group and returns
// its Instruction Dependence Graph. The group is the one in the middle of the
// launch, so that guards at the edges of the data behave as they do for most
// groups. The error is a diag.List or a *diag.Error.
func Resolve(k *lower.Kernel, opt Options) (*Result, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return nil, err
	}
	st := analyse(k)
	b := idg.NewBuilder()
	demoted := map[lower.ObjectID]bool{}
	warps, notes := warpsToResolve(opt)
	var merged *decisions
	total := 0
	for _, w := range warps {
		r, err := resolveWarp(st, opt, b, w, demoted)
		if err != nil {
			return nil, err
		}
		if merged == nil {
			merged = r.decisions
		} else {
			merged.merge(r.decisions)
		}
		total += r.trace.length
		if total > opt.MaxInstructions {
			notes.Add(diag.Notef(k.Pos, "WARPS", "only warps 0 to %d of %d are resolved one by one: together they exceed %d instructions", w, len(warps)-1, opt.MaxInstructions))
			break
		}
	}
	merged.checkChoices(opt)
	loops := merged.loopList() // which warns about pragmas
	notes.Add(merged.diagnostics...)
	notes = dedupe(notes)
	h := idg.Header{
		Source: opt.Source, Kernel: k.Name, Level: opt.Level.String(), Compiler: opt.Compiler.String(),
		Launch:    idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize, Args: argList(k, opt)},
		Resources: idg.Resources{LocalBytes: localBytes(k, opt)},
		Loops:     loops, Branches: merged.branchList(),
	}
	for _, e := range notes {
		h.Notes = append(h.Notes, idg.Note{Pos: e.Pos, Code: e.Code, Text: e.Message})
	}
	g, err := b.Build(h)
	if err != nil {
		return nil, err
	}
	if opt.Strict {
		if err := strictError(notes); err != nil {
			return nil, err
		}
	}
	return &Result{Graph: g, Warnings: notes}, nil
}

// resolveWarp records one warp's trace and adds its program to the builder. It
// starts again when a private array turns out to be subscripted by a value
// that the compiler does not know: such an array lives in memory.
func resolveWarp(st *static, opt Options, b *idg.Builder, warp uint32, demoted map[lower.ObjectID]bool) (*resolver, error) {
	for {
		r := newResolver(st, opt, b, warp, demoted)
		r.run()
		if r.restart {
			continue
		}
		if r.err != nil {
			return nil, r.err
		}
		live := r.trace.finish(opt.Level)
		n := 0
		for _, l := range live {
			if l {
				n++
			}
		}
		if n > opt.MaxInstructions {
			return nil, r.tooMany()
		}
		r.decisions.count(&r.trace, live)
		r.trace.emit(b, live, warp, opt.Barrier)
		return r, nil
	}
}

// warpsToResolve lists the warps of the group to be resolved.
func warpsToResolve(opt Options) ([]uint32, diag.List) {
	l := idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize}
	n := uint32(l.WarpsPerGroup())
	switch opt.Warps {
	case FirstWarp:
		return []uint32{0}, nil
	case ListedWarps:
		var notes diag.List
		var list []uint32
		for _, w := range opt.WarpList {
			if w >= n {
				notes.Add(diag.Warningf(diag.Pos{}, "WARPS", "there is no warp %d: a group has %d warps", w, n))
				continue
			}
			list = append(list, w)
		}
		if !slices.Contains(list, 0) {
			list = append(list, 0)
		}
		slices.Sort(list)
		return slices.Compact(list), notes
	}
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all, nil
}

func unknownArg(k *lower.Kernel, name string) error {
	e := diag.Errorf(k.Pos, "ARG", "kernel %s has no scalar argument %q", k.Name, name)
	var names []string
	for _, p := range k.Params {
		if p.Type != lower.Ptr {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		return e.WithNote("its scalar arguments are %v", names)
	}
	return e.WithNote("it has no scalar arguments")
}

func argList(k *lower.Kernel, opt Options) []idg.Arg {
	var out []idg.Arg
	for _, p := range k.Params {
		if v, ok := opt.Args[p.Name]; ok && p.Type != lower.Ptr {
			text := fmt.Sprint(v.Int)
			if v.IsFloat {
				text = fmt.Sprint(v.Float)
			}
			out = append(out, idg.Arg{Name: p.Name, Value: text, Assumed: opt.AssumedArgs[p.Name]})
		}
	}
	return out
}

func localBytes(k *lower.Kernel, opt Options) int64 {
	var n int64
	dynamic := false
	for _, o := range k.Objects {
		if o.Space == idg.SpaceLocal {
			n += o.Size
			dynamic = dynamic || o.Dynamic
		}
	}
	if dynamic {
		n += opt.DynamicLocal
	}
	return n
}

// dedupe drops diagnostics that say the same about the same place.
func dedupe(l diag.List) diag.List {
	seen := map[string]bool{}
	var out diag.List
	for _, e := range l {
		if s := e.Error(); !seen[s] {
			seen[s] = true
			out = append(out, e)
		}
	}
	return out
}

// strictError turns what had to be assumed into errors.
func strictError(l diag.List) error {
	var out diag.List
	for _, e := range l {
		switch e.Code {
		case "ASSUMED-TRIPS", "ASSUMED-BRANCH":
			c := *e
			c.Severity = diag.SeverityError
			out.Add(&c)
		}
	}
	return out.Err()
}

// resolver executes the IR for one warp.
type resolver struct {
	k    *lower.Kernel
	st   *static
	opt  Options
	b    *idg.Builder
	warp uint32

	trace     trace
	decisions *decisions
	numbering numbering
	memory    memory

	regs      []*value // by Reg - 1; nil = not assigned yet
	scopeMask []laneMask
	objMask   []laneMask
	left      []laneMask // lanes that left a label, by Label
	continued []laneMask
	maybeOf   []int // how many undecided branches enclosed a label when it was entered
	loopsAt   []int // how many loops enclosed it

	warpMask laneMask // lanes that exist
	mask     laneMask // lanes active at the current instruction
	level    int32    // rolled loops around the current instruction
	loops    []*activeLoop
	guards   []nodeID // conditions of predicated sides
	maybe    []*maybeSide
	silent   int   // > 0: values are computed, no instruction is recorded
	steps    int64 // executed operations
	maxSteps int64
	nextID   valueID
	spare    []value

	constants [lower.Ptr + 1]map[uint64]*value // by type; Ptr: addresses of objects
	workItems map[workItemKey]*value           // results of work-item functions
	predicted map[prediction]bool              // will this loop be fully unrolled?
	demoted   map[lower.ObjectID]bool
	restart   bool
	err       error
}

// maybeSide collects the lanes that leave outer labels inside a branch whose
// condition is not known.
type maybeSide struct{ leaves []labelMask }

type labelMask struct {
	label     lower.Label
	mask      laneMask
	continues bool
}

func newResolver(st *static, opt Options, b *idg.Builder, warp uint32, demoted map[lower.ObjectID]bool) *resolver {
	r := &resolver{
		k: st.k, st: st, opt: opt, b: b, warp: warp, demoted: demoted,
		decisions: newDecisions(st.k),
		regs:      make([]*value, len(st.k.Regs)), scopeMask: make([]laneMask, len(st.k.Regs)), objMask: make([]laneMask, len(st.k.Objects)),
		workItems: map[workItemKey]*value{}, predicted: map[prediction]bool{},
		maxSteps: max(minSteps, stepsPerInstruction*int64(opt.MaxInstructions)),
	}
	items := opt.Local[0] * opt.Local[1] * opt.Local[2]
	n := min(int64(opt.WarpSize), items-int64(warp)*int64(opt.WarpSize))
	r.warpMask = ^laneMask(0) >> (maxLanes - n)
	for t := range r.constants {
		r.constants[t] = map[uint64]*value{}
	}
	r.numbering.init()
	r.memory.init(st.k)
	for _, p := range st.k.Params {
		r.regs[p.Reg-1] = r.param(p)
	}
	return r
}

// param returns the value of a parameter at entry.
func (r *resolver) param(p lower.Param) *value {
	v := r.newValue(p.Type)
	if p.Type == lower.Ptr {
		v.root = p.Object
		v.known = r.warpMask // offset 0 in its object
		return v
	}
	v.from = fromArgs
	v.form = symbol(v)
	if a, ok := r.opt.Args[p.Name]; ok {
		v.known = r.warpMask
		switch {
		case p.Type.IsFloat() && a.IsFloat:
			v.u = fromFloat(p.Type, a.Float)
		case p.Type.IsFloat():
			v.u = fromFloat(p.Type, float64(a.Int))
		case a.IsFloat:
			v.u = canon(p.Type, uint64(int64(a.Float)))
		default:
			v.u = canon(p.Type, uint64(a.Int))
		}
	}
	return v
}

func (r *resolver) newValue(t lower.Type) *value {
	if len(r.spare) == 0 {
		r.spare = make([]value, spareValues)
	}
	v := &r.spare[0]
	r.spare = r.spare[1:]
	r.nextID++
	v.id, v.typ = r.nextID, t
	return v
}

// spareValues is how many values are allocated at a time.
const spareValues = 32

// konst returns the constant u of type t, known to the compiler.
func (r *resolver) konst(t lower.Type, u uint64) *value {
	if v, ok := r.constants[t][u]; ok {
		return v
	}
	v := r.newConst(t, u)
	r.constants[t][u] = v
	return v
}

// newConst returns a constant whose number nobody compares with others'.
func (r *resolver) newConst(t lower.Type, u uint64) *value {
	v := r.newValue(t)
	v.konst, v.u, v.known = true, u, ^laneMask(0)
	if t.IsInteger() {
		v.form = linear{c: int64(u)}
	}
	return v
}

// fail stops the resolution.
func (r *resolver) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *resolver) stopped() bool { return r.err != nil || r.restart }

func (r *resolver) tooMany() error {
	pos := r.k.Pos
	if len(r.loops) > 0 {
		pos = r.loops[0].l.Pos
	}
	return diag.Errorf(pos, "TOO-LARGE", "one warp of kernel %s executes more than %d instructions", r.k.Name, r.opt.MaxInstructions).
		WithNote("give smaller trip counts (--trip LINE=N, --arg NAME=VALUE) or a smaller launch")
}

// run executes the kernel.
func (r *resolver) run() {
	labels := 1
	for _, s := range r.k.Body {
		labels = max(labels, maxLabel(s)+1)
	}
	r.left, r.continued = make([]laneMask, labels), make([]laneMask, labels)
	r.maybeOf, r.loopsAt = make([]int, labels), make([]int, labels)
	r.mask = r.warpMask
	r.enter(0, r.warpMask)
	r.block(r.k.Body, r.warpMask)
}

func maxLabel(st lower.Stmt) int {
	n := 0
	switch st := st.(type) {
	case *lower.Loop:
		n = int(st.Label)
	case *lower.Region:
		n = int(st.Label)
	case *lower.Switch:
		n = int(st.Label)
	}
	blocks(st, func(b lower.Block) {
		for _, x := range b {
			n = max(n, maxLabel(x))
		}
	})
	return n
}

// enter notes with which lanes a block is entered: a variable of that block is
// wholly overwritten by an assignment in all of them.
func (r *resolver) enter(b blockID, m laneMask) {
	for _, reg := range r.st.owned[b] {
		r.scopeMask[reg-1] = m
	}
	for _, o := range r.st.ownedObjects[b] {
		r.objMask[o-1] = m
	}
}

// block executes statements for the lanes of m and returns the lanes that reach
// its end.
func (r *resolver) block(b lower.Block, m laneMask) laneMask {
	for _, s := range b {
		if m == 0 || r.stopped() {
			return 0
		}
		r.mask = m
		switch s := s.(type) {
		case *lower.Instr:
			r.instr(s)
		case *lower.If:
			m = r.branch(s, m)
		case *lower.Loop:
			m = r.loop(s, m)
		case *lower.Switch:
			m = r.switchStmt(s, m)
		case *lower.Region:
			m = r.region(s, m)
		case *lower.Leave:
			r.leave(s.Label, m, false)
			return 0
		case *lower.Continue:
			r.leave(s.Label, m, true)
			return 0
		}
	}
	return m
}

// step counts an executed operation against the limit.
func (r *resolver) step() {
	r.steps++
	if r.steps > r.maxSteps || r.trace.length > 2*r.opt.MaxInstructions+sweptInstructions {
		r.fail(r.tooMany())
	}
}

// enterLabel prepares a statement that can be left or continued.
func (r *resolver) enterLabel(l lower.Label) {
	r.left[l], r.continued[l], r.maybeOf[l], r.loopsAt[l] = 0, 0, len(r.maybe), len(r.loops)
}

// leave takes lanes out of the labelled statement, or to its next iteration. Inside a branch
// whose condition is not known, leaving a statement around that branch is only
// noted: the branch decides (see undecided).
func (r *resolver) leave(l lower.Label, m laneMask, cont bool) {
	if n := len(r.maybe); n > r.maybeOf[l] {
		side := r.maybe[n-1]
		side.leaves = append(side.leaves, labelMask{l, m, cont})
		return
	}
	if cont {
		r.continued[l] |= m
	} else {
		r.left[l] |= m
	}
}

// region executes an inlined function.
func (r *resolver) region(s *lower.Region, m laneMask) laneMask {
	r.enterLabel(s.Label)
	r.enter(r.st.ids[blockKey{s, partRegion}], m)
	m = r.block(s.Body, m)
	return m | r.left[s.Label]
}

// operand returns the value of an operand.
func (r *resolver) operand(o lower.Operand) *value {
	switch o.Kind {
	case lower.OperandConst:
		if o.Type == lower.F16 {
			return r.konst(o.Type, uint64(math.Float32bits(halfBits(uint16(o.Bits)))))
		}
		return r.konst(o.Type, o.Bits)
	case lower.OperandObject:
		return r.objectAddress(o.Object)
	}
	if v := r.regs[o.Reg-1]; v != nil {
		return v
	}
	// Read before any assignment: contents and producer are not known.
	v := r.newValue(r.k.Reg(o.Reg).Type)
	v.form = symbol(v)
	r.regs[o.Reg-1] = v
	return v
}

// objectAddress returns the address of an array, known to the compiler.
func (r *resolver) objectAddress(id lower.ObjectID) *value {
	if v, ok := r.constants[lower.Ptr][uint64(id)]; ok {
		return v
	}
	v := r.newValue(lower.Ptr)
	v.root, v.known = id, ^laneMask(0)
	r.constants[lower.Ptr][uint64(id)] = v
	return v
}

// set assigns a register in the lanes of the current mask.
func (r *resolver) set(reg lower.Reg, v *value) {
	if reg == 0 {
		return
	}
	old := r.regs[reg-1]
	if old == nil || !r.k.Reg(reg).Var || r.scopeMask[reg-1]&^r.mask == 0 {
		r.regs[reg-1] = v
		return
	}
	r.regs[reg-1] = r.mergeLanes(old, v, r.mask)
}

// mergeLanes returns a value that is v in the lanes of m and old elsewhere. It
// depends on the producers of both.
func (r *resolver) mergeLanes(old, v *value, m laneMask) *value {
	if old == v {
		return v
	}
	out := r.newValue(v.typ)
	out.deps = union(r.depsOf(old), r.depsOf(v))
	out.from = old.from | v.from
	out.level = max(r.level, old.level, v.level)
	out.known = (v.known&m | old.known&^m) & r.warpMask
	if old.lanes == nil && v.lanes == nil && old.u == v.u {
		out.u = v.u
	} else if out.known != 0 {
		out.lanes = make([]uint64, r.opt.WarpSize)
		for l := range out.lanes {
			if m>>l&1 != 0 {
				out.lanes[l] = v.at(l)
			} else {
				out.lanes[l] = old.at(l)
			}
		}
		out.compact()
	}
	if v.typ == lower.Ptr {
		if v.root == old.root {
			out.root = v.root
		}
		if v.root != old.root {
			out.known = 0
		}
		out.index = max(v.index, old.index)
	}
	out.form = symbol(out)
	return out
}

// opaque returns v as the compiler sees it behind a join of control flow: the
// lanes are still known to us, but it is no constant and has no structure.
func (r *resolver) opaque(v *value, level int32) *value {
	out := *v
	r.nextID++
	out.id = r.nextID
	out.deps = r.depsOf(v)
	out.konst, out.lazy = false, false
	out.known &= r.warpMask
	out.level = max(level, v.level)
	out.form = symbol(&out)
	return &out
}
