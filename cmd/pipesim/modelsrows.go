package main

import (
	"gpupipe/internal/sheet"
	"gpupipe/simulate/analytic"
)

// simulatedName stands for the simulation among the names of models.
const simulatedName = "simulated"

// modelRow is what one model or the simulation says of one occupancy.
type modelRow struct {
	Warps         int64    `json:"warps"`
	Model         string   `json:"model"`
	WarpsPerCycle *float64 `json:"warps_per_cycle"` // null where there is none
	Cycles        *float64 `json:"cycles"`
	Seconds       *float64 `json:"seconds"` // with what the launch takes beside its groups, as in pipesim run
	// Relative is the time as a multiple of the simulated one.
	Relative *float64 `json:"relative_to_simulated"`
	Bound    string   `json:"bound"`
	Note     string   `json:"note"`
	Invalid  string   `json:"invalid"`
}

// rows lists the simulation, where there is one, and the models of a point.
func (s *sideBySide) rows(point int) []modelRow {
	c := s.comparison
	p := &c.Points[point]
	var rows []modelRow
	simulated := 0.0
	add := func(r modelRow, rate, cycles float64) {
		time := cycles + c.LaunchCycles
		seconds := time / float64(s.device.ClockHz)
		r.Warps, r.WarpsPerCycle, r.Cycles, r.Seconds = p.Warps, &rate, &cycles, &seconds
		if simulated > 0 {
			relative := time / (simulated + c.LaunchCycles)
			r.Relative = &relative
		}
		rows = append(rows, r)
	}
	if r := p.Simulated; r != nil {
		simulated = r.Cycles.Float()
		note := ""
		if r.Extrapolated {
			note = "extrapolated"
		}
		add(modelRow{Model: simulatedName, Bound: r.Bound.Kind, Note: note}, r.WarpsPerCycle, simulated)
	}
	for k, a := range c.Models {
		e := &p.Estimates[k]
		if e.Invalid != "" {
			rows = append(rows, modelRow{Warps: p.Warps, Model: a.Name, Invalid: e.Invalid})
			continue
		}
		add(modelRow{Model: a.Name, Bound: e.Bound, Note: e.Note}, e.WarpsPerCycle, c.Cycles(e.WarpsPerCycle))
	}
	return rows
}

// results has a record for each occupancy and model.
func (s *sideBySide) results(explain bool, width int) *results {
	d := s.document()
	return &results{d, sheet.RecordsOf(d.Points), s.modelsSheet(explain, width)}
}

// modelsDocument is the comparison as JSON.
type modelsDocument struct {
	Format  string `json:"format"` // "pipesim-models"
	Version int    `json:"version"`
	Kernel  string `json:"kernel"`
	GPU     string `json:"gpu"`

	Groups        int64 `json:"groups"` // of one compute unit
	WarpsPerGroup int64 `json:"warps_per_group"`
	ResidentWarps int64 `json:"resident_warps"` // that resources allow
	MaxWarps      int64 `json:"max_warps"`

	Input     inputDocument     `json:"input"`
	Models    []modelDocument   `json:"models"`
	Points    []modelRow        `json:"points"`
	Accuracy  []accuracy        `json:"accuracy"` // against the simulation
	Worksheet worksheetDocument `json:"worksheet"`
	Little    *littleDocument   `json:"little"` // at the highest simulated occupancy
}

// inputDocument is per warp.
type inputDocument struct {
	Computations   float64 `json:"computations"`
	MemoryAccesses float64 `json:"memory_accesses"`
	Barriers       float64 `json:"barriers"`
	WarpLatency    float64 `json:"warp_latency"`
	ILP            float64 `json:"ilp"`
	ThroughputRoof float64 `json:"throughput_roof"` // warps per cycle
	Bound          string  `json:"bound"`
	BytesPerWarp   float64 `json:"bytes_per_warp"`
}

type modelDocument struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Source      string `json:"source"`
	Assumes     string `json:"assumes"`
	NeededWarps *int   `json:"needed_warps"` // null: more than max_warps, or none
}

type worksheetDocument struct {
	Rows          []worksheetRowDocument `json:"rows"`
	Bound         string                 `json:"bound"`
	CyclesPerWarp float64                `json:"cycles_per_warp"`
}

type worksheetRowDocument struct {
	Resource     string  `json:"resource"`
	Instructions float64 `json:"instructions"`
	Cycles       float64 `json:"cycles"`
}

type littleDocument struct {
	Warps       float64               `json:"warps"`
	NeededWarps float64               `json:"needed_warps"`
	Verdict     string                `json:"verdict"`
	Subsystems  []concurrencyDocument `json:"subsystems"`
}

type concurrencyDocument struct {
	Subsystem       string  `json:"subsystem"`
	CPI             float64 `json:"cpi"`
	Latency         float64 `json:"latency"`
	Saturating      float64 `json:"saturating"`
	SaturatingWarps float64 `json:"saturating_warps"`
	Needed          float64 `json:"needed"`
	Available       float64 `json:"available"`
	Chain           float64 `json:"chain"`
}

func (s *sideBySide) document() *modelsDocument {
	c := s.comparison
	in := c.Input
	roof, bound := in.Throughput()
	d := &modelsDocument{
		Format: "pipesim-models", Version: 2, Kernel: s.graph.Kernel, GPU: s.device.Name,
		Groups: c.Groups, WarpsPerGroup: s.graph.Launch.WarpsPerGroup(), ResidentWarps: c.Capacity.Warps,
		MaxWarps: c.MaxWarps,
		Input: inputDocument{in.Comp.Count, in.Mem.Count, in.Sync, in.WarpLatency, in.ILP, roof, bound,
			in.Memory.BytesPerWarp},
		// Lists are never null.
		Models: []modelDocument{}, Points: []modelRow{}, Accuracy: []accuracy{},
		Worksheet: worksheetDocument{Rows: []worksheetRowDocument{}},
	}
	for k, a := range c.Models {
		m := modelDocument{Name: a.Name, Title: a.Title, Source: a.Source, Assumes: a.Assumes}
		if n := c.Needed[k]; n > 0 {
			m.NeededWarps = &n
		}
		d.Models = append(d.Models, m)
	}
	for i := range c.Points {
		d.Points = append(d.Points, s.rows(i)...)
	}
	worksheet := analytic.NewWorksheet(in)
	d.Worksheet.Bound, d.Worksheet.CyclesPerWarp = worksheet.Bound, worksheet.Cycles
	for _, r := range worksheet.Rows {
		d.Worksheet.Rows = append(d.Worksheet.Rows, worksheetRowDocument{r.Resource, r.Count, r.Cycles})
	}
	if p := s.highest(); p != nil {
		d.Accuracy = s.accuracies(c.SimulatedTimes())
		l := analytic.NewLittle(p.Input, float64(p.Warps), p.Simulated.WarpsPerCycle)
		d.Little = &littleDocument{Warps: l.Warps, NeededWarps: l.NeededWarps, Verdict: l.Verdict,
			Subsystems: []concurrencyDocument{}}
		for _, x := range l.Subsystems {
			d.Little.Subsystems = append(d.Little.Subsystems, concurrencyDocument(x))
		}
	}
	return d
}
