package latencies

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/idg"
)

// A 6.3 on real devices: 12/345 and L2 4/216 on the GTX 1060 with
// sectors of 32 bytes, 23/475 and lines of 128 bytes on the C2050.
func TestGlobalContext(t *testing.T) {
	global := func(n int, start, stride int64, width uint16) *idg.Access {
		return strided(idg.SpaceGlobal, n, start, stride, width)
	}
	for _, c := range []struct {
		name, gpu    string
		access       *idg.Access
		transactions int
		cpi, latency string
		source       string
	}{
		{"R = 1", "gtx1060", global(32, 0, 4, 4), 4, "12", "345", ""},
		{"R = 1", "c2050", global(32, 0, 4, 4), 1, "23", "475", ""},
		{"R = 2: λ 2·12, Λ 345 + 12", "gtx1060", global(32, 0, 8, 4), 8, "24", "357", "R = 2"},
		{"R = 8: λ 8·12, Λ 345 + 7·12", "gtx1060", global(32, 0, 128, 4), 32, "96", "429", "R = 8"},
		{"misaligned, R = 5/4", "gtx1060", global(32, 4, 4, 4), 5, "15", "348", "R = 1.25"},
		{"misaligned, R = 2", "c2050", global(32, 4, 4, 4), 2, "46", "498", "R = 2"},
		{"stride 3, R = 3", "c2050", global(32, 0, 12, 4), 3, "69", "521", "R = 3"},
		{"divergent, R = 32", "c2050", global(32, 0, 128, 4), 32, "736", "1188", "R = 32"},
		{"broadcast, R = 1/4: 12/4 + 4·3/4, 345/4 + 216·3/4", "gtx1060", global(32, 0, 0, 4), 1, "6", "248.25",
			"R = 0.25"},
		{"broadcast of a whole line, R = 1", "c2050", global(32, 0, 0, 4), 1, "23", "475", ""},
		{"four rows of 8 lanes", "gtx1060", &idg.Access{Space: idg.SpaceGlobal, Width: 4, Offsets: rows(8, 4096)}, 4,
			"12", "345", ""},
		{"16 bytes a lane: four times the bytes", "gtx1060", global(32, 0, 16, 16), 16, "48", "381",
			"; A 6.3, scaled to 512 of 128 bytes: R = 1"},
		{"1 byte a lane: a quarter of the bytes", "gtx1060", global(32, 0, 1, 1), 1, "3", "345",
			"; A 6.3, scaled to 32 of 128 bytes: R = 1"},
		{"one lane moves one sector", "gtx1060", global(1, 0, 0, 4), 1, "3", "345", "4 of 128 bytes"},
		{"half warps, R = 1", "8800gtx", global(32, 0, 4, 4), 4, "37.31", "444", ""},
		{"half warps, stride 2", "8800gtx", global(32, 0, 8, 4), 8, "74.62", "481.31", "R = 2"},
		{"wavefront of 64", "r9380", global(64, 0, 4, 4), 4, "42", "136", ""},
	} {
		e := entryOf(t, builtin(t, c.gpu), op{op: "ld.global", typ: "f32", line: 1, access: c.access})
		if e.Timing != timing(t, c.cpi, c.latency) || e.Transactions != c.transactions {
			t.Errorf("%s, %s: %v/%v with %d transactions, want %s/%s with %d", c.gpu, c.name, e.Timing.CPI,
				e.Timing.Latency, e.Transactions, c.cpi, c.latency, c.transactions)
		}
		if !strings.Contains(e.Source, c.source) || (c.source == "") != !strings.Contains(e.Source, "A 6.3") {
			t.Errorf("%s, %s: the source is %q, want %q in it", c.gpu, c.name, e.Source, c.source)
		}
		if e.Fallback != "" {
			t.Errorf("%s, %s: fallback %q", c.gpu, c.name, e.Fallback)
		}
	}
}

// rows is 4 rows of n lanes, apart by pitch bytes.
func rows(n int, pitch int64) []int64 {
	var o []int64
	for r := range int64(4) {
		for i := range int64(n) {
			o = append(o, r*pitch+4*i)
		}
	}
	return o
}

func TestGlobalContextAssumptions(t *testing.T) {
	for _, c := range []struct {
		name, gpu, op string
		access        *idg.Access
		cpi, latency  string
		fallback      string
	}{
		{"no L2 figures", "gtx280", "ld.global", strided(idg.SpaceGlobal, 32, 0, 0, 4), "36.1", "434", "no L2 figures"},
		{"unknown address", "gtx1060", "ld.global", &idg.Access{Space: idg.SpaceGlobal, Width: 4,
			Assumed: "value loaded from memory"}, "12", "345",
			"addresses not known (value loaded from memory): assumed coalesced"},
		{"unknown wide address", "gtx1060", "ld.global", &idg.Access{Space: idg.SpaceGlobal, Width: 8, Assumed: "x"},
			"24", "357", "assumed coalesced"},
		{"no access at all", "gtx1060", "ld.global", nil, "12", "345", "no access pattern"},
		{"no access at all, local", "gtx1060", "st.local", nil, "1", "25", "assumed free of bank conflicts"},
		{"private memory is interleaved", "gtx1060", "ld.private", strided(idg.SpacePrivate, 32, 64, 0, 4), "12", "345",
			"ld.private -> ld.global"},
		{"private memory in L1", "a100", "st.private", strided(idg.SpacePrivate, 32, 64, 0, 4), "1.02", "33",
			"private memory is assumed to stay in L1"},
		{"wide private memory in L1", "a100", "ld.private", strided(idg.SpacePrivate, 32, 64, 0, 16), "4.08", "36.06",
			"private memory is assumed to stay in L1"},
		{"stores as loads", "gtx1060", "st.global", strided(idg.SpaceGlobal, 32, 0, 8, 4), "24", "357",
			"loads and stores have one entry"},
		{"constant, one address", "c2050", "ld.constant", strided(idg.SpaceConstant, 32, 8, 0, 4), "2", "28",
			"ld.constant -> ld.local"},
		{"constant, 32 addresses", "c2050", "ld.constant", strided(idg.SpaceConstant, 32, 0, 4, 4), "64", "90",
			"ld.constant -> ld.local"},
		{"constant with an entry", "gtx1060", "ld.constant", strided(idg.SpaceConstant, 32, 0, 4, 4), "8", "19.75", ""},
		{"global atomic", "gtx1060", "atomic.add.global", strided(idg.SpaceGlobal, 32, 0, 4, 4), "12", "345", "atomic"},
	} {
		e := entryOf(t, builtin(t, c.gpu), op{op: c.op, typ: "f32", line: 1, access: c.access})
		if e.Timing != timing(t, c.cpi, c.latency) || !strings.Contains(e.Fallback+"; "+e.Assumed, c.fallback) {
			t.Errorf("%s: %v/%v, fallback %q; want %s/%s, %q", c.name, e.Timing.CPI, e.Timing.Latency,
				e.Fallback+"; "+e.Assumed, c.cpi, c.latency, c.fallback)
		}
	}
}

// A 6.3: Λ' = Λ + D·λ, λ' = (1+D)·λ, D = n - 1 for an n-way conflict.
func TestLocalContext(t *testing.T) {
	for _, c := range []struct {
		gpu, op      string
		stride       int64
		width        uint16
		transactions int
		cpi, latency string
	}{
		{"c2050", "ld.local", 4, 4, 1, "2", "28"},
		{"c2050", "ld.local", 8, 4, 2, "4", "30"},
		{"c2050", "st.local", 8, 4, 2, "4", "30"},
		{"c2050", "ld.local", 16, 4, 4, "8", "34"},
		{"c2050", "ld.local", 128, 4, 32, "64", "90"},
		{"c2050", "ld.local", 12, 4, 1, "2", "28"},
		{"c2050", "ld.local", 0, 4, 1, "2", "28"},
		{"c2050", "ld.local", 8, 8, 2, "4", "30"},
		{"gtx1060", "ld.local", 128, 4, 32, "32", "56"},
		{"gtx650ti", "ld.local", 8, 4, 1, "1", "28"},
		{"gtx650ti", "ld.local", 16, 4, 2, "2", "29"},
		{"8800gtx", "ld.local", 4, 4, 2, "5.33", "38"},
		{"8800gtx", "ld.local", 8, 4, 4, "10.66", "43.33"},
		{"r9380", "ld.local", 4, 4, 2, "2", "60"},
		{"r9380", "ld.local", 8, 4, 4, "4", "62"},
		{"a6000", "ld.local", 4, 4, 1, "2", "24"}, // H25: a request every two cycles,
		{"a6000", "ld.local", 8, 8, 2, "2", "25"}, // 128 bytes per cycle
		{"a6000", "ld.local", 16, 16, 4, "4", "27"},
		{"a6000", "ld.local", 16, 4, 4, "4", "27"},
		{"gtx1060", "atomic.add.local", 4, 4, 1, "1", "25"},
		{"gtx1060", "atomic.add.local", 0, 4, 1, "63", "87"}, // J18 T.4.2: 31 turns of 2 cycles
		{"c2050", "atomic.add.local", 0, 4, 32, "64", "90"},  // no figures: 31 turns of λ
	} {
		d := builtin(t, c.gpu)
		e := entryOf(t, d, op{op: c.op, typ: "f32", line: 1, access: strided(idg.SpaceLocal, d.WarpSize, 0,
			c.stride, c.width)})
		if e.Timing != timing(t, c.cpi, c.latency) || e.Transactions != c.transactions {
			t.Errorf("%s %s, stride %d, width %d: %v/%v with %d passes, want %s/%s with %d", c.gpu, c.op,
				c.stride, c.width,
				e.Timing.CPI, e.Timing.Latency, e.Transactions, c.cpi, c.latency, c.transactions)
		}
	}
}

// TestContextProperties: whatever the pattern, λ and Λ stay positive, exact
// enough for the simulator, and an access that moves more segments never costs less.
func TestContextProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, name := range Names() {
		d := builtin(t, name)
		base := entry(t, d, "ld.global").Timing
		for range 300 {
			a := randomAccess(rng)
			if len(a.Offsets) > d.WarpSize {
				a.Offsets = a.Offsets[:d.WarpSize]
			}
			c, err := d.inContext(&idg.Instr{Op: "ld.global", Lanes: uint8(len(a.Offsets))}, a, base, nil, 0,
				0, Module{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []Cycles{c.timing.CPI, c.timing.Latency} {
				if v.IsZero() || contextDenominator%v.Den() != 0 && v.Den() != 100 {
					t.Fatalf("%s: %v/%v for width %d, %v", name, c.timing.CPI, c.timing.Latency, a.Width, a.Offsets)
				}
			}
			// More than the lanes asked for: the memory is busy with exactly the bytes moved.
			moved, requested := int64(c.transactions*d.Memory.SegmentBytes), int64(len(a.Offsets))*int64(a.Width)
			if moved >= requested {
				want := float64(moved) / float64(4*d.WarpSize) * base.CPI.Float()
				if got := c.timing.CPI.Float(); got < want*(1-1e-12) || got > want*(1+1e-12) {
					t.Fatalf("%s: λ %v for %d bytes moved, want %v", name, got, moved, want)
				}
				if c.timing.Latency.Cmp(base.Latency) < 0 {
					t.Fatalf("%s: Λ %v is below %v", name, c.timing.Latency, base.Latency)
				}
			}
		}
	}
}

// A mixture over an odd number of bytes is rounded to 1/100 cycle; everything
// else is exact.
func TestBounded(t *testing.T) {
	x := exact{}
	for in, want := range map[string]string{"1/3": "1/3", "1/7": "0.14", "10.0055": "10.01", "7/256": "7/256",
		"1/100": "0.01", "1/70000": "0.01"} {
		if got := x.bounded(cyc(t, in), timing(t, "1/4", "3")); got != cyc(t, want) {
			t.Errorf("bounded(%s) = %v, want %s", in, got, want)
		}
	}
	if got := x.bounded(cyc(t, "5/7"), timing(t, "1/7", "3")); got != cyc(t, "5/7") {
		t.Errorf("a multiple of the entry's own λ became %v", got)
	}
	if x.err != nil {
		t.Error(x.err)
	}
}
