package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// longCode: the code does not fit into the instruction cache. It is simulated as if it did.
func longCode(r *Run) ([]trial, error) {
	unit := latencies.SubsystemID(slices.Index(r.Mapping.Subsystems, latencies.FetchSubsystem))
	fetched := func(e *latencies.Entry) bool { return !e.Second.CPI.IsZero() && e.Second.Subsystem == unit }
	all := r.partOf(func(c *simulate.ClassUse) bool { return fetched(c.Entry) })
	if all.top == nil {
		return nil, nil
	}
	cache := r.Mapping.Device.InstructionCache
	t := r.trialOf(Finding{
		Pos:  all.top.Pos,
		What: "the code is longer than the instruction cache",
		Proof: fmt.Sprintf("%d instructions; the cache of a compute unit holds %d, and has lost the first of them "+
			"when the last are executed", r.Graph.Resources.Instructions, cache),
		Remedy: fmt.Sprintf("smaller unroll factors, so that what is repeated is less than %d instructions", cache),
	}, func(in *idg.Instr) bool { return true })
	m := *r.Mapping
	m.Entries = slices.Clone(m.Entries)
	for i := range m.Entries {
		if e := &m.Entries[i]; fetched(e) {
			e.Second = latencies.Charge{}
		}
	}
	t.Remedied = remedy.Remedied{Graph: r.Graph, Mapping: &m}
	return []trial{t}, nil
}
