package main

import (
	"fmt"
	"io"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// remark is something that a prediction rests on, at a place in the source or none.
type remark struct{ place, text string }

// remarksOf are what idgen and pipesim would say about one configuration: what was
// assumed of the kernel, which parameters the device lacks, and how the run was simulated.
func remarksOf(g *idg.Graph, m *latencies.Mapping, r *simulate.Result) []remark {
	var list []remark
	for _, n := range g.Notes {
		list = append(list, remark{n.Pos.String(), n.Text})
	}
	lacking := map[string]bool{}
	for i := range m.Entries {
		if f := m.Entries[i].Fallback; f != "" && !lacking[f] {
			lacking[f] = true
			list = append(list, remark{text: f})
		}
	}
	for _, w := range m.Warnings {
		list = append(list, remark{w.Pos.String(), w.Message})
	}
	for _, n := range r.Notes {
		list = append(list, remark{text: n})
	}
	return list
}

// writeAssumed lists what the predictions rest on, each with the number of
// configurations that it holds for.
func (s *study) writeAssumed(w io.Writer) {
	var all tally
	for i := range s.outcomes {
		for _, r := range s.outcomes[i].remarks {
			all.add(i, r.place, r.text)
		}
	}
	if len(all.entries) == 0 {
		return
	}
	fmt.Fprintf(w, "\nWhat the predictions rest on (number of configurations):\n\n")
	for _, e := range all.most() {
		fmt.Fprintf(w, "- %v (%d)\n", e, e.count)
	}
}
