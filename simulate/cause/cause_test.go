package cause_test

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
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
