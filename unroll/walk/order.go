package walk

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// order is what accesses and barriers wait for besides registers, where nothing else keeps them in order: devices that
// issue instructions in order need none of it. A load is issued behind the stores that may write what it reads, a store
// behind the accesses before it; a barrier behind all that its warp did since the one before, or when that is complete.
type order struct {
	complete bool
	memory   bool                      // accesses are kept in order, too
	classes  map[ir.ObjectID]*accesses // by what they may touch
	open     []pending                 // since the last barrier: nobody waits for them
	barriers bool                      // the code has some
	recent   [recent]struct {          // what the last instructions wait for
		at    idg.Executed
		edges []idg.Executed
	}
}

// recent is of how many instructions it is known what they wait for, ancestors in how many steps that is followed.
const recent, ancestors = 64, 3

// accesses are those of an alias class since its last barrier.
type accesses struct {
	store idg.Executed // the last one, -1: none
	loads []idg.Executed
}

type pending struct {
	at    idg.Executed
	store bool
}

// maxLoads bounds the loads that one store waits for: those before came earlier.
const maxLoads = 32

func newOrder(s *static, complete bool) *order {
	o := &order{complete: complete, classes: map[ir.ObjectID]*accesses{}}
	o.barriers = slices.ContainsFunc(s.instrs, func(in *machine.Instr) bool { return in.Class == "barrier" })
	return o
}

// class is what an access may touch: an object of its own, or all that pointers may lead into.
func (o *order) class(f *ir.Func, in *machine.Instr) *accesses {
	id := in.Mem.Object
	if id != 0 {
		if x := f.Object(id); x.Size == 0 && x.Space == idg.SpaceGlobal && !x.Restrict {
			id = 0
		}
	}
	c := o.classes[id]
	if c == nil {
		c = &accesses{store: -1}
		o.classes[id] = c
	}
	return c
}

// edges appends what an access or barrier waits for.
func (o *order) edges(f *ir.Func, in *machine.Instr, list []idg.Edge) []idg.Edge {
	after := func(at idg.Executed) {
		if !slices.ContainsFunc(list, func(e idg.Edge) bool { return e.From == at }) {
			list = append(list, idg.Edge{From: at, Kind: idg.Order})
		}
	}
	switch {
	case in.Class == "barrier":
		for _, p := range o.open {
			kind := idg.Order
			if o.complete && !p.store {
				kind = idg.Control
			}
			list = append(list, idg.Edge{From: p.at, Kind: kind})
		}
	case o.memory && in.Mem != nil && in.Mem.Space != idg.SpaceConstant:
		c := o.class(f, in)
		if c.store >= 0 {
			after(c.store)
		}
		if in.Mem.Store {
			for _, l := range c.loads {
				if !o.waits(list, l, ancestors) {
					after(l)
				}
			}
		}
	}
	return list
}

// waits reports whether something waits for an instruction by what it waits for.
func (o *order) waits(list []idg.Edge, at idg.Executed, steps int) bool {
	return slices.ContainsFunc(list, func(e idg.Edge) bool {
		return e.Kind != idg.Order && o.leads(e.From, at, steps)
	})
}

func (o *order) leads(from, to idg.Executed, steps int) bool {
	if from <= to || steps == 0 {
		return from == to
	}
	r := &o.recent[from%recent]
	return r.at == from && slices.ContainsFunc(r.edges, func(d idg.Executed) bool { return o.leads(d, to, steps-1) })
}

// executed notes an instruction and what it waits for.
func (o *order) executed(f *ir.Func, in *machine.Instr, at idg.Executed, edges []idg.Edge) {
	if o.barriers {
		for _, e := range edges {
			if o.complete && e.Kind == idg.Order {
				continue
			}
			if i, ok := slices.BinarySearchFunc(o.open, e.From, func(p pending, at idg.Executed) int {
				return int(p.at - at)
			}); ok {
				o.open = slices.Delete(o.open, i, i+1)
			}
		}
		o.open = append(o.open, pending{at, in.Mem != nil && in.Mem.Store})
	}
	r := &o.recent[at%recent]
	r.at, r.edges = at, r.edges[:0]
	for _, e := range edges {
		if e.Kind != idg.Order {
			r.edges = append(r.edges, e.From)
		}
	}
	switch {
	case in.Class == "barrier" || in.From != nil && in.From.Op == lower.Fence:
		clear(o.classes)
		if in.Class == "barrier" {
			o.open = append(o.open[:0], pending{at: at})
		}
	case in.Mem != nil && in.Mem.Store:
		c := o.class(f, in)
		c.store, c.loads = at, c.loads[:0]
	case in.Mem != nil && in.Mem.Space != idg.SpaceConstant:
		c := o.class(f, in)
		if len(c.loads) == maxLoads {
			c.loads = append(c.loads[:0], c.loads[1:]...)
		}
		c.loads = append(c.loads, at)
	}
}

// moved says that what was executed from a place on is what an iteration did that was executed so much later.
func (o *order) moved(from, by idg.Executed) {
	for _, c := range o.classes {
		if c.store >= from {
			c.store += by
		}
		for i := range c.loads {
			if c.loads[i] >= from {
				c.loads[i] += by
			}
		}
	}
	for i := range o.recent {
		o.recent[i].at = -1
	}
	for i := range o.open {
		if o.open[i].at >= from {
			o.open[i].at += by
		}
	}
}
