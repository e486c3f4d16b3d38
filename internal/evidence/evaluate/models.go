package main

import "gpupipe/idg"

// factsOf collects what the residual analysis shows.
func factsOf(g *idg.Graph) graphFacts {
	f := graphFacts{registers: g.Resources.Registers, perWarp: map[string]int64{}}
	for _, c := range g.GroupMix().Classes {
		f.perWarp[string(c.Class)] = c.Count
	}
	return f
}
