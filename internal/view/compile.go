package view

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/words"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// keptGraphs is how many graphs an Evaluator remembers: those of two devices before and after a change.
const keptGraphs = 4

// Evaluator answers requests. It remembers the last graphs: a request that differs in how devices execute them alone
// does not compile again. Its zero value is ready, and may be used by several goroutines at once.
type Evaluator struct {
	mu   sync.Mutex
	last []*compilation // the latest first
}

// compilation is what a source is compiled to for a device.
type compilation struct {
	key     string
	graph   *idg.Graph // nil: it does not compile
	device  Device     // with the kernel, its launch, arguments and loops
	kernels []Kernel   // of the source
	said    []diag.List

	varying sync.Mutex
	vary    func(context.Context) []*idg.Graph // nil: the graph has its variants, or there are none
}

// complete gives the graph its variants, which only what is to be changed reads.
func (c *compilation) complete(ctx context.Context) error {
	c.varying.Lock()
	defer c.varying.Unlock()
	if c.vary == nil {
		return nil
	}
	list := c.vary(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	c.graph.Variants, c.vary = list, nil
	return nil
}

// key tells requests apart whose graphs for a device may differ.
func (r *Request) key(d *latencies.Device) (string, error) {
	k := *r
	k.Devices = []string{d.Name}
	k.Issue, k.Scheduler, k.IssueLimit, k.UnitGroups, k.Concurrent, k.Rules = "", "", "", 0, 0, nil
	k.Page, k.Brief = false, false
	text, err := json.Marshal(&k)
	return string(text), err
}

// compile is what a request's source is compiled to, as far as it can be.
func (v *Evaluator) compile(ctx context.Context, r *Request, d *latencies.Device) (*compilation, error) {
	key, err := r.key(d)
	if err != nil {
		return nil, err
	}
	if c := v.recall(key); c != nil {
		return c, nil
	}
	c := &compilation{key: key, device: Device{Name: d.Name, Title: d.Title, Arguments: []Argument{}, Loops: []Loop{}}}
	if err := c.compile(ctx, r, d); err != nil {
		return c, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = append([]*compilation{c}, v.last[:min(len(v.last), keptGraphs-1)]...)
	return c, nil
}

// recall finds a graph that is remembered; nil = none.
func (v *Evaluator) recall(key string) *compilation {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.last, func(c *compilation) bool { return c.key == key })
	if i < 0 {
		return nil
	}
	c := v.last[i]
	v.last = slices.Insert(slices.Delete(v.last, i, i+1), 0, c)
	return c
}

// compile takes the source to a graph.
func (c *compilation) compile(ctx context.Context, r *Request, d *latencies.Device) error {
	if r.Example != "" {
		c.device.Kernel = r.Example
		var err error
		c.graph, err = exampleGraph()
		return err
	}
	source, err := r.source()
	if err != nil {
		return err
	}
	o, err := r.options(d)
	if err != nil {
		return err
	}
	o.Ended = ctx.Err
	p, err := generate.Parse(source, o)
	if err != nil {
		return err
	}
	c.said = append(c.said, p.Unit.Warnings)
	for _, k := range p.Unit.Kernels {
		c.kernels = append(c.kernels, Kernel{k.Name, k.Pos.Line})
	}
	for _, b := range p.Unit.Broken {
		c.kernels = append(c.kernels, Kernel{b.Name, b.Pos.Line})
	}
	fn, err := p.Choose(r.Kernel)
	if err != nil {
		return err
	}
	k, err := p.Prepare(fn)
	if err != nil {
		return err
	}
	if err := c.describe(r, k, source, d); err != nil {
		return err
	}
	g, notes, err := k.Resolve()
	if err != nil {
		return err
	}
	c.said = append(c.said, generate.Unrecorded(g, append(notes, k.Lowered.Warnings...)))
	decide(c.device.Loops, g)
	c.graph = g
	c.vary = func(ctx context.Context) []*idg.Graph {
		own := *o
		own.Ended = ctx.Err
		return k.Variants(&own, g)
	}
	return nil
}

// describe says what of the kernel can be chosen, and chooses the factors of the request.
func (c *compilation) describe(r *Request, k *generate.Kernel, s *generate.Source, d *latencies.Device) error {
	l, into := k.Launch, &c.device
	into.Kernel = k.Lowered.Name
	from := named(l.GroupsFrom)
	if local := named(l.LocalFrom); local != from {
		from += "; " + local
	}
	sizes := (&idg.Launch{Local: l.Local, Groups: l.Groups}).Sizes()
	into.Launch = &Launch{l.Local, l.Groups, words.For(s.Dialect.String(), d.Vendor == "AMD").Say(sizes) +
		" (" + from + ")"}
	into.Arguments = argumentsOf(k)
	into.Loops = loopsOf(k.Lowered, s.File)
	for _, f := range r.Unroll {
		if f.Loop < 0 || f.Loop >= len(into.Loops) || f.Factor < 1 {
			return refusal("unroll", fmt.Errorf("factor %d of loop %d: the kernel has %d loops", f.Factor, f.Loop,
				len(into.Loops)))
		}
		loop := &into.Loops[f.Loop]
		loop.Chosen = f.Factor
		at := unroll.Location{File: loop.File, Line: loop.Line, Column: loop.Column}
		if at.File == "" {
			at.File = s.File
		}
		k.Options.Unrolls = append(k.Options.Unrolls, unroll.UnrollChoice{At: at, Factor: f.Factor})
	}
	return nil
}
