package idg

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// addLocality gives a graph a locality that adds up, of its classes with an
// access.
func addLocality(g *Graph, r *rand.Rand) {
	g.Locality = []Locality{}
	for id := range g.instrs {
		if g.instrs[id].Access == 0 || r.IntN(4) == 0 {
			continue
		}
		l := Locality{Instr: InstrID(id + 1), Cold: r.Int64N(1 << 40)}
		for _, list := range []*[]Reuse{&l.Warp, &l.Group} {
			for d := int64(SectorBytes); d < 1<<20; d <<= 1 + r.IntN(9) {
				if r.IntN(3) == 0 {
					*list = append(*list, Reuse{Distance: d, Sectors: r.Int64N(1 << 40)})
				}
			}
			for _, x := range *list {
				l.Sectors += x.Sectors
			}
		}
		for n := int64(1); n < g.Launch.TotalGroups(); n++ {
			if r.IntN(2) == 0 {
				l.Groups = append(l.Groups, GroupReuse{Groups: n, Distance: []int64{0, 64, 1 << 20}[r.IntN(3)],
					Sectors: r.Int64N(100)})
				l.Sectors += l.Groups[len(l.Groups)-1].Sectors
			}
		}
		l.Sectors += l.Cold
		if r.IntN(2) == 0 {
			l.Shared = r.Int64N(l.Cold + 1)
		}
		g.Locality = append(g.Locality, l)
	}
	f := Footprint{ReadBytes: r.Int64N(1 << 50), WrittenBytes: r.Int64N(1 << 50), Estimated: r.IntN(2) == 0}
	f.SectorBytes = []int64{0, 0, 32}[r.IntN(3)]
	f.LaunchReadBytes, f.LaunchWrittenBytes = f.ReadBytes+r.Int64N(1<<50), f.WrittenBytes+r.Int64N(1<<50)
	if r.IntN(2) == 0 {
		f.SharedBytes = r.Int64N(f.ReadBytes + f.WrittenBytes + 1)
	}
	if r.IntN(2) == 0 {
		f.RowBytes = r.Int64N(f.LaunchReadBytes + f.LaunchWrittenBytes + 1)
		f.PlaneBytes = f.RowBytes + r.Int64N(f.LaunchReadBytes+f.LaunchWrittenBytes-f.RowBytes+1)
	}
	if r.IntN(2) == 0 {
		f.UnknownBytes = r.Int64N(1 << 50)
	}
	for n := range g.Launch.TotalGroups() {
		if r.IntN(2) == 0 {
			f.Sampled = append(f.Sampled, n)
		}
	}
	g.Footprint = &f
}

// Locality is read back as it was written, in any layout, and follows the
// schema.
func TestLocalityRoundTrip(t *testing.T) {
	broken := schemaCheck(t)
	for seed := range uint64(tools.Cases(300, 80)) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := randomGraph(t, r)
		plain := encode(t, g, EncodeOptions{})
		addLocality(g, r)
		if err := g.Verify(); err != nil {
			t.Fatal(err)
		}
		doc := encode(t, g, EncodeOptions{})
		for name, got := range readings(t, doc, EncodeOptions{}) {
			if d := diff(g, got); d != "" {
				t.Fatalf("seed %d, %s: -want +got\n%s", seed, name, d)
			}
			got.Locality, got.Footprint = nil, nil
			if again := encode(t, got, EncodeOptions{}); !bytes.Equal(plain, again) {
				t.Fatalf("seed %d, %s: locality changes other parts of the document", seed, name)
			}
		}
		if err := broken(doc); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestVerifyLocality(t *testing.T) {
	good := func() Locality {
		return Locality{Instr: 1, Sectors: 21, Warp: []Reuse{{32, 1}, {128, 2}}, Group: []Reuse{{64, 3}},
			Groups: []GroupReuse{{Groups: 1, Distance: 64, Ahead: true, Sectors: 4}, {Groups: 3, Sectors: 5}}, Cold: 6}
	}
	for _, c := range []struct {
		name string
		edit func(l *Locality, f *Footprint)
		want string // "" = accepted
	}{
		{"good", func(*Locality, *Footprint) {}, ""},
		{"no class", func(l *Locality, _ *Footprint) { l.Instr = 0 }, "class 0 of 2"},
		{"class", func(l *Locality, _ *Footprint) { l.Instr = 3 }, "class 3 of 2"},
		{"no access", func(l *Locality, _ *Footprint) { l.Instr = 2 }, "accesses no memory"},
		{"missing", func(l *Locality, _ *Footprint) { l.Cold-- }, "counts 20 of its 21"},
		{"too many", func(l *Locality, _ *Footprint) { l.Cold++ }, "counts 15 of its 21"},
		{"too many in a list", func(l *Locality, _ *Footprint) { l.Warp[0].Sectors = 22 }, "more than its 21"},
		{"all first touches shared", func(l *Locality, _ *Footprint) { l.Shared = 15 }, ""},
		{"more shared than first touches", func(l *Locality, _ *Footprint) {
			l.Shared = 16
		}, "shares 16 sectors of the 15"},
		{"shared, negative", func(l *Locality, _ *Footprint) { l.Shared = -1 }, "shares -1 sectors"},
		{"overflow", func(l *Locality, _ *Footprint) {
			l.Warp[0].Sectors, l.Warp[1].Sectors = 1<<63-1, 1<<63-1
		}, "more than its 21"},
		{"negative", func(l *Locality, _ *Footprint) { l.Groups[1].Sectors = -5 }, "more than its 21"},
		{"distance", func(l *Locality, _ *Footprint) { l.Warp[1].Distance = 288 }, "the distance 288 after 32"},
		{"small distance", func(l *Locality, _ *Footprint) { l.Warp[0].Distance = 16 }, "the distance 16 after 0"},
		{"distance twice", func(l *Locality, _ *Footprint) { l.Warp[1].Distance = 32 }, "the distance 32 after 32"},
		{"groups", func(l *Locality, _ *Footprint) {
			l.Groups[1].Groups = 4
		}, "4 groups back and 0 bytes, after 1 and 64, in a launch of 4"},
		{"groups twice", func(l *Locality, _ *Footprint) {
			l.Groups[1].Groups = 1
		}, "1 groups back and 0 bytes, after 1 and 64"},
		{"distance between groups", func(l *Locality, _ *Footprint) {
			l.Groups[0].Distance = 96
		}, "the distance 96 between groups"},
		{"footprint", func(_ *Locality, f *Footprint) { f.ReadBytes = -1 }, "-1 bytes read"},
		{"sector", func(_ *Locality, f *Footprint) { f.SectorBytes = 96 }, "a sector of 96 bytes"},
		{"large sector", func(_ *Locality, f *Footprint) { f.SectorBytes = 512 }, "a sector of 512 bytes"},
		{"distance of less than a sector", func(_ *Locality, f *Footprint) {
			f.SectorBytes = 64
		}, "the distance 32 after 0"},
		{"launch", func(_ *Locality, f *Footprint) {
			f.LaunchWrittenBytes = 1
		}, "2 written, that of the launch 3 and 1"},
		{"all shared", func(_ *Locality, f *Footprint) { f.SharedBytes = 3 }, ""},
		{"more shared than there is", func(_ *Locality, f *Footprint) {
			f.SharedBytes = 4
		}, "groups share 4 bytes of a group's 1 read and 2 written"},
		{"negatively shared", func(_ *Locality, f *Footprint) { f.SharedBytes = -1 }, "groups share -1 bytes"},
		{"a row and a plane", func(_ *Locality, f *Footprint) { f.RowBytes, f.PlaneBytes = 6, 7 }, ""},
		{"a row alone", func(_ *Locality, f *Footprint) { f.RowBytes = 7 }, ""},
		{"a row beyond the plane", func(_ *Locality, f *Footprint) {
			f.RowBytes, f.PlaneBytes = 7, 6
		}, "a row is 7 bytes and that of a plane 6"},
		{"a plane beyond the launch", func(_ *Locality, f *Footprint) {
			f.PlaneBytes = 8
		}, "a plane 8, of the launch's 3 read and 4 written"},
		{"a negative row", func(_ *Locality, f *Footprint) { f.RowBytes = -1 }, "a row is -1 bytes"},
		{"negatively unknown", func(_ *Locality, f *Footprint) { f.UnknownBytes = -1 }, "stores -1 bytes at unknown"},
		{"sample", func(_ *Locality, f *Footprint) { f.Sampled[1] = 4 }, "samples group 4 of 4"},
		{"samples twice", func(_ *Locality, f *Footprint) { f.Sampled[1] = 0 }, "samples group 0 after group 0"},
	} {
		l, f := good(), Footprint{ReadBytes: 1, WrittenBytes: 2, LaunchReadBytes: 3, LaunchWrittenBytes: 4,
			Sampled: []int64{0, 2}}
		c.edit(&l, &f)
		b := NewBuilder()
		ld := b.Instr(Instr{Op: "ld.global", Lanes: 1,
			Access: b.Access(Access{Space: SpaceGlobal, Width: 4, Offsets: []int64{0}})})
		b.Instr(Instr{Op: "add.f32", Lanes: 1})
		b.Begin(0)
		b.Add(ld)
		h := header(1)
		h.Locality, h.Footprint = []Locality{l}, &f
		_, err := b.Build(h)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// What is wrong with the locality of a document is reported where it stands.
func TestDecodeLocalityErrors(t *testing.T) {
	with := func(text string) string { return edit(t, `"warps":[{`, "\n"+text+",\n"+`"warps":[{`) }
	for _, c := range []struct{ name, doc, want string }{
		{"empty", with(`"locality":[]`), ""},
		{"good",
			with(
				`"locality":[{"i":1,"sectors":3,"warp":[{"distance":64,"sectors":1}],"cold":2}],"footprint":{"read_bytes":1,"written_bytes":0,"launch_read_bytes":1,"launch_written_bytes":0}`), ""},
		{"class", with(`"locality":[{"i":9,"sectors":0,"cold":0}]`),
			"g.json:6:18: error[IDG_BROKEN]: instruction class 9 of 2"},
		{"sum", with("\"locality\":[\n" + `{"i":1,"sectors":1,"cold":0}]`),
			"g.json:7:1: error[IDG_BROKEN]: locality of class 1 counts 0 of its 1 sectors"},
		{"lacks", with(`"locality":[{"i":1,"sectors":1}]`),
			`g.json:6:13: error[IDG_BROKEN]: the locality of a class lacks "cold"`},
		{"distance", with(`"locality":[{"i":1,"sectors":1,"cold":0,"warp":[{"distance":1,"sectors":1}]}]`),
			"a distance in bytes must be 32 to"},
		{"groups", with(`"locality":[{"i":1,"sectors":1,"cold":0,"groups":[{"groups":1,"sectors":1}]}]`),
			"g.json:6:13: error[IDG_BROKEN]: locality of class 1: 1 groups back and 0 bytes, after 0 and"},
		{"footprint",
			with(`"footprint":{"read_bytes":2,"written_bytes":0,"launch_read_bytes":1,"launch_written_bytes":0}`),
			"g.json:6:13: error[IDG_BROKEN]: the footprint of a group is 2 bytes read"},
	} {
		g, err := Decode(strings.NewReader(c.doc), "g.json")
		var d *diag.Error
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if g.Locality == nil {
				t.Errorf("%s: not analysed", c.name)
			}
		} else if !errors.As(err, &d) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
}
