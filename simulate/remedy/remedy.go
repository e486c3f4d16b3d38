// Package remedy predicts what a change of a kernel would save, before it is made.
//
// It consumes a kernel (a graph and its mapper) and remedies, each of which picks instructions by
// line, op or buffer and says what they would be like, and produces the mapping of the changed
// kernel: simulating it gives the time that is left. The graph stays as it is, so a remedy says what
// the best change of that kind would save, not what the change costs elsewhere (a padded row, a
// second array).
//
// Invariants: a remedied mapping verifies; same input, same mapping.
package remedy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
	"gpupipe/latencies"
)

// Kind is what instructions would be like.
type Kind uint8

// The kinds of remedies. The zero value is invalid.
const (
	ConflictFree Kind = iota + 1 // no bank conflicts in local memory
	Coalesced                    // no more transactions than consecutive addresses need
	Spread                       // atomics of different lanes and groups at different addresses; Change.Share remain
	Hidden                       // the result is there at once: Λ = λ
	Removed                      // the instruction is not executed

	Otherwise // as Change.As has it
	Tiled     // likewise, and for one of Change.Of Change.Fill is executed, and stored to local memory
	Once      // of so many executions as Change.Of says one remains, as a warp keeps what it has
)

var kinds = [...]struct{ name, does string }{
	ConflictFree: {"conflict-free", "no bank conflicts"},
	Coalesced:    {"coalesced", "no more transactions than consecutive addresses need"},
	Spread:       {"spread", "atomics at different addresses"},
	Hidden:       {"hidden", "no latency"},
	Removed:      {"removed", "not executed"},
}

// String is the kind as Parse reads it.
func (k Kind) String() string {
	if k > 0 && int(k) < len(kinds) {
		return kinds[k].name
	}
	return "invalid remedy"
}

// Help lists the kinds with what they do, one on a line.
func Help() string {
	var b strings.Builder
	for k := ConflictFree; k <= Removed; k++ {
		fmt.Fprintf(&b, "  %-15s%s\n", k, kinds[k].does)
	}
	return b.String()
}

// Remedy makes instructions what they would be like.
type Remedy struct {
	Select latencies.Selector
	Kind   Kind
}

func (r Remedy) String() string {
	if s := r.Select; s.Name == "" && s.Buffer == "" && s.File == "" && s.Line > 0 {
		return fmt.Sprintf("line %d: %v", s.Line, r.Kind)
	}
	return fmt.Sprintf("%v: %v", r.Select, r.Kind)
}

// Parse reads "line 36: conflict-free", "ld.global(A)@31: coalesced" or "loop: removed":
// a selector as those of latencies.ParseRule, or a line, and a kind.
func Parse(text string) (Remedy, error) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return Remedy{}, fmt.Errorf("%q is not of the form SELECTOR: KIND, as in 'line 36: conflict-free'", text)
	}
	where, name := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
	r := Remedy{}
	for k := ConflictFree; k <= Removed; k++ {
		if k.String() == name {
			r.Kind = k
		}
	}
	if r.Kind == 0 {
		var names []string
		for k := ConflictFree; k <= Removed; k++ {
			names = append(names, k.String())
		}
		hint := spelling.DidYouMean(name, names)
		if hint == "" {
			hint = "one of " + strings.Join(names, ", ")
		}
		return r, fmt.Errorf("no remedy is called %q: %s", name, hint)
	}
	if line, ok := strings.CutPrefix(where, "line "); ok {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || n < 1 {
			return r, fmt.Errorf("%q is not a line number", line)
		}
		r.Select.Line = n
		return r, nil
	}
	var err error
	r.Select, err = latencies.ParseSelector(where)
	return r, err
}

// Kernel is a graph and how it is mapped to a device.
type Kernel struct {
	Graph   *idg.Graph
	Mapper  *latencies.Mapper
	Options latencies.Options
	Mapping *latencies.Mapping // as it is, without remedies
}

// NewKernel maps a graph.
func NewKernel(g *idg.Graph, m *latencies.Mapper, o latencies.Options) (Kernel, error) {
	mapping, err := m.MapWith(g, o)
	return Kernel{g, m, o, mapping}, err
}

// Remedied is a kernel with changes: its graph, in which instructions that are not executed are ops that do nothing,
// and how that is mapped.
type Remedied struct {
	Graph   *idg.Graph
	Mapping *latencies.Mapping
}

// With is a kernel with remedies. One that picks nothing or changes nothing is an error.
func (k *Kernel) With(remedies ...Remedy) (Remedied, error) {
	var changes []Change
	for _, r := range remedies {
		c := Change{Kind: r.Kind, Pick: func(in *idg.Instr) bool {
			return r.Select.Picks(in, k.Graph.Access(in.Access))
		}}
		if !slices.ContainsFunc(k.Graph.Instrs(), func(in idg.Instr) bool { return c.Pick(&in) }) {
			return Remedied{}, diag.Errorf(diag.Pos{}, "REMEDY", "%q picks no instruction of the graph", r)
		}
		if _, changed, err := k.Changed(c); err != nil {
			return Remedied{}, err
		} else if !changed {
			return Remedied{}, diag.Errorf(diag.Pos{}, "REMEDY", "%q changes nothing: %s", r, r.Kind.already())
		}
		changes = append(changes, c)
	}
	m, _, err := k.Changed(changes...)
	return m, err
}

// Change is a kind of remedy for the instructions that are picked.
type Change struct {
	Kind  Kind
	Pick  func(*idg.Instr) bool
	As    as                       // of Otherwise and Tiled
	Fill  as                       // of Tiled: the access that fills the tile
	Of    func(*idg.Instr) float64 // of Tiled and Once
	Share float64                  // of Spread: of the updates that remain, 0 to 1
}

// Replace has instructions be other ops.
func Replace(pick func(*idg.Instr) bool, op func(*idg.Instr) string) Change {
	return Change{Kind: Otherwise, Pick: pick, As: func(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
		in.Op = op(&in)
		return in, a
	}}
}

// Widen has accesses be of so many times the bytes.
func Widen(pick func(*idg.Instr) bool, times int) Change {
	return Change{Kind: Otherwise, Pick: pick, As: func(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
		if a != nil {
			wider := *a
			wider.Width *= uint16(times)
			a = &wider
		}
		return in, a
	}}
}

// as is what an instruction with an access becomes.
type as = func(idg.Instr, *idg.Access) (idg.Instr, *idg.Access)

// instead is as what the changes have a class mapped.
func instead(changes []Change, of func(*Change) as) func(idg.InstrID, idg.Instr, *idg.Access) (idg.Instr, *idg.Access) {
	return func(_ idg.InstrID, in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
		was := in
		for i := range changes {
			if f := of(&changes[i]); f != nil && changes[i].Pick(&was) {
				in, a = f(in, a)
			}
		}
		return in, a
	}
}

// Changed is a kernel with changes, and whether it differs.
func (k *Kernel) Changed(changes ...Change) (out Remedied, changed bool, err error) {
	var m, fills *latencies.Mapping
	spread := make([]bool, len(k.Mapping.Entries))
	for _, c := range changes {
		for i := range k.Graph.Instrs() {
			if !c.Pick(&k.Graph.Instrs()[i]) {
				continue
			}
			switch {
			case c.Kind.gathers() && c.Kind.Improves(&k.Mapping.Entries[i]):
				spread[i], changed = true, true
			case c.As != nil:
				changed = true
			}
		}
	}
	if changed {
		o := k.Options
		o.Consecutive = func(id idg.InstrID) bool { return spread[id-1] }
		o.Instead = instead(changes, func(c *Change) as { return c.As })
		if m, err = k.Mapper.MapWith(k.Graph, o); err != nil {
			return Remedied{}, false, err
		}
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == Tiled }) {
			o.Instead = instead(changes, func(c *Change) as { return c.Fill })
			if fills, err = k.Mapper.MapWith(k.Graph, o); err != nil {
				return Remedied{}, false, err
			}
		}
	} else {
		own := *k.Mapping
		own.Entries, own.Subsystems = slices.Clone(own.Entries), slices.Clone(own.Subsystems)
		m = &own
	}
	for _, c := range changes {
		for i := range k.Graph.Instrs() {
			in := &k.Graph.Instrs()[i]
			if !c.Pick(in) {
				continue
			}
			if c.As != nil && m.Entries[i].Served == (latencies.Served{}) {
				m.Entries[i].Served = latencies.Served{L1: 1} // so that load adds nothing
			}
			if c.Kind == Tiled {
				fill(&m.Entries[i], &fills.Entries[i], &k.Mapping.Entries[i], c.Of(in))
			}
			if c.Kind == Once {
				once(&m.Entries[i], c.Of(in))
				changed = true
			}
			turns := m.Entries[i].Turns
			if changed = c.Kind.change(m, in, &m.Entries[i]) || changed; c.Kind == Spread && c.Share > 0 {
				e := &m.Entries[i]
				e.Timing.CPI = cycles(e.Timing.CPI.Float() + c.Share*turns.Float())
			}
		}
	}
	return Remedied{k.withoutRemoved(changes), m}, changed, nil
}

// fill adds to reads of a tile what fills it: for so many of them one load, whose result a warp waits for, and its
// store. What L1 did not hold is loaded as before, unless that is more than the loads that are left have in all.
func fill(e, load, was *latencies.Entry, times float64) {
	cpi := e.Timing.CPI.Float() + (e.Timing.CPI.Float()-e.Turns.Float())/times // a store waits for no update
	beyond := 1.0
	if all := was.Served.Total(); all > was.Served.L1 && was.Transactions > 0 {
		left := all * float64(load.Transactions) / float64(was.Transactions) / times
		beyond = min(1, left/(all-was.Served.L1))
	}
	l1 := load.Charges()
	for _, x := range was.Charges() {
		more := x.CPI.Float() * beyond
		if x.Subsystem == e.Subsystem {
			more = x.CPI.Float() / times
			if k := slices.IndexFunc(l1, func(y latencies.Charge) bool { return y.Subsystem == e.Subsystem }); k >= 0 {
				more = l1[k].CPI.Float() / times
			}
			cpi += more
		} else if e.Second.CPI.IsZero() || more > e.Second.CPI.Float() {
			e.Second = latencies.Charge{Subsystem: x.Subsystem, CPI: cycles(more)}
		}
	}
	e.Timing.CPI, e.Timing.Latency = cycles(cpi), cycles(e.Timing.Latency.Float()+load.Timing.Latency.Float()/times)
}

// cycles are those nearest to a number, in steps that do not make time much finer.
func cycles(n float64) latencies.Cycles {
	c, err := latencies.NewCycles(max(1, int64(n*64+0.5)), 64)
	if err != nil {
		return smallest
	}
	return c
}

// once leaves one of so many executions. It brings what L1 did not hold, which the others found there.
func once(e *latencies.Entry, of float64) {
	l1, beyond := 1/of, 1/of // what is left of the time of L1 and of what serves the rest
	if rest := e.Served.Total() - e.Served.L1; rest > 0 {
		beyond = min(1, e.Served.Total()/of/rest)
	}
	if e.Served.L1 < e.Served.Total()/2 { // of two subsystems that of the rest is first
		l1, beyond = beyond, l1
	}
	e.Timing.CPI, e.Timing.Latency = cycles(e.Timing.CPI.Float()*l1), cycles(e.Timing.Latency.Float()/of)
	if !e.Second.CPI.IsZero() {
		e.Second.CPI = cycles(e.Second.CPI.Float() * beyond)
	}
	if of >= 2 {
		e.MoreSlots = -1
	}
	e.Served = latencies.Served{L1: 1} // so that load adds nothing
}

// inert stands for an instruction that is not executed: it ends no block, holds no warp, and reads no register
// (idg.Graph.RegisterReads).
const inert = "shuffle"

// withoutRemoved is the graph in which instructions that are not executed are inert.
func (k *Kernel) withoutRemoved(changes []Change) *idg.Graph {
	if !slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == Removed }) {
		return k.Graph
	}
	return k.Graph.WithOps(func(in *idg.Instr) string {
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == Removed && c.Pick(in) }) {
			return inert
		}
		return in.Op
	})
}

// gathers reports whether a kind of remedy makes the addresses of accesses consecutive.
func (k Kind) gathers() bool { return k == ConflictFree || k == Coalesced }

// Improves reports whether a remedy for accesses leaves less to do of one; false for other kinds.
func (k Kind) Improves(e *latencies.Entry) bool {
	if k == Spread {
		return !e.Turns.IsZero()
	}
	return k.gathers() && e.Least > 0 && e.Transactions > e.Least && e.Turns.IsZero() &&
		e.Module.Conflicts.Known == (k == ConflictFree)
}

// already says why a remedy changes nothing.
func (k Kind) already() string {
	switch k {
	case ConflictFree:
		return "the local memory accesses there have no bank conflicts"
	case Coalesced:
		return "the global memory accesses there are coalesced"
	case Spread:
		return "no atomics there wait for each other"
	}
	return "the instructions there take no time"
}

// change applies a remedy to the entry of one instruction class and reports whether it did anything.
func (k Kind) change(m *latencies.Mapping, in *idg.Instr, e *latencies.Entry) bool {
	switch k {
	case Spread:
		if !k.Improves(e) {
			return false
		}
		rest, err := e.Timing.CPI.Sub(e.Turns)
		if err != nil || rest.IsZero() {
			rest = smallest
		}
		shorten(e, rest)
		e.Turns = latencies.Cycles{}
	case Hidden:
		if in.IsBarrier() || e.Timing.Latency.Cmp(e.Timing.CPI) <= 0 {
			return false
		}
		e.Timing.Latency = e.Timing.CPI
		e.Served = latencies.Served{L1: 1} // so that load adds nothing
	case Removed:
		remove(m, e)
	default:
		return false
	}
	return true
}

// shorten gives an entry a shorter λ, and a Λ that is shorter by as much.
func shorten(e *latencies.Entry, cpi latencies.Cycles) {
	if saved, err := e.Timing.CPI.Sub(cpi); err == nil {
		if latency, err := e.Timing.Latency.Sub(saved); err == nil && latency.Cmp(cpi) >= 0 {
			e.Timing.Latency = latency
		} else {
			e.Timing.Latency = cpi
		}
	}
	e.Timing.CPI = cpi
}

// nowhere is the subsystem of instructions that are not executed.
const nowhere = "removed"

// smallest is a time that is short enough to be none, and does not make time much finer.
var smallest, _ = latencies.NewCycles(1, 64)

// remove takes an instruction off its pipeline and issue slot, and off device memory.
func remove(m *latencies.Mapping, e *latencies.Entry) {
	at := slices.Index(m.Subsystems, nowhere)
	if at < 0 {
		at = len(m.Subsystems)
		m.Subsystems = append(m.Subsystems, nowhere)
	}
	*e = latencies.Entry{
		Subsystem: latencies.SubsystemID(at), Timing: latencies.Timing{CPI: smallest, Latency: smallest},
		MoreSlots: -1, Matched: nowhere, Source: nowhere, Served: latencies.Served{L1: 1},
	}
}
