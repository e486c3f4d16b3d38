package main

import (
	"fmt"
	"io"
	"strings"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// remark is something that a prediction rests on, at a place in the source or none; or an
// op without parameters of its own.
type remark struct{ place, text, lacking string }

// remarksOf are what idgen and pipesim would say about one configuration: what was
// assumed of the kernel, which parameters the device lacks, and how the run was simulated.
func remarksOf(g *idg.Graph, m *latencies.Mapping, r *simulate.Result) []remark {
	var list []remark
	for _, n := range g.Notes {
		list = append(list, remark{place: n.Pos.String(), text: n.Text})
	}
	lacking := map[string]bool{}
	for i := range m.Entries {
		if op := g.Instrs()[i].Op; m.Entries[i].Fallback != "" && !lacking[op] {
			lacking[op] = true
			list = append(list, remark{lacking: op})
		}
	}
	for _, w := range m.Warnings {
		list = append(list, remark{place: w.Pos.String(), text: w.Message})
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
	var ops []string // without parameters, in the order in which they were met
	lacking := map[string]int{}
	for i := range s.outcomes {
		for _, r := range s.outcomes[i].remarks {
			switch {
			case r.lacking == "":
				all.add(i, r.place, r.text)
				continue
			case lacking[r.lacking] == 0:
				ops = append(ops, r.lacking)
			}
			lacking[r.lacking]++
		}
	}
	if len(all.entries)+len(ops) == 0 {
		return
	}
	fmt.Fprintf(w, "\nWhat the predictions rest on (number of configurations):\n\n")
	for _, e := range all.most() {
		fmt.Fprintf(w, "- %v (%d)\n", e, e.count)
	}
	if len(ops) > 0 {
		for i, op := range ops {
			ops[i] = fmt.Sprintf("%s (%d)", op, lacking[op])
		}
		fmt.Fprintf(w, "- no measured parameters for %s; using those of similar instructions (pipesim --explain "+
			"shows which)\n", strings.Join(ops, ", "))
	}
}
