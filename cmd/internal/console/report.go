package console

import (
	"fmt"
	"io"
	"strings"

	"gpupipe/internal/diag"
)

// Report prints an error, or a list of diagnostics of any severity, to standard
// error: each as "file:line:col: severity[CODE]: text", below errors and warnings the
// source line with a caret, and their notes indented; at most diag.MaxPrinted of them.
// What has no position begins with the command's name.
func (c *Console) Report(err error) {
	if err == nil {
		return
	}
	list, ok := diagnosticsOf(err)
	if !ok {
		fmt.Fprintf(c.Stderr, "%s: %s\n", c.Name, Visible(err.Error()))
		return
	}
	for i, e := range list {
		if i == diag.MaxPrinted {
			fmt.Fprintf(c.Stderr, "... and %d more\n", len(list)-i)
			break
		}
		c.print(e)
	}
}

func (c *Console) print(e *diag.Error) {
	where := e.Pos.String()
	if where == "" {
		where = c.Name
	}
	paint := c.errStyle.Note
	switch e.Severity {
	case diag.SeverityError:
		paint = c.errStyle.Alarm
	case diag.SeverityWarning:
		paint = c.errStyle.Warning
	}
	text := e.Error()
	if c.told[text] { // for another kernel of the file
		return
	}
	if c.told == nil {
		c.told = map[string]bool{}
	}
	c.told[text] = true
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s\n", Visible(where), paint(fmt.Sprintf("%v[%s]", e.Severity, e.Code)),
		Visible(c.Words.Say(e.Message)))
	if e.Severity != diag.SeverityNote {
		b.WriteString(Visible(c.excerpt(e.Pos)))
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "\t%s\n", Visible(c.Words.Say(n)))
	}
	_, _ = io.WriteString(c.Stderr, b.String()) // there is nowhere else to say that it failed
}
