package view

import (
	"bytes"
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/internal/page"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// shownFindings is how many findings a page shows at first, as the text report has.
const shownFindings = 5

// Early is how many answers come before that which is whole, at most.
const Early = 2

// Evaluate answers a request. early, if it is not nil, is given what there is of the answer as soon as there is
// something: the numbers, then the pages without findings and other occupancies, which take further simulations.
// A context that ends ends the work soon, with an answer that says so.
func (v *Evaluator) Evaluate(ctx context.Context, r *Request, early func(*Response)) *Response {
	out := &Response{Diagnostics: []Diagnostic{}, Kernels: []Kernel{}, Devices: []Device{}}
	if early == nil {
		early = func(*Response) {}
	}
	if err := v.evaluate(ctx, r, out, early); err != nil {
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
func (v *Evaluator) evaluate(ctx context.Context, r *Request, out *Response, early func(*Response)) (err error) {
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
		list[i] = evaluation{Evaluator: v, request: r, config: config, device: d, out: out, into: &out.Devices[i]}
	}
	stages := []func(*evaluation, context.Context) error{(*evaluation).predict}
	if r.Page {
		stages = append(stages, (*evaluation).addPage)
	}
	if r.Page && !r.Brief {
		stages = append(stages, (*evaluation).find)
	}
	for n, stage := range stages {
		for i := range list {
			if err := stage(&list[i], ctx); err != nil {
				return err
			}
		}
		if n < len(stages)-1 {
			early(out)
		}
	}
	return nil
}

// evaluation is the answer for one device.
type evaluation struct {
	*Evaluator
	request *Request
	config  simulate.Config
	device  *latencies.Device
	out     *Response
	into    *Device

	compiled   *compilation
	prediction *report.Prediction
}

// predict takes the source through all stages.
func (e *evaluation) predict(ctx context.Context) error {
	mapper, err := e.request.mapper(e.device)
	if err != nil {
		return err
	}
	c, err := e.compile(ctx, e.request, e.device)
	if c != nil {
		*e.into = c.device
		for _, list := range c.said {
			e.out.add(slices.Clone(list))
		}
		if len(e.out.Kernels) == 0 {
			e.out.Kernels = append(e.out.Kernels, c.kernels...)
		}
	}
	if err != nil {
		return err
	}
	e.compiled = c
	e.prediction, err = report.Predict(ctx, c.graph, report.Options{
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

// addPage adds the page, as far as no further simulations are needed.
func (e *evaluation) addPage(ctx context.Context) (err error) {
	e.into.Page, err = page.New(ctx, e.prediction, page.Options{Brief: true})
	if err == nil {
		nameControls(e.into.Page)
	}
	return err
}

// find completes the page with what to change, and with other occupancies. What early was given stays as it is.
func (e *evaluation) find(ctx context.Context) error {
	p, d := *e.prediction, *e.into.Page
	if err := e.compiled.complete(ctx); err != nil {
		return err
	}
	if err := p.Find(ctx); err != nil {
		return err
	}
	if err := d.Complete(ctx, &p, shownFindings); err != nil {
		return err
	}
	nameControls(&d)
	e.into.Page = &d
	return nil
}
