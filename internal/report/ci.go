package report

import (
	"encoding/xml"
	"io"
	"net/url"
	"path/filepath"

	"gpupipe/internal/sheet"
)

// Check is one verdict of a gate, for those that read JUnit's XML or SARIF.
type Check struct {
	Name    string // of the kernel
	Rule    string // stable
	About   string // the rule
	Text    string
	Failed  bool
	File    string // empty = none
	Line    int    // 0 = none
	Seconds float64
}

// WriteSARIFChecks writes those that failed as errors of one log of SARIF 2.1.0, and others as notes.
func WriteSARIFChecks(w io.Writer, checks []Check) error {
	s := newSARIF()
	for _, c := range checks {
		s.rule(c.Rule, c.About)
		r := sarifResult{Rule: c.Rule, Index: s.index[c.Rule], Level: "note", Message: sarifText{c.Text}}
		if c.Failed {
			r.Level = "error"
		}
		var at sarifLocation
		at.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(c.File)}).String()
		if c.Line > 0 {
			at.Physical.Region = &sarifRegion{Line: c.Line}
		}
		if c.File != "" {
			r.Locations = []sarifLocation{at}
		}
		s.Results = append(s.Results, r)
	}
	return sheet.WriteJSON(w, s.log())
}

// junit is a suite of tests as JUnit writes it: a test for each check.
type junit struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    float64       `xml:"time,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes checks as the results of tests.
func WriteJUnit(w io.Writer, suite string, checks []Check) error {
	s := junit{Name: suite, Tests: len(checks)}
	for _, c := range checks {
		one := junitCase{Name: c.Name, Class: c.Rule, Time: c.Seconds, File: c.File}
		if c.Failed {
			s.Failures++
			one.Failure = &junitFailure{c.Text}
		} else {
			one.Out = c.Text
		}
		s.Cases = append(s.Cases, one)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(&s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
