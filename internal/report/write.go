package report

import (
	"fmt"
	"io"

	"gpupipe/internal/sheet"
	"gpupipe/simulate"
)

// View is how reports are shown, and how much of them.
type View struct {
	sheet.Layout // of text

	Findings int  // of what to change, at most
	Top      int  // source lines, at most; 0 = all
	Verbose  bool // every assumption with its place
	Explain  bool // the parameters of every instruction

	Draw    bool                    // the profile
	Profile simulate.ProfileOptions // what a drawing or a trace shows
}

// Write writes the reports on kernels, one below the other, or together where a format holds several.
func Write(w io.Writer, f Format, all []*Prediction, v *View) error {
	switch f {
	case Pprof:
		return writePprof(w, all)
	case Trace:
		return writeTrace(w, all, &v.Profile)
	case SARIF:
		return writeSARIF(w, all)
	case CSV:
		r := recordsOf(all)
		return r.WriteCSV(w)
	}
	for i, p := range all {
		if err := p.write(w, f, v, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// write writes the report on one of several kernels.
func (p *Prediction) write(w io.Writer, f Format, v *View, first bool) error {
	if f == JSON {
		return sheet.WriteJSON(w, p.Document(v.Explain))
	}
	s, err := p.sheet(v)
	if err != nil {
		return err
	}
	return WriteSheet(w, f, s, v.Layout, first)
}

// WriteSheet writes one of several sheets in a format for people.
func WriteSheet(w io.Writer, f Format, s sheet.Sheet, l sheet.Layout, first bool) error {
	if f == Markdown {
		return s.WriteMarkdown(w)
	}
	if !first {
		fmt.Fprintln(w)
	}
	return s.WriteText(w, l)
}

// WriteAdvice writes what to change in kernels: as text, Markdown, JSON or SARIF.
func WriteAdvice(w io.Writer, f Format, all []*Prediction, v *View) error {
	if f == SARIF {
		return writeSARIF(w, all)
	}
	for i, p := range all {
		var err error
		if f == JSON {
			err = sheet.WriteJSON(w, p.Advice())
		} else {
			err = WriteSheet(w, f, p.adviceSheet(), v.Layout, i == 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
