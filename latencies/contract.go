package latencies

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Timing is the pair of parameters of one instruction in its context on one
// device, always together: CPI λ (the time for which the instruction keeps its
// subsystem busy, in cycles per warp instruction on one compute unit) and
// latency Λ (from issue until a dependent instruction may issue).
type Timing struct {
	CPI     Cycles // λ > 0
	Latency Cycles // Λ > 0
}

// SubsystemID indexes Mapping.Subsystems and Device.Subsystems.
type SubsystemID uint32

// Entry is the parameters that the mapper g chose for one instruction
// class of a graph.
type Entry struct {
	Subsystem SubsystemID
	Timing    Timing
	// Second is another subsystem that the instruction keeps busy at the same time, with a λ of
	// its own; zero = none.
	Second Charge
	// MoreSlots is how many issue slots it takes beyond one; -1 if it is issued together with
	// another instruction.
	MoreSlots int
	// Matched names the device entry or the --set rule that was used, e.g.
	// "fma.f32", "ld.local (set)".
	Matched string
	// Source is where the numbers come from ("A T.5"), with the rule applied to
	// them when the context changed them ("A 6.3: R = 2").
	Source string
	// Fallback says, when no entry matched the op itself, which step of the
	// fallback chain was taken; empty for a direct match.
	Fallback string
	// Assumed says what was assumed about the access, such as addresses that are not
	// known; empty for nothing.
	Assumed string
	// Addresses is what addresses are taken to be that are not known; 0 where that is what suits the address space.
	// Told says that a rule takes them so.
	Addresses Addresses
	Told      bool
	// Transactions is the number of memory transactions (global) or of passes
	// over the banks (local: 1 + conflict degree); 0 for other instructions.
	Transactions int
	// Least is Transactions of such an access with consecutive addresses, 0 where Transactions is.
	Least int
	// Turns is the part of λ for which updates of one word wait for each other; 0 for other instructions.
	Turns Cycles
	// Module is R and D of the access, as found or given by a rule.
	Module Module
	// Served says which levels of the memory serve the sectors that one group's
	// executions of the class request; zero where the graph does not tell its
	// locality, apart from private memory that is assumed to be in L1. A given R is shares of L2 and
	// device memory.
	Served Served
}

// Slots is how many issue slots the instruction takes.
func (e *Entry) Slots() int { return 1 + e.MoreSlots }

// Charge is for how long an instruction keeps a subsystem busy.
type Charge struct {
	Subsystem SubsystemID
	CPI       Cycles // λ
}

// Charges are those of the entry, one or two.
func (e *Entry) Charges() []Charge {
	first := Charge{e.Subsystem, e.Timing.CPI}
	if e.Second.CPI.IsZero() {
		return []Charge{first}
	}
	return []Charge{first, e.Second}
}

// Mapping is a graph's instruction classes mapped to a device.
type Mapping struct {
	Device     *Device
	Subsystems []string // names by SubsystemID
	Entries    []Entry  // by idg.InstrID - 1
	// Traffic is what the launch moves from and to device memory, beside what no
	// cache can avoid; nil where the graph does not tell its locality.
	Traffic *Traffic
	// UnitsAtWork are the compute units among which device memory is shared out; the
	// zero value is all of the device, as where the graph does not tell its locality.
	UnitsAtWork UnitsAtWork
	// Warnings lists --set rules that matched nothing and assumptions that may
	// surprise.
	Warnings diag.List
	// Remarks are what else a prediction rests on, a sentence each.
	Remarks []string
}

// UnitsAtWork is a number of compute units: the groups of a launch by those of a unit that
// runs most. 108 units share out the memory as 864 / 8 if they run 864 groups, and as
// 760 / 8 = 95 if some run 8 and others 7 of 760.
type UnitsAtWork struct{ Groups, PerUnit int64 }

// UnknownAddresses are the accesses at addresses that neither the graph nor a rule tells, as those of x[col[i]].
func (m *Mapping) UnknownAddresses(g *idg.Graph) (list []idg.InstrID) {
	for i := range m.Entries {
		id := idg.InstrID(i + 1)
		e, a := m.Entry(id), g.Access(g.Instr(id).Access)
		if a != nil && !a.Known() && a.Space != idg.SpacePrivate && e.Assumed != "" &&
			(e.Addresses == 0 || e.Addresses == Scattered && !e.Told) {
			list = append(list, id)
		}
	}
	return list
}

// Entry returns the parameters of an instruction class.
func (m *Mapping) Entry(id idg.InstrID) *Entry { return &m.Entries[id-1] }
