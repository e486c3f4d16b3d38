package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// Survey is what is decided about a kernel's loops and branches for the first warp of the group that
// Resolve takes.
type Survey struct {
	Loops    []idg.Loop
	Branches []idg.Branch
	// Known with an error, too.
	LocalBytes int64 // of a group
	Work       int   // what finding out took, as Options.MaxInstructions bounds it
}

// Decide makes the survey of a kernel: of Resolve the first warp alone, without the graph, other
// groups and locality.
func Decide(k *lower.Kernel, opt Options) (Survey, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return Survey{}, err
	}
	st, homes := analyse(k), homes{}
	if st.roles, err = assign(st, opt, homes); err != nil {
		return Survey{LocalBytes: localBytes(k, opt)}, err
	}
	opt.EveryIteration = opt.EveryIteration || st.roles != nil
	r, err := resolveWarp(st, opt, idg.NewBuilder(), 0, homes, nil)
	s := Survey{LocalBytes: localBytes(k, opt), Work: int(st.spent.all / workPerInstruction)}
	if err == nil {
		s.Loops, s.Branches = r.decisions.loopList(), r.decisions.branchList()
	}
	return s, err
}
