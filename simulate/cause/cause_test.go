package cause_test

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
)

func run(t *testing.T, g *idg.Graph, gpu string, cfg simulate.Config) (*cause.Breakdown, *simulate.Result) {
	t.Helper()
	d, err := latencies.Builtin(gpu)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapper.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate.Run(t.Context(), g, m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	b, err := cause.Of(r, d)
	if err != nil {
		t.Fatal(err)
	}
	return b, r
}

// TestSum: the causes of 1,000 random programs add up to the time exactly, in all and by any key (Verify).
func TestSum(t *testing.T) {
	gpus := []string{"gtx1060", "a100", "h100", "mi210", "rtx3090", "rx7900xtx"}
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(1000) {
		g := idgtest.Random{Seed: seed, Lines: 12, Depth: int(seed % 3), Trips: func() int { return 1 + r.IntN(5) },
			Ops: idgtest.Everything, AnyEdges: seed%2 == 0}.Graph(t)
		cfg := simulate.Config{Groups: 1 + r.Int64N(40), Issue: simulate.IssueMode(1 + r.IntN(3))}
		b, res := run(t, g, gpus[seed%uint64(len(gpus))], cfg)
		if b.Total.Cmp(res.Cycles) < 0 {
			t.Fatalf("seed %d: %v cycles of %v", seed, b.Total, res.Cycles)
		}
		keys, sums := cause.By(b, func(c *cause.Cause) cause.Kind { return c.Kind })
		sum := 0.0
		for _, k := range keys {
			sum += sums[k]
		}
		if total := b.Total.Float(); sum < total*(1-1e-9) || sum > total*(1+1e-9) {
			t.Errorf("seed %d: the kinds add up to %v of %v cycles", seed, sum, b.Total)
		}
	}
}

// access is a program of n independent accesses of a full warp.
func access(t *testing.T, op string, space idg.Space, n int, stride int64) *idg.Graph {
	b := idg.NewBuilder()
	a := idg.Access{Space: space, Buffer: "x", Width: 4}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, lane*stride)
	}
	in := b.Instr(idg.Instr{Op: op, Type: "f32", Access: b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 7, Column: 3}})
	b.Begin(0)
	for range n {
		b.Add(in)
	}
	return idgtest.Build(t, b)
}

// TestExcess: what a strided access costs beyond a consecutive one is a cause of its own, on its line.
func TestExcess(t *testing.T) {
	for _, c := range []struct {
		op     string
		space  idg.Space
		stride int64
		want   cause.Kind
	}{
		{"ld.local", idg.SpaceLocal, 4, cause.Work},
		{"ld.local", idg.SpaceLocal, 128, cause.BankConflicts},
		{"ld.global", idg.SpaceGlobal, 4, cause.Work},
		{"ld.global", idg.SpaceGlobal, 128, cause.ExtraSectors},
		{"atomic.add.local", idg.SpaceLocal, 0, cause.SameAddress},
	} {
		b, _ := run(t, access(t, c.op, c.space, 2000, c.stride), "gtx1060", simulate.Config{Groups: 64})
		top := b.Causes[0]
		if top.Kind != c.want || top.Pos != (idg.Pos{File: "k.cl", Line: 7}) {
			t.Errorf("%s by %d bytes: %v on %v, want %v\n%v", c.op, c.stride, top.Kind, top.Pos, c.want, b.Causes)
		}
	}
}

// TestFew: a chain in a launch of one group waits for data, and for groups that are not there.
func TestFew(t *testing.T) {
	b := idg.NewBuilder()
	in := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 3, Column: 1}})
	b.Begin(0)
	last := b.Add(in)
	for range 1000 {
		last = b.Add(in, idg.Edge{From: last, Kind: idg.Data})
	}
	got, _ := run(t, idgtest.Build(t, b), "gtx1060", simulate.Config{Groups: 1})
	_, sums := cause.By(got, func(c *cause.Cause) cause.Kind { return c.Kind })
	if got.Causes[0].Kind != cause.Few || sums[cause.Data] == 0 {
		t.Errorf("%v", got.Causes)
	}
	got, _ = run(t, idgtest.Build(t, b), "gtx1060", simulate.Config{Groups: 100, Concurrent: 1})
	if got.Causes[0].Kind != cause.Data || got.Causes[0].Pos.Line != 3 {
		t.Errorf("%v", got.Causes)
	}
}

// TestKinds: each kind has a code of its own, and others have none.
func TestKinds(t *testing.T) {
	seen := map[string]bool{"invalid cause": true}
	for _, k := range cause.Kinds() {
		if seen[k.String()] {
			t.Errorf("%d is called %q", k, k)
		}
		seen[k.String()] = true
	}
	if got := cause.Kind(0).String() + cause.Kind(200).String(); got != "invalid causeinvalid cause" {
		t.Errorf("%q", got)
	}
}

// TestLanes: idle lanes, accesses that L1 serves for longer than neighbours', and the start of many small groups are
// causes of their own.
func TestLanes(t *testing.T) {
	b := idg.NewBuilder()
	half := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 16, Pos: idg.Pos{File: "k.cl", Line: 2, Column: 1}})
	b.Begin(0)
	for range 2000 {
		b.Add(half)
	}
	got, _ := run(t, idgtest.Build(t, b), "gtx1060", simulate.Config{Groups: 640})
	_, sums := cause.By(got, func(c *cause.Cause) cause.Kind { return c.Kind })
	if idle, work := sums[cause.IdleLanes], sums[cause.Work]; idle < 0.9*work || work < 0.9*idle || idle == 0 {
		t.Errorf("half of the lanes: %v idle, %v at work", idle, work)
	}
	got, res := run(t, access(t, "ld.global", idg.SpaceGlobal, 2000, 128), "h100", simulate.Config{Groups: 640})
	if got.Causes[0].Kind != cause.ExtraSectors {
		t.Errorf("a stride on a device with an L1: %v", got.Causes)
	}
	load := 0.0
	for i := range res.Classes {
		load += got.Load(&res.Classes[i])
	}
	if load < 0.999 || load > 1.001 {
		t.Errorf("all classes have %v of the busiest resource's time", load)
	}
	b = idg.NewBuilder()
	one := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 2, Column: 1}})
	b.Begin(0)
	b.Add(one)
	got, _ = run(t, idgtest.Build(t, b), "h100", simulate.Config{Groups: 10000})
	if got.Busiest.Kind != cause.Starts || got.Causes[0].Kind != cause.Starts {
		t.Errorf("groups of one instruction: %v of %v", got.Busiest, got.Causes)
	}
	got.Causes = got.Causes[1:]
	if got.Verify() == nil {
		t.Error("a cause that lacks is not noticed")
	}
}

// TestCached: of accesses a line apart that caches serve, L1 or device memory spends time that neighbours would not.
func TestCached(t *testing.T) {
	for gpu, l := range map[string]idg.Locality{
		"h100":    {Instr: 1, Sectors: 64000, Warp: []idg.Reuse{{Distance: 4096, Sectors: 63968}}, Cold: 32},
		"gtx1060": {Instr: 1, Sectors: 64000, Cold: 64000},
	} {
		b := idg.NewBuilder()
		a := idg.Access{Space: idg.SpaceGlobal, Buffer: "x", Width: 4}
		for lane := range int64(32) {
			a.Offsets = append(a.Offsets, lane*128)
		}
		in := b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Access: b.Access(a), Lanes: 32,
			Pos: idg.Pos{File: "k.cl", Line: 7, Column: 3}})
		b.Begin(0)
		for range 2000 {
			b.Add(in)
		}
		g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
			Groups: [3]int64{6400, 1, 1}, WarpSize: 32}, Locality: []idg.Locality{l},
			Footprint: &idg.Footprint{ReadBytes: 32 * l.Cold, LaunchReadBytes: 32 * l.Cold * 6400}})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := run(t, g, gpu, simulate.Config{Groups: 64})
		_, sums := cause.By(got, func(c *cause.Cause) cause.Kind { return c.Kind })
		if sums[cause.ExtraSectors] < 0.2*got.Total.Float() {
			t.Errorf("%s: %v", gpu, got.Causes)
		}
	}
}

// TestInterleaved: one of two fields brings the sectors of both, and device memory moves no more than both need.
func TestInterleaved(t *testing.T) {
	b := idg.NewBuilder()
	var fields [2]idg.InstrID
	for k := range int64(2) {
		a := idg.Access{Space: idg.SpaceGlobal, Buffer: "x", Width: 4}
		for lane := range int64(32) {
			a.Offsets = append(a.Offsets, lane*8+4*k)
		}
		fields[k] = b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Access: b.Access(a), Lanes: 32,
			Pos: idg.Pos{File: "k.cl", Line: 7, Column: 3 + 6*int(k)}})
	}
	b.Begin(0)
	for range 2000 {
		b.Add(fields[0])
		b.Add(fields[1])
	}
	const sectors = 2000 * 8
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{6400, 1, 1}, WarpSize: 32}, Locality: []idg.Locality{
		{Instr: 1, Sectors: sectors, Cold: sectors},
		{Instr: 2, Sectors: sectors, Warp: []idg.Reuse{{Distance: 64, Sectors: sectors}}}},
		Footprint: &idg.Footprint{ReadBytes: 32 * sectors, LaunchReadBytes: 32 * sectors * 6400}})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := run(t, g, "a100", simulate.Config{Groups: 64})
	_, sums := cause.By(got, func(c *cause.Cause) cause.Kind { return c.Kind })
	if sums[cause.ExtraSectors] > 0.01*got.Total.Float() || sums[cause.Work] < 0.9*got.Total.Float() {
		t.Errorf("%v", got.Causes)
	}
}
