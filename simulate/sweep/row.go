package sweep

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"gpupipe/simulate"
)

// Row is a configuration and what came of it.
type Row struct {
	Configuration
	Outcome
}

// Outcome is the numbers of a row. If Error is set, the others are 0.
type Outcome struct {
	Cycles           float64
	Seconds          float64
	Groups           int64   // run by the compute unit
	ConcurrentGroups int64   // resident at once
	Warps            int64   // resident at once
	WarpsPerCycle    float64 // throughput: warps of the launch / cycles
	// ThroughputRoof and LatencyRoof are the warps per cycle that the busiest
	// subsystem or the issue limit, and the dependences of so many resident groups,
	// allow at most.
	ThroughputRoof float64
	LatencyRoof    float64
	Bound          string // simulate.BoundThroughput, ...
	Subsystem      string // the busiest one
	Utilization    float64
	Extrapolated   bool
	// SamplingBound is how far the cycles may be off, as a share of them, if the run
	// was Sampled (simulate.Sampling.Bound). A row that is extrapolated without being
	// sampled did not converge within the budget, and nothing bounds its error.
	SamplingBound float64
	Sampled       bool
	Error         string // why the configuration cannot be simulated, in one line
}

func outcomeOf(r *simulate.Result) Outcome {
	o := Outcome{
		Cycles: r.Cycles.Float(), Seconds: r.Seconds,
		Groups: r.Groups, ConcurrentGroups: r.ConcurrentGroups, Warps: r.OccupancyWarps,
		WarpsPerCycle: r.WarpsPerCycle,
		Bound:         r.Bound.Kind, Subsystem: r.Bound.Subsystem, Extrapolated: r.Extrapolated,
	}
	if r.Sampling != nil {
		o.Sampled, o.SamplingBound = true, r.Sampling.Bound
	}
	warps := float64(r.Groups) * float64(r.WarpsPerGroup)
	o.ThroughputRoof = warps / max(r.LowerBounds.Throughput.Float(), r.LowerBounds.Issue.Float(),
		r.LowerBounds.Reads.Float(), r.LowerBounds.Starts.Float())
	o.LatencyRoof = warps / r.LowerBounds.Latency.Float()
	for _, s := range r.Subsystems {
		if s.Name == o.Subsystem {
			o.Utilization = s.Utilization
		}
	}
	return o
}

// kind is the type of a column's values.
type kind uint8

const (
	kindText   kind = iota + 1
	kindNumber      // also text where a value is none, such as the fraction 1/6
	kindBool
)

// column is one column of the rows: how a value is printed and read back.
type column struct {
	name   string
	kind   kind
	result bool // empty in a row with an error
	text   func(*Row) string
	read   func(*Row, string) error
}

func (c *column) textOf(r *Row) string {
	if c.result && r.Error != "" {
		return ""
	}
	return c.text(r)
}

// allColumns lists the columns in order: the number, the parameters, the results, the
// key.
func (p *Plan) allColumns() []column {
	list := []column{{
		name: "row", kind: kindNumber,
		text: func(r *Row) string { return strconv.Itoa(r.Number) },
		read: func(r *Row, s string) (err error) { r.Number, err = strconv.Atoi(s); return err },
	}}
	for i, name := range p.Parameters() {
		k := kindText
		if i >= len(p.axes) || p.axes[i].numbers {
			k = kindNumber
		}
		list = append(list, column{
			name: name, kind: k,
			text: func(r *Row) string { return r.Values[i] },
			read: func(r *Row, s string) error { r.Values[i] = s; return nil },
		})
	}
	list = append(list,
		floatColumn("cycles", 'f', func(r *Row) *float64 { return &r.Cycles }),
		floatColumn("seconds", 'g', func(r *Row) *float64 { return &r.Seconds }),
		wholeColumn("warps", func(r *Row) *int64 { return &r.Warps }),
	)
	if len(p.space.Groups) == 0 { // else it is a parameter
		list = append(list, wholeColumn(axisGroups, func(r *Row) *int64 { return &r.Groups }))
	}
	list = append(list,
		wholeColumn("concurrent_groups", func(r *Row) *int64 { return &r.ConcurrentGroups }),
		floatColumn("warps_per_cycle", 'g', func(r *Row) *float64 { return &r.WarpsPerCycle }),
		floatColumn("throughput_roof", 'g', func(r *Row) *float64 { return &r.ThroughputRoof }),
		floatColumn("latency_roof", 'g', func(r *Row) *float64 { return &r.LatencyRoof }),
		textColumn("bound", func(r *Row) *string { return &r.Bound }),
		textColumn("subsystem", func(r *Row) *string { return &r.Subsystem }),
		floatColumn("utilization", 'g', func(r *Row) *float64 { return &r.Utilization }),
		column{
			name: "extrapolated", kind: kindBool, result: true,
			text: func(r *Row) string { return strconv.FormatBool(r.Extrapolated) },
			read: func(r *Row, s string) (err error) { r.Extrapolated, err = strconv.ParseBool(s); return err },
		},
	)
	list = append(list, boundColumn())
	failed := textColumn("error", func(r *Row) *string { return &r.Error })
	failed.result = false
	key := textColumn("key", func(r *Row) *string { return &r.Key })
	key.result = false
	return append(list, failed, key)
}

func textColumn(name string, field func(*Row) *string) column {
	return column{
		name: name, kind: kindText, result: true,
		text: func(r *Row) string { return *field(r) },
		read: func(r *Row, s string) error { *field(r) = s; return nil },
	}
}

func floatColumn(name string, notation byte, field func(*Row) *float64) column {
	return column{
		name: name, kind: kindNumber, result: true,
		// The shortest text that reads back as the same number.
		text: func(r *Row) string { return strconv.FormatFloat(*field(r), notation, -1, 64) },
		read: func(r *Row, s string) (err error) { *field(r), err = strconv.ParseFloat(s, 64); return err },
	}
}

// boundColumn is empty in rows that were not sampled.
func boundColumn() column {
	c := floatColumn("sampling_bound", 'g', func(r *Row) *float64 { return &r.SamplingBound })
	text, read := c.text, c.read
	c.text = func(r *Row) string {
		if !r.Sampled {
			return ""
		}
		return text(r)
	}
	c.read = func(r *Row, s string) error {
		r.Sampled = true
		return read(r, s)
	}
	return c
}

func wholeColumn(name string, field func(*Row) *int64) column {
	return column{
		name: name, kind: kindNumber, result: true,
		text: func(r *Row) string { return whole(*field(r)) },
		read: func(r *Row, s string) (err error) { *field(r), err = strconv.ParseInt(s, 10, 64); return err },
	}
}

// rowOf reads the values of a row, one for each column.
func (p *Plan) rowOf(values []string) (*Row, error) {
	r := &Row{Configuration: Configuration{Values: make([]string, len(p.Parameters()))}}
	for i := range p.columns {
		c := &p.columns[i]
		if c.result && values[i] == "" {
			continue
		}
		if err := c.read(r, values[i]); err != nil {
			return nil, fmt.Errorf("%s: %q cannot be read", c.name, values[i])
		}
	}
	return r, nil
}

// OneLine replaces line breaks and other control characters by blanks, so that
// a row is a line whatever the names in it are.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text)
}
