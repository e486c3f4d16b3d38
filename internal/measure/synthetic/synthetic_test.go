package synthetic

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gpupipe/internal/measure"
	"gpupipe/latencies"
)

func bench(t testing.TB, device string, x Disturbance) *Bench {
	t.Helper()
	d, err := latencies.Builtin(device)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(d, x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func class(t testing.TB, name string) measure.Class {
	t.Helper()
	c, ok := measure.Lookup(name)
	if !ok {
		t.Fatalf("there is no class %s", name)
	}
	return c
}

// TestBoatHull: undisturbed chains take what P19 Eq. 1 says, with λ and Λ of the device file.
func TestBoatHull(t *testing.T) {
	b := bench(t, "gtx1060", Disturbance{})
	c := class(t, "mul.f32") // λ 0.25, Λ 6
	for _, p := range []struct {
		warps, chains int
		want          float64
	}{{1, 1, 6}, {24, 1, 6}, {48, 1, 12}, {1, 2, 3}, {64, 4, 16}} {
		x, err := b.Time(context.Background(), measure.Point{Class: c, Chains: p.chains, GroupSize: 32, Groups: p.warps,
			WarpsPerUnit: p.warps, Instructions: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Seconds * 1506e6 / float64(x.Instructions); math.Abs(got/p.want-1) > 0.001 {
			t.Errorf("%d warps with %d chains: %v cycles per instruction, want %v", p.warps, p.chains, got, p.want)
		}
	}
}

// TestReadings: a repetition is the same whatever was measured before; noise, outliers and clocks are as asked.
func TestReadings(t *testing.T) {
	first, second := bench(t, "gtx1060", Default()), bench(t, "gtx1060", Default())
	p := measure.Point{Class: class(t, "add.f32"), Chains: 1, GroupSize: 32, Groups: 1, WarpsPerUnit: 1,
		Instructions: 100}
	truth, err := bench(t, "gtx1060", Disturbance{}).Time(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	const n = 2000
	far, moved := 0, 0
	for p.Repetition = range n {
		a, err := first.Time(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Repetition%100 == 0 {
			if b, err := second.Time(context.Background(), p); err != nil || a != b {
				t.Fatalf("repetition %d is %+v, then %+v (%v)", p.Repetition, a, b, err)
			}
		}
		if a.ClockAfter != a.ClockBefore {
			moved++
		} else if math.Abs(a.Seconds/truth.Seconds-1) > 0.2 {
			far++
		}
	}
	if x := Default(); math.Abs(float64(far)/n-x.Outliers) > 0.02 || math.Abs(float64(moved)/n-x.Clocks) > 0.01 {
		t.Errorf("of %d times %d are far off and %d had another clock, asked for are %+v", n, far, moved, x)
	}
}

// TestClasses: every class is executed by a device that has its instructions, or skipped with a reason.
func TestClasses(t *testing.T) {
	b := bench(t, "v100", Disturbance{})
	for _, c := range measure.Classes() {
		if b.Skip(c) != "" {
			continue
		}
		p := measure.Point{Class: c, Chains: c.Chains[0], GroupSize: 64, Groups: 2, WarpsPerUnit: 4, Instructions: 64}
		if x, err := b.Time(context.Background(), p); err != nil || x.Seconds <= 0 ||
			x.Instructions <= 0 && c.Kind != measure.Launch {
			t.Errorf("%s: %+v, %v", c.Name, x, err)
		}
	}
	for name, want := range map[string]string{
		"add.f32": "{0.5 4}", "ld.global.l1": "{1.02 28}", "ld.global.l2": "{5.77 193}", "ld.global": "{16.32 393}",
		"atomic.add.local.own": "{1 19}", "atomic.add.local.same": "{61.14 79.14}",
		"atomic.add.global.own": "{16.32 393}",
	} {
		if e, err := b.Entry(class(t, name)); err != nil || fmt.Sprint(e.Timing) != want {
			t.Errorf("the entry of %s is %+v, want %s (%v)", name, e, want, err)
		}
	}
}
