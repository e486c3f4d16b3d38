package simulate

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Charges
//
// An instruction keeps one subsystem busy for λ, or two (latencies.Entry.Second), each for
// a λ of its own, as an access does that L1 passes on to device memory. Such a pair of charges
// issues when the first subsystem is free and there is room in front of the second: one instruction can wait there, so
// when the second has begun with the one before. Where a subsystem has a queue, its
// places are the room. Then it takes both, which work side by side: each begins with
// it when it has done what was there before, which is its turn there. The turn of the instruction is the later one: it
// completes Λ after that. Its λ has passed when the longer one has.
//
// The room is what keeps two pipes from waiting for each other. If both had to be free, one that is
// needed for 10 cycles by a load and for hardly any by the next, which takes 4 of another, would be left alone for
// these 4 each time.

// charge is the time for which an instruction keeps a subsystem busy.
type charge struct {
	subsystem latencies.SubsystemID
	used      uint16 // the subsystem's place in workload.used
	// cpi is λ on the compute unit. hold is the λ of one sub-core's share of the
	// subsystem: n times as much where the subsystem is partitioned.
	cpi, hold Tick
}

// route is what instructions take when they issue: a subsystem, or a pair of them, as places in
// workload.used. For one subsystem both are the same.
type route struct{ first, second uint16 }

// isPair reports whether there are two subsystems.
func (r route) isPair() bool { return r.first != r.second }

// newCharge is one of an instruction in a time of so many cycles.
func (w *workload) newCharge(in *idg.Instr, name string, cpi latencies.Cycles, hw *hardware) (charge, error) {
	c := charge{subsystem: w.subsystem(name)}
	i := slices.Index(w.used, c.subsystem)
	if i < 0 {
		i = len(w.used)
		w.used = append(w.used, c.subsystem)
	}
	c.used = uint16(i)
	var err error
	if c.cpi, err = w.time.ticks(cpi); err != nil {
		return c, err
	}
	c.hold = c.cpi
	if hw.isPartitioned(c.subsystem) {
		if c.hold > maxSpan/Tick(hw.partitions) {
			return c, diag.Errorf(in.Pos, "TIME", "λ = %v of %s is too long", cpi, in.Op)
		}
		c.hold *= Tick(hw.partitions)
	}
	if n := hw.ahead(c.subsystem); n > 0 && c.hold > maxSpan/n {
		return c, diag.Errorf(in.Pos, "TIME", "λ = %v of %s is too long for a queue", cpi, in.Op)
	}
	return c, nil
}

// addRoutes finds what the classes take: each of the subsystems used, then the pairs.
func (w *workload) addRoutes() {
	for s := range w.used {
		w.routes = append(w.routes, route{uint16(s), uint16(s)})
	}
	for i := range w.classes {
		c := &w.classes[i]
		r := route{c.charges[0].used, c.charges[len(c.charges)-1].used}
		k := slices.Index(w.routes, r)
		if k < 0 {
			k = len(w.routes)
			w.routes = append(w.routes, r)
		}
		c.route = uint16(k)
	}
	for i := range w.classes {
		w.classes[i].paired = w.isPaired(&w.classes[i])
	}
}

// isPaired reports whether a class takes two subsystems, or one that others take together
// with another.
func (w *workload) isPaired(c *class) bool {
	return slices.ContainsFunc(w.pairs(), func(r route) bool {
		return slices.ContainsFunc(c.charges, func(x charge) bool { return x.used == r.first || x.used == r.second })
	})
}

// pairs are those of the routes that have two subsystems.
func (w *workload) pairs() []route { return w.routes[len(w.used):] }
