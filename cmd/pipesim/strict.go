package main

import (
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

const strictUsage = "fail where something is assumed: by idgen, or addresses that are not known"

// assumed are the assumptions about a program that a prediction would rest on, as errors: those that idgen noted,
// and addresses that neither the graph nor --set tells.
func (s *subject) assumed() error {
	var list diag.List
	for _, n := range s.graph.Notes {
		e := diag.Errorf(n.Pos, n.Code, "%s", n.Text)
		if n.Advice != "" {
			e.WithNote("%s", n.Advice)
		}
		if diag.IsAssumption(e) {
			list.Add(e)
		}
	}
	m, err := s.mapper.Map(s.graph)
	if err != nil {
		return err
	}
	for _, id := range m.UnknownAddresses(s.graph) {
		in := s.graph.Instr(id)
		selector := latencies.Selector{Name: in.Op, Buffer: s.graph.Access(in.Access).Buffer}
		list.Add(diag.Errorf(in.Pos, "ASSUMED-ADDRESSES", "%s: %s", in.Op, m.Entry(id).Assumed).
			WithNote("give them with --set '%v:addresses=coalesced', scattered or same", selector))
	}
	return list.Sorted().Err()
}

// checkAssumed is assumed for each graph of a sweep, on each device, if --strict is set.
func (o *sweepOptions) checkAssumed() error {
	if !o.strict {
		return nil
	}
	for _, g := range o.space.Graphs {
		devices := o.space.Devices
		if len(devices) == 0 {
			devices = []*latencies.Device{g.Device}
		}
		for _, d := range devices {
			mapper, err := latencies.NewMapper(d, o.space.Rules)
			if err != nil {
				return err
			}
			s := subject{graph: g.Graph, target: &target{device: d, mapper: mapper}}
			if err := s.assumed(); err != nil {
				return err
			}
		}
	}
	return nil
}
