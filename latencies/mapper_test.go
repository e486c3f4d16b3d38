package latencies

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// resolverOps is every op that the resolver of this module can put into a graph,
// apart from accesses.
func resolverOps() []string {
	ops := []string{"barrier", "fence", "loop", "branch", "index.s32", "index", "shuffle.f32", "vote.pred",
		"add.dual.f32", "mul.dual.f32", "fma.dual.f32", "max.dual.f32", "add.packed.f32", "mul.packed.f32",
		"fma.packed.f32"}
	types := []string{"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "f16", "f32", "f64", "pred", "ptr"}
	for v := isa.Add; v <= isa.Mov; v++ {
		base := v.String()
		for _, typ := range types {
			float := isa.TypeNamed(typ).Float()
			switch {
			case float && slices.Contains([]string{"and", "or", "xor", "not", "shl", "shr", "mulhi"}, base):
			case !float && base == "fma":
			default:
				ops = append(ops, base+"."+typ)
			}
		}
	}
	for _, to := range types {
		for _, from := range types {
			if to != from {
				ops = append(ops, "cvt."+to+"."+from)
			}
		}
	}
	for _, name := range isa.Names()[isa.Rotate-1:] {
		for _, prefix := range []string{"", "native_", "half_"} {
			for _, typ := range []string{"f32", "f64", "f16", "s32", "u64"} {
				ops = append(ops, prefix+name+"."+typ)
			}
		}
	}
	return ops
}

// Every op resolves on every device, with the fallback told unless an entry is
// meant by name; only the GPUs without double precision lack it, and say so.
func TestEveryOpResolves(t *testing.T) {
	ops := resolverOps()
	if len(ops) < 1000 {
		t.Fatalf("only %d ops", len(ops))
	}
	for i, name := range Names() {
		if !tools.Full() && i%3 > 0 {
			continue
		}
		d := builtin(t, name)
		m, err := NewMapper(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		noDouble := name == "8800gtx" || name == "gtx280"
		missing := 0
		for _, o := range ops {
			r := m.find(o, "", nil)
			if r.missing != "" {
				missing++
				if !noDouble || !strings.Contains(o, "f64") {
					t.Errorf("%s: %s has no entry and no fallback", name, o)
				}
				continue
			}
			if r.timing.CPI.IsZero() || r.timing.Latency.IsZero() || len(r.sources) == 0 || r.matched == "" ||
				int(r.subsystem) >= len(d.Subsystems) {
				t.Errorf("%s: %s resolves to %+v", name, o, r)
			}
			if direct := slices.Contains(isa.Parse(o).Names(""), r.matched); direct == (len(r.steps) > 0) {
				t.Errorf("%s: %s is served by %s with the fallback %q", name, o, r.matched, r.steps)
			}
			if len(r.steps) > 12 {
				t.Errorf("%s: the chain of %s has %d steps", name, o, len(r.steps))
			}
		}
		if noDouble != (missing > 0) {
			t.Errorf("%s: %d ops cannot be mapped", name, missing)
		}
	}
}

func TestFallbacks(t *testing.T) {
	for _, c := range []struct {
		gpu, op      string
		subsystem    string
		cpi, latency string
		fallback     string
	}{
		// Direct, and by another spelling of the same op.
		{"gtx1060", "fma.f32", "alu", "0.25", "6", ""},
		{"gtx1060", "native_cos.f32", "sfu", "1", "15", ""},
		{"c2050", "loop", "alu", "4", "58", ""},
		// One step along the chain.
		{"gtx650ti", "fma.f32", "alu", "0.25", "9", "fma.f32 -> mul.f32 (executed by the same units)"},
		{"gtx280", "fma.f32", "alu", "4", "24", "fma.f32 -> add.f32 (executed by the same units)"},
		{"rtx2070", "sub.f32", "alu", "0.5", "4",
			"sub.f32 -> add.f32 (executed by the same units); add.f32 -> mul.f32 (executed by the same units)"},
		{"gtx1060", "native_sin.f32", "sfu", "1", "15", "native_sin.f32 -> cos.approx.f32"},
		{"gtx1060", "mad.u32", "alu", "0.75", "12", "mad.u32 -> mad.s32"},
		{"a100", "mad.wide.s32", "fma", "1", "4", "mad.wide.s32 -> mul.wide.s32 (one multiply-add)"},
		{"gtx1060", "rem.s32", "alu", "5", "100", "rem.s32 -> div.s32"},
		{"gtx1060", "fma.f64", "fp64", "8", "43", "fma.f64 -> mul.f64"},
		{"gtx1060", "add.f16", "alu", "0.25", "6", "add.f16 -> add.f32"},
		{"gtx1060", "index.s32", "alu", "0.25", "6", "index.s32 -> mov.s32"},
		{"gtx1060", "min.f32", "alu", "0.5", "6", "min.f32 -> setp.f32"},
		{"a100", "max.s32", "alu", "0.5", "4", ""}, // not that of a predicate
		{"r9380", "native_cos.f32", "alu", "5", "24", ""},
		// One of two in one word, and what is issued and nothing else.
		{"mi250x", "fma.packed.f32", "alu", "1", "4", "fma.packed.f32 -> add.packed.f32"},
		{"w6600", "fma.packed.f32", "alu", "1", "8", "one number after the other"},
		{"w7800", "fma.dual.f32", "alu", "0.25", "4", "fma.dual.f32 -> add.dual.f32"},
		{"w6600", "fma.dual.f32", "alu", "0.5", "4", "add.dual.f32 -> add.f32 (not issued in pairs)"},
		{"a100", "off", "issue", "0.25", "0.25", ""},
		{"gtx480", "off", "issue", "1", "1", ""},
		{"a100", "converge", "issue", "0.25", "0.25", ""},
		// Compositions: λ and Λ add up.
		{"gtx1060", "add.s64", "alu", "0.5", "12", "add.s64 -> 2 add.s32"},
		{"gtx1060", "mul.u64", "alu", "3", "48", "mul.s64 -> 4 mul.s32"},
		{"k620", "loop", "alu", "1", "18", "loop -> add.s32 + setp.s32 + branch (increment, compare and branch)"},
		{"gtx280", "div.f32", "sfu", "20", "58",
			"div.f32 -> native_recip.f32 + mul.f32 (multiplied by the reciprocal)"},
		{"rtx2070", "div.f64", "fp64", "154", "381", "div.f64 -> native_recip.f32 + 8 fma.f64"},
		{"gtx1060", "native_powr.f32", "sfu", "2.25", "36",
			"native_powr.f32 -> cos.approx.f32 + mul.f32 + cos.approx.f32"},
		{"gtx1060", "half_exp.f32", "sfu", "1.25", "21", "half_exp.f32 -> native_exp.f32"},
		{"gtx1060", "sqrt.f32", "alu", "2.25", "45", "estimate: a software routine"},
	} {
		e := entryOf(t, builtin(t, c.gpu), op{op: c.op, line: 1})
		m := mapped(t, builtin(t, c.gpu), graphOf(t, builtin(t, c.gpu).WarpSize, op{op: c.op, line: 1}))
		if e.Timing != timing(t, c.cpi, c.latency) || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s %s: %v/%v on %s, want %s/%s on %s (%s)", c.gpu, c.op, e.Timing.CPI, e.Timing.Latency,
				m.Subsystems[e.Subsystem], c.cpi, c.latency, c.subsystem, e.Fallback)
		}
		if !strings.Contains(e.Fallback, c.fallback) || (c.fallback == "") != (e.Fallback == "") {
			t.Errorf("%s %s: fallback %q, want %q", c.gpu, c.op, e.Fallback, c.fallback)
		}
	}
}

// Entries match from specific to general.
func TestMatchingOrder(t *testing.T) {
	text := minimal + `  - {match: fp32, subsystem: alu, cpi: 2, latency: 20, source: S}
  - {match: mul, subsystem: alu, cpi: 3, latency: 30, source: S}
  - {match: ld, subsystem: alu, cpi: 4, latency: 40, source: S}
  - {match: ld.global, subsystem: alu, cpi: 5, latency: 50, source: S}
  - {match: ld.global.f32, subsystem: alu, cpi: 6, latency: 60, source: S}
  - {match: cvt.f32, subsystem: alu, cpi: 7, latency: 70, source: S}
`
	d, err := ParseDevice("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	unknown := &idg.Access{Space: idg.SpaceGlobal, Width: 4, Assumed: "x"}
	for _, c := range []struct {
		op      op
		matched string
	}{
		{op{op: "add.f32"}, "add.f32"},
		{op{op: "mul.f32"}, "mul"},
		{op{op: "mul.f64"}, "mul"},
		{op{op: "sub.f32"}, "fp32"},
		{op{op: "ld.global", typ: "f32", access: unknown}, "ld.global.f32"},
		{op{op: "ld.global", typ: "s32", access: unknown}, "ld.global"},
		{op{op: "ld.local", typ: "s32", access: &idg.Access{Space: idg.SpaceLocal, Width: 4, Assumed: "x"}}, "ld"},
		{op{op: "cvt.f32.s64"}, "cvt.f32"},
		{op{op: "and.s32"}, "add.f32"},
	} {
		if e := entryOf(t, d, c.op); e.Matched != c.matched {
			t.Errorf("%s.%s is matched by %s, want %s", c.op.op, c.op.typ, e.Matched, c.matched)
		}
	}
}

func TestMapReportsMissingEntries(t *testing.T) {
	d := builtin(t, "gtx280")
	m, err := NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := graphOf(t, 32, op{op: "fma.f64", line: 7}, op{op: "add.f32", line: 8}, op{op: "frobnicate.f32", line: 3})
	_, err = m.Map(g)
	list, ok := err.(diag.List)
	if !ok || len(list) != 2 {
		t.Fatalf("Map: %v, want two errors", err)
	}
	want := "dir/k.cl:3: error[NO-ENTRY]: GeForce GTX 280 has no entry for frobnicate.f32 and no fallback\n" +
		"\tgive its parameters with --set 'frobnicate.f32:cpi=N,latency=N'"
	if list[0].Error() != want {
		t.Errorf("error %q, want %q", list[0], want)
	}
	// Rules that give both parameters are enough.
	out := mapped(t, d, g, "frobnicate:cpi=3,latency=4", "fp64:cpi=32,latency=48")
	if e := out.Entry(3); e.Timing != timing(t, "3", "4") || out.Subsystems[e.Subsystem] != "alu" ||
		e.Source != "--set" {
		t.Errorf("entry %+v on %s", e, out.Subsystems[e.Subsystem])
	}
	if e := out.Entry(1); out.Subsystems[e.Subsystem] != "fp64" || len(out.Subsystems) != len(d.Subsystems)+1 {
		t.Errorf("double precision is on %s of %v", out.Subsystems[e.Subsystem], out.Subsystems)
	}
}

// P19 T.III, applied to its kernel line by line: two global reads with values of
// their own, local reads with the paper's bank conflicts.
func TestTable3OnMatrixMultiplication(t *testing.T) {
	d := builtin(t, "c2050-p19")
	global := strided(idg.SpaceGlobal, 32, 0, 128, 4) // divergent: the rule for R must not be applied on top
	a, b, store := *global, *global, *strided(idg.SpaceLocal, 32, 0, 128, 4)
	a.Buffer, b.Buffer, store.Store = "A", "B", true
	tile := strided(idg.SpaceLocal, 32, 0, 128, 4)
	g := graphOf(t, 32,
		op{"ld.global", "f32", 31, &a}, op{"ld.global", "f32", 32, &b}, op{"st.local", "f32", 31, &store},
		op{"barrier", "", 33, nil}, op{"ld.local", "f32", 36, tile}, op{"fma.f32", "", 36, nil},
		op{"loop", "", 28, nil})
	m := mapped(t, d, g, "ld.global@31:cpi=20,latency=162", "ld.global@k.cl:32:cpi=45,latency=479",
		"local:cpi=16,latency=250")
	for i, want := range []struct{ cpi, latency, matched string }{
		{"20", "162", "ld.global@31:cpi=20,latency=162 (set)"},
		{"45", "479", "ld.global@k.cl:32:cpi=45,latency=479 (set)"},
		{"16", "250", "local:cpi=16,latency=250 (set)"},
		{"3", "40", "barrier"},
		{"16", "250", "local:cpi=16,latency=250 (set)"},
		{"1", "18", "fma.f32"},
		{"4", "58", "loop"},
	} {
		if e := m.Entry(idg.InstrID(i + 1)); e.Timing != timing(t, want.cpi, want.latency) ||
			e.Matched != want.matched {
			t.Errorf("class %d: %v/%v by %q, want %s/%s by %q", i+1, e.Timing.CPI, e.Timing.Latency, e.Matched,
				want.cpi, want.latency, want.matched)
		}
	}
	if len(m.Warnings) > 0 {
		t.Errorf("warnings: %v", m.Warnings)
	}
	// The same by buffer.
	m = mapped(t, d, g, "ld.global(A):cpi=20,latency=162", "(B):cpi=45,latency=479")
	if m.Entry(1).Timing != timing(t, "20", "162") || m.Entry(2).Timing != timing(t, "45", "479") {
		t.Errorf("by buffer: %v, %v", m.Entry(1).Timing, m.Entry(2).Timing)
	}
}

func TestRuleCombination(t *testing.T) {
	d := builtin(t, "gtx1060")
	load := op{"ld.local", "f32", 5, strided(idg.SpaceLocal, 32, 0, 8, 4)} // 2-way: 2/26
	for _, c := range []struct {
		name         string
		rules        []string
		cpi, latency string
		subsystem    string
	}{
		{"none", nil, "2", "26", "local"},
		{"the missing parameter stays as mapped", []string{"ld.local:cpi=16"}, "16", "26", "local"},
		{"parameters from two rules", []string{"ld.local:cpi=16", "local:latency=99"}, "16", "99", "local"},
		{"the specific one wins, whatever the order", []string{"ld.local.f32:cpi=1", "ld.local:cpi=2", "ld:cpi=3",
			"local:cpi=4", "*:cpi=5"}, "1", "26", "local"},
		{"op before prefix", []string{"ld.local:cpi=7", "ld:cpi=3"}, "7", "26", "local"},
		{"prefix before space", []string{"ld:cpi=3", "local:cpi=4"}, "3", "26", "local"},
		{"space before *", []string{"local:cpi=4", "*:cpi=5"}, "4", "26", "local"},
		{"a line before an op", []string{"@5:cpi=9", "ld.local.f32:cpi=1"}, "9", "26", "local"},
		{"a file's line before a line", []string{"@k.cl:5:cpi=8", "ld.local@5:cpi=9"}, "8", "26", "local"},
		{"the last of equals", []string{"ld.local:cpi=7", "ld.local:cpi=8"}, "8", "26", "local"},
		{"an existing subsystem", []string{"ld.local:subsystem=global"}, "2", "26", "global"},
		{"a new subsystem", []string{"ld.local:subsystem=bank,cpi=1"}, "1", "26", "bank"},
		{"another line", []string{"@6:cpi=9"}, "2", "26", "local"},
	} {
		m := mapped(t, d, graphOf(t, 32, load), c.rules...)
		e := m.Entry(1)
		if e.Timing != timing(t, c.cpi, c.latency) || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s: %v/%v on %s, want %s/%s on %s", c.name, e.Timing.CPI, e.Timing.Latency,
				m.Subsystems[e.Subsystem], c.cpi, c.latency, c.subsystem)
		}
	}
	if _, err := NewMapper(d, []Rule{{Text: "x"}}); err == nil {
		t.Error("a rule that changes nothing is accepted")
	}
	if _, err := NewMapper(nil, nil); err == nil {
		t.Error("a mapper without a device")
	}
}

func TestMapWarnings(t *testing.T) {
	d := builtin(t, "r9380")
	g := graphOf(t, 32, op{op: "add.f32", line: 3}, op{op: "mul.f32", line: 4})
	m := mapped(t, d, g, "addd.f32:cpi=3", "fma@4:cpi=2", "mul:cpi=1")
	want := []string{
		"warning[SET-UNUSED]: --set \"addd.f32:cpi=3\" matches no instruction of the graph\n\tdid you mean add.f32?",
		"warning[SET-UNUSED]: --set \"fma@4:cpi=2\" matches no instruction of the graph\n\tline 4 has mul.f32",
		"warning[WARP-SIZE]: the graph is of warps of 32 lanes, those of Radeon R9 380 have 64\n\tmake the graph " +
			"again with --gpu r9380, or --warp-size 64",
	}
	if len(m.Warnings) != len(want) {
		t.Fatalf("%d warnings: %v", len(m.Warnings), m.Warnings)
	}
	for i, w := range m.Warnings {
		if w.Error() != want[i] {
			t.Errorf("warning %q, want %q", w, want[i])
		}
	}
}

// TestAsyncCopies: a graph with asynchronous copies is not that of a device without them, and
// these cost what loads and stores do but that copies of 16 bytes a lane bypass L1.
func TestAsyncCopies(t *testing.T) {
	load := strided(idg.SpaceGlobal, 32, 0, 16, 16)
	for gpu, warned := range map[string]bool{"a100": false, "h100": false, "rtx4090": false, "v100": true, "t4": true,
		"mi300x": true} {
		d := builtin(t, gpu)
		g := graphOf(t, d.WarpSize, op{"ld.global.async", "u32", 3, load},
			op{"st.local.async", "u32", 3, strided(idg.SpaceLocal, 32, 0, 16, 16)},
			op{"async.commit", "", 4, nil}, op{"async.wait", "", 5, nil}, op{"ld.global", "u32", 3, load},
			op{"st.local", "u32", 3, strided(idg.SpaceLocal, 32, 0, 16, 16)})
		m := mapped(t, d, g)
		if d.AsyncCopies == warned || (len(m.Warnings) == 1 && strings.HasPrefix(m.Warnings[0].Error(),
			"dir/k.cl:3: warning[ASYNC-COPY]")) != warned {
			t.Errorf("%s: asynchronous copies %v, warnings %v", gpu, d.AsyncCopies, m.Warnings)
		}
		for i := range 2 {
			if m.Entries[i].Timing != m.Entries[4+i].Timing || m.Entries[i].Subsystem != m.Entries[4+i].Subsystem {
				t.Errorf("%s: %+v, want %+v", gpu, m.Entries[i], m.Entries[4+i])
			}
		}
	}
	for width, inL1 := range map[int64]bool{4: true, 8: true, 16: false} {
		b := idg.NewBuilder()
		b.Begin(0)
		b.Add(b.Instr(idg.Instr{Op: "ld.global.async", Type: "u32", Lanes: 32,
			Access: b.Access(*strided(idg.SpaceGlobal, 32, 0, width, uint16(width)))}))
		g,
			err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{256, 1, 1},
			Groups: [3]int64{1000, 1, 1}, WarpSize: 32}})
		if err != nil {
			t.Fatal(err)
		}
		sectors := 32 * width / 32
		g.Locality, g.Footprint = []idg.Locality{{Instr: 1, Sectors: sectors, Warp: reuse(64, sectors)}},
			&idg.Footprint{LaunchReadBytes: 1 << 20}
		if s := mapWith(t, "a100", g, Options{ConcurrentGroups: 1}).Entries[0].Served; s.L1 > 0 != inL1 {
			t.Errorf("copies of %d bytes a lane are served by %v", width, s)
		}
	}
}

func TestExplain(t *testing.T) {
	d := builtin(t, "k620")
	load := strided(idg.SpaceGlobal, 32, 0, 8, 4)
	load.Buffer = "X"
	turned := *load // another class, of which the table says the same
	turned.Offsets = append([]int64(nil), load.Offsets...)
	slices.Reverse(turned.Offsets)
	g := graphOf(t, 32, op{"ld.global", "f32", 3, load}, op{"ld.global", "f32", 3, &turned},
		op{"st.global", "f32", 5, &idg.Access{Space: idg.SpaceGlobal, Width: 4, Assumed: "x"}},
		op{"fma.f32", "", 4, nil}, op{"fma.f32", "", 5, nil}, op{"mul.f32", "", 5, nil})
	m := mapped(t, d, g, "mul.f32:cpi=1,latency=7")
	var first, second bytes.Buffer
	if err := m.Explain(&first, g); err != nil {
		t.Fatal(err)
	}
	if err := mapped(t, d, g, "mul.f32:cpi=1,latency=7").Explain(&second, g); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Error("two runs explain differently")
	}
	want := `Quadro K620 (k620)

line op           subsystem cpi   latency transactions R D
3    ld.global(X) global    36    458     8            2 -
5    st.global    global    18    440     4            1 -
4    fma.f32      alu       0.375 6       -            - -
5    fma.f32      alu       0.375 6       -            - -
5    mul.f32      alu       1     7       -            - -

numbers of operations:
  ld.global(X) as ld.global: A T.5; A 6.3: R = 2
  st.global as ld.global: A T.5
  fma.f32 as mul.f32: A T.5
  mul.f32 as mul.f32:cpi=1,latency=7 (set): --set

fallbacks and assumptions:
  st.global -> ld.global (loads and stores have one entry in the papers);
    addresses not known (x): assumed coalesced [line 5]
  fma.f32 -> mul.f32 (executed by the same units) [lines 4, 5]
`
	if got := first.String(); got != want {
		t.Errorf("Explain:\n%s\nwant:\n%s", got, want)
	}
}

func TestVerify(t *testing.T) {
	g := graphOf(t, 32, op{op: "add.f32"}, op{op: "mul.f32"})
	for name, spoil := range map[string]func(*Mapping){
		"no device":      func(m *Mapping) { m.Device = nil },
		"too few":        func(m *Mapping) { m.Entries = m.Entries[:1] },
		"λ = 0":          func(m *Mapping) { m.Entries[1].Timing.CPI = Cycles{} },
		"Λ = 0":          func(m *Mapping) { m.Entries[0].Timing.Latency = Cycles{} },
		"lost subsystem": func(m *Mapping) { m.Subsystems = m.Subsystems[:0] },
	} {
		m := mapped(t, builtin(t, "gtx1060"), g)
		spoil(m)
		if m.Verify(g) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func BenchmarkMap(b *testing.B) {
	for _, classes := range []int{20, 1000} {
		b.Run(fmt.Sprintf("classes=%d", classes), func(b *testing.B) {
			var ops []op
			bases := []string{"fma.f32", "add.s32", "ld.global", "ld.local", "native_sin.f32", "setp.s32",
				"st.global", "mul.s64"}
			for i := range classes {
				o := op{op: bases[i%len(bases)], line: i + 1}
				switch {
				case strings.HasSuffix(o.op, "global"):
					o.access = strided(idg.SpaceGlobal, 32, int64(i%64)*4, 4, 4)
				case strings.HasSuffix(o.op, "local"):
					o.access = strided(idg.SpaceLocal, 32, 0, int64(i%64)*4, 4)
				}
				ops = append(ops, o)
			}
			g := graphOf(b, 32, ops...)
			m, err := NewMapper(builtin(b, "gtx1060"), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Map(g); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*classes)/b.Elapsed().Seconds(), "instr/s")
		})
	}
}

// Each fallback is listed once, with each of its lines once and in order.
func TestFallbackLines(t *testing.T) {
	g := graphOf(t, 32, op{op: "sub.f32", line: 9}, op{op: "barrier", line: 4}, op{op: "sub.f32", line: 2},
		op{op: "sub.f32", typ: "f32", line: 9}, op{op: "sub.f32", line: 30})
	got := mapped(t, builtin(t, "gtx1060"), g).Fallbacks(g)
	if want := []string{"sub.f32 -> add.f32 (executed by the same units) [lines 2, 9, 30]"}; !slices.Equal(got, want) {
		t.Errorf("fallbacks %q, want %q", got, want)
	}
}

// TestInstead: what stands for an instruction is asked for by its own id.
func TestInstead(t *testing.T) {
	m, err := NewMapper(builtin(t, "a100"), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := graphOf(t, 32, op{op: "add.f32", line: 1}, op{op: "mul.f32", line: 2},
		op{op: "ld.global", typ: "f32", line: 3, access: strided(idg.SpaceGlobal, 32, 0, 4, 4)})
	asked := 0
	_, err = m.MapWith(g, Options{Instead: func(id idg.InstrID, in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
		asked++
		if int(id) != asked || *g.Instr(id) != in || in.Access != 0 && a == nil {
			t.Errorf("id %d for %v", id, in)
		}
		return in, a
	}})
	if err != nil || asked != len(g.Instrs()) {
		t.Errorf("%d of %d asked for, %v", asked, len(g.Instrs()), err)
	}
}
