package executed

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/internal/test/golden"
)

const document = "../../../docs/evidence/tables/executed.md"

func writeSection(t *testing.T, name, text string) {
	t.Helper()
	golden.Section(t, document, name, text, *update)
}

// summary says at each level how many kernels are equal and how many near.
func summary(list []comparison) string {
	var b strings.Builder
	b.WriteString("| level | kernels | equal | within 5% |\n|---|--:|--:|--:|\n")
	for _, l := range levels {
		var n, equal, near int
		for i := range list {
			if x := &list[i]; x.level == l {
				n++
				equal += count(x.ours == x.theirs)
				near += count(x.near())
			}
		}
		fmt.Fprintf(&b, "| %v | %d | %d | %d |\n", l, n, equal, near)
	}
	return b.String()
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// differenceTable lists what differs.
func differenceTable(list []comparison) string {
	var b strings.Builder
	b.WriteString("| kernel | level | | executed | graph | why |\n|---|---|---|--:|--:|---|\n")
	for i := range list {
		x := &list[i]
		why := x.reason
		for c := range classes {
			if x.ours[c] != x.theirs[c] {
				fmt.Fprintf(&b, "| %s | %v | %v | %d | %d | %s |\n", x.name, x.level, c, x.theirs[c], x.ours[c], why)
				why = "the same"
			}
		}
	}
	return b.String()
}

// columns of the table of all kernels: classes that are told together.
var columns = [][]class{
	{globalLoads, globalStores}, {localLoads, localStores}, {constantLoads}, {privateLoads, privateStores},
	{globalAtomics, localAtomics}, {barriers}, {arithmetic},
}

// table lists what is executed of every kernel.
func table(list []comparison) string {
	var b strings.Builder
	b.WriteString("| kernel | level | global | local | constant | private | atomics | barriers | add, multiply | " +
		"graph |\n" +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for i := range list {
		x := &list[i]
		fmt.Fprintf(&b, "| %s | %v |", x.name, x.level)
		for _, column := range columns {
			fmt.Fprintf(&b, " %s |", cell(&x.theirs, column))
		}
		graph := "equal"
		switch {
		case x.ours == x.theirs:
		case x.near():
			graph = "near"
		default:
			graph = "differs"
		}
		fmt.Fprintf(&b, " %s |\n", graph)
	}
	return b.String()
}

// cell is the counts of a column's classes, empty if there are none.
func cell(n *counts, column []class) string {
	var parts []string
	some := false
	for _, c := range column {
		parts = append(parts, fmt.Sprint(n[c]))
		some = some || n[c] != 0
	}
	if !some {
		return ""
	}
	return strings.Join(parts, " + ")
}
