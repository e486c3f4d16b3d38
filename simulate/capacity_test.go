package simulate

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gpupipe/latencies"
)

// TestCapacity holds that what Capacity promises is what Run finds, on every
// built-in device, also where nothing fits.
func TestCapacity(t *testing.T) {
	f := newFixture(t, 4, "alu")
	f.begin()
	f.chain(f.class("add.f32", "alu", "1", "4"))
	g := f.graph(37)
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []Config{{}, {Groups: 3}, {Registers: 40}, {Registers: 300}, {Concurrent: 2}, {Groups: -1}} {
			got, err := Capacity(g, d, cfg)
			m, mapErr := latencies.NewMapper(d, nil)
			if mapErr != nil {
				t.Fatal(mapErr)
			}
			mapping, mapErr := m.Map(g)
			if mapErr != nil {
				t.Fatal(mapErr)
			}
			want, wantErr := Run(context.Background(), g, mapping, cfg)
			switch {
			case (err == nil) != (wantErr == nil):
				t.Errorf("%s %+v: error %v, of Run %v", name, cfg, err, wantErr)
			case err != nil && err.Error() != wantErr.Error():
				t.Errorf("%s %+v: error %q, of Run %q", name, cfg, err, wantErr)
			case err == nil && cmp.Diff(want.Occupancy, got) != "":
				t.Errorf("%s %+v: %s", name, cfg, cmp.Diff(want.Occupancy, got))
			}
		}
	}
}
