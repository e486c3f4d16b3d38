package main

import (
	"fmt"
	"io"
	"math"

	"gpupipe/idg"
	"gpupipe/idg/export"
	"gpupipe/latencies"
)

// maxNodes bounds --nodes: Graphviz takes minutes for more than some thousand.
const maxNodes = 100_000

// ticksPerCycle is how finely times are told apart to find the critical path.
const ticksPerCycle = 1000

// writeDOT draws the graph, with the pipelines and latencies of the device if one is chosen.
func writeDOT(w io.Writer, g *idg.Graph, o *options) error {
	drawn := export.DOTOptions{Nodes: o.nodes}
	if o.gpu == "" {
		return export.DOT(w, g, drawn)
	}
	d := o.Device
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		return err
	}
	m, err := mapper.Map(g)
	if err != nil {
		return err
	}
	drawn.Pipeline = func(id idg.InstrID) string { return d.TitleOf(m.Subsystems[m.Entry(id).Subsystem]) }
	ticks := func(c latencies.Cycles) int64 { return int64(math.Round(c.Float() * ticksPerCycle)) }
	drawn.Costs = g.WarpCosts(
		func(id idg.InstrID) int64 { return max(ticks(m.Entry(id).Timing.CPI), ticks(m.Entry(id).Second.CPI)) },
		func(id idg.InstrID) int64 { return ticks(m.Entry(id).Timing.Latency) },
	)
	drawn.Length = func(t int64) string { return fmt.Sprintf("%.0f cycles on %s", float64(t)/ticksPerCycle, d.Title) }
	return export.DOT(w, g, drawn)
}
