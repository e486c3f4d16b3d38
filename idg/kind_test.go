package idg

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/internal/diag"
)

// kindsGraph has programs of one to three instructions for groups of several
// kinds: want lists them by the number of instructions and of groups.
func kindsGraph(t testing.TB, r *rand.Rand) (g *Graph, want [][2]int64) {
	t.Helper()
	h := header(2)
	h.Launch.Groups = [3]int64{4, 8, 1}
	b := NewBuilder()
	add := b.Instr(Instr{Op: "add.f32", Lanes: 32})
	want = [][2]int64{{1 + r.Int64N(3), h.Launch.TotalGroups()}}
	program := func(length int64) {
		for w := range uint32(2) {
			b.Begin(w)
			for range length {
				b.Add(add)
			}
		}
	}
	program(want[0][0])
	for n := range r.Int64N(8) {
		groups, length := 1+r.Int64N(3), 1+r.Int64N(3)
		b.BeginKind(n, groups)
		program(length)
		found := false
		for i := range want {
			if found = want[i][0] == length; found {
				if i > 0 {
					want[i][1] += groups
				}
				break
			}
		}
		if !found {
			want = append(want, [2]int64{length, groups})
		}
	}
	for _, k := range want[1:] {
		want[0][1] -= k[1]
	}
	return build(t, b, h), want
}

// Kinds with equal programs are one, and a document keeps them.
func TestKinds(t *testing.T) {
	broken := schemaCheck(t)
	for seed := range uint64(200) {
		g, want := kindsGraph(t, rand.New(rand.NewPCG(seed, 6)))
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			doc := encode(t, g, o)
			for _, read := range readings(t, doc, o) {
				var got [][2]int64
				for _, k := range read.GroupKinds() {
					if err := k.Graph.Verify(); err != nil {
						t.Fatal(err)
					}
					if k.Graph.Executions()[0] != 2 {
						t.Errorf("%d executions", k.Graph.Executions())
					}
					got = append(got, [2]int64{int64(k.Graph.Programs()[0].Len()), k.Groups})
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("seed %d: -want +got\n%s", seed, d)
				}
			}
			if err := broken(doc); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

func TestDecodeKindErrors(t *testing.T) {
	with := func(kind string) string {
		doc := edit(t, `"groups":[1,1,1]`, `"groups":[4,1,1]`)
		return strings.Replace(doc, `"warps":[{`, "\"kinds\":[\n"+kind+"],\n\"warps\":[{", 1)
	}
	for _, c := range []struct{ name, kind, want string }{
		{"good", `{"group":0,"groups":3,"warps":[{"warps":[0],"code":[{"i":2}]}]}`, ""},
		{"all groups", `{"group":0,"groups":4,"warps":[{"warps":[0],"code":[{"i":2}]}]}`,
			"g.json:6:1: error[IDG_BROKEN]: kind 0 has 4 of 4 groups"},
		{"too many", `{"group":0,"groups":3,"warps":[{"warps":[0],"code":[]}]},` + "\n" +
			`{"group":1,"groups":1,"warps":[{"warps":[0],"code":[]}]}`,
			"g.json:7:1: error[IDG_BROKEN]: kind 1 has 1 of 1 groups"},
		{"group", `{"group":4,"groups":1,"warps":[{"warps":[0],"code":[{"i":2}]}]}`, "kind 0 is that of group 4 of 4"},
		{"no warp", `{"group":0,"groups":1,"warps":[]}`,
			"g.json:6:1: error[IDG_BROKEN]: kind 0: the graph has no program"},
		{"warp", `{"group":0,"groups":1,"warps":[{"warps":[1],"code":[]}]}`, "kind 0: program 0 lists warp 1"},
		{"class", `{"group":0,"groups":1,"warps":[{"warps":[0],"code":[{"i":7}]}]}`, "instruction class 7 of 2"},
		{"lacks", `{"group":0,"groups":1}`, `a kind of group lacks "warps"`},
	} {
		_, err := Decode(strings.NewReader(with(c.kind)), "g.json")
		var d *diag.Error
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if !errors.As(err, &d) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
}
