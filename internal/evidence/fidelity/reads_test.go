package fidelity

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/evidence/sass"
)

// readDevices are the compute capabilities of which a sub-core has lanes for the multiply-adds of a warp
// in each cycle, so that the ports can be what limits them.
var readDevices = []string{"sm_86", "sm_90"}

// Limits of how far the words of an instruction are off, of each kernel and in the median.
const (
	readsOff    = 0.25
	readsMedian = 0.08
)

// TestRegisterReads compares how many words the floating instructions of a graph read
// through the ports of the register file with how many machine code reads, and writes docs/evidence/tables.
func TestRegisterReads(t *testing.T) {
	recorded := portsRecorded(t)
	var table, costs strings.Builder
	var off []float64
	for _, s := range readSources(t) {
		instructions, words := graphReads(t, s)
		fmt.Fprintf(&table, "| %s | %d |", s.name, instructions)
		fmt.Fprintf(&costs, "| %s |", s.name)
		fmt.Fprintf(&table, " %s |", perInstruction(words, instructions))
		for _, device := range readDevices {
			p := recorded[compiled{fileName(s.name), device}]
			fmt.Fprintf(&table, " %s |", perInstruction(p.words, p.float))
			d := math.Abs(difference(words*p.float, p.words*instructions))
			if off = append(off, d); d > readsOff {
				t.Errorf("%s for %s: %d words for %d instructions, machine code reads %d for %d", s.name, device, words,
					instructions, p.words, p.float)
			}
			fmt.Fprintf(&costs, " %d | %.2f | %.2f |", p.issued, float64(p.ideal)/float64(p.issued),
				float64(p.cycles)/float64(p.issued))
		}
		table.WriteByte('\n')
		costs.WriteByte('\n')
	}
	slices.Sort(off)
	if median := off[len(off)/2]; median > readsMedian {
		t.Errorf("the words of an instruction are off by %.1f%% in the median, want at most %g%%", 100*median,
			100*readsMedian)
	}
	writeSection(t, "reads", table.String())
	writeSection(t, "reads_costs", costs.String())
}

// perInstruction is a mean with two digits.
func perInstruction(words, instructions int64) string {
	return fmt.Sprintf("%.2f", float64(words)/float64(instructions))
}

// graphReads counts the floating instructions that warp 0 of a graph of machine code executes, and the words that
// they read.
func graphReads(t *testing.T, s source) (instructions, words int64) {
	t.Helper()
	g := machineCodeGraph(t, s)
	p := g.ProgramOf(0)
	reads := g.RegisterReads(p)
	times := make([]int64, p.StaticLen())
	for i := range times {
		times[i] = 1
	}
	for _, r := range p.Repeats() {
		for i := r.First; i < r.End; i++ {
			times[i] *= r.Count
		}
	}
	for i, n := range times {
		if machineOps(g.Instr(p.StaticInstr(idg.StaticID(i))).Op)[sass.Float] > 0 {
			instructions += n
			words += n * int64(reads[i])
		}
	}
	return instructions, words
}
