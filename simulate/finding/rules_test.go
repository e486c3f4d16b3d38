package finding_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/idg"
	"gpupipe/internal/test/golden"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/finding"
	"gpupipe/simulate/remedy"
)

// code is a kernel of a few lines, each of which executes some ops, one after the other.
type code struct {
	text   string   // of the source
	lines  []string // ops of each line, with blanks between them
	repeat int      // how often a warp executes them
	header idg.Header
	groups int64 // of the launch
	items  int64 // of a group; 0 = 32
	access func(op string, line int) *idg.Access
	lanes  uint8
	// variant is one that idgen has compiled, of two instructions
	variant string
}

// graph builds the program: each instruction waits for the one before.
func (c *code) graph(t *testing.T) *idg.Graph {
	t.Helper()
	b := idg.NewBuilder()
	var program [][]idg.InstrID
	isLoad := map[idg.InstrID]bool{}
	for i, line := range c.lines {
		column := 1
		source := strings.Split(c.text, "\n")
		if i < len(source) {
			column = max(1, strings.IndexAny(source[i], "/%s#")+1)
		}
		var ids []idg.InstrID
		for op := range strings.FieldsSeq(line) {
			in := idg.Instr{Op: op, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: i + 1, Column: column}}
			if c.lanes > 0 && i > 0 {
				in.Lanes = c.lanes
			}
			if c.access != nil && in.Operation().Memory() {
				if a := c.access(op, i+1); a != nil {
					in.Type, in.Access = "f32", b.Access(*a)
				}
			}
			ids = append(ids, b.Instr(in))
			isLoad[ids[len(ids)-1]] = strings.HasPrefix(op, "ld.global")
		}
		program = append(program, ids)
	}
	b.Begin(0)
	var last []idg.Edge
	for range c.repeat {
		for _, ids := range program {
			for _, id := range ids {
				if isLoad[id] && len(last) > 0 {
					last[0].Kind = idg.Order // its address stays
				}
				last = []idg.Edge{{From: b.Add(id, last...), Kind: idg.Data}}
			}
		}
	}
	h := c.header
	h.Kernel, h.Source = "k", idg.Source{File: "k.cl", Dialect: "opencl", Text: c.text}
	h.Launch = idg.Launch{Local: [3]int64{cmp.Or(c.items, 32), 1, 1}, Groups: [3]int64{c.groups, 1, 1}, WarpSize: 32}
	g, err := b.Build(h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// strided accesses 32 lanes at a distance, from an offset on.
func strided(space idg.Space, stride, from int64, store bool) *idg.Access {
	a := &idg.Access{Space: space, Buffer: "x", Width: 4, Store: store}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, from+lane*stride)
	}
	return a
}

var update = flag.Bool("update", false, "rewrite the findings that tests expect")

// TestRules has for each rule a program on which it finds something, and one on which it does not;
// testdata/rules.txtar has all that is found.
func TestRules(t *testing.T) {
	loop := func(l idg.Loop) idg.Header {
		l.Pos, l.Kind, l.Depth, l.Executed, l.Factor = idg.Pos{File: "k.cl", Line: 2, Column: 1}, "for", 1, 1, 1
		l.Trips = 100
		return idg.Header{Loops: []idg.Loop{l}}
	}
	rolled := []string{"add.s32", "add.s32 setp.s32 branch.loop"}
	branches := func(diverged int64) idg.Header {
		return idg.Header{Branches: []idg.Branch{{
			Pos: idg.Pos{File: "k.cl", Line: 1, Column: 1}, Kind: "if", Decision: "diverged", Origin: "work-item ids",
			Executed: 1,
			Divergence: &idg.Divergence{Warps: 1, DivergedWarps: diverged, Executions: 1, Diverged: diverged,
				Lanes: 32},
		}}}
	}
	local := func(other int64) func(string, int) *idg.Access {
		return func(op string, _ int) *idg.Access {
			from := int64(0)
			if strings.HasPrefix(op, "ld") {
				from = other
			}
			return strided(idg.SpaceLocal, 4, from, op[:2] == "st")
		}
	}
	global := func(stride int64) func(string, int) *idg.Access {
		return func(op string, line int) *idg.Access {
			return strided(idg.SpaceGlobal, stride, 4*int64(line-1), op[:2] == "st")
		}
	}
	private := func(op string, _ int) *idg.Access { return strided(idg.SpacePrivate, 0, 0, op[:2] == "st") }
	again := func(warp int64) idg.Header {
		h := idg.Header{Footprint: &idg.Footprint{ReadBytes: 128, LaunchReadBytes: 128 * 640}}
		h.Locality = []idg.Locality{{Instr: 1, Sectors: 400, Cold: 400 - warp}}
		if warp > 0 {
			h.Locality[0].Warp = []idg.Reuse{{Distance: 128, Sectors: warp}}
		}
		return h
	}
	apart := func(groups int64) idg.Header { // touch what others do not
		h := idg.Header{Footprint: &idg.Footprint{ReadBytes: 400 * 32, LaunchReadBytes: groups * 400 * 32}}
		h.Locality = []idg.Locality{{Instr: 1, Sectors: 400, Cold: 1,
			Groups: []idg.GroupReuse{{Groups: 256, Sectors: 399, Distance: 4 << 20}}}}
		return h
	}
	many := int64(640)
	var said strings.Builder
	cases := map[string][2]code{
		"accidental-doubles": {{lines: []string{"cvt.f64.f32 mul.f64 cvt.f32.f64"}}, {lines: []string{"mul.f32"}}},
		"divergence": {
			{lines: []string{"setp.s32", "add.s32", "add.s32"}, lanes: 16, header: branches(1)},
			{lines: []string{"setp.s32", "add.s32", "add.s32"}, lanes: 16, header: branches(0)},
		},
		"integer-division": {
			{text: "a / b", lines: []string{"cvt.f32.u32 native_recip.f32 mul.f32 mad.s32 mad.s32"},
				variant: idg.Masks},
			{text: "a - b", lines: []string{"cvt.f32.u32 native_recip.f32 mul.f32 mad.s32 mad.s32"},
				variant: idg.Masks},
		},
		"slow-math": {
			{text: "sin(x)", variant: idg.FastMath,
				lines: []string{"mul.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32"}},
			{text: "size(x)", variant: idg.FastMath,
				lines: []string{"mul.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32 fma.f32"}},
		},
		"issue-bound": {
			{lines: []string{"add.s32 add.s32 add.s32 add.s32 add.s32 add.s32 add.s32 add.s32 native_cos.f32"}},
			{lines: []string{"fma.f32 fma.f32"}}},
		"local-memory": {
			{text: "x[i] = 2 * x[ i ]", lines: []string{"st.local ld.local"}, access: local(0)},
			{text: "x[i] = 2 * x[i + k]", lines: []string{"st.local ld.local"}, access: local(0)},
		},
		"local-traffic": {{lines: []string{"ld.local", "ld.local", "fma.f32"}, access: local(4)},
			{lines: []string{"ld.local", "fma.f32", "fma.f32"}, access: local(4)}},
		"private-array": {{lines: []string{"ld.private", "fma.f32"}, access: private}, {lines: []string{"fma.f32"}}},
		"narrow-accesses": {{lines: []string{"ld.global", "ld.global", "ld.global", "ld.global"}, access: global(16)},
			{lines: []string{"ld.global"}, access: global(4)}},
		"loop-overhead": {{lines: rolled, header: loop(idg.Loop{Origin: "constant"})},
			{lines: rolled, header: loop(idg.Loop{Origin: "arguments"})}},
		"unknown-trips": {{lines: rolled, header: loop(idg.Loop{Origin: "arguments"})},
			{lines: rolled, header: loop(idg.Loop{Origin: "constant"})}},
		"unused-pragma": {
			{lines: rolled, header: loop(idg.Loop{Origin: "arguments", Pragma: "#pragma unroll"})},
			{lines: rolled, header: loop(idg.Loop{Origin: "arguments", Pragma: "#pragma unroll 4"})},
		},
		"uncoalesced": {{lines: []string{"ld.global"}, access: global(128)},
			{lines: []string{"ld.global"}, access: global(4)}},
		"bank-conflicts": {
			{lines: []string{"ld.local"}, access: func(string, int) *idg.Access {
				return strided(idg.SpaceLocal, 128, 0, false)
			}}, {lines: []string{"ld.local"}, access: local(0)}},
		"extra-traffic": {{lines: []string{"ld.global"}, access: global(4), header: apart(320)},
			{lines: []string{"ld.global"}, access: global(4), header: apart(640)}},
		"repeated-loads": {
			{lines: []string{"ld.global barrier"}, access: global(4), header: again(396)},
			{lines: []string{"ld.global"}, access: global(4), header: again(0)},
		},
		"restrict": {
			{lines: []string{"ld.global ld.global ld.global ld.global ld.global", "st.global"}, access: global(4),
				header: again(396)},
			{lines: []string{"ld.global barrier", "st.global"}, access: global(4), header: again(396)},
		},
		"latency": {{lines: []string{"ld.local native_cos.f32 add.f32"}, access: local(0), groups: 40,
			header: idg.Header{Resources: idg.Resources{LocalBytes: 24 << 10}}},
			{lines: []string{"add.f32"}, groups: 1}},
		"small-groups": {{lines: []string{"ld.local native_cos.f32 add.f32"}, access: local(0)},
			{lines: []string{"ld.local native_cos.f32 add.f32"}, access: local(0), groups: 40,
				header: idg.Header{Resources: idg.Resources{LocalBytes: 24 << 10}}}},
		"tail-wave": {{lines: []string{"native_cos.f32"}, groups: 330},
			{lines: []string{"native_cos.f32"}, groups: many}},
		"few-groups": {{lines: []string{"native_cos.f32"}, groups: 10},
			{lines: []string{"native_cos.f32"}, groups: many}},
	}
	for _, rule := range slices.Sorted(maps.Keys(cases)) {
		for i, x := range cases[rule] {
			if x.groups == 0 {
				x.groups = many
			}
			x.repeat = 100
			g := x.graph(t)
			if x.variant != "" {
				v := (&code{lines: []string{"shr.s32 add.s32"}, repeat: 100, groups: x.groups}).graph(t)
				v.Variant = x.variant
				g.Variants = []*idg.Graph{v}
			}
			list := findings(t, g)
			codes := make([]string, len(list))
			fmt.Fprintf(&said, "%s, program %d\n", rule, i)
			for k, f := range list {
				codes[k] = fmt.Sprintf("%s %.2f", f.Code, f.Saved)
				fmt.Fprintf(&said, "\t%s: %.4f at %v: %s: %s: %s\n", f.Code, f.Saved, f.Pos, f.What, f.Proof, f.Remedy)
			}
			if got := slices.ContainsFunc(list, func(f finding.Finding) bool {
				return f.Code == rule
			}); got != (i == 0) {
				t.Errorf("%s: found %q in program %d", rule, codes, i)
			}
		}
	}
	golden.Check(t, "testdata/rules.txtar", *update, func(*testing.T, *txtar.Archive) []txtar.File {
		return []txtar.File{{Name: "findings", Data: []byte(said.String())}}
	})
}

// TestGroupSizes: groups of whole warps are small if they have less than the 128 work items that are recommended, unless
// nothing waits for other groups; of those that are no whole warps only that is said.
func TestGroupSizes(t *testing.T) {
	for items := int64(16); items <= 256; items += 16 {
		for _, full := range []bool{true, false} { // local memory leaves no place for other groups
			x := code{lines: []string{"ld.local native_cos.f32 add.f32"}, items: items, groups: 640, repeat: 20,
				access: func(string, int) *idg.Access { return strided(idg.SpaceLocal, 4, 0, false) }}
			if full {
				x.header.Resources.LocalBytes = 24 << 10
			}
			r := run(t, x.graph(t))
			var err error
			if r.Causes, err = cause.Of(r.Result, r.Mapping.Device); err != nil {
				t.Fatal(err)
			}
			out, err := finding.Find(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, f := range slices.Concat(out.Findings, out.Minor) {
				codes = append(codes, f.Code)
			}
			warps := items%32 == 0
			if got := slices.Contains(codes, "idle-lanes"); got && warps || !got && !warps && items < 32 {
				t.Errorf("%d work items: %q", items, codes)
			}
			if got, few := slices.Contains(codes, "small-groups"), r.Result.OccupancyLimit == "groups"; got &&
				(!warps || !few || items >= 128) || !got && warps && few && items < 128 {
				t.Errorf("%d work items, limited by %s: %q", items, r.Result.OccupancyLimit, codes)
			}
		}
	}
}

// TestOccupancyPairs: of programs that differ in one property, only those are said to be limited by registers or local
// memory where these keep groups that the launch has from being resident, not the launch, the caller or other limits.
func TestOccupancyPairs(t *testing.T) {
	for _, c := range []struct {
		uses           idg.Resources
		items          int64
		groups, chosen int64 // of a compute unit: that it executes, and that the caller has at once
		want           bool
	}{
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 64, want: true}, // 4 fit
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 5, want: true},
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 4},
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 3},
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 64, chosen: 4},
		{uses: idg.Resources{LocalBytes: 24 << 10}, groups: 64, chosen: 3},
		{uses: idg.Resources{LocalBytes: 1 << 10}, groups: 64},
		{uses: idg.Resources{Registers: 255}, groups: 64, want: true}, // 8 fit
		{uses: idg.Resources{Registers: 255}, groups: 9, want: true},
		{uses: idg.Resources{Registers: 255}, groups: 8},
		{uses: idg.Resources{Registers: 255}, groups: 64, chosen: 7},
		{uses: idg.Resources{Registers: 32}, groups: 64},
		{uses: idg.Resources{Registers: 32}, groups: 64, items: 1024},
		{uses: idg.Resources{Registers: 64}, groups: 64, items: 1024, want: true},
		{uses: idg.Resources{Registers: 64}, groups: 1, items: 1024},
	} {
		x := code{lines: []string{"ld.global native_cos.f32 add.f32"}, items: c.items, groups: 10 * c.groups, repeat: 20,
			header: idg.Header{Resources: c.uses},
			access: func(string, int) *idg.Access { return strided(idg.SpaceGlobal, 4, 0, false) }}
		r := run(t, x.graph(t))
		var err error
		if r.Config.Concurrent = c.chosen; c.chosen > 0 {
			if r.Result, err = r.Launch.Run(t.Context(), r.Config); err != nil {
				t.Fatal(err)
			}
		}
		if r.Causes, err = cause.Of(r.Result, r.Mapping.Device); err != nil {
			t.Fatal(err)
		}
		out, err := finding.Find(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(slices.Concat(out.Findings, out.Minor), func(f finding.Finding) bool {
			return f.Code == "occupancy"
		}); got != c.want {
			t.Errorf("%+v: found %t, limited by %s", c, got, r.Result.OccupancyLimit)
		}
	}
}

// TestGroupStarts: groups of whole warps are small, too, where the GPU starts them too slowly, whatever limits how many
// are resident: larger ones take as much less time as fewer are started.
func TestGroupStarts(t *testing.T) {
	for items := int64(32); items <= 192; items += 32 {
		x := code{lines: []string{"add.f32"}, items: items, groups: 6400, repeat: 1}
		builtin, err := latencies.Builtin("gtx1060")
		if err != nil {
			t.Fatal(err)
		}
		d := *builtin
		d.GroupStart = latencies.WholeCycles(100)
		r := runOn(t, &d, x.graph(t))
		if r.Causes, err = cause.Of(r.Result, r.Mapping.Device); err != nil {
			t.Fatal(err)
		}
		out, err := finding.Find(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		saved := 0.0
		for _, f := range out.Findings {
			if f.Code == "small-groups" {
				saved = f.Saved
			}
		}
		want := 0.0
		if items < 128 {
			want = 1 - 1/float64(256/items) // as many fewer are started
		}
		if math.Abs(saved-want) > 1e-3 || r.Result.Bound.Kind != simulate.BoundStarts {
			t.Errorf("%d work items: larger groups save %v, want %v; bound by %v", items, saved, want,
				r.Result.Bound.Kind)
		}
	}
}

// TestIdleLanes: full warps save what the lanes that groups leave idle are of all.
func TestIdleLanes(t *testing.T) {
	for items := int64(8); items <= 200; items += 24 {
		x := code{lines: []string{"native_cos.f32 add.f32"}, items: items, groups: 6400, repeat: 20}
		want := 1 - float64(items)/float64((items+31)/32*32)
		list := findings(t, x.graph(t))
		saved := 0.0
		for _, f := range list {
			if f.Code == "idle-lanes" {
				saved += f.Saved
			}
		}
		if math.Abs(saved-want) > 0.005 {
			t.Errorf("%d work items: want %v saved: %+v", items, want, list)
		}
	}
}

// TestLocalTraffic: what is loaded from local memory is used for one result alone where it is at least 3 words for 2
// multiply-adds; larger tiles take half of the loads, where there are several.
func TestLocalTraffic(t *testing.T) {
	for _, width := range []uint16{4, 8, 16} {
		for loads := 1; loads <= 4; loads++ {
			for sums := 1; sums <= 9; sums++ {
				x := code{lines: slices.Concat(slices.Repeat([]string{"ld.local"}, loads),
					slices.Repeat([]string{"fma.f32"}, sums)), groups: 640, repeat: 20,
					access: func(string, int) *idg.Access {
						a := strided(idg.SpaceLocal, int64(width), 0, false)
						a.Width = width
						return a
					}}
				want := loads > 1 && 2*loads*int(width)/4 >= 3*sums
				got := slices.ContainsFunc(findings(t, x.graph(t)), func(f finding.Finding) bool {
					return f.Code == "local-traffic"
				})
				if got != want {
					t.Errorf("%d loads of %d bytes, %d multiply-adds: %t", loads, width, sums, got)
				}
			}
		}
	}
}

// TestCompiledVariants: where idgen has compiled what a finding advises, it saves what that code takes less.
func TestCompiledVariants(t *testing.T) {
	double := code{lines: []string{"cvt.f64.f32 mul.f64 cvt.f32.f64"}, groups: 640, repeat: 100}
	single := code{lines: []string{"mul.f32 mul.f32 mul.f32 mul.f32"}, groups: 640, repeat: 100}
	saved := func(v *idg.Graph) float64 {
		g := double.graph(t)
		g.Variants = []*idg.Graph{v}
		for _, f := range findings(t, g) {
			if f.Code == "accidental-doubles" {
				return f.Saved
			}
		}
		t.Fatal("the doubles are not found")
		return 0
	}
	variant := single.graph(t)
	variant.Variant = idg.SinglePrecision
	want := 1 - seconds(t, variant)/seconds(t, double.graph(t))
	if got := saved(variant); math.Abs(got-want) > 1e-9 {
		t.Errorf("saves %g by the compiled code, want %g", got, want)
	}
	still := double.graph(t)
	still.Variant = idg.SinglePrecision
	if got := saved(still); got <= want {
		t.Errorf("saves %g where the variant computes in double precision, too: not more than %g", got, want)
	}
}

// seconds is the time of a graph on the device of findings.
func seconds(t *testing.T, g *idg.Graph) float64 { return run(t, g).Result.Seconds }

// findings are those of a graph on a device with 10 compute units.
func findings(t *testing.T, g *idg.Graph) []finding.Finding {
	t.Helper()
	r := run(t, g)
	var err error
	if r.Causes, err = cause.Of(r.Result, r.Mapping.Device); err != nil {
		t.Fatal(err)
	}
	out, err := finding.Find(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out.Findings
}

// run simulates a graph on this device.
func run(t *testing.T, g *idg.Graph) *finding.Run {
	t.Helper()
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	return runOn(t, d, g)
}

// runOn simulates a graph.
func runOn(t *testing.T, d *latencies.Device, g *idg.Graph) *finding.Run {
	t.Helper()
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &finding.Run{}
	if r.Kernel, err = remedy.NewKernel(g, mapper, latencies.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Launch = simulate.NewLaunch(g, r.Mapping)
	if r.Result, err = r.Launch.Run(t.Context(), r.Config); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCodes: codes are unique and in order, there are 20 or more, and each stands in the guide's table.
func TestCodes(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", "advice.md"))
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, r := range finding.Rules() {
		codes = append(codes, r[0])
		if !strings.Contains(string(guide), "\n| "+r[0]+" |") {
			t.Errorf("the guide does not tell of %s", r[0])
		}
	}
	if !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(codes) || len(codes) < 20 {
		t.Errorf("rules %q", codes)
	}
}
