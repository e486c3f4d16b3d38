package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/internal/words"
)

// write prints a listing for people.
func (l *listing) write(w io.Writer, words words.Words) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s (%s)\n", l.File, l.Dialect)
	for i := range l.Kernels {
		l.Kernels[i].write(b, words, l.Dialect)
	}
	return b.Flush()
}

// listColumns is the width of lists, which are not set for a terminal.
const listColumns = 80

func (k *kernelInfo) write(w *bufio.Writer, words words.Words, dialect string) {
	fmt.Fprintf(w, "\nkernel %s, line %d\n", k.Name, k.Line)
	t := sheet.Table{Indent: 2}
	row := func(name, text string) { t.Row(words.Say(name), words.Say(text)) }
	if k.Launch != nil {
		sizes := idg.Launch{Local: [3]int64(k.Launch.Local), Groups: [3]int64(k.Launch.Groups)}
		groups, items, _ := strings.Cut(sizes.Sizes(), " of ")
		row("work group", fmt.Sprintf("%s (%s)", items, k.Launch.LocalFrom))
		row("launch", fmt.Sprintf("%s (%s)", groups, k.Launch.GroupsFrom))
	} else if k.Required != nil {
		row("work group", fmt.Sprintf("%v work items (reqd_work_group_size)", generate.Trimmed([3]int64(k.Required))))
	}
	if k.Local > 0 {
		row("local memory", fmt.Sprintf("%d bytes per group", k.Local))
	}
	_ = t.Write(w) // w keeps its error
	k.writeArguments(w, dialect)
	k.writeLoops(w)
	k.writeBranches(w)
	if k.Error != "" {
		fmt.Fprintf(w, "  not resolved\n    %s\n", strings.NewReplacer("\n\t", "\n      ", "\n",
			"\n    ").Replace(k.Error))
	}
}

func (k *kernelInfo) writeArguments(w *bufio.Writer, dialect string) {
	if len(k.Arguments) == 0 {
		return
	}
	fmt.Fprintln(w, "  arguments")
	t := sheet.Table{Indent: 4}
	for _, a := range k.Arguments {
		value := ""
		if a.Value != "" {
			value = fmt.Sprintf("= %s (%s)", a.Value, a.Origin)
		}
		if dialect != "opencl" { // in which addresses have a space
			a.Type = strings.TrimPrefix(a.Type, "__global ")
		}
		t.Row(a.Name, a.Type, value)
	}
	_ = t.Write(w) // w keeps its error
}

func (k *kernelInfo) writeLoops(w *bufio.Writer) {
	if len(k.Loops) == 0 {
		return
	}
	fmt.Fprintln(w, "  loops")
	t := sheet.Table{Indent: 4, Width: listColumns}
	for _, l := range k.Loops {
		trips := ""
		switch {
		case l.Trips != nil:
			trips = fmt.Sprintf("%d %s (%s)", *l.Trips, plural("iteration", *l.Trips), l.Origin)
		case l.Origin != "":
			trips = "iterations: " + l.Origin
		}
		t.Row(place(l.File, l.Line, l.Column), strings.Repeat("  ", l.Depth-1)+l.Kind+" ("+l.Condition+")", l.Pragma,
			trips, unrolling(l.Factor, l.Full, l.Remainder, shortReason(l.Reason)))
	}
	_ = t.Write(w)
}

// unrolling says in a few words how a loop was unrolled, and why.
func unrolling(factor int64, full bool, remainder int64, reason string) string {
	var text string
	switch {
	case factor == 0:
		return ""
	case full:
		text = "fully unrolled"
	case factor == 1:
		text = "rolled"
	default:
		text = fmt.Sprintf("unrolled by %d", factor)
		if remainder > 0 {
			text += fmt.Sprintf(", remainder %d", remainder)
		}
	}
	if reason != "" {
		text += ": " + reason
	}
	return text
}

// shortReason leaves out why a compiler does what it does without a pragma.
func shortReason(reason string) string {
	short, _, _ := strings.Cut(reason, ":")
	return short
}

func (k *kernelInfo) writeBranches(w *bufio.Writer) {
	if len(k.Branches) == 0 {
		return
	}
	fmt.Fprintln(w, "  branches")
	t := sheet.Table{Indent: 4, Width: listColumns}
	for _, b := range k.Branches {
		decision := b.Decision
		if b.Origin != "" {
			decision += " (" + b.Origin + ")"
		}
		t.Row(place(b.File, b.Line, b.Column), b.Kind, decision, b.Text)
	}
	_ = t.Write(w)
}

func place(file string, line, column int) string {
	text := fmt.Sprintf("%d:%d", line, column)
	if file != "" {
		text = file + ":" + text
	}
	return text
}

func plural(noun string, n int64) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
