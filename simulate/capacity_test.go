package simulate

import (
	"context"
	"fmt"
	"testing"

	"gpupipe/latencies"

	"github.com/google/go-cmp/cmp"
)

// TestCapacity holds that what Capacity promises is what Run finds, on every
// built-in device, also where nothing fits.
func TestCapacity(t *testing.T) {
	f := newFixture(t, 4, "alu")
	f.chain(f.class("add.f32", "alu", "1", "4"))
	g := f.graph(37)
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
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
		for _, cfg := range []Config{{}, {Groups: 3}, {Registers: 40}, {Registers: 300}, {Concurrent: 2},
			{Groups: -1}} {
			got, err := Capacity(g, d, cfg)
			want, wantErr := Run(context.Background(), g, m, cfg)
			switch {
			case err != nil || wantErr != nil:
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%s %+v: error %v, of Run %v", name, cfg, err, wantErr)
				}
			case cmp.Diff(want.Occupancy, got) != "":
				t.Errorf("%s %+v: %s", name, cfg, cmp.Diff(want.Occupancy, got))
			}
		}
	}
}
