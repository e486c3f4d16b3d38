package latencies

import (
	"fmt"
	"math"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// context is what the pattern of a memory access makes of an entry.
type context struct {
	timing       Timing
	transactions int
	turns        Cycles // part of λ: updates of one word
	served       Served // by level, where the graph tells its locality
	module       Module
	inL1         bool     // executed by L1's subsystem
	path         path     // what it keeps busy on its way to device memory, where the graph tells its locality
	subsystem    string   // that executes it, if not the entry's
	rule         string   // what was applied, with its source, for Entry.Source; empty = the entry as it stands
	assumed      []string // for Entry.Fallback
}

// The entry for global memory was measured with 4 bytes in every lane, aligned and
// consecutive (A T.5 "ld.global.s32", P19 T.II "aligned"): such an access moves
// warp size × 4 bytes.
const referenceBytes = 4

// contextDenominator bounds the denominators that context rules add to those of
// an entry, so that the common denominator of a run stays small: 3·2^8·100 takes every
// λ that is a multiple of 1/100 or 1/3 cycle and every byte count of a warp. Only
// mixtures over an odd number of bytes are beyond it; they are rounded to 1/100 cycle.
const contextDenominator = 76_800

// inContext applies the rules for a memory access to the entry of its op. The
// access may be nil if the graph does not describe it, and the levels if it does not
// tell the locality of its accesses. Addresses that are not known are taken to be as given, and so are R and D.
func (d *Device) inContext(in *idg.Instr, a *idg.Access, t Timing, h *hierarchy, id idg.InstrID, as Addresses,
	given Module) (context, error) {
	atomic, lanes, space := in.Operation().Verb == isa.Atomic, int(in.Lanes), spaceOf(in, a)
	if a == nil {
		a = &idg.Access{Space: space, Width: referenceBytes, Assumed: "the graph has no access pattern"}
	}
	if a.Known() {
		lanes = len(a.Offsets)
	}
	lanes = max(lanes, 1)
	switch space {
	case idg.SpaceLocal:
		turn, each := d.Memory.localTurn(in)
		return d.localContext(atomic && !d.combined(in), turn, each, a, lanes, t, as, given.Conflicts)
	case idg.SpaceConstant:
		return d.constantContext(a, lanes, t, as, given.Conflicts)
	}
	c, err := d.globalContext(in, a, lanes, t, h, id, as, given.Ratio)
	switch {
	case err != nil || !atomic:
	case a.Known() || as == Scattered && h != nil && d.Memory.Atomics != nil:
		err = d.atomicContext(&c, in, a, h, id)
	case as == Scattered && a.Within > 0:
		turns := as.count(a, lanes, func(a *idg.Access) int { return mostAtOneAddress(a.Offsets) }) - 1
		err = c.takeTurns(turns, d.Memory.atomicInterval(in), d.Memory.GlobalAtomicTurn)
	case as == Same:
		err = c.takeTurns(lanes-1, d.Memory.atomicInterval(in), d.Memory.GlobalAtomicTurn)
	}
	return c, err
}

// globalContext applies the rule of A 6.3 to an access of device
// memory. With R = bytes moved / bytes requested:
//
//	R < 1: λ = R·λ_DRAM + (1-R)·λ_L2, Λ likewise
//	R = 1: λ_DRAM, Λ_DRAM
//	R > 1: λ = R·λ_DRAM, Λ = Λ_DRAM + (R-1)·λ_DRAM
//
// The rule is stated for full warps of 4-byte words. λ is the time for which the memory is
// busy with an access's bytes, so other widths and partial warps scale with the request: with s =
// bytes requested / (warp size × 4), λ is s times the above, and the extra latency
// is that of the bytes beyond warp size × 4: max(0, R·s - 1)·λ_DRAM. For a full
// warp of words s = 1 and the rule is as printed; a coalesced access of 16 bytes a
// lane takes 4 λ, as L4's figures for float4 (28.24 against 7.56 cycles) show.
//
// R is given (--set), or found: without locality every segment is taken to come from device
// memory. Where the graph tells its locality, the levels that served says are mixed instead
// of R's; see levelContext.
//
// Atomics cost such an access, and turns; see atomicContext.
func (d *Device) globalContext(in *idg.Instr, a *idg.Access, lanes int, t Timing, h *hierarchy, id idg.InstrID,
	as Addresses, given Factor) (context, error) {
	m := &d.Memory
	c, served := context{timing: t}, h.of(id)
	switch {
	case a.Space == idg.SpacePrivate:
		// Private memory is interleaved so that equal addresses of all lanes are
		// consecutive (CUDA C++ Programming Guide 5.3.2).
		c.transactions = coalesced(lanes, int(a.Width), m.SegmentBytes, m.SegmentLanes)
		switch {
		case !a.Known() && as == Scattered:
			c.transactions = as.segments(m, a, lanes)
			c.assumed = append(c.assumed, as.taken(a, ""))
		case !a.Known():
			c.assumed = append(c.assumed,
				"subscripts not known"+because(a.Assumed)+": assumed the same in all work items")
		case a.Buffer != idg.SpillBuffer:
			rows, perLane := interleaved(a, d.WarpSize)
			c.transactions = TransactionsBy(rows, m.SegmentBytes, m.SegmentLanes*perLane)
		}
		if m.L1 != nil && m.L1.Loads == AllLoads && served.L1 == served.Total() {
			return d.privateInL1(c, lanes, a, served)
		}
	case a.Known():
		c.transactions = TransactionsBy(a, m.SegmentBytes, m.SegmentLanes)
	default:
		c.transactions = as.segments(m, a, lanes)
		text := as.taken(a, "coalesced")
		switch from := served.String(); {
		case from != "" && a.Same && as == Same:
			text += ": assumed from " + from
		case from != "":
			text += " and from " + from
		}
		c.assumed = append(c.assumed, text)
	}
	if given.Known {
		c.assumed = nil
		return d.givenRatio(c, given.Value, lanes, a)
	}
	if served.Total() > 0 {
		if !a.Known() && a.Space != idg.SpacePrivate {
			a = as.example(a, lanes)
		}
		return d.levelContext(c, in, a, t, h, id, served)
	}
	moved := int64(c.transactions) * int64(m.SegmentBytes)
	requested := int64(lanes) * int64(a.Width)
	reference := int64(d.WarpSize) * referenceBytes
	if moved == 0 || requested == 0 {
		return c, nil
	}
	r, l2, x := lowest(moved, requested), t, exact{}
	if a.Space != idg.SpacePrivate {
		c.module.Ratio = Factor{r, true}
	}
	if moved == reference && requested == reference {
		return c, nil
	}
	c.rule = ratioRule(r, requested, reference)
	if m.L2 != nil {
		l2 = m.L2.Timing
	} else if moved < requested {
		c.assumed = append(c.assumed, "no L2 figures for this device: device memory's are used for R < 1")
	}
	c.timing = x.byRatio(r, lowest(requested, reference), t, l2)
	return c, x.err
}

// privateInL1 is an access of private memory where all reads go through L1, which then
// holds written private data too (CUDA C++ Programming Guide 5.3.2, GCN whitepaper).
// Where the graph tells how much of it the resident work items have, served says that L1 holds
// it: else it is assumed to.
func (d *Device) privateInL1(c context, lanes int, a *idg.Access, served Served) (context, error) {
	x := exact{}
	l1 := d.Memory.L1
	c.timing, c.inL1, c.served = l1.Timing, true, served
	if served.Total() == 0 {
		c.served.L1 = float64(c.transactions)
		c.assumed = append(c.assumed, "private memory is assumed to stay in L1")
	}
	requested, reference := int64(lanes)*int64(a.Width), int64(d.WarpSize)*referenceBytes
	if moved := int64(c.transactions) * int64(d.Memory.SegmentBytes); (a.Known() ||
		c.transactions > coalesced(lanes, int(a.Width), d.Memory.SegmentBytes, d.Memory.SegmentLanes)) &&
		a.Buffer != idg.SpillBuffer {
		requested = max(requested, moved)
	}
	if requested > reference {
		c.timing.CPI = x.mul(lowest(requested, reference), l1.CPI)
		c.timing.Latency = x.add(l1.Latency, x.mul(lowest(requested-reference, reference), l1.CPI))
	}
	return c, x.err
}

// localTurn is what each further lane at a word of local memory takes that an instruction updates, and what all of an
// execution take at least.
func (m *Memory) localTurn(in *idg.Instr) (turn, each Cycles) {
	if isFloat(in) && !m.LocalFloatTurn.IsZero() {
		return m.LocalFloatTurn, m.LocalFloatTurn
	}
	return m.LocalAtomicTurn, Cycles{}
}

// localContext applies the rule for bank conflicts of A 6.3: with a conflict
// degree D (0 = none, so an n-way conflict has D = n - 1), Λ' = Λ + D·λ and λ' =
// (1+D)·λ. D is counted in passes over the banks beyond those of a conflict-free
// access of 4 bytes a lane, which the entry was measured with: a conflict-free access of 8
// bytes a lane takes two passes and has D = 1. However few passes it needs, an access
// keeps the memory busy for the time between two requests, where that is longer (H25 T.1
// and T.2: a request every two cycles, of 128 bytes per cycle).
func (d *Device) localContext(atomic bool, turn, each Cycles, a *idg.Access, lanes int, t Timing, as Addresses,
	given Factor) (context, error) {
	c := context{timing: t}
	b := d.Memory.Banks()
	reference := max(1, (d.WarpSize+b.Lanes-1)/b.Lanes)
	together := 1 // lanes at one address
	switch {
	case !a.Known():
		c.transactions = as.passes(b, a, lanes)
		c.assumed = append(c.assumed, as.taken(a, "free of bank conflicts"))
		if as == Same {
			together = lanes
		}
	default:
		c.transactions = BankPasses(a, b)
		if atomic {
			together = mostAtOneAddress(a.Offsets)
		}
	}
	if atomic && turn.IsZero() {
		c.transactions = max(c.transactions, together)
	}
	c, err := c.passes(reference, given, "A 6.3")
	if atomic && err == nil {
		err = c.takeTurns(together-1, turn, turn)
		c.request(each)
	}
	c.request(d.Memory.LocalRequest)
	return c, err
}

// request makes the access last as long as the time between two requests.
func (c *context) request(apart Cycles) {
	if c.timing.CPI.Cmp(apart) >= 0 {
		return
	}
	c.timing.CPI = apart
	c.also(fmt.Sprintf("a request every %v cycles", apart))
}

// constantContext: the constant cache broadcasts one word to all lanes; a read of n
// different addresses takes n turns (CUDA C++ Programming Guide 5.3.2), D = n - 1, of constant_turn
// each where that was measured.
func (d *Device) constantContext(a *idg.Access, lanes int, t Timing, as Addresses, given Factor) (context, error) {
	c := context{timing: t, transactions: 1}
	if a.Known() {
		c.transactions = distinctAddresses(a.Offsets)
	} else {
		c.assumed = append(c.assumed, as.taken(a, "the same for all lanes"))
		switch as {
		case Coalesced:
			c.transactions = lanes
		case Scattered:
			c.transactions = as.count(a, lanes, func(a *idg.Access) int { return distinctAddresses(a.Offsets) })
		}
	}
	turn := d.Memory.ConstantTurn
	if given.Known || turn.IsZero() || c.transactions < 2 {
		return c.passes(1, given, "CPG 5.3.2")
	}
	x, n := exact{}, lowest(int64(c.transactions), 1)
	c.module.Conflicts = Factor{lowest(int64(c.transactions-1), 1), true}
	c.rule = fmt.Sprintf("%d different words, %v cycles each", c.transactions, turn)
	c.timing = Timing{x.bounded(x.mul(n, turn), t), x.bounded(x.add(t.Latency, x.mul(n, turn)), t)}
	return c, x.err
}

// passes applies λ' = (1+D)·λ, Λ' = Λ + D·λ for a given D, or for 1+D = transactions / reference.
func (c context) passes(reference int, given Factor, source string) (context, error) {
	extra, by, x := lowest(int64(max(0, c.transactions-reference)), int64(reference)), "", exact{}
	if given.Known {
		extra, by, c.assumed = given.Value, " (--set)", nil
		c.transactions = reference + int(math.Ceil(extra.Float()*float64(reference)))
	}
	c.module.Conflicts = Factor{extra, true}
	if extra.IsZero() && !given.Known {
		return c, nil
	}
	c.rule = fmt.Sprintf("%s: D = %v%s", source, extra, by)
	t := c.timing
	c.timing.Latency = x.bounded(x.add(t.Latency, x.mul(extra, t.CPI)), t)
	c.timing.CPI = x.bounded(x.mul(x.add(WholeCycles(1), extra), t.CPI), t)
	return c, x.err
}

// also adds to the rule.
func (c *context) also(rule string) {
	if c.rule != "" {
		c.rule += "; "
	}
	c.rule += rule
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + strings.TrimSpace(why) + ")"
}

// exact is arithmetic that remembers its first error.
type exact struct{ err error }

func (x *exact) keep(c Cycles, err error) Cycles {
	if err != nil && x.err == nil {
		x.err = err
	}
	return c
}

func (x *exact) add(a, b Cycles) Cycles { return x.keep(a.Add(b)) }
func (x *exact) mul(a, b Cycles) Cycles { return x.keep(a.Mul(b)) }

// bounded rounds to 1/100 cycle what neither contextDenominator nor the
// denominators of the entry take.
func (x *exact) bounded(c Cycles, entry Timing) Cycles {
	common := CommonMultiple(CommonMultiple(entry.CPI.Den(), entry.Latency.Den()), contextDenominator)
	if common%c.Den() == 0 {
		return c
	}
	hundredths := x.mul(c, WholeCycles(100))
	half := x.add(hundredths, Cycles{1, 2})
	return lowest(max(half.Num()/half.Den(), 1), 100)
}
