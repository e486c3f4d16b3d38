package idg

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// loops builds programs by the source form of a loop: producers have names.
type loops struct {
	b     *Builder
	names map[string]Executed
	// announce tells the builder where iterations begin.
	announce bool
}

// repeat executes a loop of the given number of iterations.
func (l *loops) repeat(trips int, body func(i int)) {
	for i := range trips {
		switch {
		case !l.announce:
		case i == 0:
			l.b.BeginLoop()
		default:
			l.b.NextIteration()
		}
		body(i)
	}
	if l.announce && trips > 0 {
		l.b.EndLoop()
	}
}

// add executes an instruction of class op. Its dependences are the letters of
// kinds followed by names, "d:x c:loop"; those that have not been executed yet
// are left out. It is the producer called name from now on.
func (l *loops) add(name, op, dependences string) {
	var edges []Edge
	for _, d := range strings.Fields(dependences) {
		kind := map[byte]EdgeKind{'d': Data, 'c': Control, 'o': Order}[d[0]]
		if u, ok := l.names[d[2:]]; ok && !slices.ContainsFunc(edges, func(e Edge) bool { return e.From == u }) {
			edges = append(edges, Edge{u, kind})
		}
	}
	l.names[name] = l.b.Add(l.b.Instr(Instr{Op: op, Lanes: 32}), edges...)
}

// folded is the code of the only program of a graph, folded and without line ends.
func folded(t *testing.T, g *Graph) string {
	t.Helper()
	doc := encode(t, g, EncodeOptions{Fold: true})
	got, err := Decode(bytes.NewReader(doc), "")
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	if d := diff(g, got); d != "" {
		t.Fatalf("the graph has changed: -want +got\n%s", d)
	}
	_, code, _ := strings.Cut(string(doc), `"code":[`)
	return strings.ReplaceAll(strings.TrimSuffix(code, "\n]}\n]\n}\n"), "\n", "")
}

// In loops that use values from outside of them, what stays and what moves along
// is told apart.
func TestFoldLoops(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(l *loops)
		want  string
	}{
		{"invariant", func(l *loops) {
			l.add("x", "ld", "")
			l.repeat(9, func(int) {
				l.add("y", "fma", "d:x d:y c:loop")
				l.add("loop", "loop", "c:loop")
			})
		}, `{"i":1},{"i":2,"d":[1]},{"i":3},{"repeat":8,"body":[{"i":2,"d":[2],"D":[0],"c":[1]},{"i":3,"c":[2]}]}`},
		{"every kind stays", func(l *loops) {
			l.add("x", "ld", "")
			l.add("gate", "barrier", "")
			l.add("store", "st", "")
			l.repeat(5, func(int) {
				l.add("y", "add", "d:x c:gate o:store")
				l.add("z", "mul", "d:y")
			})
		}, `{"i":1},{"i":2},{"i":3},{"repeat":5,"body":[{"i":4,"D":[0],"C":[1],"O":[2]},{"i":5,"d":[1]}]}`},
		{"patterns with a period of 8", func(l *loops) {
			l.add("x", "ld", "")
			l.repeat(24, func(k int) {
				l.add("a", fmt.Sprint("ld.", k%8), "d:x")
				l.add("y", "fma", "d:a d:y d:x")
			})
		}, `{"i":1},{"i":2,"d":[1]},{"i":3,"d":[2,1]},` + // the first iteration adds to nothing
			`{"repeat":2,"body":[` +
			`{"i":4,"D":[0]},{"i":3,"d":[2,1],"D":[0]},{"i":5,"D":[0]},{"i":3,"d":[2,1],"D":[0]},{"i":6,"D":[0]},{"i":3,"d":[2,1],"D":[0]},` +
			`{"i":7,"D":[0]},{"i":3,"d":[2,1],"D":[0]},{"i":8,"D":[0]},{"i":3,"d":[2,1],"D":[0]},{"i":9,"D":[0]},{"i":3,"d":[2,1],"D":[0]},` +
			`{"i":10,"D":[0]},{"i":3,"d":[2,1],"D":[0]},{"i":2,"D":[0]},{"i":3,"d":[2,1],"D":[0]}]},` +
			`{"i":4,"d":[35]},{"i":3,"d":[36,2,1]},{"i":5,"d":[37]},{"i":3,"d":[38,2,1]},{"i":6,"d":[39]},{"i":3,"d":[40,2,1]},` +
			`{"i":7,"d":[41]},{"i":3,"d":[42,2,1]},{"i":8,"d":[43]},{"i":3,"d":[44,2,1]},{"i":9,"d":[45]},{"i":3,"d":[46,2,1]},` +
			`{"i":10,"d":[47]},{"i":3,"d":[48,2,1]}`},
		{"nested, from outside of both", func(l *loops) {
			l.add("x", "ld", "")
			l.repeat(6, func(int) {
				l.add("row", "mad", "d:x")
				l.repeat(5, func(int) {
					l.add("y", "fma", "d:x")
					l.add("z", "add", "d:y")
				})
			})
		}, `{"i":1},{"repeat":6,"body":[{"i":2,"D":[0]},{"repeat":5,"body":[{"i":3,"D":[0]},{"i":4,"d":[1]}]}]}`},
		{"nested, from the outer body", func(l *loops) {
			l.add("x", "ld", "")
			l.repeat(6, func(int) {
				l.add("row", "mad", "d:x")
				l.add("gate", "barrier", "")
				l.repeat(5, func(int) {
					l.add("y", "fma", "d:row c:gate")
				})
			})
		}, `{"i":1},{"repeat":6,"body":[{"i":2,"D":[0]},{"i":3},{"repeat":5,"body":[{"i":4,"d1":[2],"c1":[1]}]}]}`},
		{"three deep", func(l *loops) {
			l.add("x", "ld", "")
			l.repeat(4, func(int) {
				l.add("i", "mad", "d:x")
				l.repeat(4, func(int) {
					l.add("j", "mul", "d:i")
					l.repeat(4, func(int) {
						l.add("y", "fma", "d:x d:i d:j")
					})
					l.add("end", "loop", "d:y")
				})
			})
		}, `{"i":1},{"repeat":4,"body":[{"i":2,"D":[0]},{"repeat":4,"body":[{"i":3,"d1":[1]},` +
			`{"repeat":4,"body":[{"i":4,"d1":[1],"d2":[1],"D":[0]}]},{"i":5,"d":[1]}]}]}`},
		{"stays at first, then moves", func(l *loops) {
			l.add("old", "ld", "")
			l.names["new"] = l.names["old"]
			l.repeat(9, func(int) { // each uses what the iteration before the last one made
				l.add("y", "add", "d:old")
				l.add("z", "sub", "d:y")
				l.names["old"] = l.names["new"]
				l.add("new", "mul", "d:z")
			})
		},
			`{"i":1},{"repeat":2,"body":[{"i":2,"D":[0]},{"i":3,"d":[1]},{"i":4,"d":[1]}]},` +
				`{"repeat":7,"body":[{"i":2,"d":[4]},{"i":3,"d":[1]},{"i":4,"d":[1]}]}`},
		{"stays at first, then moves, in vain", func(l *loops) { // the first part is the longer one
			l.add("x", "ld", "")
			l.add("s", "mov", "")
			l.repeat(9, func(k int) {
				l.add("y", "add", "d:s")
				l.add("z", "mul", "d:y")
				if k >= 5 {
					l.names["s"] = l.names["y"]
				}
			})
		},
			`{"i":1},{"i":2},{"repeat":6,"body":[{"i":3,"D":[1]},{"i":4,"d":[1]}]},{"repeat":3,"body":[{"i":3,"d":[2]},{"i":4,"d":[1]}]}`},
		{"what stays stands before the first repetition", func(l *loops) { // not 5(ld add), from the beginning
			l.add("x", "ld", "")
			l.repeat(4, func(int) {
				l.add("y", "add", "d:x")
				l.add("z", "ld", "")
			})
			l.add("y", "add", "d:x")
		}, `{"i":1},{"repeat":4,"body":[{"i":2,"D":[0]},{"i":1}]},{"i":2,"d":[9]}`},
		{"inner gates", func(l *loops) {
			l.repeat(3, func(int) {
				l.add("gate", "barrier", "c:gate")
				l.repeat(4, func(int) {
					l.add("a", "ld", "c:gate")
				})
			})
		},
			`{"i":1},{"repeat":4,"body":[{"i":2,"C":[0]}]},{"repeat":2,"body":[{"i":1,"c":[5]},{"repeat":4,"body":[{"i":2,"c1":[1]}]}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			b.Begin(0)
			c.build(&loops{b, map[string]Executed{}, true})
			if got := folded(t, build(t, b, header(1))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// randomNest executes a random nest of loops: blocks of instructions that use
// values from anywhere in scope, the iteration before and outer bodies included,
// behind barriers and loop instructions. Every loop runs at least trips times.
func randomNest(r *rand.Rand, l *loops, scope []string, trips, depth int) {
	type step struct {
		name, op, dependences string
		seed                  uint64 // of a nested loop, if op is empty
		trips                 int
	}
	var body []step
	for k := range 2 + r.IntN(4) {
		if depth < 3 && r.IntN(4) == 0 {
			body = append(body, step{seed: r.Uint64(), trips: trips + r.IntN(3)})
			continue
		}
		s := step{name: fmt.Sprint(depth, ".", k), op: fmt.Sprint("op", r.IntN(3))}
		if r.IntN(5) == 0 {
			s.op = "barrier"
		}
		scope = append(scope, s.name)
		for range r.IntN(4) {
			s.dependences += " " + string("dco"[r.IntN(3)]) + ":" + scope[r.IntN(len(scope))]
		}
		body = append(body, s)
	}
	l.repeat(trips, func(int) {
		for _, s := range body {
			if s.op == "" {
				randomNest(rand.New(rand.NewPCG(s.seed, 1)), l, scope, s.trips, depth+1)
			} else {
				l.add(s.name, s.op, s.dependences)
			}
		}
		l.add(fmt.Sprint("loop", depth), "loop", fmt.Sprintf("c:loop%d", depth))
	})
}

func randomLoops(t testing.TB, seed uint64, trips int) *Graph {
	return randomLoopsBy(t, seed, trips, true)
}

func randomLoopsBy(t testing.TB, seed uint64, trips int, announce bool) *Graph {
	r := rand.New(rand.NewPCG(seed, 21))
	b := NewBuilder()
	warps := uint32(1 + r.IntN(3))
	for w := range warps {
		b.Begin(w)
		l := &loops{b, map[string]Executed{}, announce}
		l.add("x", "ld", "")
		l.add("y", "ld", "")
		for range 1 + r.IntN(2) {
			randomNest(r, l, []string{"x", "y"}, trips, 1)
		}
		l.add("end", "st", "d:1.0")
	}
	return build(t, b, header(int64(warps)))
}

// A folded document of random loops expands to exactly the graph.
func TestFoldRandomLoops(t *testing.T) {
	for seed := range uint64(tools.Cases(120, 30)) {
		g := randomLoops(t, seed, 2+int(seed%3))
		doc := encode(t, g, EncodeOptions{Fold: true})
		got, err := Decode(bytes.NewReader(doc), "")
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, doc)
		}
		if d := diff(g, got); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
		if d := diff(g, oracle(t, doc)); d != "" {
			t.Fatalf("seed %d: -want +oracle\n%s", seed, d)
		}
		if again := encode(t, got, EncodeOptions{Fold: true}); !bytes.Equal(doc, again) {
			t.Fatalf("seed %d: written again as other bytes", seed)
		}
	}
}

// Whatever the loops use, more iterations take no more lines once there are
// enough of them to be told apart.
func TestFoldedLinesAreIndependentOfTrips(t *testing.T) {
	for seed := range uint64(40) {
		few, many := randomLoops(t, seed, 6), randomLoops(t, seed, 9)
		a := bytes.Count(encode(t, few, EncodeOptions{Fold: true}), []byte("\n"))
		b := bytes.Count(encode(t, many, EncodeOptions{Fold: true}), []byte("\n"))
		if a != b {
			t.Errorf("seed %d: %d lines for %d nodes, %d for %d", seed, a, few.Programs()[0].Len(), b,
				many.Programs()[0].Len())
		}
	}
}

// Loops nest deeper than the keys of lists can count: the outermost are written
// out.
func TestFoldDepth(t *testing.T) {
	b := NewBuilder()
	b.Begin(0)
	l := &loops{b, map[string]Executed{}, true}
	const levels = maxFoldDepth + 2
	var nest func(depth int, scope string)
	nest = func(depth int, scope string) {
		l.repeat(3, func(int) {
			name := fmt.Sprint(depth)
			l.add(name, "op"+name, "")
			l.add(name+"b", "op"+name+"b", scope)
			l.add(name+"c", "op"+name+"c", scope)
			if depth < levels {
				nest(depth+1, scope+" d:"+name)
			}
		})
	}
	nest(1, "")
	code := folded(t, build(t, b, header(1)))
	if !strings.Contains(code, `"d8":[3]`) || !strings.Contains(code, `"D":[`) {
		t.Errorf("folded to %s", code)
	}
	depth, deepest := 0, 0
	for _, r := range code {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		deepest = max(deepest, depth)
	}
	if deepest != maxFoldDepth+1 {
		t.Errorf("%d repetitions within each other, want %d", deepest-1, maxFoldDepth)
	}
}
