package tune

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

// Row is a variant and what is predicted of it.
type Row struct {
	Number int64   // of the variant
	Key    string  // digest of all that the outcome depends on
	Values []Value // of its parameters
	Outcome
}

// Outcome is what is predicted of a variant. If Error is set, it cannot run, and the others are 0.
type Outcome struct {
	Seconds    float64 `json:"seconds"`
	AtLeast    bool    `json:"at_least"` // it takes longer than that, and is not simulated; the others are 0
	Low        float64 `json:"low"`      // no faster than this, whatever is assumed
	High       float64 `json:"high"`     // with what is assumed at its worst
	Bound      string  `json:"bound"`
	Subsystem  string  `json:"subsystem"`
	Line       int     `json:"line"` // of the source that accounts for most of the bound
	Warps      int64   `json:"warps"`
	MaxWarps   int64   `json:"max_warps"`
	Limit      string  `json:"limit"` // of the occupancy
	Registers  int64   `json:"registers"`
	Spills     int64   `json:"spills"`      // bytes of private memory of a work item
	LocalBytes int64   `json:"local_bytes"` // of a group
	Roofline   float64 `json:"roofline"`    // seconds by the roofline model
	Volkov     float64 `json:"volkov"`      // seconds by Volkov's model; 0 = none
	Error      string  `json:"error"`
	Stage      string  `json:"stage"` // at which it fails: StageCompile or StageLaunch
}

// Simulated reports whether the time is a prediction.
func (o *Outcome) Simulated() bool { return o.Error == "" && !o.AtLeast }

// Where a variant fails.
const (
	StageCompile = "compile"
	StageLaunch  = "launch"
)

func outcomeOf(g *idg.Graph, r *simulate.Result) Outcome {
	return Outcome{
		Seconds: r.Seconds, Bound: r.Bound.Kind, Subsystem: r.Bound.Subsystem, Line: r.Bound.Pos.Line,
		Warps: r.OccupancyWarps, MaxWarps: r.Occupancy.MaxWarps, Limit: r.OccupancyLimit,
		Registers: int64(g.Resources.Registers), Spills: g.Spills().Bytes, LocalBytes: g.Resources.LocalBytes,
	}
}

// refused is the outcome of a variant that cannot run.
func refused(err error) Outcome {
	o := Outcome{Error: reason(err), Stage: StageCompile}
	if e, ok := errors.AsType[*diag.Error](err); ok && (e.Code == "OCCUPANCY" || e.Code == "LAUNCH") {
		o.Stage = StageLaunch
	}
	return o
}

// maxReason bounds the text of a reason.
const maxReason = 300

// reason is an error in one line.
func reason(err error) string {
	var list diag.List
	var one *diag.Error
	if !errors.As(err, &list) && errors.As(err, &one) {
		list = diag.List{one}
	}
	text := err.Error()
	for _, e := range list {
		if e.Severity == diag.SeverityError {
			text = e.Message
			if e.Pos.IsValid() {
				text = e.Pos.String() + ": " + text
			}
			break
		}
	}
	line := []rune(sweep.OneLine(text))
	if len(line) > maxReason {
		line = append(line[:maxReason-1], '…')
	}
	return strings.TrimSpace(string(line))
}

// Rank sorts rows, the fastest first, then by number; those that are only known to be slower, and those that cannot
// run, come last.
func Rank(rows []Row) {
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(compareBool(a.Error != "", b.Error != ""), compareBool(a.AtLeast, b.AtLeast),
			cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Number, b.Number))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
