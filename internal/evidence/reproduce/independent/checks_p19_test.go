package independent

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

func number(x float64) func() (float64, error) { return func() (float64, error) { return x, nil } }

// articleChecks are those of P19, L4 and A.
func articleChecks(t *testing.T) []check {
	list := []check{
		eq("P19 Eq. 1", "cycles of W ≤ 64 warps of N ≤ 12 dependent instructions, 5 pipelines",
			"", 0, func() (float64, error) { return worstPipeline(t) }),
		eq("P19 Fig. 1", "one warp on the C2050",
			"", fig1(cell{1, 18}, cell{23, 521}, cell{1, 18}), fig1On(t, "c2050-p19")),
		eq("P19 Fig. 1", "one warp on the GTX 1060",
			"", fig1(cell{.25, 6}, cell{12, 378}, cell{.25, 6}), fig1On(t, "gtx1060-p19")),
		eq("P19 T.II, T.III", "pairs of λ and Λ in the device files (T.III's matrices are for rules)",
			"", 16, func() (float64, error) { return pairs(tableP19) }),
		eq("A T.5", "pairs of λ and Λ in the device files",
			"", 59, func() (float64, error) { return pairs(tableA5) }),
	}
	for _, o := range []struct {
		gpu, device                      string
		warps, groups, total, most, unit int
		combinations, counts             string
	}{
		{"Fermi", "c2050", 48, 8, 49152, 49152, 128, "34", "18"},
		{"Pascal", "gtx1060", 64, 32, 98304, 49152, 256, "78", "43"},
	} {
		combinations, counts := occupancies(o.warps, o.groups, o.total, o.most, o.unit)
		listed := func(counted bool) func() (float64, error) {
			return func() (float64, error) { return inSweep(t, o.device, counted) }
		}
		list = append(list,
			eq("P19 IV.A", o.gpu+": group sizes and resident groups that local memory can choose",
				o.combinations, float64(combinations), listed(false)),
			eq("P19 IV.A", o.gpu+": warp counts among them", o.counts, float64(counts), listed(true)))
	}
	for _, c := range []struct {
		device, printed string
		lanes           float64
	}{{"8800gtx", "4", 8}, {"c2050", "1", 32}, {"gtx980", "0.25", 128}} {
		list = append(list, eq("L4", "λ of a warp on "+c.device, c.printed, 32/c.lanes, func() (float64, error) {
			p, err := parameters(c.device, "add.f32")
			return p.l, err
		}))
	}
	list = append(list,
		eq("L4", "groups of a unit: 16384 on 10 units",
			"", math.Ceil(16384./10), groupsOfUnit(t, "gtx1060", 16384)),
		eq("L4", "groups of a unit: 4096 on 14 units",
			"", math.Ceil(4096./14), groupsOfUnit(t, "c2050", 4096)))
	list = append(list, exampleChecks(t)...)
	list = append(list, intervalChecks(t)...)
	list = append(list, mixChecks(t)...)
	list = append(list, moduleChecks(t)...)
	return append(list, accuracyChecks()...)
}

// inSweep is what a sweep over groups of 1 to 32 warps lists.
func inSweep(t *testing.T, device string, counted bool) (float64, error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return 0, err
	}
	space := &sweep.Space{Devices: []*latencies.Device{d}, Occupancies: sweep.ReachableOccupancies}
	for warps := int64(1); warps <= 32; warps *= 2 {
		h := newHand(t, "alu")
		h.chain(1, h.class("add.f32", 0, "1", "1"))
		g := h.graph(1 << 20)
		g.Launch.Local[0] *= warps
		space.Graphs = append(space.Graphs, sweep.Graph{Name: fmt.Sprint(warps), Graph: g, Digest: fmt.Sprint(warps)})
	}
	p, err := sweep.New(space, sweep.Shard{})
	if err != nil {
		return 0, err
	}
	counts := map[int]bool{}
	for k := range p.Len() {
		var warps, groups int
		values := p.Configuration(k).Values // graph, device, groups
		if _, err := fmt.Sscan(values[0]+" "+values[2], &warps, &groups); err != nil {
			return 0, err
		}
		counts[warps*groups] = true
	}
	if counted {
		return float64(len(counts)), nil
	}
	return float64(p.Len()), nil
}

func worstPipeline(t *testing.T) (float64, error) {
	worst := 0.0
	for _, p := range []struct {
		cpi, latency string
	}{{"1", "18"}, {"2", "6"}, {"8", "40"}, {"1/4", "6"}, {"3/8", "6"}} {
		for _, n := range []int{1, 2, 5, 12} {
			for w := int64(1); w <= 64; w += 9 {
				h := newHand(t, "alu")
				c := h.class("add.f32", 0, p.cpi, p.latency)
				got, err := h.chain(n, c).run(w, simulate.Config{})
				if err != nil {
					return 0, err
				}
				want := onePipeline(float64(w), float64(n), cell{h.cycles(p.cpi).Float(), h.cycles(p.latency).Float()})
				worst = math.Max(worst, math.Abs(got/want-1))
			}
		}
	}
	return worst, nil
}

// Tables of λ / Λ: devices in the head, then the ops.
const (
	tableP19 = `op c2050-p19 gtx1060-p19
add.f32 1/18 0.25/6
cos.approx.f32 8/40 1/14
loop 4/58 1.75/29
ld.global 23/521 12/378
loop 4/58 1.75/29
ld.local 2/47 1/30
barrier 3/40 2/70
fma.f32 1/18 0.25/6`
	tableA5 = `op c2050 gtx650ti k620 gtx1060 rtx2070 r9380
cos.approx.f32 8/40 1/18 1/15 1/15 2/21 5/24
mul.f32 1/18 0.25/9 0.375/6 0.25/6 0.5/4 1/5.25
mul.f64 2/22 4/22 7.5/42 8/43 19/45 8/76
mul.s32 2/18 0.5/5 0.875/12.5 0.75/12 0.25/2 1/5.25
div.f32 3/45 0.75/28.5 1.125/20 0.75/18 1.5/12.5 2.25/14
div.f64 19/253 26/260 47/376 47/376 -/- 155/740
div.s32 20/200 3/96 7/105 5/100 5/65 24/192
barrier 2/40 0.75/24 4.5/125 2.25/70 1.5/17 7.5/150
ld.global 23/475 7.5/300 18/440 12/345 18/450 42/136
ld.local 2/28 1/28 1/28 1/25 2/32 2/60`
)

// pairs counts the cells of a table that the device files have; another is an error.
func pairs(table string) (float64, error) {
	rows := strings.Split(table, "\n")
	devices := strings.Fields(rows[0])
	count := 0.0
	for _, row := range rows[1:] {
		fields := strings.Fields(row)
		for i := 1; i < len(fields); i++ {
			var want cell
			if _, err := fmt.Sscanf(fields[i], "%g/%g", &want.l, &want.L); err != nil {
				continue // not measured
			}
			got, err := parameters(devices[i], fields[0])
			if err != nil || got != want {
				return count, fmt.Errorf("%s, %s: %v, want %v (%v)", devices[i], fields[0], got, want, err)
			}
			count++
		}
	}
	return count, nil
}

func groupsOfUnit(t *testing.T, device string, groups int64) func() (float64, error) {
	return func() (float64, error) {
		d, err := latencies.Builtin(device)
		if err != nil {
			return 0, err
		}
		h := newHand(t)
		h.add(h.access("ld.global", idg.SpaceGlobal, 1))
		o, err := simulate.Capacity(h.graph(groups), d, simulate.Config{})
		for _, c := range o.Candidates {
			if c.Resource == "launch" {
				return float64(c.Groups), err
			}
		}
		return 0, err
	}
}

// fig1On simulates the kernel of P19 Fig. 1 on a built-in device.
func fig1On(t *testing.T, device string) func() (float64, error) {
	return func() (float64, error) {
		h := newHand(t)
		load := h.access("ld.global", idg.SpaceGlobal, 1)
		i := h.add(h.plain("add.s32", "s32"))
		x, y := h.add(load, i), h.add(load, i)
		h.add(h.access("st.global", idg.SpaceGlobal, 1), h.add(h.plain("fma.f32", "f32"), x, y))
		g, mapping, err := h.on(device)
		if err != nil {
			return 0, err
		}
		r, err := simulate.Run(context.Background(), g, mapping, simulate.Config{Groups: 1, Concurrent: 1})
		if err != nil {
			return 0, err
		}
		return r.Cycles.Float(), nil
	}
}
