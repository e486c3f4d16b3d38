package arrange

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/machine"
)

// TestArranged arranges random codes by themselves, and with the forms of codes with other immediates.
func TestArranged(t *testing.T) {
	var known Forms
	removals, seeds := 0, tools.Cases(60, 24)
	for seed := range uint64(seeds) {
		target := [...]string{"sm_90", "sm_61", "sm_80"}[seed%3]
		o := machine.Options{MaxRegisters: [...]int{0, 28}[seed/3%2]}
		arranged := func(add uint64, known *Forms) string {
			c := randomCode(t, target, rand.New(rand.NewPCG(seed, 2)), 30)
			immediates := func(add uint64) {
				walk(c.Body, func(in *machine.Instr) {
					for i := range in.Uses {
						if u := &in.Uses[i]; u.Kind == machine.Immediate {
							u.Bits += add
						}
					}
				})
			}
			immediates(add)
			if err := Code(c, &o, known); err != nil {
				t.Fatal(err)
			}
			verifyAllocation(t, c)
			immediates(-add)
			var b strings.Builder
			fmt.Fprintf(&b, "%v %+v", c, c.Resources)
			walk(c.Body, func(in *machine.Instr) { fmt.Fprint(&b, " ", in.Issue) })
			for i := range c.Regs {
				fmt.Fprint(&b, " ", c.Regs[i].Phys)
			}
			return b.String()
		}
		want := arranged(0, nil)
		if got := arranged(1, &known); got != want {
			t.Fatalf("seed %d: %s\nwithout forms %s", seed, got, want)
		}
		before := len(known.forms)
		if got := arranged(2, &known); got != want {
			t.Fatalf("seed %d with a known form: %s\nwant %s", seed, got, want)
		}
		if len(known.forms) != before {
			t.Errorf("seed %d: immediates decide the form", seed)
		}
	}
	for _, f := range known.forms {
		removals += len(f.removals)
	}
	if len(known.forms) < seeds/2 || removals == 0 {
		t.Errorf("%d forms, %d removals: too little is tested", len(known.forms), removals)
	}
}
