package sweep

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// TestOrder pins the order of the rows: the last parameter changes fastest.
func TestOrder(t *testing.T) {
	s := space(t)
	s.Groups, s.Registers = []int64{5, 7}, []int64{16}
	s.Vary = s.Vary[:1]
	p := plan(t, s, Shard{})
	if got, want := fmt.Sprint(p.Parameters()),
		"[graph gpu ld.global:latency registers scheduler issue_limit groups concurrent]"; got != want {
		t.Errorf("parameters %s, want %s", got, want)
	}
	if p.Len() != 2*2*3*2*2*3 || p.Total() != p.Len() {
		t.Fatalf("%d of %d configurations", p.Len(), p.Total())
	}
	for k, want := range map[int]string{
		0:           `small, "quoted" gtx480 100 16 rr 2 5 1`,
		1:           "3",
		2:           "max",
		3:           "7 1",
		6:           "oldest 2 5 1",
		12:          "200 16 rr 2 5 1",
		36:          "gtx1060 100 16 rr 2 5 1",
		72:          "large gtx480 100 16 rr 2 5 1",
		p.Len() - 1: "large gtx1060 300 16 oldest 2 7 max",
	} {
		c := p.Configuration(k)
		if got := strings.Join(c.Values, " "); !strings.HasSuffix(got, want) || c.Number != k+1 {
			t.Errorf("configuration %d is %d: %s, want %s", k, c.Number, got, want)
		}
	}
	c := p.Configuration(p.Len() - 1).config
	if c.Groups != 7 || c.Concurrent != 0 || c.Scheduler != simulate.Oldest || c.Registers != 16 ||
		c.IssueLimit != latencies.WholeCycles(2) {
		t.Errorf("configured %+v", c)
	}
}

// TestOwnDevices: without a list of devices each graph has its own.
func TestOwnDevices(t *testing.T) {
	s := space(t)
	both := s.Devices
	s.Vary, s.Schedulers, s.IssueLimits, s.Concurrent, s.Devices = nil, nil, nil, []int64{1}, nil
	if _, err := New(s, Shard{}); err == nil {
		t.Error("graphs without a device are accepted")
	}
	for i := range s.Graphs {
		s.Graphs[i].Device = both[i]
	}
	p := plan(t, s, Shard{})
	for k := range p.Len() {
		if c := p.Configuration(k); p.Len() != 2 || c.Values[1] != both[k].Name || p.Device(&c) != both[k] {
			t.Errorf("configuration %d of %d: %v", k, p.Len(), c.Values)
		}
	}
}

// TestEveryOccupancy counts the rows that a launch of 8 warps per group has: the
// GTX 480 holds 48 warps and 8 groups, the GTX 1060 64 warps. Of the large
// kernel nothing fits: one row says so.
func TestEveryOccupancy(t *testing.T) {
	s := space(t)
	s.Vary, s.Schedulers, s.IssueLimits, s.Concurrent, s.Occupancies = nil, nil, nil, nil, EveryOccupancy
	p := plan(t, s, Shard{})
	rows, _ := run(t, p, 2, CSV)
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprint(r.Values[1], r.Values[2], r.Warps, strings.SplitN(r.Error, ":", 2)[0]))
	}
	want := []string{
		"gtx48018", "gtx480216", "gtx480324", "gtx480432", "gtx480540", "gtx480648",
		"gtx106018", "gtx1060216", "gtx1060324", "gtx1060432", "gtx1060540", "gtx1060648", "gtx1060756", "gtx1060864",
		"gtx48010OCCUPANCY", "gtx106010OCCUPANCY",
	}
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], " ", "")
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	// Registers and the number of groups change what fits: 33 registers of 256
	// work items are 4 groups on the GTX 480 less what rounding costs (3).
	s.Registers, s.Groups = []int64{33, 16}, []int64{2, 100}
	p = plan(t, s, Shard{})
	o, err := simulate.Capacity(s.Graphs[0].Graph, s.Devices[0], simulate.Config{Registers: 33, Groups: 100})
	if err != nil {
		t.Fatal(err)
	}
	if n := p.starts[2] - p.starts[1]; int64(n) != o.Groups || p.starts[1] != 2 {
		t.Errorf("%d and %d rows, want 2 and %d", p.starts[1], n, o.Groups)
	}
}

// TestShards holds for random spaces and numbers of shards that the shards are
// disjoint and together the whole, in order, with the same bytes.
func TestShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		s := space(t)
		s.Schedulers = s.Schedulers[:rng.IntN(3)]
		s.Vary = s.Vary[:rng.IntN(3)]
		if s.Occupancies = Occupancies(rng.IntN(3)); s.Occupancies != ListedOccupancies {
			s.Concurrent = nil
		}
		whole := plan(t, s, Shard{})
		of := 1 + rng.IntN(2*whole.Len())
		seen := map[int]string{}
		sum := 0
		for i := 1; i <= of; i++ {
			part := plan(t, s, Shard{i, of})
			sum += part.Len()
			for k := range part.Len() {
				c := part.Configuration(k)
				seen[c.Number] = fmt.Sprint(c)
			}
		}
		if sum != whole.Len() || len(seen) != sum {
			t.Fatalf("%d shards have %d configurations, %d different ones; the whole has %d", of, sum, len(seen),
				whole.Len())
		}
		keys := map[string]bool{}
		for k := range whole.Len() {
			c := whole.Configuration(k)
			if seen[k+1] != fmt.Sprint(c) {
				t.Errorf("configuration %d is %s in its shard, %v in the whole", k+1, seen[k+1], c)
			}
			keys[c.Key] = true
		}
		if len(keys) != whole.Len() {
			t.Errorf("%d keys for %d configurations", len(keys), whole.Len())
		}
	}
	s := space(t)
	_, whole := run(t, plan(t, s, Shard{}), 2, CSV)
	all := lines(whole)
	var parts [3][][]byte
	for i := range parts {
		_, text := run(t, plan(t, s, Shard{i + 1, 3}), 2, CSV)
		parts[i] = lines(text)[1:]
	}
	for k, line := range all[1:] {
		if got := parts[k%3][k/3]; !bytes.Equal(got, line) {
			t.Errorf("row %d is %s in its shard, %s in the whole", k+1, got, line)
		}
	}
}

// TestKeys changes all that a result depends on, one at a time.
func TestKeys(t *testing.T) {
	base := func() *Space {
		s := space(t)
		s.Concurrent = []int64{2}
		return s
	}
	rule := vary(t, "add.f32:latency=9").Rules
	keys := map[string]string{}
	for name, change := range map[string]func(*Space){
		"nothing": func(*Space) {},
		"graph":   func(s *Space) { s.Graphs[0].Digest += "x" },
		"device":  func(s *Space) { s.Devices[0] = device(t, "gtx680") },
		"number of the device": func(s *Space) {
			d := *s.Devices[0]
			d.Limits.Warps++
			s.Devices[0] = &d
		},
		"rule":       func(s *Space) { s.Rules = rule },
		"varied":     func(s *Space) { s.Vary[0] = vary(t, "ld.global:latency=101") },
		"warm":       func(s *Space) { s.Warm = true },
		"full":       func(s *Space) { s.Base.Full = true },
		"budget":     func(s *Space) { s.Base.Budget = 77 },
		"issue":      func(s *Space) { s.Base.Issue = simulate.InOrder },
		"concurrent": func(s *Space) { s.Concurrent = []int64{3} },
	} {
		s := base()
		change(s)
		key := plan(t, s, Shard{}).Configuration(0).Key
		if other, ok := keys[key]; ok {
			t.Errorf("%s and %s have the same key", name, other)
		}
		keys[key] = name
	}
	// Where a device file lies does not matter.
	s := base()
	d := *s.Devices[0]
	d.Instructions = slices.Clone(d.Instructions)
	for i := range d.Instructions {
		d.Instructions[i].Pos.File = "elsewhere.yaml"
	}
	s.Devices[0] = &d
	if keys[plan(t, s, Shard{}).Configuration(0).Key] != "nothing" {
		t.Error("the key depends on the path of the device file")
	}
}

func TestNewRefuses(t *testing.T) {
	for want, change := range map[string]func(*Space){
		"nothing to simulate: 0 graphs":    func(s *Space) { s.Graphs = nil },
		"nothing to simulate: 2 graphs, 0": func(s *Space) { s.Devices = nil },
		"graph large is listed twice":      func(s *Space) { s.Graphs[0].Name = "large" },
		"gpu gtx480 is listed twice":       func(s *Space) { s.Devices = append(s.Devices, s.Devices[0]) },
		"concurrent 3 is listed twice":     func(s *Space) { s.Concurrent = append(s.Concurrent, 3) },
		"add.f32:cpi is varied twice":      func(s *Space) { s.Vary = append(s.Vary, s.Vary[1]) },
		"3 occupancies are listed beside":  func(s *Space) { s.Occupancies = EveryOccupancy },
		"more than 1000000 configurations": func(s *Space) { s.Groups = manyGroups(40_000) },
		"x:cpi takes 0 values by 0 rules":  func(s *Space) { s.Vary[1] = Vary{Name: "x:cpi"} },
		"there is no shard 4 of 3":         func(s *Space) {},
		"must not be negative, it is -1":   func(s *Space) { s.Base.Budget = -1 },
		"than 1000000 configurations\n\tvary": func(s *Space) {
			s.Groups, s.Concurrent, s.Occupancies = manyGroups(20_000), nil, EveryOccupancy
		},
	} {
		s := space(t)
		change(s)
		shard := Shard{}
		if strings.Contains(want, "shard") {
			shard = Shard{4, 3}
		}
		if _, err := New(s, shard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func manyGroups(n int64) []int64 {
	var list []int64
	for i := range n {
		list = append(list, i+1)
	}
	return list
}

// TestReachableOccupancies holds the numbers of P19 IV.A: groups of powers of two from 32 work items
// on, and all occupancies that allocating local memory reaches (C2050, GTX 1060). A T.9 adds that the GTX 1060
// cannot be limited to one group; the K620 can.
func TestReachableOccupancies(t *testing.T) {
	for _, c := range []struct {
		gpu                 string
		combinations, warps int
		least               int64
	}{{"c2050", 34, 18, 1}, {"gtx1060", 78, 43, 2}, {"k620", 78, 42, 1}} {
		s := &Space{Devices: []*latencies.Device{device(t, c.gpu)}, Occupancies: ReachableOccupancies}
		for warps := 1; warps <= 32; warps *= 2 {
			s.Graphs = append(s.Graphs, kernel(t, fmt.Sprint(warps), 1, warps, 0))
		}
		p := plan(t, s, Shard{})
		counts, least := map[int64]bool{}, int64(1<<62)
		for k := range p.Len() {
			conf := p.Configuration(k)
			n := conf.config.Concurrent
			var size int64
			fmt.Sscan(conf.Values[0], &size)
			counts[n*size], least = true, min(least, n)
		}
		if p.Len() != c.combinations || len(counts) != c.warps || least != c.least {
			t.Errorf("%s: %d combinations, %d warp counts, at least %d groups; want %d, %d, %d", c.gpu, p.Len(),
				len(counts), least, c.combinations, c.warps, c.least)
		}
	}
}

// TestParseShard takes parts that there are.
func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/8": {2, 8}, "8/8": {8, 8}, "0/8": {}, "9/8": {}, "1": {},
		"a/2": {}, "1/b": {}, "-1/2": {}} {
		if got, err := ParseShard(text); got != want || (err != nil) != (want == Shard{}) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
