package idg

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/idg/isa"
	"gpupipe/internal/test/tools"
)

func encode(t testing.TB, g *Graph, o EncodeOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := o.Encode(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A graph written in either form and laid out anew reads back as itself, and
// what was read is written as the same bytes.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(tools.Cases(600, 40)) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 1)))
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			for name, got := range readings(t, encode(t, g, o), o) {
				if d := diff(g, got); d != "" {
					t.Fatalf("seed %d, %+v, %s: -want +got\n%s", seed, o, name, d)
				}
			}
		}
	}
}

// readings are the graphs of a document in several layouts, each of which is written as that document again.
func readings(t *testing.T, doc []byte, o EncodeOptions) map[string]*Graph {
	t.Helper()
	graphs := map[string]*Graph{}
	for name, layout := range map[string][]byte{"as written": doc, "indented": indented(t, doc),
		"sorted": sorted(t, doc)} {
		g, err := Decode(bytes.NewReader(layout), name)
		if err != nil {
			t.Fatalf("%v\n%s", err, layout)
		}
		if again := encode(t, g, o); !bytes.Equal(doc, again) {
			t.Fatalf("%s, %+v: written again as other bytes:\n%s\n%s", name, o, doc, again)
		}
		graphs[name] = g
	}
	return graphs
}

func indented(t *testing.T, doc []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, doc, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sorted is the document as a program writes it that knows JSON only: keys in
// alphabetical order, so that classes stand before what they refer to.
func sorted(t *testing.T, doc []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// oracle is a slow and obvious reader: encoding/json, recursion and the Builder.
func oracle(t *testing.T, doc []byte) *Graph {
	t.Helper()
	var file struct {
		Source                  Source
		Kernel, Level, Compiler string
		MachineCode             bool `json:"machine_code"`
		GPU                     string
		Launch                  struct {
			Local, Groups [3]int64
			WarpSize      int `json:"warp_size"`
			Args          []Arg
		}
		Resources struct {
			LocalBytes         int64 `json:"local_bytes"`
			Registers          int
			RegistersEstimated bool  `json:"registers_estimated"`
			PrivateBytes       int64 `json:"private_bytes"`
			SpilledBytes       int64 `json:"spilled_bytes"`
			Unbounded          int   `json:"unbounded_registers"`
		}
		Loops    []Loop
		Branches []Branch
		Notes    []Note
		Accesses []struct {
			Space           string
			Width           uint16
			Store           bool
			Buffer, Assumed string
			Same            bool
			Offsets         []int64
		}
		Instructions []Instr
		Warps        []struct {
			Warps []uint32
			Code  []json.RawMessage
		}
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		t.Fatal(err)
	}
	g := &Graph{Header: Header{
		Source: file.Source, Kernel: file.Kernel, Level: file.Level, Compiler: file.Compiler,
		MachineCode: file.MachineCode, GPU: file.GPU,
		Launch: Launch(file.Launch), Resources: Resources(file.Resources),
		Loops: file.Loops, Branches: file.Branches, Notes: file.Notes,
	}, instrs: file.Instructions}
	for _, a := range file.Accesses {
		g.accesses = append(g.accesses, Access{Space: isa.SpaceNamed(a.Space), Width: a.Width, Store: a.Store,
			Buffer: a.Buffer, Offsets: a.Offsets, Assumed: a.Assumed, Same: a.Same})
	}
	for _, w := range file.Warps {
		b := NewBuilder()
		b.instrs = file.Instructions
		b.Begin(w.Warps...)
		n := Executed(0)
		var bodies []Executed // where the enclosing repetitions began
		var run func(list []json.RawMessage)
		run = func(list []json.RawMessage) {
			for _, raw := range list {
				var c struct {
					I      InstrID
					Repeat int
					Body   []json.RawMessage
				}
				var lists map[string]json.RawMessage // keys exactly as they are
				if err := errors.Join(json.Unmarshal(raw, &c), json.Unmarshal(raw, &lists)); err != nil {
					t.Fatal(err)
				}
				if c.Repeat > 0 {
					bodies = append(bodies, n)
					for range c.Repeat {
						run(c.Body)
					}
					bodies = bodies[:len(bodies)-1]
					continue
				}
				var edges []Edge
				for key, list := range lists {
					kind, ok := map[string]EdgeKind{"d": Data, "c": Control, "o": Order}[strings.ToLower(key[:1])]
					if !ok {
						continue
					}
					var numbers []Executed
					if err := json.Unmarshal(list, &numbers); err != nil {
						t.Fatal(err)
					}
					for _, u := range numbers {
						switch {
						case len(key) > 1:
							u = bodies[len(bodies)-int(key[1]-'0')] - u
						case key == strings.ToLower(key):
							u = n - u
						}
						edges = append(edges, Edge{u, kind})
					}
				}
				b.Add(c.I, edges...)
				n++
			}
		}
		run(w.Code)
		if b.err != nil {
			t.Fatal(b.err)
		}
		g.programs = append(g.programs, b.programs...)
	}
	return g
}

func TestDecodeAgreesWithOracle(t *testing.T) {
	for seed := range uint64(200) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 2)))
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			if d := diff(oracle(t, encode(t, g, o)), g); d != "" {
				t.Fatalf("seed %d, %+v: -oracle +decoded\n%s", seed, o, d)
			}
		}
	}
}

// FuzzDecode: the reader does not panic; what it accepts is JSON, verifies, and
// is written and read again as the same graph and the same bytes, in both forms.
func FuzzDecode(f *testing.F) {
	for seed := range uint64(20) {
		g := randomGraph(f, rand.New(rand.NewPCG(seed, 5)))
		f.Add(encode(f, g, EncodeOptions{Fold: seed%2 == 0}))
	}
	f.Add(irregularDocument(f))
	for seed := range uint64(5) {
		f.Add(encode(f, randomLoops(f, seed, 2), EncodeOptions{Fold: true}))
	}
	for _, code := range []string{
		`{"repeat":2,"body":[{"i":1},{"d":[1],"i":2}]}`,
		"{\"i\":1},\n{\"i\":1},\n{\"repeat\":3,\"body\":[\n{\"i\":1},\n{\"i\":2,\"d\":[3],\"C\":[1]}\n]}",
		"{\"i\":1},\n{\"repeat\":2,\"body\":[\n{\"i\":1},\n{\"repeat\":3,\"body\":[\n" +
			"{\"i\":2,\"d1\":[1],\"c2\":[1]}\n]}\n]}",
		longCode, `{"repeat":1,"body":[{"i":1},{"repeat":3,"body":[{"repeat":1,"body":[{"i":1,"D":[0],"d2":[1]}]}]}]}`,
	} {
		f.Add([]byte(withCode(code)))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		g, err := DecodeOptions{MaxNodes: 10000}.Decode(bytes.NewReader(doc))
		if err != nil {
			return
		}
		if !json.Valid(doc) {
			t.Fatal("accepted what is not JSON")
		}
		if err := g.Verify(); err != nil {
			t.Fatal(err)
		}
		executed := int64(0)
		for _, p := range g.programs {
			executed += p.Len() + p.Edges()
		}
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			if !o.Fold && executed > 100_000 {
				continue
			}
			first := encode(t, g, o)
			again, err := Decode(bytes.NewReader(first), "")
			if err != nil {
				t.Fatalf("%+v: %v\n%s", o, err, first)
			}
			if executed <= 100_000 {
				if d := diff(g, again); d != "" {
					t.Fatalf("%+v: -read +written and read\n%s", o, d)
				}
			}
			if second := encode(t, again, o); !bytes.Equal(first, second) {
				t.Fatalf("%+v: written twice as\n%s\n%s", o, first, second)
			}
		}
	})
}

// TestVariants: a graph is read with the variants that follow it.
func TestVariants(t *testing.T) {
	var text []byte
	for i := range uint64(2) {
		g := randomGraph(t, rand.New(rand.NewPCG(i, 7)))
		for range i + 1 {
			v := randomGraph(t, rand.New(rand.NewPCG(i, 8)))
			v.Variant = Unbounded
			g.Variants = append(g.Variants, v)
		}
		text = append(text, encode(t, g, EncodeOptions{})...)
	}
	in, err := DecodeOptions{}.Documents(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var again []byte
	for i := range 2 {
		g, err := in.Next()
		if err != nil || len(g.Variants) != i+1 || g.VariantOf(Unbounded) == nil || g.VariantOf(TwiceTheTrips) != nil {
			t.Fatalf("%d: %v, %+v", i, err, g)
		}
		again = append(again, encode(t, g, EncodeOptions{})...)
	}
	if !bytes.Equal(text, again) {
		t.Error("variants are not written as they were read")
	}
}
