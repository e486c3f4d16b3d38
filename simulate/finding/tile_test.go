package finding

import (
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// TestTile: values that a group loads twice or more often, and that half of it shares, are worth a tile; with them
// those that groups of rows load alike, if groups as high as wide would share them.
func TestTile(t *testing.T) {
	const groups, warps, repeat = 640, 8, 100
	requested := int64(warps * repeat * 4) // sectors of a load, by a group
	for _, c := range []struct {
		distinct     int64 // sectors of A that a group loads in all; the others are of other warps
		others       int64 // of all of B's, by other groups, in thousandths
		local, store bool
		want         []string // buffers; nil for no tile
	}{
		{requested / 2, 0, false, false, []string{"A"}},
		{requested/2 + 1, 0, false, false, nil},
		{requested / 16, 0, false, false, []string{"A"}},
		{requested / 16, 930, false, false, []string{"A"}},
		{requested / 16, 940, false, false, []string{"A", "B"}},
		{requested, 1000, false, false, nil},
		{requested / 16, 0, true, false, nil},
		{requested / 16, 0, false, true, nil},
	} {
		b := idg.NewBuilder()
		var loads []idg.InstrID
		for i, buffer := range []string{"A", "B"} {
			a := idg.Access{Space: idg.SpaceGlobal, Buffer: buffer, Width: 4}
			for lane := range int64(32) {
				a.Offsets = append(a.Offsets, 4*lane)
			}
			loads = append(loads, b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Access: b.Access(a),
				Pos: idg.Pos{File: "k.cl", Line: i + 1}}))
		}
		extra := idg.Instr{Op: "fma.f32", Lanes: 32}
		if c.local || c.store {
			a := idg.Access{Space: idg.SpaceLocal, Buffer: "t", Width: 4, Offsets: make([]int64, 32), Store: true}
			if extra.Op, extra.Type = "st.local", "f32"; c.store {
				a.Space, a.Buffer, extra.Op = idg.SpaceGlobal, "A", "st.global"
			}
			extra.Access = b.Access(a)
		}
		sum := b.Instr(extra)
		b.Begin(0)
		for range repeat {
			x, y := b.Add(loads[0]), b.Add(loads[1])
			b.Add(sum, idg.Edge{From: x, Kind: idg.Data}, idg.Edge{From: y, Kind: idg.Data})
		}
		h := idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32 * warps, 1, 1},
			Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
			Footprint: &idg.Footprint{ReadBytes: 1, LaunchReadBytes: groups}}
		h.Locality = []idg.Locality{{Instr: loads[0], Sectors: requested, Cold: c.distinct},
			{Instr: loads[1], Sectors: 1000, Cold: 1000 - c.others}}
		if n := requested - c.distinct; n > 0 {
			h.Locality[0].Group = []idg.Reuse{{Distance: 32, Sectors: n}}
		}
		if c.others > 0 {
			h.Locality[1].Groups = []idg.GroupReuse{{Groups: 1, Sectors: c.others}}
		}
		g, err := b.Build(h)
		if err != nil {
			t.Fatal(err)
		}
		d, err := latencies.Builtin("gtx1060")
		if err != nil {
			t.Fatal(err)
		}
		mapper, err := latencies.NewMapper(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := &Run{}
		if r.Kernel, err = remedy.NewKernel(g, mapper, latencies.Options{}); err != nil {
			t.Fatal(err)
		}
		if r.Result, err = simulate.Run(t.Context(), g, r.Mapping, r.Config); err != nil {
			t.Fatal(err)
		}
		if r.Causes, err = cause.Of(r.Result, d); err != nil {
			t.Fatal(err)
		}
		trials, err := tile(r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range trials {
			_, names, _ := strings.Cut(x.What, "the same values of ")
			names, _, _ = strings.Cut(names, " from global")
			got = append(got, strings.Split(names, " and ")...)
			if rows := strings.Contains(x.Proof, "16x16 need each value 16 times"); rows != (len(c.want) > 1) {
				t.Errorf("%+v: %s", c, x.Proof)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: a tile of %q", c, got)
		}
	}
}
