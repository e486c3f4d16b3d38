package main

import (
	"bytes"
	"fmt"
	"strings"
)

// tally counts entries by what computes them and what comparing them gave.
type tally map[origin]map[outcome]int

// document writes the sections and what cannot be recomputed.
func document(sections []section) ([]byte, error) {
	counts := tally{}
	var body bytes.Buffer
	for i := range sections {
		if err := writeSection(&body, &sections[i], counts); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.WriteString("<!-- Generated: go run ./internal/evidence/reproduce -->\n# Published results, recomputed\n\n" +
		"P19: *The pipeline performance model: a generic GPU performance model* (PDP 2019); A: Lemeire, Cornelis, " +
		"Konstantinidis, *Analysis of the Analytical Performance Models for GPUs and Extracting the Underlying " +
		"Pipeline Model*; V16: Volkov, *Understanding Latency Hiding on GPUs* (2016); L4: lecture slides of the " +
		"first authors. Kernels and tests refer to a result by the number of its section.\n\n")
	writeCounts(&b, counts)
	b.Write(body.Bytes())
	b.WriteString(treated + "\n")
	writeImpossible(&b)
	return b.Bytes(), nil
}

// writeCounts writes the entries by origin and outcome, and what these words mean.
func writeCounts(b *bytes.Buffer, counts tally) {
	b.WriteString("| origin |")
	for _, o := range outcomes {
		fmt.Fprintf(b, " %s |", o)
	}
	b.WriteString(" rows |\n|---|" + strings.Repeat("---:|", len(outcomes)+1) + "\n")
	row := func(name string, froms ...origin) {
		fmt.Fprintf(b, "| %s |", name)
		rows := 0
		for _, o := range outcomes {
			n := 0
			for _, from := range froms {
				n += counts[from][o]
			}
			fmt.Fprintf(b, " %d |", n)
			rows += n
		}
		fmt.Fprintf(b, " %d |\n", rows)
	}
	for _, from := range origins {
		row(fmt.Sprint(from), from)
	}
	row("all", origins[:]...)
	b.WriteString(`
Origin, what computes our number: **pipe**, a kernel's source text, resolved and, where needed, simulated;
**simulation**, a graph made by hand; **formula**, the code of a model on inputs from the source, those of a GPU from
its device file.

Outcome: a number **agrees** if the source prints it, to the last digit. It **follows** if the source prints only what
it is computed from (ours in brackets). It **equals the formula** if it is nowhere in the named range farther from a
printed formula than rounding, of λ in a device file to 1/100 cycle too. It agrees **by construction** if its inputs
were chosen so. Otherwise it **differs**, for the reason given.

`)
}

// writeSection writes a section and counts its entries.
func writeSection(b *bytes.Buffer, s *section, counts tally) error {
	title := s.title
	if s.number > 0 {
		title = fmt.Sprintf("%d. %s", s.number, s.title)
	}
	fmt.Fprintf(b, "## %s\n\n", title)
	if s.text != "" {
		fmt.Fprintf(b, "%s\n\n", s.text)
	}
	if len(s.entries) > 0 {
		if err := writeEntries(b, s, counts); err != nil {
			return err
		}
	}
	for _, c := range s.commands {
		fmt.Fprintf(b, "```console\n$ %s\n```\n\n```\n%s\n```\n\n", c.line, c.prints)
	}
	if s.tests != "" {
		fmt.Fprintf(b, "Tests: %s.\n\n", s.tests)
	}
	return nil
}

func writeEntries(b *bytes.Buffer, s *section, counts tally) error {
	b.WriteString("| where | what | origin | the source | ours | outcome |\n|---|---|---|---:|---:|---|\n")
	var notes []string // each once
	mark := func(note string) string {
		for i, n := range notes {
			if n == note {
				return fmt.Sprintf(" (%c)", 'a'+rune(i))
			}
		}
		notes = append(notes, note)
		return fmt.Sprintf(" (%c)", 'a'+rune(len(notes)-1))
	}
	for i := range s.entries {
		e := &s.entries[i]
		ours, err := e.ours()
		if err != nil {
			return fmt.Errorf("%s, %s: %w", e.source, e.what, err)
		}
		got, err := e.outcome(ours)
		if err != nil {
			return err
		}
		from := e.from(s)
		if counts[from] == nil {
			counts[from] = map[outcome]int{}
		}
		counts[from][got]++
		text := got.String()
		switch {
		case got == differs && !e.deviation:
			said, _, _ := e.said()
			text = fmt.Sprintf("%+.2g%%", 100*(ours/said-1)) + mark(e.differs)
		case e.construction != "":
			text += mark(e.construction)
		case e.differs != "":
			text += mark(e.differs)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", e.source, e.what, from, e.left(), e.right(ours), text)
	}
	b.WriteString("\n")
	for i, n := range notes {
		fmt.Fprintf(b, "(%c) %s\n\n", 'a'+rune(i), n)
	}
	return nil
}

// from is what computes an entry of a section.
func (e *entry) from(s *section) origin {
	if e.origin != 0 {
		return e.origin
	}
	return s.origin
}

// writeImpossible lists what cannot be recomputed.
func writeImpossible(b *bytes.Buffer) {
	b.WriteString("## What cannot be recomputed\n\n| source | what | why |\n|---|---|---|\n")
	for _, x := range impossible {
		fmt.Fprintf(b, "| %s | %s | %s |\n", x.source, x.what, x.why)
	}
	b.WriteString("\n")
}

// impossible is what the sources print and nobody without their measurements
// can compute.
var impossible = []struct{ source, what, why string }{
	{"P19 T.II", "errors of the paper's simulation against measurement", "the measured times are not printed"},
	{"P19 T.II and T.III", "λ and Λ of instructions and of the matrices' accesses",
		"measured; they are inputs here (devices c2050-p19, gtx1060-p19, and `--set`)"},
	{"A T.4 and T.5", "issue limits, λ and Λ of six GPUs",
		"measured; they are inputs here (the device files cite them)"},
	{"A 6.3", "MAPE and MAPE_shape of all models over 14 Rodinia kernels: Pipeline 22 / 8.1, 23 / 5.2 and 27.8 / 6 " +
		"(Maxwell, Pascal, Turing), Volkov 36, 44, 78.7, corrected WFG 29, 27, 41",
		"the measured times are not published; `pipesim compare` computes the same for any measured file. " +
			"Against our own simulation of these kernels on six GPUs, Volkov's model has 7 to 18, the roofline " +
			"31 to 110"},
	{"A", "errors of the instruction mix (6.7, 7.1, 20.5%) and the barrier kernel (3.8, 3.9, 5.1%)",
		"the measured times are not published"},
	{"V16 T.6.1, T.6.2, T.6.5", "throughputs, latencies and loaded latencies of five GPUs",
		"measured; they are inputs here"},
	{"V16 3.7", "issue latencies (Fermi 6, Kepler 3), block replacement time", "measured; they are inputs here"},
	{"L4", "λ and Λ of the Quadro P520 and the GTX 650 Ti by microbenchmark", "measured"},
}
