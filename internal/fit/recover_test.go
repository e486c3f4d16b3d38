package fit

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/synthetic"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

var every = flag.Bool("every", false, "recover every built-in device, not only one of each structure")

// structures are devices of which each issues in another way.
var structures = []string{"c2050", "gtx980", "rtx2070", "r9380", "w6600"}

const (
	tolerance   = 0.02 // of λ and Λ
	repetitions = 15
	// standard deviations of noise by which a change of a number must alter the times for them to tell it
	told   = 5
	wide   = 0.05 // half an interval with which a number is as far off as that says
	change = 0.9  // of a number
)

// TestRecover: the fit finds λ and Λ of a device within 2%, where times have 5% noise, 5% outliers and a clock
// that moves. Or it gives a bound or refuses a class, with its reason: but only where the device with a tenth
// less or more of that number takes times which the noise cannot tell apart. A bound may also be within 2% of
// the truth: times do not tell whether units or the issue of instructions limit them. What is measured together with
// other instructions, and what has a wide interval, may be as far off as that says.
//
// The table counts them. All devices: FULL_TESTS=1 go test ./internal/fit -run TestRecover -every -v
func TestRecover(t *testing.T) {
	tools.Heavy(t)
	names := structures
	if *every {
		names = latencies.Names()
	}
	tallies := make([]tally, len(names))
	t.Cleanup(func() { t.Log(table(names, tallies)) })
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recoverDevice(t, name, &tallies[i])
		})
	}
}

// tally counts what was found of a device.
type tally struct {
	machine                string
	classes, cpi, latency  int     // λ and Λ that were found
	boundCPI, boundLatency int     // and of which there is a bound
	refused                int     // classes
	worstCPI, worstLatency float64 // error of what was found, relative
}

func table(names []string, tallies []tally) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ndevice\tclasses\trefused\tλ found\tbounds\tworst\tΛ found\tbounds\tworst\tmachine\t")
	for i, name := range names {
		n := &tallies[i]
		if n.classes == 0 { // not chosen by -run
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%s\t%s\t\n", name, n.classes, n.refused, n.cpi, n.boundCPI,
			percent(n.worstCPI),
			n.latency, n.boundLatency, percent(n.worstLatency), n.machine)
	}
	w.Flush()
	return b.String()
}

func recoverDevice(t *testing.T, name string, n *tally) {
	d, err := latencies.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := synthetic.New(d, synthetic.Default())
	if err != nil {
		t.Fatal(err)
	}
	classes := different(t, b, d)
	launch, _ := measure.Lookup("launch")
	r := Fit(b.Properties(), sampled(t, b, append(slices.Clone(classes), launch)))
	n.machine = fmt.Sprintf("%d sub-cores (%d), priority %v (%s), interval %s (%v)", r.Machine.Partitions, d.Partitions,
		r.Machine.Priority, d.Scheduler, decimal(r.Machine.Interval), d.IssueInterval)
	for _, class := range classes {
		checkClass(t, d, r, class, n)
	}
	checkBack(t, d, r)
}

// sampled measures classes as gpumeasure does.
func sampled(t testing.TB, b *synthetic.Bench, classes []measure.Class) (samples []measure.Sample) {
	t.Helper()
	err := measure.Run(context.Background(), b, measure.Plan(b.Properties(), classes, false), nil,
		measure.Options{Repetitions: repetitions},
		func(s []measure.Sample) error { samples = append(samples, s...); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

// different are classes whose parameters on the device differ.
func different(t testing.TB, b *synthetic.Bench, d *latencies.Device) []measure.Class {
	t.Helper()
	var list []measure.Class
	had := map[string]bool{}
	for _, c := range measure.Classes() {
		if c.Kind != measure.Chain || c.With != "" && !atomic(c) && !strings.HasPrefix(c.Op, "ld.") || matchOf(c) == "" && !cached(c) && !atomic(c) ||
			b.Skip(c) != "" {
			continue
		}
		e, err := b.Entry(c)
		if err != nil {
			t.Fatal(err)
		}
		var in latencies.Subsystem
		if int(e.Subsystem) < len(d.Subsystems) { // else that of L2
			in = d.Subsystems[e.Subsystem]
		}
		key := fmt.Sprint(in.Partitioned, in.Queue, e.Timing, e.Slots())
		if !had[key] || c.Name == special || c.Name == "add.s32" || c.With != "" {
			list = append(list, c)
		}
		had[key] = true
	}
	return list
}

// cached reports whether the class reads a cache.
func cached(c measure.Class) bool {
	return strings.HasSuffix(c.Name, ".l1") || strings.HasSuffix(c.Name, ".l2")
}

func atomic(c measure.Class) bool { return strings.HasPrefix(c.Op, "atomic.") }

// truth is the device's own λ and Λ. An instruction that takes several places of the issue limit cannot be told
// from one whose λ is that of so many. Executed with others, which delay it, λ is up to what a full compute unit takes,
// and Λ may be what one warp takes without theirs, or without those of what the report says they are taken to be like.
func truth(t testing.TB, d *latencies.Device, c measure.Class) (cpi, most, latency, one float64) {
	b, err := synthetic.New(d, synthetic.Disturbance{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := b.Entry(c)
	if err != nil {
		t.Fatal(err)
	}
	slots := e.Slots() + len(strings.Fields(c.With))
	cpi = max(e.Timing.CPI.Float(), float64(slots)/d.IssueLimit.Float())
	latency = e.Timing.Latency.Float()
	if c.With == "" {
		return cpi, cpi, latency, latency
	}
	one = takes(t, b, c, 1, 1)
	for _, op := range strings.Fields(c.With) {
		other, _ := measure.Lookup(cmp.Or(alike[op], op))
		one -= takes(t, b, other, 1, 1)
	}
	full := b.Properties().MaxWarps
	return cpi, max(cpi, takes(t, b, c, slices.Max(c.Chains), full)/float64(full)), latency, one
}

// takes is the cycles per instruction of so many warps.
func takes(t testing.TB, b *synthetic.Bench, c measure.Class, chains, warps int) float64 {
	p := b.Properties()
	return undisturbed(t, b, measure.Point{Class: c, Chains: chains, GroupSize: p.WarpSize, Groups: warps,
		WarpsPerUnit: warps}) * p.ClockMHz * 1e6
}

func checkClass(t *testing.T, d *latencies.Device, r *Result, class measure.Class, n *tally) {
	c := &r.Classes[slices.IndexFunc(r.Classes, func(c Class) bool { return c.Name == class.Name })]
	cpi, most, latency, one := truth(t, d, class)
	cpi = min(max(c.CPI.Value, cpi), most)
	latency = min(max(c.Latency.Value, min(latency, one)), max(latency, one))
	n.classes++
	if c.Refused != "" {
		n.refused++
		if class.With == "" && shows(t, d, class, change, 1) && shows(t, d, class, 1/change, 1) &&
			shows(t, d, class, 1, change) && shows(t, d, class, 1, 1/change) {
			t.Errorf("%s is refused, but times tell λ and Λ: %s", c.Name, c.Refused)
		}
		return
	}
	for _, x := range []struct {
		name             string
		found            Number
		want             float64
		ofCPI, ofLatency float64
		accepted, bounds *int
		worst            *float64
	}{
		{"λ", c.CPI, cpi, change, 1, &n.cpi, &n.boundCPI, &n.worstCPI},
		{"Λ", c.Latency, latency, 1, change, &n.latency, &n.boundLatency, &n.worstLatency},
	} {
		off := x.found.Value/x.want - 1
		bad := false
		switch {
		case x.found.Bound:
			*x.bounds++
			bad = off < -tolerance || off > tolerance && shows(t, d, class, x.ofCPI, x.ofLatency)
		default:
			*x.accepted++
			if x.found.Error > wide || class.With != "" || c.Noise > wide { // samples that scatter tell no more
				bad = math.Abs(off) > tolerance && math.Abs(off) > max(x.found.Error, c.Noise)
				break
			}
			*x.worst = max(*x.worst, math.Abs(off))
			bad = math.Abs(off) > tolerance
		}
		if bad {
			t.Errorf("%s: %s %s ±%s, want %g; residual %s, noise %s, misfit %.1f, %+v (%s)", c.Name, x.name,
				x.found.show(), percent(x.found.Error),
				x.want, percent(c.Residual), percent(c.Noise), c.misfit, c.Hull, x.found.Why)
		}
	}
}

// shows reports whether times tell the device from one on which an instruction has other numbers.
func shows(t *testing.T, d *latencies.Device, class measure.Class, ofCPI, ofLatency float64) bool {
	is, err := synthetic.New(d, synthetic.Disturbance{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := is.Entry(class)
	if err != nil {
		t.Fatal(err)
	}
	changed := latencies.Timing{CPI: exact(e.Timing.CPI.Float() * ofCPI),
		Latency: exact(e.Timing.Latency.Float() * ofLatency)}
	has, rules := *d, []latencies.Rule(nil)
	switch {
	case strings.HasSuffix(class.Name, ".l1"):
		l1 := *d.Memory.L1
		l1.Timing, has.Memory.L1 = changed, &l1
	case strings.HasSuffix(class.Name, ".l2"):
		l2 := *d.Memory.L2
		l2.Timing, has.Memory.L2 = changed, &l2
	default:
		rule, err := latencies.ParseRule(fmt.Sprintf("%s:cpi=%v,latency=%v", class.Op, changed.CPI, changed.Latency))
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	other, err := synthetic.New(&has, synthetic.Disturbance{}, rules...)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range measure.Plan(is.Properties(), []measure.Class{class}, false) {
		apart := math.Log(undisturbed(t, other, p)/undisturbed(t, is, p)) / synthetic.Default().Noise
		sum += repetitions * apart * apart
	}
	return math.Sqrt(sum) > told
}

// undisturbed is the time of a long launch.
func undisturbed(t testing.TB, b *synthetic.Bench, p measure.Point) float64 {
	p.Instructions = 1 << 20
	x, err := b.Time(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return x.Seconds / float64(x.Instructions)
}

// checkBack: the written file, simulated, is as near to the measured medians as the residuals say.
func checkBack(t *testing.T, d *latencies.Device, r *Result) {
	text, err := r.YAML("fitted", "")
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := latencies.ParseDevice("fitted.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	back, err := synthetic.New(fitted, synthetic.Disturbance{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused != "" || matchOf(c.Class) == "" {
			continue
		}
		list, _ := medians(c.used)
		var errors []float64
		for i, o := range list {
			if i%3 != 0 || o.every != 1 {
				continue
			}
			cycles := float64(d.ClockHz) * undisturbed(t, back, measure.Point{
				Class: c.Class, Chains: o.chains, GroupSize: o.groupWarps * d.WarpSize, Groups: o.warps / o.groupWarps,
				WarpsPerUnit: o.warps,
			})
			errors = append(errors, math.Abs(math.Log(o.time/cycles)))
		}
		if got := median(errors); got > c.Residual {
			t.Errorf("%s: the file simulates back with a median error of %s, the residual is %s", c.Name, percent(got),
				percent(c.Residual))
		}
	}
}
