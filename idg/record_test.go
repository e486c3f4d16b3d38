package idg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/tools"
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

// Records read back as what was added, one behind the other.
func TestRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 47))
	type added struct {
		at    uint32
		class InstrID
		row   []Producer
	}
	var all []added
	var own records
	for range 3000 {
		in := added{class: InstrID(1 + r.Int64N(1<<r.IntN(29))), row: randomRow(r, r.IntN(1<<r.IntN(9)), recordReach-1)}
		if !own.takes(in.class, in.row) {
			t.Fatalf("class %d with %d dependences is refused", in.class, len(in.row))
		}
		in.at = own.add(in.class, in.row)
		all = append(all, in)
	}
	for i, in := range all {
		behind := own.end()
		if i+1 < len(all) {
			behind = all[i+1].at
		}
		class, n, _ := own.head(in.at)
		reach := int64(0)
		if len(in.row) > 0 {
			reach = in.row[0].Distance
		}
		if class != in.class || own.class(in.at) != in.class || int(n) != len(in.row) || own.behind(in.at) != behind ||
			own.reach(in.at) != reach {
			t.Fatalf("record %d: class %d with %d dependences up to %d, ends at %d; want %d, %d, %d, %d", i, class, n,
				own.reach(in.at), own.behind(in.at), in.class, len(in.row), reach, behind)
		}
		if row := own.row(nil, in.at); !slices.Equal(row, in.row) {
			t.Fatalf("record %d: %v, want %v", i, row, in.row)
		}
		if class, n, end, ok := own.check(in.at); !ok || class != in.class || int(n) != len(in.row) || end != behind {
			t.Fatalf("record %d of %v is not consistent", i, in.row)
		}
	}
}

// What has no record says so.
func TestRecordsTake(t *testing.T) {
	many := make([]Producer, maxPreds+1)
	for i := range many {
		many[i] = Producer{Data, 0, int64(len(many) - i)}
	}
	for _, c := range []struct {
		name  string
		class InstrID
		row   []Producer
		want  bool
	}{
		{"nothing", 1, nil, true},
		{"the last class", recordReach, nil, true},
		{"a class too high", recordReach + 1, nil, false},
		{"the largest distance", 1, []Producer{{Order, 0, recordReach - 1}}, true},
		{"a distance too large", 1, []Producer{{Order, 0, recordReach}}, false},
		{"another base", 1, []Producer{{Data, 0, 3}, {Data, 1, 3}}, false},
		{"the most dependences", 1, many[1:], true},
		{"too many dependences", 1, many, false},
	} {
		if got := (records{}).takes(c.class, c.row); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	full := make(records, maxRecords-recordRoom) // not touched
	if full.takes(1, many[:1]) || !full.takes(1, nil) {
		t.Error("records beyond the most bytes are taken, or none up to them")
	}
}

// irregularRows are the rows of n instructions of which hardly any recur: most have one to
// four dependences, some none or hundreds.
func irregularRows(r *rand.Rand, n int) [][]Producer {
	rows := make([][]Producer, n)
	for v := range rows {
		preds := r.IntN(5)
		if r.IntN(100) == 0 {
			preds = r.IntN(2 * maxPreds)
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

// irregularDocument is the document of a program that begins to have records.
func irregularDocument(t testing.TB) []byte {
	b := NewBuilder()
	class := b.Instr(Instr{Op: "op", Lanes: 32})
	b.Begin(0)
	for _, row := range irregularRows(rand.New(rand.NewPCG(1, 50)), searchLeast+50) {
		b.addRow(class, row[:min(len(row), 4)])
	}
	return encode(t, build(t, b, header(1)), EncodeOptions{})
}

// Programs of which most instructions have records are what was added to them: stored,
// expanded, written line by line as fmt would, and read again, also by a slow reader.
func TestIrregularPrograms(t *testing.T) {
	for seed := range uint64(tools.Cases(4, 1)) {
		r := rand.New(rand.NewPCG(seed, 48))
		rows := irregularRows(r, 3*searchLeast)
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
		if p.patterns.recorded < len(rows)/2 {
			t.Fatalf("seed %d: %d of %d instructions have records", seed, p.patterns.recorded, len(rows))
		}
		doc := encode(t, g, EncodeOptions{})
		lines := strings.Split(string(doc[bytes.Index(doc, []byte(`"code":[`)):]), "\n")[1:]
		var scratch []Producer
		f := flat(t, p)
		for v, row := range rows {
			if in, got := p.StaticInstr(StaticID(v)), p.StaticPreds(StaticID(v), &scratch); in != classes[v] ||
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
		if got, want := again.programs[0].patterns.recorded, p.patterns.recorded; got != want {
			t.Errorf("seed %d: %d records read, %d built", seed, got, want)
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

// A loop behind what does not recur is found soon: its iterations share patterns again. So
// do programs that are equal, wherever the search for recurrences has been.
func TestSearchBeginsAgain(t *testing.T) {
	for _, c := range []struct{ before, body, iterations, most int }{
		{3 * searchLeast, 40, 2000, 2 * 16 * sampledTurn},
		{3 * searchLeast, 1000, 100, 4 * 16 * sampledTurn},
		{3 * searchLeast, 6000, 20, 6 * 6000}, // more than are looked for at once
		{0, 6000, 20, 6 * 6000},
	} {
		r := rand.New(rand.NewPCG(uint64(c.body), 49))
		rows, body := irregularRows(r, c.before), irregularRows(r, c.body)
		b := NewBuilder()
		class := b.Instr(Instr{Op: "op", Lanes: 32})
		for warp := range uint32(2) {
			b.Begin(warp)
			for _, row := range rows {
				b.addRow(class, row)
			}
			for range c.iterations {
				for _, row := range body {
					b.addRow(class, row)
				}
			}
		}
		g := build(t, b, header(2))
		if len(g.programs) != 1 {
			t.Errorf("%+v: equal programs are stored %d times", c, len(g.programs))
		}
		p := g.programs[0]
		if own := len(p.patterns.all) + p.patterns.recorded - c.before; own > c.most {
			t.Errorf("%+v: %d patterns and records for %d instructions behind the first ones", c, own,
				c.body*c.iterations)
		}
	}
}
