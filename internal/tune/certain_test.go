package tune

import (
	"fmt"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/lower/machine"
	"gpupipe/simulate"
)

// TestCertain: arranging code changes nothing of what its warps certainly execute, and that takes no longer than what
// they execute.
func TestCertain(t *testing.T) {
	found := 0
	for i, name := range []string{"a100", "h100sxm", "rx7900xtx"} {
		d, err := latencies.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := latencies.NewMapper(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n, k := range kernels.List() {
			if n%3 != i && !tools.Full() { // each kernel on one of them
				continue
			}
			source, err := generate.Builtin(k.Name, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			var selected []string
			var last map[string]int64
			var warps float64
			var code *machine.Code
			o := &generate.Options{Device: d, DynamicLocal: -1}
			o.GPU = d.Name
			o.Chosen = func(c *machine.Code, h *idg.Header) error {
				last, code, warps = map[string]int64{}, c, float64(h.Launch.WarpsPerGroup()*h.Launch.TotalGroups())
				certain(c.Body, last)
				selected = append(selected, fmt.Sprint(last))
				return nil
			}
			g, err := graphOf(source, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", k.Name, name, err)
			}
			for _, s := range selected {
				if s != selected[0] {
					t.Errorf("%s, %s: %s before, %s after arranging", k.Name, name, selected[0], s)
				}
			}
			mapping, err := m.MapWith(g, latencies.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var kinds []simulate.GroupKind
			for _, x := range g.GroupKinds() {
				kinds = append(kinds, simulate.GroupKind{Graph: x.Graph, Mapping: mapping, Count: x.Groups})
			}
			least := certainSeconds(code, m, d, warps)
			if most := PipeSeconds(kinds); least > most*(1+1e-9) {
				t.Errorf("%s, %s: %v takes %v s at least, all %v s", k.Name, name, last, least, most)
			} else if least > most/2 {
				found++
			}
		}
	}
	if found < tools.Cases(10, 3) {
		t.Errorf("of %d kernels half the time is certain", found)
	}
}

func graphOf(source *generate.Source, o *generate.Options) (*idg.Graph, error) {
	p, err := generate.Parse(source, o)
	if err != nil {
		return nil, err
	}
	fn, err := p.Choose("")
	if err != nil {
		return nil, err
	}
	k, err := p.Prepare(fn)
	if err != nil {
		return nil, err
	}
	g, _, err := k.Resolve()
	return g, err
}
