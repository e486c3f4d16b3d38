package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/analytic"
)

// listedModel is a row of "pipesim models --list".
type listedModel struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Source  string `json:"source"`
	Formula string `json:"formula"`
	Assumes string `json:"assumes"`
	Static  bool   `json:"static"` // does not know occupancy
}

// listModels writes where each model comes from, what it computes and when that holds.
func listModels(c *console.Console, o *modelsOptions) error {
	if o.input != "-" || o.format == report.CSV {
		return console.Usagef("--list takes no graph, and text, markdown or json as its format")
	}
	models := o.models
	if models == nil {
		models = analytic.Models()
	}
	list := make([]listedModel, 0, len(models))
	s := sheet.Section{Columns: sheet.ColumnsOf("name<", "paper<<", "formula<<", "holds for<<")}
	for _, m := range models {
		a := m.About()
		list = append(list, listedModel{a.Name, a.Title, a.Source, a.Formula, a.Assumes, a.Static})
		s.Add(a.Name, a.Source, a.Formula, a.Assumes)
	}
	r := &results{document: list, sheet: sheet.Sheet{s, {Text: []string{
		"A: Lemeire, Cornelis, Konstantinidis, Analysis of the Analytical Performance Models for GPUs; V16: Volkov, " +
			"Understanding Latency Hiding on GPUs; Huang: the paper of GPUMech, as V16 and A print it. " +
			"docs/evidence/reproduction.md has their numbers, recomputed.",
	}}}}
	return r.emit(c, o.output, o.format)
}
