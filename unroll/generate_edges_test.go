package unroll_test

import (
	"fmt"
	"strings"
)

// integerTypeNames are all of them.
var integerTypeNames = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}

// edge is an operator at the edges of its types: counts beyond the width, the least number divided by -1,
// narrowing and saturating conversions.
func (g *generator) edge(e func() string) string {
	t := g.pick(integerTypeNames...)
	switch g.rng.IntN(7) {
	case 0:
		return fmt.Sprintf("((%s)%s %s %s)", t, e(), g.pick("<<", ">>"), e())
	case 1:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("<<", ">>"), g.pick("33", "31", "32", "63", "64", "65", "(-1)",
			"(-33)", "100L"))
	case 2:
		return fmt.Sprintf("((%s2)((%s)%s, (%s)%s) %s (%s2)((%s)%s, (%s)%s)).%s", t, t, e(), t, e(),
			g.pick("<<", ">>", "+", "-", "*", "&", "|", "^"), t, t, e(), t, e(), g.pick("x", "y"))
	case 3:
		u := g.pick("int", "long", "short", "char")
		least := map[string]string{"int": "(-2147483647-1)", "long": "(-9223372036854775807L-1)",
			"short": "(short)(-32768)", "char": "(char)(-128)"}[u]
		return fmt.Sprintf("((%s)(%s ? %s : (%s)%s) %s (%s)(%s | -1))", u, g.cond(0), least, u, e(),
			g.pick("/", "%"), u, e())
	case 4:
		return fmt.Sprintf("convert_%s_sat(%s)", t, e())
	case 5:
		return fmt.Sprintf("convert_%s%s((%s)%s)", t, g.pick("", "_sat", "_rte"), g.pick(integerTypeNames...), e())
	}
	return fmt.Sprintf("convert_%s2_sat((%s2)((int)%s, 1)).%s", t, g.pick("int"), e(), g.pick("x", "y"))
}

// function is a function of integers of any type.
func (g *generator) function(e func() string) string {
	t := g.pick(integerTypeNames...)
	name := g.pick("abs_diff", "hadd", "rhadd", "add_sat", "sub_sat", "mul_hi", "rotate", "max", "min", "mad_hi",
		"mad_sat", "clamp", "bitselect", "select", "clz", "popcount", "abs")
	n := 2
	switch name {
	case "mad_hi", "mad_sat", "clamp", "bitselect", "select":
		n = 3
	case "clz", "popcount", "abs":
		n = 1
	}
	args := make([]string, n)
	for i := range args {
		args[i] = fmt.Sprintf("(%s)%s", t, e())
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
}
