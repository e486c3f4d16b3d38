package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gpupipe/internal/evidence/passes"
)

// claim is a line of the product's goals: what is wanted of which rows.
type claim struct {
	text, wanted string
	now          string
}

// pooled are the rows of some sets by the newest compiler of each.
func pooled(rows []Row, names ...string) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !slices.Contains(names, r.groupName()) })
}

// claims are the goals and how far they are reached.
func claims(rows []Row, equal map[string]share) (list []claim) {
	registers := func(text, wanted string, part []Row) {
		s := scoreOf(part)
		list = append(list,
			claim{"registers within 4 or 10%: " + text, ">= " + wanted, s.registers.String()},
			claim{"registers, mean error (mean distance): " + text, "< 3",
				fmt.Sprintf("%+.1f (%.1f)", s.bias, s.distance)})
		if s.resident.of > 0 {
			list = append(list, claim{"resident warps equal: " + text, ">= 95%", s.resident.String()})
		}
	}
	registers("H100 and its tuning space, nvcc 13", "80%", pooled(rows, "h100 nvcc-13 sm_90", "conv nvcc-13 sm_90"))
	registers("other kernels, nvcc 11.8", "75%", pooled(rows, "corpus nvcc-11.8 sm_80", "corpus nvcc-11.8 sm_90"))
	registers("AMD, clang 14", "75%", pooled(rows, "amd clang-amdgcn-14 gfx90a", "amd clang-amdgcn-14 gfx1030"))
	all, suite := scoreOf(rows), scoreOf(pooled(rows, "h100 nvcc-13 sm_90"))
	list = append(list,
		claim{"spills found", ">= 90%", all.spillsFound.String()},
		claim{"spilled bytes within 1.5x", ">= 75%", all.spillBytes.String()},
		claim{"kernels with spills that the real code has not", "< 3%", all.spillsImagined.String()},
		claim{"H100: static instructions by class within 10% or 4", ">= 85%", suite.classes.String()},
		claim{"H100: kernels all of whose classes are", "", suite.static.String()},
		claim{"H100: executed warp instructions within 10%", ">= 85%", suite.executed.String()})
	for _, u := range unrollColumns {
		list = append(list, claim{"decisions to unroll: " + u.column, ">= 95%", equal[u.column].String()})
	}
	return list
}

// worstRows are how many kernels of each table the page has.
const worstRows = 12

// writePage writes docs/evidence/compiler.md.
func writePage(w io.Writer, rows []Row, loops []LoopCase, compared []passes.Row) {
	var decided strings.Builder
	equal := writeLoops(&decided, loops, len(loops))
	fmt.Fprint(w, "# The compiler against nvcc, ptxas and clang\n\n"+
		"<!-- Written by: go run ./compiler -o ../../docs/evidence/compiler.md, in internal/evidence. -->\n\n"+
		"What real compilers made of the same sources is recorded in internal/evidence/compiler/testdata. Registers "+
		"are near\nwithin 4 or 10%; a class of static instructions within 4 or 10%.\n\n"+
		"| What | wanted | now |\n|---|---|---|\n")
	for _, l := range claims(rows, equal) {
		fmt.Fprintf(w, "| %s | %s | %s |\n", l.text, l.wanted, l.now)
	}
	fmt.Fprint(w, "\n## By table\n\n")
	writeSummary(w, rows)
	fmt.Fprint(w, "\n## Pass by pass against opt\n\nOperations of 30 small functions after a pass of package "+
		"lower/pass and after LLVM's of the same kind, behind the same\npasses. "+
		"internal/evidence/passes has the functions "+
		"and what opt 14 leaves; addresses and conversions of integers are not\ncounted.\n\n")
	passes.Write(w, compared)
	fmt.Fprint(w, "\n## The kernels that are off most\n\n```text")
	writeRows(w, rows, worstRows)
	fmt.Fprintf(w, "```\n\n## Loops that are unrolled differently\n%s", fenced(decided.String()))
}

// fenced puts the lines behind a table into a block of text.
func fenced(text string) string {
	table, lines, _ := strings.Cut(text, "|\n\n")
	return table + "|\n\n```text\n" + lines + "```\n"
}
