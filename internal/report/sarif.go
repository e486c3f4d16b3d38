package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/finding"
)

// writeSARIF writes findings and what was assumed of several kernels as one log of SARIF 2.1.0 (OASIS), which
// code hosts show at the lines.
func writeSARIF(w io.Writer, all []*Prediction) error {
	s := newSARIF()
	for _, r := range finding.Rules() {
		s.rule(r[0], r[1])
	}
	for _, p := range all {
		for _, f := range p.Findings {
			text := fmt.Sprintf("%s: %s. %s. Saves up to %s of %s (%s): %s.", p.Graph.Kernel, f.What, f.Proof,
				sheet.Percent(f.Saved),
				sheet.Duration(p.Result.Seconds), p.Mapping.Device.Title, f.Remedy)
			s.add("warning", f.Code, text, p.Graph, f.Pos)
		}
		for _, n := range p.Graph.Notes {
			s.rule(n.Code, "what was inferred or assumed of a kernel's launch, control flow or addresses")
			s.add("note", n.Code, p.Graph.Kernel+": "+p.Say(n.Text), p.Graph, n.Pos)
		}
	}
	return sheet.WriteJSON(w, s.log())
}

func newSARIF() *sarifRun {
	s := &sarifRun{index: map[string]int{}, Results: []sarifResult{}}
	s.Tool.Driver.Name = "pipesim"
	return s
}

func (s *sarifRun) log() *sarifLog {
	return &sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []*sarifRun{s}}
}

type sarifLog struct {
	Schema  string      `json:"$schema"`
	Version string      `json:"version"`
	Runs    []*sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name  string      `json:"name"`
			Rules []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`

	index map[string]int // of rules
}

type sarifRule struct {
	ID    string    `json:"id"`
	About sarifText `json:"shortDescription"`
	Help  string    `json:"helpUri,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Index     int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

func (s *sarifRun) rule(code, about string) {
	if _, ok := s.index[code]; !ok {
		s.index[code] = len(s.Tool.Driver.Rules)
		s.Tool.Driver.Rules = append(s.Tool.Driver.Rules, sarifRule{code, sarifText{about}, finding.Help(code)})
	}
}

// add appends a result at a position, or about the whole file.
func (s *sarifRun) add(level, code, text string, g *idg.Graph, pos idg.Pos) {
	var at sarifLocation
	file := g.Source.File
	if pos.IsValid() {
		file = pos.File
		at.Physical.Region = &sarifRegion{pos.Line, pos.Column}
	}
	at.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(file)}).String()
	s.Results = append(s.Results, sarifResult{code, s.index[code], level, sarifText{text}, []sarifLocation{at}})
}
