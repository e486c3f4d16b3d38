package simulate

import (
	"testing"

	"gpupipe/latencies"
)

// TestOccupancySteps compares with trying every amount.
func TestOccupancySteps(t *testing.T) {
	d, err := latencies.Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limit     string
		warps     int64
		registers int64
		bytes     int64
	}{
		{"registers", 8, 64, 0}, {"registers", 4, 100, 8000}, {"registers", 2, 255, 0}, {"registers", 32, 33, 0},
		{"local memory", 8, 32, 40_000}, {"local memory", 1, 20, 100_000}, {"local memory", 4, 0, 9360},
	} {
		o := Occupancy{Limit: c.limit, Registers: c.registers, LocalBytes: c.bytes}
		amount, fits := o.resource(c.limit, d, c.warps)
		if fits == nil {
			t.Fatalf("%+v: nothing limits", c)
		}
		o.Groups = fits(amount)
		wantUp := int64(0)
		for a := amount; a > 0; a-- {
			if fits(a) > o.Groups {
				wantUp = a
				break
			}
		}
		up, ok := o.StepUp(d, c.warps)
		if ok != (wantUp > 0) || ok && (up.Amount != wantUp || up.Groups != fits(wantUp) || up.Resource != c.limit) {
			t.Errorf("%+v: up %+v %t, want %d", c, up, ok, wantUp)
		}
		wantDown := amount
		for fits(wantDown) >= o.Groups {
			wantDown++
		}
		down, ok := o.StepDown(c.limit, d, c.warps)
		if ok != (fits(wantDown) > 0) || ok && (down.Amount != wantDown || down.Groups != fits(wantDown)) {
			t.Errorf("%+v: down %+v %t, want %d", c, down, ok, wantDown)
		}
	}
	o := Occupancy{Groups: 8, Limit: "warps"}
	if s, ok := o.StepUp(d, 8); ok {
		t.Errorf("a limit of warps has the step %+v", s)
	}
	if s, ok := o.StepDown("registers", d, 8); ok {
		t.Errorf("registers that are not known have the step %+v", s)
	}
}
