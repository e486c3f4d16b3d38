package walk

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/unroll/locality"
)

// recorder writes what a warp executes as a program of a graph. A dependence is the last writer of a register (the
// scoreboard's view), and the last branch or barrier, which gates what comes behind it.
type recorder struct {
	b       *idg.Builder
	n       idg.Executed // executed so far
	gate    idg.Executed // the last branch or barrier, -1: none
	writers []writer     // by place
	slots   map[int64]idg.Executed
	async   asyncs
	// seen: what the warp does at barriers is looked for, and no copies are recorded; consumer: a warp has blocks
	// copied for others
	seen     *seen
	consumer *consumer
	classes  []class // by instruction: the last one that was executed
	edges    []idg.Edge
	offsets  []int64 // of the access at hand, and as the builder has them
	normal   []int64
	part     map[*ir.Instr]int64 // of an operation that several instructions execute
	order    *order              // nil: what issues in order keeps the order of memory
	reuse    *Reuse              // nil: nobody asks where memory was touched
	warp     locality.Warp
	brief    bool // nothing but what the warp touches is asked for
}

// writer is what wrote a register last, and what wrote lanes of it before that the last one did not.
type writer struct {
	at      idg.Executed // -1: nobody
	lanes   uint64       // 0: of which lanes is not known
	product bool         // a matrix instruction of a warp group
	earlier []writer
	also    []idg.Executed // what else its contents are made of, where that takes no instruction: before at
}

// class is an instruction in its context, as it was interned.
type class struct {
	access idg.AccessID
	lanes  uint64
	id     idg.InstrID
}

// newRecorder records to a builder, for which classes are interned.
func newRecorder(c *static, b *idg.Builder, classes []class, r *Reuse, number int) *recorder {
	o := &recorder{b: b, gate: -1, writers: c.writers, slots: map[int64]idg.Executed{},
		classes: classes, part: map[*ir.Instr]int64{}, reuse: r}
	if c.writers = nil; o.writers == nil {
		o.writers = make([]writer, c.places)
	}
	for i := range o.writers {
		o.writers[i] = writer{at: -1}
	}
	o.warp.Number = uint32(number)
	return o
}

// instr records an instruction for lanes; none: its guard is false for all.
func (o *recorder) instr(w *warp, id int32, in *machine.Instr, lanes uint64) {
	if o.brief && !w.c.several {
		o.touches(w, id, in, lanes)
		return
	}
	if in.Free {
		o.passOn(w, in, lanes)
		return
	}
	if lanes != 0 && in.From != nil && o.asynchronous(w, in, lanes) {
		return
	}
	op, typ := in.Class, ""
	if w.launch.SyncCopies {
		op = strings.TrimSuffix(op, ".async")
	}
	switch {
	case op == "":
		w.fail(diag.AsDefect(fmt.Errorf("%v: %s has no class of instructions", in.Pos, in.Op)))
		return
	case lanes == 0:
		op = "off"
		if in.Mem != nil {
			op = idg.OffMemory
		}
	case op == "exit": // takes its turn to be issued, and nothing follows
		op = "converge"
	case w.jumpsBack == in && op == "branch" && in.Guard.Reg != 0:
		op = idg.LoopBranch
	}
	var access idg.AccessID
	if in.Mem == nil && strings.HasPrefix(op, "ld.constant") {
		access = o.parameter(in, lanes)
	}
	if in.Mem != nil && lanes != 0 {
		access = o.access(w, in, lanes)
		w.interned(access)
		if in.From != nil {
			typ = in.From.Type.String()
		}
	}
	active := lanes
	if active == 0 {
		active = w.mask
	}
	c := &o.classes[id]
	if c.id == 0 || c.access != access || c.lanes != active || lanes == 0 || op == idg.LoopBranch {
		c.access, c.lanes = access, active
		if c.id = o.b.Instr(idg.Instr{Op: op, Type: typ, Access: access, Lanes: uint8(bits.OnesCount64(active)),
			Pos: in.Pos}); lanes == 0 {
			c.access = 1<<32 - 1 // another one when its guard holds
		}
	}
	o.edges = o.edges[:0]
	o.reads(w, in, active)
	if in.Spill && in.Mem != nil && !in.Mem.Store {
		if at, ok := o.slots[in.Mem.Offset]; ok {
			o.edges = append(o.edges, idg.Edge{From: at, Kind: idg.Order})
		}
	}
	if o.order != nil && lanes != 0 {
		o.edges = o.order.edges(w.c.code.Func, in, o.edges)
	}
	if o.gate >= 0 && !(o.order != nil && o.gated()) {
		o.edges = append(o.edges, idg.Edge{From: o.gate, Kind: idg.Control})
	}
	v := o.b.Add(c.id, o.edges...)
	if o.order != nil {
		o.order.executed(w.c.code.Func, in, v, o.edges)
	}
	if lanes != 0 {
		o.note(w, in, c.id, v)
	}
	o.writes(w, in, v, lanes)
	if op == "ld.global.async" {
		o.async.open = append(o.async.open, v)
	}
	if in.Spill && in.Mem != nil && in.Mem.Store {
		o.slots[in.Mem.Offset] = v
	}
	switch op {
	case "branch", idg.LoopBranch, "branch.join", "barrier", "loop":
		o.gate = v
	}
	o.n = v + 1
}

// gated reports whether an instruction waits for the last gate by waiting for it or what came behind it.
func (o *recorder) gated() bool {
	return slices.ContainsFunc(o.edges, func(e idg.Edge) bool {
		return e.From > o.gate || e.From == o.gate && e.Kind != idg.Order
	})
}

// passOn has registers hold what others do: each what the one at its place does, or one all of them.
func (o *recorder) passOn(w *warp, in *machine.Instr, lanes uint64) {
	held := make([]writer, len(in.Defs))
	for i := range held {
		uses := in.Uses
		if len(in.Defs) > 1 || len(in.Uses) == 1 {
			uses = uses[i : i+1]
		}
		held[i] = writer{at: -1, lanes: lanes}
		for k := range uses {
			if uses[k].Kind != machine.InReg {
				continue
			}
			o.writers[w.c.base[uses[k].Reg-1]].each(lanes, func(at idg.Executed, also []idg.Executed) {
				held[i].add(at)
				for _, at := range also {
					held[i].add(at)
				}
			})
		}
	}
	for i, r := range in.Defs {
		p := &o.writers[w.c.base[r-1]]
		if held[i].lanes = lanes &^ w.both; held[i].lanes == w.all || p.at < 0 {
			*p = held[i]
			continue
		}
		p.overwrite(held[i])
	}
}

// maxAlso bounds what one register is made of: what is written in order, the last of it stands for.
const maxAlso = 32

// add notes one more instruction that contents are made of.
func (p *writer) add(at idg.Executed) {
	switch {
	case at < 0 || at == p.at || slices.Contains(p.also, at):
		return
	case p.at >= 0 && len(p.also) < maxAlso:
		p.also = append(p.also, min(at, p.at))
	}
	p.at = max(at, p.at)
}

// overwrite notes that some lanes have been written by another one.
func (p *writer) overwrite(by writer) {
	before := append(p.earlier, writer{at: p.at, lanes: p.lanes, also: p.also})
	before = slices.DeleteFunc(before, func(x writer) bool {
		return x.lanes&^by.lanes == 0 && by.lanes != 0 ||
			x.at < 0
	})
	if len(before) > maxEarlier {
		before = before[len(before)-maxEarlier:]
	}
	by.earlier = before
	*p = by
}

// reads are the dependences on what an instruction reads.
func (o *recorder) reads(w *warp, in *machine.Instr, lanes uint64) {
	word := func(r machine.Reg, k int) {
		p := &o.writers[int(w.c.base[r-1])+k]
		if p.at < 0 {
			return
		}
		if o.order != nil {
			o.readsLanes(p, lanes)
			return
		}
		kind := idg.Data
		if p.product && in.From != nil && in.From.Op == lower.GroupMatMul {
			kind = idg.Order // the tensor core executes them in order
		}
		o.edges = append(o.edges, idg.Edge{From: p.at, Kind: kind})
		for _, at := range p.also {
			o.edges = append(o.edges, idg.Edge{From: at, Kind: idg.Data})
		}
		for i := range p.earlier {
			o.edges = append(o.edges, idg.Edge{From: p.earlier[i].at, Kind: idg.Control})
		}
	}
	for i := range in.Uses {
		u := &in.Uses[i]
		if u.Kind != machine.InReg {
			continue
		}
		from, span := u.Word, max(1, u.Span)
		if u.Word < 0 {
			from, span = 0, w.c.code.Reg(u.Reg).Words
		}
		for k := range span {
			word(u.Reg, from+k)
		}
	}
	if in.Guard.Reg != 0 {
		word(in.Guard.Reg, 0)
	}
}

// readsLanes are the dependences on what wrote lanes of a register.
func (o *recorder) readsLanes(p *writer, lanes uint64) {
	from := len(o.edges)
	newest := idg.Executed(-1)
	p.each(lanes, func(at idg.Executed, also []idg.Executed) {
		o.edges = append(o.edges, idg.Edge{From: at, Kind: idg.Control})
		newest = max(newest, at)
		for _, at := range also {
			o.edges = append(o.edges, idg.Edge{From: at, Kind: idg.Data})
		}
	})
	for i := from; i < len(o.edges); i++ {
		if o.edges[i].From == newest {
			o.edges[i].Kind = idg.Data
		}
	}
}

// each calls f for what wrote lanes last.
func (p *writer) each(lanes uint64, f func(at idg.Executed, also []idg.Executed)) {
	if p.at >= 0 && (p.lanes == 0 || lanes&p.lanes != 0) {
		f(p.at, p.also)
	}
	lanes &^= p.lanes
	for _, x := range slices.Backward(p.earlier) {
		if x.lanes == 0 || lanes&x.lanes != 0 {
			f(x.at, x.also)
		}
		lanes &^= x.lanes
	}
}

// writes notes who wrote registers.
func (o *recorder) writes(w *warp, in *machine.Instr, v idg.Executed, lanes uint64) {
	product := in.From != nil && in.From.Op == lower.GroupMatMul
	for i, r := range in.Defs {
		from, span := 0, w.c.code.Reg(r).Words
		if i == 0 && in.Part > 0 {
			from, span = in.Part-1, max(1, in.Span)
		}
		for k := range span {
			p := &o.writers[int(w.c.base[r-1])+from+k]
			if lanes&^w.both == w.all && (in.Guard.Reg == 0 || in.Guard.Value != nil) || p.at < 0 {
				*p = writer{at: v, lanes: lanes, product: product}
				continue
			}
			p.overwrite(writer{at: v, lanes: lanes &^ w.both, product: product})
		}
	}
}

// maxEarlier bounds the writers of other lanes of a register.
const maxEarlier = 3

// iteration announces an iteration to the builder.
func (o *recorder) iteration(f *follower) {
	if f.n == 1 && !f.announced {
		f.announced = true
		o.b.BeginLoop()
	} else if !f.open {
		o.b.NextIteration()
	}
	f.open = false
	f.starts = append(f.starts, o.n)
	f.touches = append(f.touches, len(o.warp.Touches))
}

func (o *recorder) endLoop(f *follower) {
	if f.announced {
		o.b.EndLoop()
	}
}

// worthwhile is how many instructions are executed one by one rather than looked at whether they repeat.
const worthwhile = 1 << 11

// again has the builder count iterations that repeat those before them, and returns how many.
func (o *recorder) again(f *follower, times int64) int64 {
	k := len(f.starts) - 1
	length := int64(o.n - f.starts[k])
	if length == 0 {
		return times
	}
	if length*min(times, worthwhile) < worthwhile {
		return 0
	}
	// Accesses move through what tells their alignment with a period.
	period := f.period()
	if int64(k)+1 < period || times < period {
		return 0
	}
	if o.n-f.starts[k+1-int(period)] != idg.Executed(period*length) {
		return 0
	}
	o.b.NextIteration()
	n := o.b.Again(period*length, times/period)
	if n == 0 {
		f.open = true
		return 0
	}
	moved := idg.Executed(n * period * length)
	o.repeat(f, k, n*period, length)
	from := f.starts[k]
	for i := range o.writers {
		o.writers[i].moved(from, moved)
	}
	if o.order != nil {
		o.order.moved(from, moved)
	}
	for s, at := range o.slots {
		if at >= from {
			o.slots[s] = at + moved
		}
	}
	o.async.moved(from, moved)
	if o.gate >= from {
		o.gate += moved
	}
	o.n += moved
	f.open = true
	f.starts = f.starts[:0]
	return n * period
}

// moved says that what was written from a place on was written so much later.
func (p *writer) moved(from, by idg.Executed) {
	if p.at >= from {
		p.at += by
	}
	for i := range p.also {
		if p.also[i] >= from {
			p.also[i] += by
		}
	}
	for i := range p.earlier {
		p.earlier[i].moved(from, by)
	}
}
