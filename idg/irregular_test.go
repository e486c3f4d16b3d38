package idg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// randomRow is a row of n dependences of an instruction, with distances of all lengths below a
// limit.
func randomRow(r *rand.Rand, n int, limit int64) []Producer {
	var row []Producer
	for range n {
		d := 1 + r.Int64N(min(limit, 1<<(1+r.IntN(40))))
		if !slices.ContainsFunc(row, func(p Producer) bool { return p.Distance == d }) {
			row = append(row, Producer{Kind: Data + EdgeKind(max(0, r.IntN(5)-2)), Distance: d})
		}
	}
	slices.SortFunc(row, func(a, b Producer) int { return int(b.Distance - a.Distance) })
	return row
}

// manyRows is how many instructions there are of which hardly any recur.
const manyRows = 1 << 12

// irregularRows are the rows of n instructions of which hardly any recur: most have one to
// four dependences, some none or hundreds.
func irregularRows(r *rand.Rand, n int) [][]Producer {
	rows := make([][]Producer, n)
	for v := range rows {
		preds := r.IntN(5)
		if r.IntN(100) == 0 {
			preds = r.IntN(500)
		}
		if v > 0 {
			rows[v] = randomRow(r, preds, int64(v))
		}
	}
	return rows
}

// addRow adds an instruction with a row of distances.
func (b *Builder) addRow(class InstrID, row []Producer) {
	var edges []Edge
	for _, d := range row {
		edges = append(edges, Edge{b.number - Executed(d.Distance), d.Kind})
	}
	b.Add(class, edges...)
}

// irregularDocument is the document of a program of which hardly any instruction recurs.
func irregularDocument(t testing.TB) []byte {
	b := NewBuilder()
	class := b.Instr(Instr{Op: "op", Lanes: 32})
	b.Begin(0)
	for _, row := range irregularRows(rand.New(rand.NewPCG(1, 50)), manyRows+50) {
		b.addRow(class, row[:min(len(row), 4)])
	}
	return encode(t, build(t, b, header(1)), EncodeOptions{})
}

// Programs of which hardly any instruction recurs are what was added to them: stored,
// expanded, written line by line as fmt would, and read again, also by a slow reader.
func TestIrregularPrograms(t *testing.T) {
	for seed := range uint64(tools.Cases(4, 1)) {
		r := rand.New(rand.NewPCG(seed, 48))
		rows := irregularRows(r, 3*manyRows)
		classes := make([]InstrID, len(rows))
		b := NewBuilder()
		for i := range 100 {
			b.Instr(Instr{Op: fmt.Sprint("op", i), Lanes: 32})
		}
		b.Begin(0)
		for v, row := range rows {
			classes[v] = InstrID(1 + r.IntN(1+r.IntN(100)))
			b.addRow(classes[v], row)
		}
		g := build(t, b, header(1))
		p := g.programs[0]
		doc := encode(t, g, EncodeOptions{})
		lines := strings.Split(string(doc[bytes.Index(doc, []byte(`"code":[`)):]), "\n")[1:]
		f := flat(t, p)
		for v, row := range rows {
			if in, got := p.StaticInstr(StaticID(v)), p.StaticPreds(StaticID(v)); in != classes[v] ||
				!slices.Equal(got, row) {
				t.Fatalf("seed %d, instruction %d: class %d, %v; want %d, %v", seed, v, in, got, classes[v], row)
			}
			from, kinds := f.Preds(NodeID(v))
			for i, d := range row {
				if len(from) != len(row) || int64(from[i]) != int64(v)-d.Distance || kinds[i] != d.Kind {
					t.Fatalf("seed %d, instruction %d: expanded to %v, %v; want %v", seed, v, from, kinds, row)
				}
			}
			if got, want := strings.TrimSuffix(lines[v], ","), slowLine(classes[v], row); got != want {
				t.Fatalf("seed %d: instruction %d is written as\n%s, want\n%s", seed, v, got, want)
			}
		}
		again, err := Decode(bytes.NewReader(doc), "")
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(g, again); d != "" {
			t.Fatalf("seed %d: -built +read\n%s", seed, d)
		}
		if d := diff(oracle(t, doc), again); d != "" {
			t.Fatalf("seed %d: -oracle +read\n%s", seed, d)
		}
		if folded := encode(t, g, EncodeOptions{Fold: true}); !json.Valid(folded) {
			t.Fatalf("seed %d: folded, it is no JSON", seed)
		}
	}
}

// slowLine is an instruction's line.
func slowLine(class InstrID, row []Producer) string {
	return fmt.Sprintf(`{"i":%d`, class) + slowList(row, Data, "d") + slowList(row, Control, "c") + slowList(row,
		Order, "o") + "}"
}

func slowList(row []Producer, kind EdgeKind, key string) string {
	var list []string
	for _, d := range row {
		if d.Kind == kind {
			list = append(list, fmt.Sprint(d.Distance))
		}
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf(`,"%s":[%s]`, key, strings.Join(list, ","))
}
