package walk

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Survey is what is decided about a kernel's loops and branches for the first warp of the group in the middle.
type Survey struct {
	Loops    []idg.Loop
	Branches []idg.Branch
	// Known with an error, too.
	LocalBytes int64 // of a group
	Work       int   // what finding out took, as Options.MaxInstructions bounds it
}

// Decide makes the survey of a kernel, without the graph, other groups and locality.
func Decide(k *lower.Kernel, c *machine.Code, o unroll.Options) (Survey, error) {
	x := newExecution(k, c, o)
	s := Survey{LocalBytes: LocalBytes(k, &o)}
	w := newWarp(x.s, o, middle(o), 0)
	w.run()
	s.Work = int(x.s.spent)
	if w.err == nil {
		s.Loops, s.Branches = x.s.loopList([]*warp{w}), x.s.branchList([]*warp{w})
	}
	return s, w.err
}
