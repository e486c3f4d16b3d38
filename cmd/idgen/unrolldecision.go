package main

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/sheet"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// unrollDecision is what the compiler's unroll pass made of a loop, or of one of the copies that it has in a loop
// around.
type unrollDecision struct {
	Trips  string `json:"trips,omitempty"` // as far as the compiler knows
	Factor int64  `json:"factor"`
	Full   bool   `json:"fully_unrolled"`
	Reason string `json:"reason"`         // the rule that decided
	Size   int64  `json:"size,omitempty"` // of an iteration, as the rule counts operations
}

// graphUnrolling is how the graph has a loop.
type graphUnrolling struct {
	Factor    int64  `json:"factor"`
	Full      bool   `json:"fully_unrolled"`
	Remainder int64  `json:"remainder"`
	Reason    string `json:"reason,omitempty"`
}

// mostDecisions is how many decisions about copies of a loop are shown to people.
const mostDecisions = 4

// decisionsOf are those about a loop, in the order in which they were made. At -O0 no pass decides: the graph
// follows the source.
func decisionsOf(f *ir.Func, l *lower.Loop, level target.Level, graph *idg.Loop) (list []unrollDecision) {
	for i := range f.Choices {
		if c := &f.Choices[i]; c.Source == int(l.ID) {
			list = append(list, unrollDecision{c.Trips, c.Copies, c.Whole, c.Rule, c.Size})
		}
	}
	switch {
	case len(list) > 0:
		return list
	case level == target.O0:
		return []unrollDecision{{Factor: graph.Factor, Full: graph.Full, Reason: graph.Reason}}
	}
	return []unrollDecision{{Reason: "nothing needs it, or it has one iteration at most"}}
}

// decide enters what the compiler decided, and how the graph has the loop.
func (u *unrollLoop) decide(list []unrollDecision, graph *idg.Loop) {
	u.loopInfo.decide(graph)
	u.Graph = graphUnrolling{graph.Factor, graph.Full, graph.Remainder, graph.Reason}
	u.Decisions = list
	last := list[len(list)-1]
	u.Factor, u.Full, u.Reason, u.Remainder = last.Factor, last.Full, last.Reason, 0
	if n, err := strconv.ParseInt(last.Trips, 10, 64); err == nil && !last.Full && last.Factor > 0 {
		u.Remainder = n % last.Factor
	}
}

// String says what was decided, the rule, and the size that it saw.
func (d *unrollDecision) String() string {
	text := unrolling(d.Factor, d.Full, 0, d.Reason)
	if d.Factor == 0 {
		return "no loop is left: " + d.Reason
	}
	if d.Size > 0 && !strings.Contains(d.Reason, "size") {
		text += fmt.Sprintf(" (size %d)", d.Size)
	}
	return text
}

// tripText is the number of iterations in the launch, and what the compiler knows of it.
func (u *unrollLoop) tripText(level string) string {
	text := u.Origin
	if u.Trips != nil {
		text = fmt.Sprintf("%d (%s)", *u.Trips, u.Origin)
	}
	known := u.Decisions[len(u.Decisions)-1]
	for _, d := range u.Decisions {
		if d.Trips != known.Trips { // in copies of the loop
			return text
		}
	}
	switch _, err := strconv.Atoi(known.Trips); {
	case u.Trips != nil && known.Trips == strconv.FormatInt(*u.Trips, 10), known.Factor == 0, u.Origin == "constant",
		level == target.O0.String():
		return text
	case known.Trips == "":
		return text + ", not known to the compiler"
	case err == nil:
		return text + ", " + known.Trips + " for the compiler"
	}
	return text + ", for the compiler " + known.Trips
}

// warnOf says where a pragma that decides has less effect than it asks for.
func (u *unrollLoop) warnOf(p *ast.Pragma) string {
	_, err := strconv.Atoi(u.Decisions[0].Trips)
	switch {
	case p == nil || u.Factor == 0 || u.Full || !strings.HasPrefix(u.Reason, "pragma"):
		return ""
	case p.Kind == ast.UnrollFull && err == nil:
		return "the loop is not unrolled fully"
	case p.Kind == ast.UnrollFull:
		return fmt.Sprintf("its trip count (%s) is not a constant for the compiler", u.Condition)
	}
	return ""
}

// writeDecisions prints what was decided.
func (u *unrollLoop) writeDecisions(t *sheet.Table) {
	label := "decision"
	row := func(text string) {
		wrapped(t, label, text)
		label = "and"
	}
	for i := range u.Decisions {
		if i == mostDecisions-1 && len(u.Decisions) > mostDecisions {
			row(fmt.Sprintf("%d more in copies of the loop", len(u.Decisions)-i))
			break
		}
		row(u.Decisions[i].String())
	}
}

// wrapped adds a row whose text may take several lines.
func wrapped(t *sheet.Table, label, text string) {
	for _, line := range sheet.Wrap(text, console.DefaultWidth-len("  trip count  ")) {
		t.Row(label, line)
		label = ""
	}
}
