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

// structure shows how a program is stored: classes, repetitions as count(body).
func structure(p *Program) string {
	var s strings.Builder
	var ends []StaticID
	repeats := p.Repeats()
	for i := range p.StaticLen() {
		if i > 0 {
			s.WriteByte(' ')
		}
		for len(repeats) > 0 && int(repeats[0].First) == i {
			fmt.Fprintf(&s, "%d(", repeats[0].Count)
			ends, repeats = append(ends, repeats[0].End), repeats[1:]
		}
		fmt.Fprint(&s, p.StaticInstr(StaticID(i)))
		for len(ends) > 0 && int(ends[len(ends)-1]) == i+1 {
			s.WriteByte(')')
			ends = ends[:len(ends)-1]
		}
	}
	return s.String()
}

// Announced loops are stored as their bodies.
func TestBuilderLoops(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(l *loops)
		want  string
	}{
		{"equal iterations", func(l *loops) {
			l.repeat(9, func(int) { l.add("a", "a", ""); l.add("b", "b", "d:a") })
		}, "9(1 2)"},
		{"the first iteration differs", func(l *loops) {
			l.add("x", "x", "")
			l.names["y"] = l.names["x"]
			l.add("z", "z", "")
			l.add("z", "z", "") // x is not where the iteration before would be
			l.repeat(9, func(int) { l.add("y", "y", "d:y"); l.add("e", "e", "") })
		}, "1 2 2 3 4 8(3 4)"},
		{"the last iteration ends early", func(l *loops) {
			l.repeat(9, func(i int) {
				l.add("a", "a", "")
				if i < 8 {
					l.add("b", "b", "")
				}
			})
		}, "8(1 2) 1"},
		{"too few to save lines", func(l *loops) {
			l.repeat(3, func(int) { l.add("a", "a", "d:a") })
		}, "1 1 1"},
		{"two bodies", func(l *loops) {
			l.repeat(20, func(i int) {
				if i < 10 {
					l.add("a", "a", "")
				} else {
					l.add("b", "b", "")
				}
				l.add("c", "c", "")
			})
		}, "10(1 2) 10(3 2)"},
		{"empty iterations", func(l *loops) {
			l.repeat(20, func(i int) {
				if i%2 == 0 {
					l.add("a", "a", "")
				}
			})
			l.repeat(5, func(int) {})
		}, "10(1)"},
		{"nested", func(l *loops) {
			l.repeat(8, func(int) {
				l.add("a", "a", "")
				l.repeat(7, func(int) { l.add("b", "b", "d:a") })
				l.add("c", "c", "")
			})
		}, "8(1 7(2) 3)"},
		{"nothing but a nested loop", func(l *loops) {
			l.repeat(8, func(int) { l.repeat(7, func(int) { l.add("b", "b", "") }) })
		}, "8(7(1))"},
		{"inner trips vary", func(l *loops) {
			l.repeat(4, func(i int) {
				l.repeat(5+i/2, func(int) { l.add("b", "b", "") })
				l.add("c", "c", "")
			})
		}, "2(5(1) 2) 2(6(1) 2)"},
		{"a value of the loop before the last iteration", func(l *loops) {
			l.repeat(9, func(i int) {
				l.add("a", "a", "d:b")
				if i == 3 {
					l.add("b", "b", "")
				} else {
					l.add("c", "b", "")
				}
			})
		}, "4(1 2) 5(1 2)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(announce bool) *Graph {
				b := NewBuilder()
				b.Begin(0)
				c.build(&loops{b, map[string]Executed{}, announce})
				return build(t, b, header(1))
			}
			g := run(true)
			if got := structure(g.Programs()[0]); got != c.want {
				t.Errorf("stored as %s, want %s", got, c.want)
			}
			if d := diff(run(false), g); d != "" {
				t.Errorf("-each instruction +loops announced\n%s", d)
			}
		})
	}
}

// Programs of random loops execute the same, announced or not, and so do
// their documents.
func TestBuilderLoopsAgreeWithInstructions(t *testing.T) {
	for seed := range uint64(tools.Cases(200, 20)) {
		want, got := randomLoopsBy(t, seed, 1+int(seed%5), false), randomLoopsBy(t, seed, 1+int(seed%5), true)
		if d := diff(want, got); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			doc := encode(t, got, o)
			if !o.Fold && !bytes.Equal(doc, encode(t, want, o)) {
				t.Fatalf("seed %d: unfolded documents differ", seed)
			}
			again, err := Decode(bytes.NewReader(doc), "")
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if d := diff(want, again); d != "" {
				t.Fatalf("seed %d, %+v: -want +decoded\n%s", seed, o, d)
			}
			if second := encode(t, again, o); !bytes.Equal(doc, second) {
				t.Fatalf("seed %d, %+v: written again as\n%s\n%s", seed, o, doc, second)
			}
		}
	}
}

// wild executes a loop of which the iterations may differ, at any depth: those of
// its instructions that are left out, its inner loops' trips and what its values
// depend on vary with a few bits.
func wild(r *rand.Rand, l *loops, depth int) {
	names := []string{"x", "y", "z"}
	kinds := r.Uint64()
	l.repeat(r.IntN(7), func(int) {
		if r.IntN(6) == 0 {
			kinds = r.Uint64() // from here on otherwise
		}
		for k := range 1 + kinds%4 {
			bits := kinds >> (8 * k)
			if depth < 3 && bits%8 == 0 {
				wild(rand.New(rand.NewPCG(bits, 1)), l, depth+1)
				continue
			}
			l.add(names[bits>>3%3], fmt.Sprint("op", bits>>5%2),
				fmt.Sprintf("%c:%s d:%s", "dco"[bits>>6%3], names[bits>>4%3], names[bits>>7%3]))
		}
	})
}

func TestBuilderLoopsWithIrregularIterations(t *testing.T) {
	for seed := range uint64(tools.Cases(3000, 200)) {
		run := func(announce bool) *Graph {
			r := rand.New(rand.NewPCG(seed, 41))
			b := NewBuilder()
			b.Begin(0)
			l := &loops{b, map[string]Executed{}, announce}
			for range 1 + r.IntN(4) {
				wild(r, l, 1)
			}
			return build(t, b, header(1))
		}
		want, got := run(false), run(true)
		if d := diff(want, got); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
	}
}

// FuzzBuilderLoops: whatever a program executes and wherever loops are announced,
// it is the program that was added, and its longest chain is found without
// expanding it.
func FuzzBuilderLoops(f *testing.F) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 61))
		var script []byte
		for range 20 + r.IntN(20) {
			script = append(script, byte(r.Uint32()))
		}
		f.Add(bytes.Repeat(script, 1+r.IntN(6)))
	}
	f.Add([]byte("\x00\x13\x24\x01\x13\x24\x01\x13\x24\x01\x13\x24\x02\x33"))
	f.Add(bytes.Repeat([]byte("\xF0\x13\x24\x01\x7B\xFC\x01\x13\x24\x01\x13\x24\x02\x33\x00\x33\x02\x33"), 4))
	irregular := irregularRows(rand.New(rand.NewPCG(1, 62)), manyRows+50)
	f.Fuzz(func(t *testing.T, script []byte) {
		run := func(announce bool) *Graph {
			b := NewBuilder()
			for i := range 4 {
				b.Instr(Instr{Op: fmt.Sprint("op", i), Lanes: 32})
			}
			b.Begin(0)
			n, depth := Executed(0), 0
			if len(script) > 0 && script[0] >= 0xF0 { // behind what does not recur
				for _, row := range irregular {
					b.addRow(InstrID(1+n%4), row)
					n++
				}
			}
			for i, c := range script[:min(len(script), 2000)] {
				switch {
				case c%8 == 0 && depth < maxFoldDepth+2:
					if depth++; announce {
						b.BeginLoop()
					}
				case c%8 == 1 && depth > 0 && announce:
					b.NextIteration()
				case c%8 == 2 && depth > 0:
					if depth--; announce {
						b.EndLoop()
					}
				case c%8 > 2:
					var edges []Edge
					if d := Executed(c >> 5); d > 0 && d <= n {
						edges = append(edges, Edge{n - d, Data})
					}
					if stays := Executed(c >> 6); c&16 != 0 && stays < n { // one of the first instructions
						edges = append(edges, Edge{stays, Order})
					}
					if i > 0 && c&8 != 0 && Executed(script[i-1]) < n {
						edges = append(edges, Edge{n - 1 - Executed(script[i-1]), Control})
					}
					b.Add(InstrID(1+c>>3&3), edges...)
					n++
				}
			}
			return build(t, b, header(1))
		}
		want, got := run(false), run(true)
		if d := diff(want, got); d != "" {
			t.Fatalf("-each instruction +loops announced\n%s", d)
		}
		p := got.programs[0]
		completion, issue := []int64{0, 3, 7, 1, 20}, []int64{0, 2, 1, 1, 4}
		path, _, err := criticalPath(p, completion, issue)
		if err != nil {
			t.Fatal(err)
		}
		if chain, err := longestChain(p, completion, issue); err == nil && chain.time != path.Length {
			t.Fatalf("the longest chain takes %d, want %d", chain.time, path.Length)
		}
	})
}

// What a loop takes does not depend on how often it is executed.
func TestBuilderMemoryIsIndependentOfTrips(t *testing.T) {
	run := func(trips int) *Program {
		b := NewBuilder()
		b.Begin(0)
		l := &loops{b, map[string]Executed{}, true}
		l.add("x", "ld", "")
		l.repeat(trips, func(int) {
			l.add("a", "mad", "d:x c:outer")
			l.repeat(trips, func(int) {
				l.add("b", "fma", "d:b d:a c:inner")
				l.add("inner", "loop", "c:inner")
			})
			l.add("outer", "loop", "c:outer d:b")
		})
		if n := cap(b.fold.root) + cap(b.fold.producers); n > 200 {
			t.Errorf("%d trips: %d items and producers are kept", trips, n)
		}
		return build(t, b, header(1)).Programs()[0]
	}
	few, many := run(10), run(300)
	if got, want := structure(many), strings.ReplaceAll(strings.ReplaceAll(structure(few), "9(", "299("), "8(",
		"298("); got != want {
		t.Errorf("stored as %s, want %s", got, want)
	}
	if !slices.Equal(few.code, many.code) {
		t.Errorf("rows differ: %v and %v", few.code, many.code)
	}
}

// Loops nest deeper than the keys of lists can count.
func TestBuilderLoopDepth(t *testing.T) {
	run := func(announce bool) *Graph {
		b := NewBuilder()
		b.Begin(0)
		l := &loops{b, map[string]Executed{}, announce}
		var nest func(depth int)
		nest = func(depth int) {
			l.repeat(2, func(int) {
				l.add(fmt.Sprint(depth), fmt.Sprint("op", depth), fmt.Sprintf("d:%d d:%d", depth, depth-1))
				l.add("y", "y", "")
				if depth < maxFoldDepth+2 {
					nest(depth + 1)
				}
			})
		}
		nest(1)
		return build(t, b, header(1))
	}
	if d := diff(run(false), run(true)); d != "" {
		t.Errorf("-each instruction +loops announced\n%s", d)
	}
}

func TestBuilderLoopErrors(t *testing.T) {
	for name, do := range map[string]func(b *Builder){
		"next":           func(b *Builder) { b.NextIteration() },
		"end":            func(b *Builder) { b.EndLoop() },
		"ended":          func(b *Builder) { b.BeginLoop(); b.EndLoop(); b.NextIteration() },
		"before a warp":  func(b *Builder) { b.BeginLoop() },
		"in a loop":      func(b *Builder) { b.BeginLoop(); b.Add(99) },
		"later producer": func(b *Builder) { b.BeginLoop(); b.Add(1, Edge{5, Data}) },
	} {
		b := NewBuilder()
		b.Instr(Instr{Op: "add", Lanes: 32})
		if name != "before a warp" {
			b.Begin(0)
		}
		do(b)
		if _, err := b.Build(header(1)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A loop that is not ended ends with its program.
	b := NewBuilder()
	in := b.Instr(Instr{Op: "add", Lanes: 32})
	b.Begin(0)
	b.BeginLoop()
	b.Add(in)
	b.Begin(1)
	b.Add(in)
	if g := build(t, b, header(2)); len(g.Programs()) != 1 || len(g.Programs()[0].Warps) != 2 {
		t.Errorf("%d programs", len(g.Programs()))
	}
}

// A settled run can be the first period of another one.
func TestBuilderLoopsOfRuns(t *testing.T) {
	run := func(announce bool) *Graph {
		b := NewBuilder()
		b.Begin(0)
		l := &loops{b, map[string]Executed{}, announce}
		l.add("x", "x", "")
		l.add("y", "y", "")
		once := func() { l.add("a", "a", "d:x"); l.add("b", "b", "d:a d:y") }
		l.repeat(24, func(i int) {
			if i < 9 {
				once()
			} else {
				l.repeat(9, func(int) { once() })
			}
		})
		return build(t, b, header(1))
	}
	g := run(true)
	if got, want := structure(g.Programs()[0]), "1 2 16(9(3 4))"; got != want {
		t.Errorf("stored as %s, want %s", got, want)
	}
	if d := diff(run(false), g); d != "" {
		t.Errorf("-each instruction +loops announced\n%s", d)
	}
}

// Iterations repeat with a period, and periods within it.
func TestBuilderLoopPeriods(t *testing.T) {
	for _, c := range []struct {
		name  string
		trips int
		op    func(i int) int
		want  string
	}{
		{"two", 20, func(i int) int { return i % 2 }, "10(1 2)"},
		{"access patterns", 64 * 30, func(i int) int { return i % 64 }, "30(1 2 3"},
		{"three and the start of another", 20, func(i int) int { return i % 3 }, "6(1 2 3) 1 2"},
		{"runs", 80, func(i int) int { return i % 10 / 8 }, "2(2(2(8(1) 2 2)))"},
		{"one stops and another begins", 60, func(i int) int { return i/30*2 + i%2 }, "15(1 2) 15(3 4)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(announce bool) *Graph {
				b := NewBuilder()
				b.Begin(0)
				l := &loops{b, map[string]Executed{}, announce}
				l.repeat(c.trips, func(i int) { l.add("a", fmt.Sprint("op", c.op(i)), "") })
				return build(t, b, header(1))
			}
			g := run(true)
			if got := structure(g.Programs()[0]); !strings.HasPrefix(got, c.want) ||
				len(got) > len(c.want) && c.trips < 100 {
				t.Errorf("stored as %s, want %s", got, c.want)
			}
			if d := diff(run(false), g); d != "" {
				t.Errorf("-each instruction +loops announced\n%s", d)
			}
		})
	}
}
