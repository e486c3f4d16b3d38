package latencies

import (
	"fmt"

	"gpupipe/idg"
)

// DependentLatency is Λ of an instruction for what waits for it in one subsystem (V16
// 4.7: on Maxwell CUDA cores get the results of other units earlier).
type DependentLatency struct {
	Subsystem SubsystemID
	Latency   Cycles
	Source    string
}

// maxDependents bounds the programs whose dependents are looked at: about a second's work.
const maxDependents = 1 << 22

// forwarded is an entry's Λ for some of what waits for it.
type forwarded struct {
	DependentLatency
	less Cycles      // than the entry's Λ for all else
	id   idg.InstrID // of the class
}

// forwarded lists what waits for less than the entry's Λ.
func (in *Instruction) forwarded() []forwarded {
	var list []forwarded
	for _, d := range in.Dependents {
		if less, err := in.Timing.Latency.Sub(d.Latency); err == nil {
			list = append(list, forwarded{DependentLatency: d, less: less})
		}
	}
	return list
}

// forDependents shortens Λ of the classes whose dependents are all executed by a subsystem
// that gets results earlier. Where others wait, too, or the program is too long to look
// at, Λ stays, and that is said.
func (m *mapping) forDependents(g *idg.Graph) {
	if len(m.earlier) == 0 {
		return
	}
	waiting, known := m.dependents(g)
	for _, d := range m.earlier {
		e, name := &m.out.Entries[d.id-1], m.out.Subsystems[d.Subsystem]
		switch w := waiting[d.id-1]; {
		case known && !w[d.Subsystem]:
		case !known || len(w) > 1:
			e.Assumed = join(append(nonEmpty(e.Assumed),
				fmt.Sprintf("latency %v for all that wait, also for %s, which gets the result %v cycles earlier",
					e.Timing.Latency, name, d.less)))
		default:
			if shorter, err := e.Timing.Latency.Sub(d.less); err == nil && shorter.Num() > 0 {
				e.Timing.Latency = shorter
				e.Source += fmt.Sprintf("; latency to %s: %s", name, d.Source)
			}
		}
	}
}

// nonEmpty is a list of a text, if there is one.
func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// dependents is, by class, the subsystems of the instructions that wait for one of it to
// complete; false if a program is too long.
func (m *mapping) dependents(g *idg.Graph) ([]map[SubsystemID]bool, bool) {
	waiting := make([]map[SubsystemID]bool, len(m.out.Entries))
	for _, p := range g.Programs() {
		flat, err := p.Expanded(maxDependents)
		if err != nil {
			return waiting, false
		}
		for v := range idg.NodeID(flat.Len()) {
			from, kind := flat.Preds(v)
			for i, u := range from {
				if kind[i] == idg.Order {
					continue
				}
				c := flat.Instr(u) - 1
				if waiting[c] == nil {
					waiting[c] = map[SubsystemID]bool{}
				}
				waiting[c][m.out.Entries[flat.Instr(v)-1].Subsystem] = true
			}
		}
	}
	return waiting, true
}
