package latencies

import (
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, name := range Names() {
		d := builtin(t, name)
		var b strings.Builder
		if err := d.Describe(&b); err != nil {
			t.Fatal(err)
		}
		for _, o := range d.Origins {
			if !strings.Contains(b.String(), o.Value) || !strings.Contains(b.String(), o.Source) {
				t.Errorf("%s does not tell %s %s (%s)", name, o.Path, o.Value, o.Source)
			}
		}
	}
	var b strings.Builder
	if err := builtin(t, "gtx680").Describe(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"GeForce GTX 680 (gtx680), NVIDIA Kepler, 3.0",
		"group_replacement 201 V16 3.8",
		"limits.warps 64 CPG, as on gtx650ti",
		"ld.global global 7.47 301 V16 T.4.1 (0.1338 warp instructions per cycle)",
		"div.f64 fp64 26 260 A T.5, as on gtx650ti",
		"st.local 1 24 ld.local (loads and stores have one entry in the papers)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
