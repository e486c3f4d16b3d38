package idg

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// randomCosts are times of a graph's classes.
func randomCosts(r *rand.Rand, g *Graph) (completion, issue []int64) {
	for range len(g.instrs) + 1 {
		completion, issue = append(completion, r.Int64N(30)), append(issue, r.Int64N(5))
	}
	return completion, issue
}

// gated executes a nest of loops in which every instruction waits for the newest
// loop instruction or for what waits for it.
func gated(r *rand.Rand, l *loops, depth int) {
	type step struct {
		name, op, dependences string
		seed                  uint64 // of an inner loop, if op is empty
	}
	var body []step
	for range 1 + r.IntN(4) {
		if depth < 3 && r.IntN(3) == 0 {
			body = append(body, step{seed: r.Uint64()})
			continue
		}
		s := step{name: fmt.Sprint("v", r.IntN(6)), op: fmt.Sprint("op", r.IntN(4)), dependences: "c:gate"}
		for range r.IntN(3) {
			s.dependences += fmt.Sprintf(" %c:v%d", "dco"[r.IntN(3)], r.IntN(6))
		}
		body = append(body, s)
	}
	uses := fmt.Sprintf("c:gate d:v%d", r.IntN(6))
	l.repeat(1+r.IntN(30/depth), func(int) {
		for _, s := range body {
			if s.op == "" {
				gated(rand.New(rand.NewPCG(s.seed, 1)), l, depth+1)
			} else {
				l.add(s.name, s.op, s.dependences)
			}
		}
		l.add("gate", fmt.Sprint("loop", depth), uses)
	})
}

// The longest chain that is found without expanding a program is that of the
// expanded one, with the same λ.
func TestLongestChainAgreesWithCriticalPath(t *testing.T) {
	check := func(name string, g *Graph, r *rand.Rand) (skipped bool) {
		p := g.programs[0]
		completion, issue := randomCosts(r, g)
		path, f, err := criticalPath(p, completion, issue)
		if err != nil {
			t.Fatal(err)
		}
		want := longChain{time: path.Length}
		for _, v := range path.Nodes {
			want.issue += issue[f.Instr(v)]
		}
		got, err := longestChain(p, completion, issue)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got != want {
			t.Fatalf("%s: %+v, want %+v of %s", name, got, want, structure(p))
		}
		return looked(p, completion, issue) < p.Len()
	}
	skipped := 0
	for seed := range uint64(tools.Cases(600, 120)) {
		r := rand.New(rand.NewPCG(seed, 51))
		check(fmt.Sprint("loops ", seed), randomLoopsBy(t, seed, 1+r.IntN(6), true), r)
		b := NewBuilder()
		b.Begin(0)
		l := &loops{b, map[string]Executed{}, true}
		for v := range 6 {
			l.add(fmt.Sprint("v", v), "op0", "")
		}
		l.add("gate", "loop0", "")
		gated(r, l, 1)
		g := build(t, b, header(1))
		if check(fmt.Sprint("gated ", seed), g, r) {
			skipped++
		}
	}
	if skipped < tools.Cases(200, 40) {
		t.Errorf("iterations were skipped in %d cases only", skipped)
	}
	t.Logf("%d skipped", skipped)
}

// looked is how many instructions longestChain looks at.
func looked(p *Program, completion, issue []int64) int64 {
	e := newChains(p, completion, issue)
	e.sequence(0, StaticID(len(p.code)), 0)
	return e.steps
}

// long is a program of two loops within each other of so many iterations each: an
// accumulation gated by the inner loop's instruction.
func long(t testing.TB, trips int64) *Program {
	t.Helper()
	code := fmt.Sprintf(
		`{"i":1},{"repeat":%d,"body":[{"i":2,"D":[0]},{"repeat":%d,"body":[{"i":1,"d":[1]},{"i":2,"d":[1],"d1":[1]}]}]}`, trips, trips)
	g, err := Decode(strings.NewReader(withCode(code)), "")
	if err != nil {
		t.Fatal(err)
	}
	return g.programs[0]
}

func TestLongPrograms(t *testing.T) {
	for _, trips := range []int64{2, 10, 1000, 1_000_000} {
		p := long(t, trips)
		// The load, the row and then two instructions an iteration; rows do not wait
		// for each other.
		want := 1 + 1 + 2*trips
		if got, err := longestChain(p, []int64{0, 1, 1}, make([]int64, 3)); err != nil || got.time != want {
			t.Errorf("%d trips: %+v, error %v, want %d", trips, got, err, want)
		}
		if want := 1 + trips*(1+2*trips); p.Len() != want {
			t.Errorf("%d trips: %d instructions, want %d", trips, p.Len(), want)
		}
	}
}
