package arrange

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/lower/machine"
)

// randomCode writes a kernel of random instructions, branches and loops.
func randomCode(t testing.TB, target string, r *rand.Rand, size int) *machine.Code {
	var b strings.Builder
	names := declare(&b, r)
	pick := func(list string) string { return names[list][r.IntN(len(names[list]))] }
	labels, carries := 0, 0
	var block func(n, depth int, inside []string)
	block = func(n, depth int, inside []string) {
		for range n {
			guard := ""
			if r.IntN(5) == 0 {
				guard = [...]string{"@", "@!"}[r.IntN(2)] + pick("p") + " "
			}
			switch k := r.IntN(20); {
			case k < 8:
				fmt.Fprintf(&b, "%s%s = FFMA %s %s %s.%d\n", guard, pick("s"), pick("s"), pick("u"), pick("w"), r.IntN(4))
			case k < 10:
				fmt.Fprintf(&b, "%s%s = LDG.128 %s ! load %s %d +%d x16\n", guard, pick("w"), pick("s"),
					[...]string{"global", "local"}[r.IntN(2)], r.IntN(3), 16*r.IntN(3))
			case k < 12:
				fmt.Fprintf(&b, "%s = STG %s %s ! store %s %d +%d\n", guard, pick("s"), pick("s"),
					[...]string{"global", "local"}[r.IntN(2)], r.IntN(3), 4*r.IntN(3))
			case k == 12:
				fmt.Fprintf(&b, "%s%s = ISETP %s 1\n", guard, pick("p"), pick("s"))
			case k == 13:
				fmt.Fprintf(&b, "%s%s = R2UR %s\n", "", pick("u"), pick("s"))
			case k == 14:
				fmt.Fprintf(&b, "%s%s.%d = FADD %s %s\n", guard, pick("w"), r.IntN(4), pick("s"), pick("s"))
			case k == 15 && r.IntN(3) == 0:
				fmt.Fprintf(&b, "= BAR ! atomic global 0\n")
			case k == 16 && depth > 0:
				fmt.Fprintf(&b, "if %s {\n", pick("p"))
				block(n/2, depth-1, inside)
				fmt.Fprintf(&b, "} else {\n")
				block(n/2, depth-1, inside)
				fmt.Fprintf(&b, "}\n")
			case k == 17 && depth > 0:
				labels++
				l := fmt.Sprintf("L%d", labels)
				kind := [...]string{"loop", "region"}[r.IntN(2)]
				fmt.Fprintf(&b, "%s %s {\n", kind, l)
				block(n/2, depth-1, append(inside, l))
				if kind == "loop" {
					fmt.Fprintf(&b, "@%s continue %s\nleave %s\n", pick("p"), l, l)
				}
				fmt.Fprintf(&b, "}\n")
			case k == 18 && len(inside) > 0:
				fmt.Fprintf(&b, "@%s leave %s\n", pick("p"), inside[r.IntN(len(inside))])
			case k == 19:
				carries++
				fmt.Fprintf(&b, "predicate k%d\n%s k%[1]d = IADD3 %s %s\n%s = IADD3.X %s k%[1]d\n", carries, pick("s"),
					pick("s"), pick("s"), pick("s"), pick("s"))
			}
		}
	}
	block(size, 3, nil)
	for _, list := range []string{"s", "w", "p", "u"} {
		for _, n := range names[list] {
			fmt.Fprintf(&b, "= STG %s %s ! store global 0\n", n, n)
		}
	}
	c := parse(t, target, b.String())
	n := 0
	walk(c.Body, func(in *machine.Instr) {
		n++
		in.Pos.Line = n
		if in.Op == "BAR" {
			in.Class, in.Mem = "barrier", nil
		}
	})
	return c
}

// declare writes registers and gives them values.
func declare(b *strings.Builder, r *rand.Rand) map[string][]string {
	names := map[string][]string{}
	for i := range 12 {
		names["s"] = append(names["s"], fmt.Sprintf("s%d", i))
	}
	for i := range 4 + r.IntN(2)*6 {
		names["p"] = append(names["p"], fmt.Sprintf("p%d", i))
	}
	for i := range 4 {
		names["w"] = append(names["w"], fmt.Sprintf("w%d", i))
		names["u"] = append(names["u"], fmt.Sprintf("u%d", i))
	}
	fmt.Fprintf(b, "vector %s\nvector %s:4\npredicate %s\nuniform %s\n", strings.Join(names["s"], " "),
		strings.Join(names["w"], ":4 "), strings.Join(names["p"], " "), strings.Join(names["u"], " "))
	for _, list := range []string{"s", "w", "p", "u"} {
		for _, n := range names[list] {
			fmt.Fprintf(b, "%s = MOV 1\n", n)
		}
	}
	return names
}

// walk visits the instructions that are nodes.
func walk(b *machine.Block, visit func(*machine.Instr)) {
	b.Each(func(n machine.Node) {
		if in, ok := n.(*machine.Instr); ok {
			visit(in)
		}
	})
}
