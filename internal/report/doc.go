// Package report predicts how a device executes a kernel and writes what there is to say of it.
//
// It consumes an Instruction Dependence Graph and the mapper of a device, and produces a
// Prediction (Predict: map, verify, simulate, causes, roof, and if asked findings and critical
// sequence). Write writes predictions as text, Markdown, CSV, JSON, a pprof profile, a trace or
// SARIF; WriteAdvice writes what to change. Both open no files and write the same bytes for the
// same input.
//
//	device, err := latencies.Builtin(name)
//	mapper, err := latencies.NewMapper(device, rules)
//	p, err := report.Predict(ctx, graph, report.Options{Mapper: mapper, Findings: true})
//	err = report.Write(w, report.Text, []*report.Prediction{p}, &report.View{Layout: sheet.Layout{Width: 80}})
//
// A Prediction is a value whose fields are read and not changed: the graph, mapping, result,
// causes, roof, findings and critical sequence are those of packages idg, latencies, simulate
// and below simulate. Document is the report as JSON, Advice that of the findings.
//
//	predict.go     the stages of a prediction, in order
//	write.go       the formats
//	text.go        the report for people as a sheet; facts.go, causetext.go, rooftext.go,
//	               memorytext.go and occupancysteps.go its sentences, graphnotes.go and
//	               prediction.go what it rests on
//	advice.go      what to change; csv.go, json.go, pprof.go, trace.go and sarif.go are for
//	               other programs
package report
