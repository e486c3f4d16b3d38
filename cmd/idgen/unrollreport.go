package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/factor"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
)

// unrollDocument is the JSON form of --unroll-report.
type unrollDocument struct {
	File     string       `json:"file"`
	Kernel   string       `json:"kernel"`
	Level    string       `json:"level"`
	Compiler string       `json:"compiler"`
	Loops    []unrollLoop `json:"loops"`
}

type unrollLoop struct {
	loopInfo                   // what the compiler decided last
	Text      string           `json:"text,omitempty"` // its source line
	Decisions []unrollDecision `json:"decisions"`      // all of them
	Graph     graphUnrolling   `json:"graph"`
	Warning   string           `json:"warning,omitempty"`
	Times     *factor.Sweep    `json:"times,omitempty"` // with each factor
	Removed   int64            `json:"loop_instructions_removed"`
	Before    unrollShape      `json:"before"` // with this loop kept rolled
	After     unrollShape      `json:"after"`
}

// unrollShape is a version of a loop, for the first warp.
type unrollShape struct {
	Instructions     int64   `json:"instructions"`
	PerIteration     float64 `json:"instructions_per_iteration"`
	LoopInstructions int64   `json:"loop_instructions"`
	ILP              float64 `json:"kernel_ilp"`
	CriticalPath     int64   `json:"kernel_critical_path"`
}

func shapeOf(s generate.LoopShape) unrollShape {
	return unrollShape{s.Instructions, s.PerIteration(), s.LoopInstructions, s.ILP, s.CriticalPath}
}

// unrollReport writes --unroll-report.
func (w writer) unrollReport(ctx context.Context, o *options, p *generate.Program, fn *ast.Function,
	l *generate.Kernel) error {
	// The resolution's diagnostics say what the numbers rest on.
	g, diagnostics, err := l.Resolve()
	if err != nil {
		return err
	}
	code, err := p.IR(fn, "")
	if err != nil {
		return err
	}
	s := p.Source
	diagnostics = slices.DeleteFunc(diagnostics, func(e *diag.Error) bool { return e.Code == "PRAGMA" }) // said here
	w.Report(append(diagnostics, l.Lowered.Warnings...).Sorted())
	reports, err := l.LoopReports()
	if err != nil {
		return err
	}
	d := unrollDocument{File: s.File, Kernel: g.Kernel, Level: g.Level, Compiler: g.Compiler, Loops: []unrollLoop{}}
	for i, r := range reports {
		p, loop := r.Loop.Pos, l.Lowered.Loops[i]
		u := unrollLoop{
			loopInfo: loopInfo{Line: p.Line, Column: p.Column, File: otherFile(s, p), Kind: r.Loop.Kind,
				Depth: r.Loop.Depth, Pragma: r.Loop.Pragma, Condition: r.Bound},
			Text: s.Line(p), Removed: r.Removed, Before: shapeOf(r.Before), After: shapeOf(r.After),
		}
		u.decide(decisionsOf(code, loop, l.Options.Level, &r.Loop), &r.Loop)
		u.Warning = u.warnOf(loop.Pragma)
		if g.MachineCode && r.Loop.Executed > 0 {
			if u.Times, err = o.factors(ctx, l, i, factor.Usual); err != nil {
				return err
			}
		}
		d.Loops = append(d.Loops, u)
	}
	launch := w.Words.Say(l.Launch.String())
	return w.Emit(o.output, func(w io.Writer) error {
		if o.format == formatJSON {
			return console.WriteJSON(w, d)
		}
		return d.write(w, launch)
	})
}

// write prints the report for people: for each loop what was decided, a table
// of what that changed, and a sentence on the outcome.
func (d *unrollDocument) write(w io.Writer, launch string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "kernel %s of %s, -%s, compiler %s\n%s\n", d.Kernel, d.File, d.Level, d.Compiler, launch)
	if len(d.Loops) == 0 {
		fmt.Fprintln(b, "\nThe kernel has no loops.")
	}
	legend := ""
	for i := range d.Loops {
		u := &d.Loops[i]
		u.write(b, d.Level)
		if u.Graph.Factor > 1 && legend == "" {
			legend = fmt.Sprintf(unrollLegend, locationFlag(u.File, u.Line))
		}
	}
	if legend != "" {
		fmt.Fprintln(b)
		for _, line := range sheet.Wrap(legend, console.DefaultWidth) {
			fmt.Fprintln(b, line)
		}
	}
	return b.Flush()
}

// unrollLegend explains the words of the report and where it goes on: the numbers are those
// of one warp alone, which is not what limits most kernels.
const unrollLegend = "Instructions are those that one warp executes. The critical path is the longest chain of them " +
	"in which each waits for the one before; parallelism is all of them divided by it. Whether fewer instructions or " +
	"more parallelism save time depends on what limits the kernel: the times say. --unroll %s=1 keeps that loop rolled."

// locationFlag is a line as --unroll takes it.
func locationFlag(file string, line int) string {
	if file != "" {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return strconv.Itoa(line)
}

func (u *unrollLoop) write(w *bufio.Writer, level string) {
	text := cmp.Or(u.Text, u.Kind+" ("+u.Condition+")")
	fmt.Fprintf(w, "\n%s  %s\n", place(u.File, u.Line, u.Column), text)
	t := sheet.Table{Indent: 2}
	t.Row("pragma", cmp.Or(u.Pragma, "none"))
	wrapped(&t, "trip count", u.tripText(level))
	u.writeDecisions(&t)
	_ = t.Write(w) // w keeps its error
	if u.Graph.Factor > 1 {
		u.writeComparison(w)
	} else if u.After.Instructions > 0 {
		fmt.Fprintf(w, "  %s instructions per iteration, %s\n", decimal(u.After.PerIteration),
			count(u.After.LoopInstructions, "loop instruction"))
	}
	if u.Graph.Factor > 1 {
		for _, line := range sheet.Wrap(u.sentence(), console.DefaultWidth-2) {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	if u.Times != nil {
		u.writeTimes(w)
	}
	if u.Warning != "" {
		for _, line := range sheet.Wrap("Warning: "+u.Warning+".", console.DefaultWidth-2) {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// writeTimes prints the predicted time with each factor.
func (u *unrollLoop) writeTimes(w *bufio.Writer) {
	t := sheet.Table{Indent: 2, Right: []bool{false, true, true, true, true}}
	t.Row("factor", "time", "code", "registers", "spilled", "")
	for i := range u.Times.Versions {
		r := versionRow(&u.Times.Versions[i], 1)
		t.Row(r.Cells[0], r.Cells[1], r.Cells[4], r.Cells[5], r.Cells[6], r.Cells[3])
	}
	fmt.Fprintln(w)
	_ = t.Write(w)
	for _, line := range sheet.Wrap("On "+u.Times.Device+": "+u.Times.Says+".", console.DefaultWidth-2) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// writeComparison prints what unrolling changed, in the first warp.
func (u *unrollLoop) writeComparison(w *bufio.Writer) {
	fmt.Fprintln(w)
	t := sheet.Table{Indent: 2, Right: []bool{false, true, true, true}}
	row := func(name string, before, after float64) {
		change := "="
		if before > 0 && before != after {
			change = fmt.Sprintf("%+.0f%%", 100*(after/before-1))
		}
		t.Row(name, decimal(before), decimal(after), change)
	}
	t.Row("", "rolled", "unrolled", "change")
	row("instructions per iteration", u.Before.PerIteration, u.After.PerIteration)
	row("loop instructions", float64(u.Before.LoopInstructions), float64(u.After.LoopInstructions))
	row("instructions in the loop", float64(u.Before.Instructions), float64(u.After.Instructions))
	row("kernel: parallelism (ILP)", u.Before.ILP, u.After.ILP)
	row("kernel: critical path", float64(u.Before.CriticalPath), float64(u.After.CriticalPath))
	_ = t.Write(w)
	fmt.Fprintln(w)
}

// sentence sums up what unrolling changes in the graph.
func (u *unrollLoop) sentence() string {
	saved := u.Before.Instructions - u.After.Instructions
	text := fmt.Sprintf("Unrolling removes %s", count(u.Removed, "loop instruction"))
	switch other := saved - u.Removed; {
	case other > 0:
		text += fmt.Sprintf(" and %s", count(other, "other instruction"))
	case other < 0:
		text += fmt.Sprintf(" and adds %s", count(-other, "other instruction"))
	}
	switch before, after := u.Before.CriticalPath, u.After.CriticalPath; {
	case before > after:
		text += fmt.Sprintf("; the critical path is %d shorter", before-after)
	case before < after:
		text += fmt.Sprintf("; the critical path is %d longer", after-before)
	default:
		text += "; the critical path stays"
	}
	return text + "."
}

// decimal prints a number with at most two decimals.
func decimal(x float64) string {
	return strconv.FormatFloat(math.Round(100*x)/100, 'f', -1, 64)
}

func count(n int64, noun string) string { return fmt.Sprintf("%d %s", n, plural(noun, n)) }
