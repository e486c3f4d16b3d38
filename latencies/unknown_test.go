package latencies

import (
	"math"
	"strings"
	"testing"

	"gpupipe/idg"
)

// The expected largest number is that of all ways to place the things, counted one by one.
func TestMostByChance(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for places := 1; places <= 5; places++ {
			sum, ways := 0, int(math.Pow(float64(places), float64(n)))
			for way := range ways {
				held, most := make([]int, places), 0
				for x, k := way, 0; k < n; x, k = x/places, k+1 {
					held[x%places]++
					most = max(most, held[x%places])
				}
				sum += most
			}
			if got, want := mostByChance(n, places), float64(sum)/float64(ways); math.Abs(got-want) > 1e-9 {
				t.Errorf("%d things in %d places: %.6f, want %.6f", n, places, got, want)
			}
		}
	}
	if got := mostByChance(32, 32); math.Abs(got-3.53) > 0.005 {
		t.Errorf("32 lanes in 32 banks: %.3f", got)
	}
}

// accessing is a graph of one access.
func accessing(t *testing.T, op string, a idg.Access) *idg.Graph {
	t.Helper()
	b := idg.NewBuilder()
	b.Begin(0)
	b.Add(b.Instr(idg.Instr{Op: op, Type: "f32", Lanes: 32, Access: b.Access(a), Pos: idg.Pos{File: "k.cl", Line: 4}}))
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func setting(t *testing.T, gpu string, g *idg.Graph, rules ...string) *Mapping {
	t.Helper()
	var list []Rule
	for _, text := range rules {
		r, err := ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	m, err := NewMapper(builtin(t, gpu), list)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Accesses at addresses that are not known take as long as those at addresses that are, if
// they are of the kind that a rule says; those by chance in local memory four passes of 32.
func TestUnknownAddresses(t *testing.T) {
	offsets := func(stride int64) []int64 {
		out := make([]int64, 32)
		for i := range out {
			out[i] = int64(i) * stride
		}
		return out
	}
	for _, c := range []struct {
		op, kind string
		space    idg.Space
		width    uint16
		stride   int64 // of known addresses that are alike
	}{
		{"ld.global", "coalesced", idg.SpaceGlobal, 4, 4},
		{"ld.global", "scattered", idg.SpaceGlobal, 4, 4096},
		{"ld.global", "scattered", idg.SpaceGlobal, 8, 4096},
		{"ld.global", "same", idg.SpaceGlobal, 4, 0},
		{"st.global", "scattered", idg.SpaceGlobal, 16, 4096},
		{"atomic.add.global", "same", idg.SpaceGlobal, 4, 0},
		{"atomic.add.global", "scattered", idg.SpaceGlobal, 4, 4096},
		{"ld.local", "coalesced", idg.SpaceLocal, 4, 4},
		{"ld.local", "same", idg.SpaceLocal, 4, 0},
		{"ld.local", "scattered", idg.SpaceLocal, 4, -1},
		{"atomic.add.local", "same", idg.SpaceLocal, 4, 0},
		{"ld.constant", "same", idg.SpaceConstant, 4, 0},
		{"ld.constant", "scattered", idg.SpaceConstant, 4, 4096},
	} {
		for _, gpu := range []string{"a100", "gtx1060", "gtx480", "rtx3090"} {
			a := idg.Access{Space: c.space, Width: c.width, Store: strings.HasPrefix(c.op, "st.") ||
				strings.HasPrefix(c.op, "atomic"), Buffer: "x"}
			known := a
			if known.Offsets = offsets(c.stride); c.stride < 0 { // four words in each of eight banks
				for i := range known.Offsets {
					known.Offsets[i] = int64(i%8)*4 + int64(i/8)*128
				}
			}
			a.Assumed = "subscript loaded from memory"
			got := setting(t, gpu, accessing(t, c.op, a), "*(x)@4:addresses="+c.kind)
			want := setting(t, gpu, accessing(t, c.op, known)).Entry(1)
			e := got.Entry(1)
			if e.Timing != want.Timing || e.Transactions != want.Transactions || e.Subsystem != want.Subsystem {
				t.Errorf("%s: %s of %d bytes, %s: %v in %d transactions, want %v in %d", gpu, c.op, c.width, c.kind,
					e.Timing, e.Transactions, want.Timing, want.Transactions)
			}
			text := "addresses not known (subscript loaded from memory): assumed " + c.kind
			if !strings.HasPrefix(e.Assumed, text) || !strings.HasSuffix(e.Assumed, " (--set)") {
				t.Errorf("%s: %q, want %q", gpu, e.Assumed, text)
			}
			if len(got.Warnings) > 0 {
				t.Errorf("%s: %v", gpu, got.Warnings)
			}
		}
	}
}

// Without a rule they are what they were; a rule about known ones says so.
func TestUnknownAddressesWithoutRule(t *testing.T) {
	a := idg.Access{Space: idg.SpaceGlobal, Width: 4, Assumed: "subscript loaded from memory"}
	plain, said := setting(t, "a100", accessing(t, "ld.global", a)).Entry(1),
		setting(t, "a100", accessing(t, "ld.global", a), "ld:addresses=coalesced").Entry(1)
	if plain.Timing != said.Timing || plain.Transactions != said.Transactions {
		t.Errorf("coalesced %+v, without a rule %+v", said, plain)
	}
	if want := "addresses not known (subscript loaded from memory): assumed coalesced"; plain.Assumed != want {
		t.Errorf("%q, want %q", plain.Assumed, want)
	}
	a = idg.Access{Space: idg.SpaceGlobal, Width: 4, Offsets: make([]int64, 32)}
	m := setting(t, "a100", accessing(t, "ld.global", a), "ld.global:addresses=scattered")
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings.Error(), "matches no instruction") ||
		!strings.Contains(m.Warnings.Error(), "addresses that the graph does not know") {
		t.Errorf("warnings: %v", m.Warnings)
	}
}

// Lanes that have loaded where they go are far apart, unless a rule or the options say otherwise; lanes that have loaded
// one place together are beside each other there.
func TestLoadedPlaces(t *testing.T) {
	sectors := func(places int64, o Options, rules ...string) (int, bool) {
		a := idg.Access{Space: idg.SpaceGlobal, Width: 4, Assumed: "subscript loaded from memory", Places: places}
		g := accessing(t, "ld.global", a)
		var list []Rule
		for _, text := range rules {
			r, err := ParseRule(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, r)
		}
		m, err := NewMapper(builtin(t, "a100"), list)
		if err != nil {
			t.Fatal(err)
		}
		mapped, err := m.MapWith(g, o)
		if err != nil {
			t.Fatal(err)
		}
		return mapped.Entry(1).Transactions, len(mapped.UnknownAddresses(g)) > 0
	}
	for _, c := range []struct {
		places  int64
		o       Options
		rules   []string
		want    int
		unknown bool
	}{
		{0, Options{}, nil, 4, true}, {32, Options{}, nil, 32, true}, {4, Options{}, nil, 4, true},
		{32, Options{Coalesced: true}, nil, 4, true},
		{32, Options{}, []string{"ld:addresses=coalesced"}, 4, false},
		{32, Options{}, []string{"ld:addresses=scattered"}, 32, false},
	} {
		if got, unknown := sectors(c.places, c.o, c.rules...); got != c.want || unknown != c.unknown {
			t.Errorf("%+v: %d sectors, not known %v", c, got, unknown)
		}
	}
}

// TestSameAddresses: an access whose addresses are not known but the same in all lanes costs what one
// does that reads one known place, and rules still say otherwise.
func TestSameAddresses(t *testing.T) {
	for _, space := range []idg.Space{idg.SpaceGlobal, idg.SpaceLocal, idg.SpaceConstant} {
		for _, width := range []uint16{4, 16} {
			offsets := make([]int64, 32)
			known := &idg.Access{Space: space, Width: width, Offsets: offsets}
			unknown := &idg.Access{Space: space, Width: width, Assumed: "x", Same: true}
			d := builtin(t, "gtx1060")
			want := entryOf(t, d, op{op: "ld." + space.String(), typ: "f32", line: 1, access: known})
			got := entryOf(t, d, op{op: "ld." + space.String(), typ: "f32", line: 1, access: unknown})
			if got.Timing != want.Timing || got.Transactions != want.Transactions {
				t.Errorf("%v, %d bytes: %v, %d transactions; want %v, %d", space, width, got.Timing, got.Transactions,
					want.Timing, want.Transactions)
			}
			if !strings.Contains(got.Assumed, "the same in all lanes") {
				t.Errorf("%v: %q is assumed", space, got.Assumed)
			}
		}
	}
}
