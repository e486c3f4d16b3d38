package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gpupipe/internal/diag"

	"github.com/spf13/cobra"
)

// Status is the exit status of a command.
type Status int

// The exit statuses.
const (
	Done        Status = 0
	Failed      Status = 1   // a check that the user asked for failed (CodeGate)
	Usage       Status = 2   // the command line cannot be read
	BadInput    Status = 3   // the input is wrong, missing or contradicts itself
	Incomplete  Status = 4   // --strict, and something would have to be assumed
	NotWritten  Status = 5   // the product could not be written
	Defect      Status = 70  // a defect of the command
	TimedOut    Status = 124 // longer than --timeout, as of timeout(1)
	Interrupted Status = 130 // SIGINT or SIGTERM
)

// statusTexts is what the statuses mean, in the order of the help.
var statusTexts = []struct {
	status Status
	text   string
}{
	{Done, "done"},
	{Failed, "a check that was asked for failed"},
	{Usage, "the command line cannot be read"},
	{BadInput, "the input is wrong, missing or contradicts itself"},
	{Incomplete, "information is missing under --strict"},
	{NotWritten, "the result could not be written"},
	{Defect, "a defect of the program: please report it"},
	{TimedOut, "not finished within --timeout"},
	{Interrupted, "interrupted"},
}

// StatusHelp is the paragraph of a command's help on its exit statuses;
// Incomplete is one of those with --strict.
func StatusHelp(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Exit status:\n")
	for _, s := range statusTexts {
		if s.status != Incomplete || cmd.Flags().Lookup("strict") != nil {
			fmt.Fprintf(&b, "  %-4d %s\n", s.status, s.text)
		}
	}
	return b.String()
}

// CodeGate is the code of diagnostics about results that fail a check which the
// user asked for.
const CodeGate = "GATE"

// Usagef makes an error about the command line.
func Usagef(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{}, diag.CodeUsage, format, args...)
}

// codeOutput is the code of diagnostics about products that could not be
// written.
const codeOutput = "OUTPUT"

// OutputError says in one line why a product could not be written.
func OutputError(name string, err error) *diag.Error {
	if name == "" || name == StandardStream {
		name = "standard output"
	}
	return diag.Errorf(diag.Pos{File: name}, codeOutput, "cannot write: %v", cause(err))
}

// StatusOf is the exit status that an error stands for. Of several diagnostics
// the most basic trouble counts: defects before usage before bad input before missing
// information.
func StatusOf(err error) Status {
	switch {
	case err == nil, errors.Is(err, errClosedPipe):
		return Done
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, new(timeout)):
		return TimedOut
	case diag.IsDefect(err):
		return Defect
	}
	status := BadInput
	for i, e := range errorsOf(err) {
		switch {
		case e.Code == diag.CodeInternal:
			return Defect
		case e.Code == diag.CodeUsage:
			return Usage
		case e.Code == codeOutput:
			return NotWritten
		case e.Code == CodeGate:
			return Failed
		case !diag.IsAssumption(e):
			status = BadInput
		case i == 0:
			status = Incomplete
		}
	}
	return status
}

// errorsOf returns the diagnostics of severity error in err, in order.
func errorsOf(err error) diag.List {
	var list diag.List
	all, _ := diagnosticsOf(err)
	for _, e := range all {
		if e.Severity == diag.SeverityError {
			list.Add(e)
		}
	}
	return list
}

// diagnosticsOf returns the diagnostics that err is or wraps, if it does.
func diagnosticsOf(err error) (list diag.List, ok bool) {
	var one *diag.Error
	switch {
	case errors.As(err, &list):
		return list, true
	case errors.As(err, &one):
		return diag.List{one}, true
	}
	return nil, false
}
