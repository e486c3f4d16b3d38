package main

import (
	"fmt"
	"io"
	"strings"
)

// LoopCase is a loop of the source with what real compilers decided, by the columns of the table.
type LoopCase struct {
	Source *Source
	Line   int
	Copies map[string]int
}

// unrollColumns are the compilers of the table and what a compiler is asked for to be compared with each.
var unrollColumns = []struct {
	column string
	target Target
}{
	{"nvcc_ptx", Target{"ptx", "nvcc-11.8"}},
	{"nvcc_sass", Target{"sm_80", "nvcc-11.8"}},
	{"clang_nvptx", Target{"sm_80", "clang-nvptx-14"}},
	{"clang_amdgcn", Target{"gfx90a", "clang-amdgcn-14"}},
}

// readLoops reads the table.
func readLoops(sources []Source) (list []LoopCase, err error) {
	t, err := readTable("truth/unroll.tsv")
	if err != nil {
		return nil, err
	}
	at := map[string]*Source{}
	for i := range sources {
		if sources[i].Set == "loops" {
			at[sources[i].Name] = &sources[i]
		}
	}
	for _, row := range t.rows {
		line, err := t.number(row, "line")
		if err != nil {
			return nil, err
		}
		c := LoopCase{Source: at[row[0]], Line: int(line), Copies: map[string]int{}}
		if c.Source == nil {
			return nil, fmt.Errorf("unroll.tsv: %s is not in kernels.tsv", row[0])
		}
		for _, u := range unrollColumns {
			if c.Copies[u.column], err = parseCopies(t.get(row, u.column)); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// firstLine is that of an error.
func firstLine(err error) string {
	line, _, _ := strings.Cut(fmt.Sprint(err), "\n")
	return line
}

// copies is what a result says of the loop at a line. inner is the line of the loop within, whose body begins in the
// next one, 0: none. Where that may have no trip, the outer one may be there once more, without it (flow.decisions).
func (r *Result) copies(line, inner int) (n int) {
	for _, l := range r.Loops {
		if l.Line == line && (inner == 0 || l.Lines[inner+1]) {
			n = max(n, int(l.Copies))
		}
	}
	return n
}

// writeLoops compares decisions: a summary, and the loops that are not equal. It returns the summary.
func writeLoops(w io.Writer, loops []LoopCase, most int) map[string]share {
	shares, shown := map[string]share{}, map[string]int{}
	fmt.Fprintln(w, "\n| Decisions of | equal |\n|---|---|")
	var details strings.Builder
	for _, u := range unrollColumns {
		var cases []Case
		for _, l := range loops {
			if len(cases) == 0 || cases[len(cases)-1].Source != l.Source {
				cases = append(cases, Case{Source: l.Source, Target: u.target})
			}
		}
		results := map[*Source]Row{}
		for _, r := range compareAll(cases) {
			results[r.Source] = r
		}
		var equal share
		off := func(l *LoopCase, text string) {
			if shown[u.column]++; shown[u.column] <= most {
				fmt.Fprintf(&details, "%-12s %-24s line %-4d %.100s\n", u.column, l.Source.Name, l.Line, text)
			}
		}
		for i, l := range loops {
			inner := 0
			if i+1 < len(loops) && loops[i+1].Source == l.Source {
				inner = loops[i+1].Line
			}
			want := l.Copies[u.column]
			if want == unknown {
				continue
			}
			r := results[l.Source]
			if r.Result == nil {
				equal.add(false)
				off(&l, firstLine(r.Err))
				continue
			}
			got := r.Result.copies(l.Line, inner)
			equal.add(got == want)
			if got != want {
				off(&l, copiesText(got)+", want "+copiesText(want))
			}
		}
		shares[u.column] = equal
		fmt.Fprintf(w, "| %s | %v |\n", u.column, equal)
	}
	if most > 0 {
		fmt.Fprintf(w, "\n%s", details.String())
	}
	return shares
}
