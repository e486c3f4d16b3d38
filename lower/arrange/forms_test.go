package arrange

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/lower/machine"
)

// TestArranged arranges random codes by themselves, and with the forms of codes with other immediates.
func TestArranged(t *testing.T) {
	var known Forms
	removals := 0
	for seed := range uint64(60) {
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
			text := fmt.Sprintf("%v %+v", c, c.Resources)
			walk(c.Body, func(in *machine.Instr) { text += fmt.Sprint(" ", in.Issue) })
			for i := range c.Regs {
				text += fmt.Sprint(" ", c.Regs[i].Phys)
			}
			return text
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
	if len(known.forms) < 30 || removals == 0 {
		t.Errorf("%d forms, %d removals: too little is tested", len(known.forms), removals)
	}
}
