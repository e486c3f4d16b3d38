package launches_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// program writes a random program of host code and executes it.
type program struct {
	rng   *rand.Rand
	text  strings.Builder
	line  int
	depth int
	size  int
}

// step is a statement: executed, it changes the variables and notes the launches of its line. It
// reports false when the program returns.
type step func(vars map[string]int, input func() int, seen map[int][]int) bool

var names = []string{"a", "b", "c"}

func (p *program) write(format string, args ...any) {
	fmt.Fprintf(&p.text, format+"\n", args...)
	p.line++
}

// value is an expression of small numbers.
func (p *program) value() (string, func(map[string]int) int) {
	n, m := p.rng.IntN(9)+1, names[p.rng.IntN(3)]
	switch p.rng.IntN(4) {
	case 0:
		return fmt.Sprint(n), func(map[string]int) int { return n }
	case 1:
		return m, func(v map[string]int) int { return v[m] }
	case 2:
		return fmt.Sprintf("(%s + %d) %% 50 + 1", m, n), func(v map[string]int) int { return (v[m]+n)%50 + 1 }
	}
	return fmt.Sprintf("%s > %d ? %d : %s", m, n, n, m), func(v map[string]int) int {
		if v[m] > n {
			return n
		}
		return v[m]
	}
}

func (p *program) block(n int) step {
	var steps []step
	p.depth++
	for range n {
		steps = append(steps, p.statement())
	}
	p.depth--
	return func(v map[string]int, input func() int, seen map[int][]int) bool {
		for _, s := range steps {
			if !s(v, input, seen) {
				return false
			}
		}
		return true
	}
}

func (p *program) statement() step {
	p.size++
	name := names[p.rng.IntN(3)]
	kind := p.rng.IntN(11)
	if p.depth > 3 || p.size > 40 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		text, f := p.value()
		p.write("%s = %s;", name, text)
		return func(v map[string]int, _ func() int, _ map[int][]int) bool { v[name] = f(v); return true }
	case 2:
		p.write("%s++;", name)
		return func(v map[string]int, _ func() int, _ map[int][]int) bool { v[name]++; return true }
	case 3, 4:
		p.write("k<<<%s, 32>>>(p, 1, 1);", name)
		line := p.line
		return func(v map[string]int, _ func() int, seen map[int][]int) bool {
			seen[line] = append(seen[line], v[name])
			return true
		}
	case 5:
		p.write("%s = input();", name)
		return func(v map[string]int, input func() int, _ map[int][]int) bool { v[name] = input(); return true }
	case 6, 7:
		limit := p.rng.IntN(20)
		p.write("if (%s > %d) {", name, limit)
		then := p.block(1 + p.rng.IntN(3))
		p.write("} else {")
		els := p.block(p.rng.IntN(3))
		p.write("}")
		return func(v map[string]int, input func() int, seen map[int][]int) bool {
			if v[name] > limit {
				return then(v, input, seen)
			}
			return els(v, input, seen)
		}
	case 8:
		p.write("for (int i = 0; i < input(); i++) {")
		body := p.block(1 + p.rng.IntN(3))
		p.write("}")
		return func(v map[string]int, input func() int, seen map[int][]int) bool {
			for range input() % 4 {
				if !body(v, input, seen) {
					return false
				}
			}
			return true
		}
	case 9:
		p.write("switch (%s) { case 3: {", name)
		first := p.block(1)
		p.write("} case 5: {")
		second := p.block(1)
		p.write("} break; default: {")
		third := p.block(1)
		p.write("} }")
		return func(v map[string]int, input func() int, seen map[int][]int) bool {
			switch v[name] {
			case 3:
				return first(v, input, seen) && second(v, input, seen)
			case 5:
				return second(v, input, seen)
			}
			return third(v, input, seen)
		}
	}
	p.write("if (input()) {")
	inner := p.block(p.rng.IntN(2))
	p.write("return; }")
	return func(v map[string]int, input func() int, seen map[int][]int) bool {
		if input() > 0 {
			inner(v, input, seen)
			return false
		}
		return true
	}
}

// What is known of a launch is what the program launches, whatever its input is; that of a loop's first iteration is
// what it launches with some input.
func TestProgramsAreNeverGuessed(t *testing.T) {
	executed, known := 0, 0
	for seed := range uint64(120) {
		p := &program{rng: rand.New(rand.NewPCG(seed, 7))}
		p.write("__global__ void k(float *a, int n, float s) { a[threadIdx.x] = n * s; }")
		p.write("void h(float *p) { int a = 4, b = 7, c = 1;")
		run := p.block(8)
		p.write("}")
		u := parse(t, p.text.String())
		want := map[int]int64{}
		several, first := map[int]bool{}, map[int]bool{}
		for _, h := range u.Kernels[0].HostLaunches {
			if old, ok := want[h.Pos.Line]; ok && old != h.Groups[0] {
				several[h.Pos.Line] = true
			}
			want[h.Pos.Line] = h.Groups[0]
			first[h.Pos.Line] = h.FirstOf != ""
		}
		open := map[int]bool{} // launches of a first iteration that were not seen with its values
		for range 30 {
			seen := map[int][]int{}
			run(map[string]int{"a": 4, "b": 7, "c": 1}, func() int { return p.rng.IntN(8) }, seen)
			for line, values := range seen {
				n, ok := want[line]
				if !ok {
					t.Fatalf("seed %d: the launch of line %d is not found\n%s", seed, line, p.text.String())
				}
				for _, v := range values {
					executed++
					if several[line] || n == 0 {
						continue
					}
					if first[line] {
						at, before := open[line]
						open[line] = (at || !before) && int64(v) != n
						continue
					}
					if known++; int64(v) != n {
						t.Fatalf("seed %d: line %d launches %d groups, not %d\n%s", seed, line, v, n, p.text.String())
					}
				}
			}
		}
		for line, never := range open {
			if never {
				t.Errorf("seed %d: line %d never launches %d groups\n%s", seed, line, want[line], p.text.String())
			}
		}
	}
	t.Logf("%d launches, of %d the groups are known", executed, known)
	if known < executed/10 {
		t.Errorf("of %d launches the groups of only %d are known", executed, known)
	}
}
