// Package diag holds what every stage of the pipe says about the user's input:
// source positions that travel from the token to the last report, and
// positioned diagnostics.
//
// A stage never prints; it returns a *Error, or a List of them, and the command
// prints them to its standard error as "file:line:col: error[CODE]: message".
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a position in the user's source text. Line and Column count from 1;
// the zero Pos means "no position".
type Pos struct {
	File   string
	Line   int
	Column int
}

// IsLibrary reports whether the name of a file, which begins with <, is that of a text that stands for a library or for
// the language itself: nothing of the user's.
func IsLibrary(file string) bool { return strings.HasPrefix(file, "<") }

// IsValid reports whether the position names a line.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String prints file:line:column, leaving out what is not known.
func (p Pos) String() string {
	switch {
	case !p.IsValid():
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Severity says whether a diagnostic stops the work.
type Severity uint8

// The severities. The zero value is invalid.
const (
	SeverityError   Severity = iota + 1 // the input cannot be used
	SeverityWarning                     // the result may not mean what the user thinks
	SeverityNote                        // something was assumed
)

func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	case SeverityNote:
		return "note"
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// Error is one diagnostic. Code is a short, stable, upper-case word such as
// SYNTAX or UNSUPPORTED that scripts may match; Notes are further lines that
// say what to do about it.
type Error struct {
	Pos      Pos
	Severity Severity
	Code     string
	Message  string
	Notes    []string
}

// Errorf makes a diagnostic of severity error.
func Errorf(pos Pos, code, format string, args ...any) *Error {
	return &Error{Pos: pos, Severity: SeverityError, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Warningf makes a diagnostic of severity warning.
func Warningf(pos Pos, code, format string, args ...any) *Error {
	return &Error{Pos: pos, Severity: SeverityWarning, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Notef makes a diagnostic of severity note.
func Notef(pos Pos, code, format string, args ...any) *Error {
	return &Error{Pos: pos, Severity: SeverityNote, Code: code, Message: fmt.Sprintf(format, args...)}
}

// At sets the position and returns e.
func (e *Error) At(p Pos) *Error {
	e.Pos = p
	return e
}

// WithNote appends a line of advice and returns e.
func (e *Error) WithNote(format string, args ...any) *Error {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
	return e
}

// Error prints "file:line:col: error[CODE]: message" and the notes, one a line.
func (e *Error) Error() string {
	var b strings.Builder
	if p := e.Pos.String(); p != "" {
		b.WriteString(p)
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s[%s]: %s", e.Severity, e.Code, e.Message)
	for _, n := range e.Notes {
		b.WriteString("\n\t")
		b.WriteString(n)
	}
	return b.String()
}

// MaxPrinted is how many diagnostics of one List are printed in full.
const MaxPrinted = 20

// List collects diagnostics in the order in which they were found.
type List []*Error

// Add appends diagnostics.
func (l *List) Add(es ...*Error) { *l = append(*l, es...) }

// Sort orders the list by position; equal positions keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Error) int { return a.Pos.Compare(b.Pos) })
}

// Sorted sorts the list and returns it.
func (l List) Sorted() List {
	l.Sort()
	return l
}

// HasErrors reports whether any diagnostic is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(e *Error) bool { return e.Severity == SeverityError })
}

// Err returns the list itself, sorted, when it holds an error, and nil
// otherwise.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	l.Sort()
	return l
}

// Error prints the diagnostics, one to a line and at most MaxPrinted of them.
func (l List) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i == MaxPrinted {
			fmt.Fprintf(&b, "\n... and %d more", len(l)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}
