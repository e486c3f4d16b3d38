package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/page"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// shownFindings is how many findings a page shows at first, as the text report has.
const shownFindings = 5

// Evaluate answers a request. early, if it is not nil, is given an answer without the pages as soon as there is
// one. A context that ends ends the work soon, with an answer that says so.
func Evaluate(ctx context.Context, r *Request, early func(*Response)) *Response {
	out := &Response{Diagnostics: []Diagnostic{}, Kernels: []Kernel{}, Devices: []Device{}}
	if err := out.evaluate(ctx, r, early); err != nil {
		out.addError(explained(ctx, err))
	}
	return out
}

// explained says what the end of a context means.
func explained(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return diag.Errorf(diag.Pos{}, "TIME", "not finished in the time that a page may take").
			WithNote("give a smaller launch, smaller trip counts or fewer groups; idgen and pipesim have no such limit")
	case ctx.Err() != nil:
		return diag.Errorf(diag.Pos{}, "CANCELLED", "nobody waits for the answer any more")
	}
	return err
}

// evaluate fills in the answer as far as possible.
func (out *Response) evaluate(ctx context.Context, r *Request, early func(*Response)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = diag.Errorf(diag.Pos{}, codeDefect, "internal error: %v", p).
				WithNote("this is a defect of the program, not of your input: please report it with the input and\n%s",
					debug.Stack())
		}
	}()
	if err := r.check(); err != nil {
		return err
	}
	config, err := r.config()
	if err != nil {
		return err
	}
	devices, err := r.devices()
	if err != nil {
		return err
	}
	out.Devices = make([]Device, len(devices))
	list := make([]evaluation, len(devices))
	for i, d := range devices {
		out.Devices[i] = Device{Name: d.Name, Title: d.Title, Arguments: []Argument{}, Loops: []Loop{}}
		list[i] = evaluation{request: r, config: config, device: d, out: out, into: &out.Devices[i]}
	}
	for i := range list {
		if err := list[i].predict(ctx); err != nil {
			return err
		}
	}
	if !r.Page {
		return nil
	}
	if early != nil {
		early(out)
	}
	for i := range list {
		if err := list[i].addPage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// evaluation is the answer for one device.
type evaluation struct {
	request *Request
	config  simulate.Config
	device  *latencies.Device
	out     *Response
	into    *Device

	prediction *report.Prediction
}

// predict takes the source through all stages.
func (e *evaluation) predict(ctx context.Context) error {
	mapper, err := e.request.mapper(e.device)
	if err != nil {
		return err
	}
	g, err := e.graph(ctx)
	if err != nil {
		return err
	}
	e.prediction, err = report.Predict(ctx, g, report.Options{
		Mapper: mapper, Config: e.config, Warn: func(list diag.List) { e.out.add(slices.Clone(list)) },
	})
	if err != nil {
		return err
	}
	var document bytes.Buffer
	if err := report.Write(&document, report.JSON, []*report.Prediction{e.prediction}, &report.View{}); err != nil {
		return err
	}
	e.into.Report = document.Bytes()
	return nil
}

// graph is that of the source, or of the example.
func (e *evaluation) graph(ctx context.Context) (*idg.Graph, error) {
	if e.request.Example != "" {
		e.into.Kernel = e.request.Example
		return exampleGraph()
	}
	source, err := e.request.source()
	if err != nil {
		return nil, err
	}
	o, err := e.request.options(e.device)
	if err != nil {
		return nil, err
	}
	o.Ended = ctx.Err
	p, err := generate.Parse(source, o)
	if err != nil {
		return nil, err
	}
	e.out.add(p.Unit.Warnings)
	e.out.list(p.Unit)
	fn, err := p.Choose(e.request.Kernel)
	if err != nil {
		return nil, err
	}
	k, err := p.Prepare(fn)
	if err != nil {
		return nil, err
	}
	if err := e.describe(k, source); err != nil {
		return nil, err
	}
	g, notes, err := k.Resolve()
	if err != nil {
		return nil, err
	}
	e.out.add(generate.Unrecorded(g, append(notes, k.Lowered.Warnings...)))
	decide(e.into.Loops, g)
	return g, nil
}

// addPage finds what to change, and adds the page.
func (e *evaluation) addPage(ctx context.Context) (err error) {
	p, brief := *e.prediction, e.request.Brief
	if !brief {
		err = p.Find(ctx)
	}
	if err == nil {
		e.into.Page, err = page.New(ctx, &p, page.Options{Findings: shownFindings, Brief: brief})
	}
	if err == nil {
		nameControls(e.into.Page)
	}
	return err
}

// describe says what of the kernel can be chosen, and chooses the factors of the request.
func (e *evaluation) describe(k *generate.Kernel, s *generate.Source) error {
	l := k.Launch
	e.into.Kernel = k.Lowered.Name
	e.into.Launch = &Launch{l.Local, named(l.LocalFrom), l.Groups, named(l.GroupsFrom)}
	e.into.Arguments = argumentsOf(k)
	e.into.Loops = loopsOf(k.Lowered, s.File)
	for _, f := range e.request.Unroll {
		if f.Loop < 0 || f.Loop >= len(e.into.Loops) || f.Factor < 1 {
			return refusal("unroll", fmt.Errorf("factor %d of loop %d: the kernel has %d loops", f.Factor, f.Loop,
				len(e.into.Loops)))
		}
		loop := &e.into.Loops[f.Loop]
		loop.Chosen = f.Factor
		at := unroll.Location{File: loop.File, Line: loop.Line, Column: loop.Column}
		if at.File == "" {
			at.File = s.File
		}
		k.Options.Unrolls = append(k.Options.Unrolls, unroll.UnrollChoice{At: at, Factor: f.Factor})
	}
	return nil
}

// list lists the kernels of the source, once.
func (out *Response) list(u *ast.Unit) {
	if len(out.Kernels) > 0 {
		return
	}
	for _, k := range u.Kernels {
		out.Kernels = append(out.Kernels, Kernel{k.Name, k.Pos.Line})
	}
	for _, b := range u.Broken {
		out.Kernels = append(out.Kernels, Kernel{b.Name, b.Pos.Line})
	}
}
