package main

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/unroll"
)

func mmulSection() section {
	s := section{number: 9, title: "mmul from source", origin: pipe, tests: "`unroll`, `kernels`, pipesim TestTableIII",
		text: "P19 Listing 1 with the outer loop rolled and the inner one unrolled, from kernels/mmul.cl at -O0: " +
			"what a warp executes in one outer iteration; the command counts both warps of a group in 128 iterations.",
		commands: []command{
			{
				`idgen --builtin mmul-08 -O0 --format stats | awk '/^by op/ {on = 1} /^$/ {on = 0} on && $2/256 >= ` +
					`1 {printf "%s%s %d", n++ ? ", " : "", $1, $2/256} END {print ""}'`,
				"ld.local 16, fma.f32 8, barrier 2, ld.global 2, st.local 2, loop 1"}}}
	for _, block := range []int64{8, 16} {
		for _, c := range []struct {
			op, what string
			follows  int64
		}{
			{"ld.global", "global reads", 2}, {"st.local", "local stores", 2}, {"barrier", "barriers", 2},
			{"ld.local", "local reads", 2 * block}, {"fma.f32", "multiply-adds", block},
			{"loop", "loop instructions", 1},
		} {
			s.entries = append(s.entries,
				entry{source: "P19 Listing 1", what: fmt.Sprintf("%dx%[1]d: %s", block, c.what),
					derived: float64(c.follows), ours: perIteration(block, c.op)})
		}
		launch := func(value func(g *idg.Graph) int64) func() (float64, error) {
			return func() (float64, error) {
				g, err := mmul(block)
				if err != nil {
					return 0, err
				}
				return float64(value(g)), nil
			}
		}
		s.entries = append(s.entries,
			entry{source: "P19", what: fmt.Sprintf("%dx%[1]d: groups for 1024x1024", block),
				derived: matrix / float64(block) * matrix / float64(block), ours: launch(func(g *idg.Graph) int64 {
					return g.Launch.TotalGroups()
				})},
			entry{source: "P19", what: fmt.Sprintf("%dx%[1]d: warps of a group", block),
				derived: float64(block*block) / lanes, ours: launch(func(g *idg.Graph) int64 {
					return g.Launch.WarpsPerGroup()
				})})
	}
	return s
}

func maddSection() section {
	const n = 256
	count := func(op string) func() (float64, error) {
		return func() (float64, error) {
			g, err := graphOf("independent-madd", unroll.Options{Local: [3]int64{256}, Groups: [3]int64{16}},
				fmt.Sprint("N=", n))
			if err != nil {
				return 0, err
			}
			got, err := executed(g, op)
			return float64(got), err
		}
	}
	return section{number: 10, title: "independent-madd from source", origin: pipe, tests: "`unroll`, `kernels`",
		commands: []command{
			{
				`idgen --builtin independent-madd -O0 -D N=256 --format stats | awk '/^by op/ {on = 1} /^$/ {on = ` +
					`0} on && $1 ~ /fma|loop/ {print $1, $2/8}'`, "fma.f32 256"}},
		text: "`r = r*l - 0.5f` under `#pragma unroll`, kernels/micro_madd.cl.",
		entries: []entry{
			{source: "L4", what: fmt.Sprintf("multiply-adds for N = %d", n), derived: n, ours: count("fma.f32")},
			{source: "L4", what: "loop instructions", derived: 0, ours: count("loop")},
		}}
}
