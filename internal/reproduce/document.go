package main

import (
	"bytes"
	"fmt"
	"strings"
)

// document writes the sections, what cannot be recomputed, and the figures.
func document(sections []section, figures []figure) ([]byte, error) {
	var b bytes.Buffer
	agreeing, differing := 0, 0
	var body bytes.Buffer
	for i := range sections {
		a, d, err := writeSection(&body, &sections[i])
		if err != nil {
			return nil, err
		}
		agreeing, differing = agreeing+a, differing+d
	}
	fmt.Fprintf(&b, `# Published results, recomputed

Written by `+"`go run ./internal/reproduce`"+`; do not edit. A test checks that it is current.

P19: *The pipeline performance model: a generic GPU performance model* (PDP 2019); A: Lemeire, Cornelis, Konstantinidis, *Analysis of the Analytical
Performance Models for GPUs and Extracting the Underlying Pipeline Model*; V16: Volkov, *Understanding Latency Hiding on GPUs* (2016); L4: lecture slides of
the first authors. The numbers of the sections are those by which kernels and tests refer to a result.

Of %d numbers %d agree with their source to the last digit that it prints; the other %d say why they differ. A published value of 0 stands for a printed formula, and
ours is the largest relative difference from it over the range that is named.

`, agreeing+differing, agreeing, differing)
	b.Write(body.Bytes())
	writeImpossible(&b)
	writeFigures(&b, figures)
	return b.Bytes(), nil
}

// writeSection writes a section and counts its entries.
func writeSection(b *bytes.Buffer, s *section) (agreeing, differing int, err error) {
	title := s.title
	if s.number > 0 {
		title = fmt.Sprintf("%d. %s", s.number, s.title)
	}
	fmt.Fprintf(b, "## %s\n\n", title)
	if s.text != "" {
		fmt.Fprintf(b, "%s\n\n", s.text)
	}
	if s.tests != "" {
		defer func() { fmt.Fprintf(b, "Tests: %s.\n\n", s.tests) }()
	}
	if len(s.entries) == 0 {
		return 0, 0, nil
	}
	b.WriteString("| source | what | published | ours | difference |\n|---|---|---:|---:|---:|\n")
	var notes []string
	for i := range s.entries {
		e := &s.entries[i]
		ours, err := e.ours()
		if err != nil {
			return 0, 0, fmt.Errorf("%s, %s: %w", e.source, e.what, err)
		}
		mark := ""
		if e.differs == "" {
			agreeing++
		} else {
			differing++
			notes = append(notes, e.differs)
			mark = fmt.Sprintf(" (%c)", 'a'+rune(len(notes)-1))
		}
		unit := ""
		if e.unit != "" {
			unit = " " + e.unit
		}
		fmt.Fprintf(b, "| %s | %s | %s%s | %s%s%s | %s |\n", e.source, e.what, e.published, unit, e.shown(ours), unit, mark, e.difference(ours))
	}
	b.WriteString("\n")
	for i, n := range notes {
		fmt.Fprintf(b, "(%c) %s\n\n", 'a'+rune(i), n)
	}
	return agreeing, differing, nil
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
	{"P19 T.II and T.III", "λ and Λ of instructions and of the matrices' accesses", "measured; they are inputs here (devices c2050-p19, gtx1060-p19, and `--set`)"},
	{"A T.4 and T.5", "issue limits, λ and Λ of six GPUs", "measured; they are inputs here (the device files cite them)"},
	{"A 6.3", "MAPE and MAPE_shape of all models over 14 Rodinia kernels: Pipeline 22 / 8.1, 23 / 5.2 and 27.8 / 6 (Maxwell, Pascal, Turing), Volkov 36, 44, 78.7, corrected WFG 29, 27, 41", "the measured times are not published; `pipesim compare` computes the same for any measured file"},
	{"A", "errors of the instruction mix (6.7, 7.1, 20.5%) and the barrier kernel (3.8, 3.9, 5.1%)", "the measured times are not published"},
	{"V16 T.6.1, T.6.2, T.6.5", "throughputs, latencies and loaded latencies of five GPUs", "measured; they are inputs here"},
	{"V16 3.7", "issue latencies (Fermi 6, Kepler 3), block replacement time", "measured; they are inputs here"},
	{"L4", "λ and Λ of the Quadro P520 and the GTX 650 Ti by microbenchmark", "measured"},
}

// writeFigures lists the drawings.
func writeFigures(b *bytes.Buffer, figures []figure) {
	b.WriteString("## Figures\n\nDrawn by our own code after the figures of the sources that are named. The drawings of the sources are not at hand: the subjects follow the text that " +
		"they belong to, the data are computed, and nothing is compared point by point.\n\n")
	for _, f := range figures {
		caption := strings.TrimSpace(f.caption)
		fmt.Fprintf(b, "**%s.** %s\n\n![%s](%s/%s.svg)\n\n", f.source, caption, f.source, figureFolder, f.name)
	}
}
