package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// extraTraffic: device memory moves more than the data that the launch touches. Nobody knows that of stores at unknown
// addresses.
func extraTraffic(r *Run) ([]trial, error) {
	t := r.Mapping.Traffic
	if t == nil || t.Partial || slices.ContainsFunc(r.Mapping.UnknownAddresses(r.Graph), func(id idg.InstrID) bool {
		return r.Graph.Instr(id).IsStore()
	}) {
		return nil, nil
	}
	all, least := t.ReadBytes+t.WrittenBytes, t.CompulsoryReadBytes+t.CompulsoryWrittenBytes
	if least == 0 || float64(all) < (1+Least)*float64(least) {
		return nil, nil
	}
	o := r.Options
	o.LeastTraffic = true
	return r.mappedWith(o, Finding{
		What:  "device memory moves data more often than once",
		Proof: fmt.Sprintf("%.3g times the bytes that the launch touches", float64(all)/float64(least)),
		Remedy: "let groups that run at the same time touch the same data: another order of the groups or loops, or " +
			"tiles that fit in L2",
	})
}

// partialWrites: stores leave bytes of their sectors out, which device memory with a checksum over each reads first
// (latencies/levels_partial.go has the source).
func partialWrites(r *Run) ([]trial, error) {
	var first *idg.Instr
	var names []string
	moved, filled, most := 0.0, 0.0, 0.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		total := c.Entry.Served.Total()
		if !c.Instr.IsStore() || total == 0 || c.Issued == 0 {
			continue
		}
		sectors := float64(c.Issued) * float64(c.Entry.Transactions) / total
		moved += sectors * c.Entry.Served.Memory
		if n := sectors * c.Entry.Served.Filled; n > 0 {
			if filled += n; n > most {
				first, most = c.Instr, n
			}
			if name := r.Graph.Access(c.Instr.Access).Buffer; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if first == nil {
		return nil, nil
	}
	o := r.Options
	o.WholeWrites = true
	return r.mappedWith(o, Finding{
		Pos: first.Pos,
		What: fmt.Sprintf("rows of %s are written in parts, and device memory reads the rest of a sector first",
			and(names)),
		Proof: fmt.Sprintf("%.0f%% of the sectors of %d bytes that are written", 100*filled/max(moved, filled),
			r.Graph.SectorBytes()),
		Remedy: "write whole sectors: the padding behind a row as well, or no padding; all fields of a structure at " +
			"once",
	})
}

// mappedWith is the trial of the run mapped with other options, which leave device memory less to move, but its
// latency.
func (r *Run) mappedWith(o latencies.Options, f Finding) ([]trial, error) {
	m, err := r.Mapper.MapWith(r.Graph, o)
	if err != nil {
		return nil, err
	}
	for i := range m.Entries {
		m.Entries[i].Timing.Latency = r.Mapping.Entries[i].Timing.Latency
	}
	if r.gain(m) < Least {
		return nil, nil
	}
	t := r.trial(f)
	t.Mapping = m
	return []trial{t}, nil
}
