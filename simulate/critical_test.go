package simulate

import "testing"

// TestCriticalPath follows each kind of dependence: data for Λ, order for λ, and
// a last store for λ.
func TestCriticalPath(t *testing.T) {
	f := newFixture(t, 2, "alu", "mem")
	ld, add, st := f.class("ld.global", "mem", "2", "100"), f.class("add.f32", "alu", "1", "4"),
		f.class("st.global", "mem", "3", "90")
	b := f.builder
	b.Begin(0) // the shorter program
	b.Add(add)
	b.Begin(1)
	x := b.Add(ld)             // issued at 0
	y := b.Add(add, order(x))  // at 2
	b.Add(add)                 // off the path
	z := b.Add(add, data(y))   // at 6
	w := b.Add(ld, control(z)) // at 10
	v := b.Add(add, data(w), data(x))
	b.Add(st, data(v)) // at 114, ends at 117
	g := f.graph(1)
	r := f.run(g, Config{})
	if got := r.LowerBounds.Latency.String(); got != "117" {
		t.Errorf("critical path of %s cycles, want 117", got)
	}
	for i, want := range []string{"102", "12", "3"} { // λ + Λ; 4 + 4 + 4; λ
		if got := r.Lines[i].Critical.String(); got != want {
			t.Errorf("line %d: %s cycles, want %s", i+1, got, want)
		}
	}
	// The same with two sub-cores that share out the load unit: its λ is 4 there.
	f.mapping.Device.Partitions, f.mapping.Device.Subsystems[1].Partitioned = 2, true
	if got := f.run(g, Config{}).LowerBounds.Latency.String(); got != "122" {
		t.Errorf("two sub-cores: critical path of %s cycles, want 122", got)
	}
}
