package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// summary counts results.
type summary struct {
	files, kernels, graphs    int
	reasons                   []reasonCount // most frequent first
	slowest, largest, fattest result
}

// reasonCount is how many kernels one reason keeps from giving a graph.
type reasonCount struct {
	reason  string
	kernels int
	example result
}

func summarise(results []result) summary {
	var s summary
	files := map[string]bool{}
	counts := map[string]*reasonCount{}
	for _, r := range results {
		files[r.File] = true
		s.kernels++
		if r.Millis > s.slowest.Millis {
			s.slowest = r
		}
		if r.Nodes > s.largest.Nodes {
			s.largest = r
		}
		if r.Heap > s.fattest.Heap {
			s.fattest = r
		}
		if r.Stage == "" {
			s.graphs++
			continue
		}
		key := generalise(r.Reason)
		if counts[key] == nil {
			counts[key] = &reasonCount{reason: key, example: r}
		}
		counts[key].kernels++
	}
	s.files = len(files)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		s.reasons = append(s.reasons, *counts[key])
	}
	slices.SortStableFunc(s.reasons, func(a, b reasonCount) int { return cmp.Compare(b.kernels, a.kernels) })
	return s
}

// share is the percentage of kernels that give a graph.
func (s *summary) share() float64 {
	if s.kernels == 0 {
		return 0
	}
	return 100 * float64(s.graphs) / float64(s.kernels)
}

var (
	position   = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)
	quoted     = regexp.MustCompile(`"[^"]*"`)
	number     = regexp.MustCompile(`\b\d[\d.]*\b`)
	several    = regexp.MustCompile(`^(error\[UNDECLARED\]: )\d+ (names that look like macros are not declared).*$`)
	unexpected = regexp.MustCompile(`^(error\[SYNTAX\]: .* is expected.*), not .*$`)
	undeclared = regexp.MustCompile(`^(error\[UNDECLARED\]: (?:type |function )?).*?( is not declared.*)$`)
)

// generalise takes out of a message what makes it one kernel's own.
func generalise(reason string) string {
	s := position.ReplaceAllString(reason, "")
	s = several.ReplaceAllString(s, "$1$2")
	if !strings.Contains(s, "look like macros") {
		s = undeclared.ReplaceAllString(s, "${1}NAME${2}")
	}
	s = unexpected.ReplaceAllString(s, "$1")
	s = quoted.ReplaceAllString(s, `"..."`)
	return number.ReplaceAllString(s, "N")
}

func (s *summary) write(w io.Writer, lines int) {
	fmt.Fprintf(w, "%d of %d kernels in %d files give a graph: %.1f%%\n", s.graphs, s.kernels, s.files, s.share())
	if s.slowest.File != "" {
		fmt.Fprintf(w, "slowest: %s in %s, %.0f ms\n", s.slowest.Kernel, s.slowest.File, s.slowest.Millis)
	}
	if s.largest.Nodes > 0 {
		fmt.Fprintf(w, "largest: %s in %s, %d instructions\n", s.largest.Kernel, s.largest.File, s.largest.Nodes)
	}
	if s.fattest.Heap > 0 {
		fmt.Fprintf(w, "peak memory: %s in %s, %d MiB\n", s.fattest.Kernel, s.fattest.File, s.fattest.Heap>>20)
	}
	if len(s.reasons) == 0 {
		return
	}
	fmt.Fprintf(w, "\nkernels  reason\n")
	for i, r := range s.reasons {
		if i == lines {
			fmt.Fprintf(w, "         and %d more reasons\n", len(s.reasons)-lines)
			break
		}
		fmt.Fprintf(w, "%7d  %s\n         as in %s, %s: %s\n", r.kernels, r.reason, r.example.File, r.example.Kernel,
			r.example.Reason)
	}
}

// writeCSVFile writes one line for each kernel.
func writeCSVFile(path string, results []result) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := writeCSV(f, results); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func writeCSV(w io.Writer, results []result) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"file", "kernel", "graph", "stage", "reason", "instructions", "ms", "heap_bytes"}}
	for _, r := range results {
		rows = append(rows, []string{r.File, r.Kernel, strconv.FormatBool(r.Stage == ""), r.Stage, r.Reason,
			strconv.Itoa(r.Nodes), strconv.FormatFloat(r.Millis, 'f', 1, 64), strconv.FormatInt(r.Heap, 10)})
	}
	return c.WriteAll(rows)
}
