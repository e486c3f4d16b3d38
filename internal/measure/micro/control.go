package micro

import (
	"fmt"
	"math"
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// controlSpec is the microbenchmark of a loop, a branch, a barrier, a mix or a launch; nil for other classes.
func controlSpec(c measure.Class, d driver.Dialect) *spec {
	addition := operations["add.f32"]
	add := addition.step(d)
	sum := func(at place, chain int) float64 { return addition.sequence(oddValue(at, chain), 0, at.steps) }
	switch {
	case c.Name == "loop":
		return &spec{typ: f32, a: addition.a, rolled: true, step: add, want: sum}
	case c.Name == "branch.taken":
		return branch("if (X != a) do X = X + b; while (X == a)")
	case c.Name == "branch.not_taken":
		return branch("X = X + b; while (X == a) X = X * b")
	case c.Kind == measure.Barrier:
		return &spec{typ: f32, unroll: 16, step: func(string, string) string { return "BARRIER" }, want: oddValue}
	case c.Kind == measure.IterBarrier:
		return &spec{typ: f32, a: addition.a, unroll: 16, want: sum,
			step: func(x, y string) string { return add(x, y) + "; BARRIER" }}
	case c.Name == "issue.units":
		return units(d)
	case c.Kind == measure.Mix:
		return mix(c.Param, d)
	case c.Kind == measure.Launch:
		return &spec{typ: f32, rolled: true, when: "iterations < 0", step: func(string, string) string { return "" },
			want: oddValue}
	}
	return nil
}

// branch is a chain of additions with a branch each whose condition never changes: X is odd, and a is even.
func branch(text string) *spec {
	const even, two = 4, 2
	return &spec{
		typ: s32, a: even, b: two,
		step: func(x, _ string) string { return strings.ReplaceAll(text, "X", x) },
		want: func(at place, chain int) float64 { return float64(int32(oddValue(at, chain)) + two*int32(at.steps)) },
	}
}

// units are four chains of multiply-adds, four of shifts and one of native_exp2.
func units(d driver.Dialect) *spec {
	const chains = 4
	add := operations["fma.f32"]
	addTo, powerOf := add.step(d), operations["exp2.approx.f32"].step(d)
	s := &spec{typ: f32, a: add.a, b: add.b, unroll: 24, counted: 2*chains + 1, tolerance: 1e-5,
		setup: "uint by = (uint)b;\nfloat f1 = lid, f2 = size, f3 = items, e = lid;\n" +
			"uint z0 = lid, z1 = size, z2 = gid, z3 = items;\n",
		finish: "if (iterations < 0) r0 = f1 + f2 + f3 + e + (float)(z0 + z1 + z2 + z3);\n"}
	s.step = func(x, _ string) string {
		text := powerOf("e", "") + "; "
		for i, f := range []string{x, "f1", "f2", "f3"} {
			text += fmt.Sprintf("%s; z%[2]d = z%[2]d << by; ", addTo(f, ""), i)
		}
		return text
	}
	s.want = func(at place, chain int) float64 { return add.sequence(oddValue(at, chain), 0, at.steps) }
	return s
}

// mix is β additions and one native_cos, again and again.
func mix(beta int, d driver.Dialect) *spec {
	const small = 0.01 // so that the sequence comes to rest
	cosine := operations["cos.approx.f32"].step(d)
	return &spec{
		typ: f32, a: small, unroll: 8, counted: int64(beta) + 1, tolerance: approximate,
		step: func(x, _ string) string {
			return strings.Repeat(fmt.Sprintf("%s = %s + a; ", x, x), beta) + cosine(x, "")
		},
		want: func(at place, chain int) float64 {
			x := float32(oddValue(at, chain))
			for range min(at.steps, 10000) { // at rest long before
				for range beta {
					x += small
				}
				x = float32(math.Cos(float64(x)))
			}
			return float64(x)
		},
	}
}

// everyNthWarp makes all other warps of a group idle.
func (s *spec) everyNthWarp(n, warp int) {
	s.when = fmt.Sprintf("(lid / %du) %% %du == 0u", warp, n)
	active := s.want
	s.want = func(at place, chain int) float64 {
		if at.lid/warp%n != 0 {
			at.steps = 0
		}
		return active(at, chain)
	}
}
