package tune

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Plan is the variants of a space, ready to be predicted.
type Plan struct {
	Space    *Space
	Recipe   *Recipe
	Variants []Variant
	jobs     []job
	mappers  map[*latencies.Device]*latencies.Mapper

	programs shared[*generate.Program]
	graphs   shared[*outcomeSlot] // by launch
	results  shared[Outcome]      // by graph
}

type outcomeSlot struct{ Outcome }

// job is a variant with what it shares.
type job struct {
	source  *generate.Source
	options *generate.Options
	program string // key of what is parsed
	launch  string // key of what is executed
	err     error  // why it cannot be predicted
}

// NewPlan makes the options of all variants and preprocesses their sources.
func NewPlan(ctx context.Context, s *Space, r *Recipe, jobs int) (*Plan, error) {
	variants, err := s.Variants()
	if err != nil {
		return nil, err
	}
	p := &Plan{Space: s, Recipe: r, Variants: variants, mappers: map[*latencies.Device]*latencies.Mapper{},
		jobs: make([]job, len(variants))}
	for _, d := range r.Devices {
		if p.mappers[d], err = latencies.NewMapper(d, nil); err != nil {
			return nil, err
		}
	}
	var texts sync.Map
	err = parallel(ctx, jobs, len(variants), func(i int) {
		p.jobs[i] = p.prepare(&variants[i], &texts)
	})
	if err != nil {
		return nil, err
	}
	read := map[string]string{}
	texts.Range(func(name, text any) bool { read[name.(string)] = text.(string); return true })
	return p, r.Check(s, read)
}

// prepare makes the options of a variant and the keys of what it shares.
func (p *Plan) prepare(v *Variant, texts *sync.Map) job {
	source, o, err := p.Recipe.options(p.Space, v)
	if err != nil {
		return job{err: err}
	}
	pre, err := generate.Preprocess(source, o)
	if err != nil {
		return job{err: err}
	}
	for name, text := range pre.Files {
		texts.LoadOrStore(name, text)
	}
	program := key(fmt.Sprintf("%x", pre.Sum), o.Device.Name, o.Compiler, strings.Join(o.Templates, " "))
	launch := key(program, o.Local, o.Groups, o.Global, o.Args, o.DynamicLocal, o.Unrolls, o.Registers)
	return job{source: source, options: o, program: program, launch: launch}
}

// parallel calls do for 0 to n-1 on several goroutines, in order as far as that goes.
func parallel(ctx context.Context, jobs, n int, do func(i int)) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(jobs, n) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// Run predicts all variants and hands out their rows as they are known, one at a time.
func (p *Plan) Run(ctx context.Context, jobs int, emit func(Row)) error {
	order := p.order()
	var mu sync.Mutex
	return parallel(ctx, jobs, len(order), func(k int) {
		i := order[k]
		row := p.row(ctx, i)
		if ctx.Err() != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		emit(row)
	})
}

// order has variants of the same program behind each other, and counts what is shared.
func (p *Plan) order() []int {
	first := map[string]int{}
	order := make([]int, len(p.jobs))
	for i := range p.jobs {
		j := &p.jobs[i]
		order[i] = i
		if j.err != nil {
			continue
		}
		if _, ok := first[j.program]; !ok {
			first[j.program] = i
		}
		p.programs.expect(j.program)
		p.graphs.expect(j.launch)
	}
	place := func(i int) int {
		if j := &p.jobs[i]; j.err == nil {
			return first[j.program]
		}
		return i
	}
	slices.SortStableFunc(order, func(a, b int) int { return place(a) - place(b) })
	return order
}

// row predicts a variant.
func (p *Plan) row(ctx context.Context, i int) Row {
	v := &p.Variants[i]
	row := Row{Number: v.Number}
	for k := range p.Space.Params {
		row.Values = append(row.Values, p.Space.Params[k].Values[v.Index[k]])
	}
	j := &p.jobs[i]
	if j.err != nil {
		row.Outcome = refused(j.err)
		return row
	}
	defer p.programs.release(j.program)
	defer p.graphs.release(j.launch)
	out, err := p.graphs.of(j.launch, func() (*outcomeSlot, error) {
		o, err := p.predict(ctx, j)
		return &outcomeSlot{o}, err
	})
	if err != nil {
		row.Outcome = refused(err)
		return row
	}
	row.Outcome = out.Outcome
	return row
}

// predict runs the pipe for a launch.
func (p *Plan) predict(ctx context.Context, j *job) (Outcome, error) {
	g, err := p.graph(j)
	if err != nil {
		return Outcome{}, err
	}
	bare := *g
	bare.Source = idg.Source{} // no model looks at it, and it tells the parameters
	sum := sha256.New()
	if err := idg.Encode(sum, &bare); err != nil {
		return Outcome{}, err
	}
	k := key(fmt.Sprintf("%x", sum.Sum(nil)), j.options.Device.Name)
	p.results.expect(k) // kept: what a graph gives is small
	return p.results.of(k, func() (Outcome, error) { return p.simulate(ctx, g, j.options.Device) })
}

// graph makes the graph of a launch.
func (p *Plan) graph(j *job) (*idg.Graph, error) {
	program, err := p.programs.of(j.program, func() (*generate.Program, error) {
		return generate.Parse(j.source, j.options)
	})
	if err != nil {
		return nil, err
	}
	program = program.With(j.options)
	fn, err := program.Choose(p.Recipe.Kernel)
	if err != nil {
		return nil, err
	}
	k, err := program.Prepare(fn)
	if err != nil {
		return nil, err
	}
	g, _, err := k.Resolve()
	return g, err
}

func (p *Plan) simulate(ctx context.Context, g *idg.Graph, d *latencies.Device) (Outcome, error) {
	m, err := p.mappers[d].MapWith(g, latencies.Options{Warm: p.Recipe.Warm})
	if err != nil {
		return Outcome{}, err
	}
	r, err := simulate.Run(ctx, g, m, p.Recipe.Config)
	if err != nil {
		return Outcome{}, err
	}
	if err := r.Verify(); err != nil {
		return Outcome{}, diag.AsDefect(err)
	}
	out := outcomeOf(g, r)
	var kinds []simulate.GroupKind
	for _, k := range g.GroupKinds() {
		kinds = append(kinds, simulate.GroupKind{Graph: k.Graph, Mapping: m, Count: k.Groups})
	}
	out.Roofline = Roofline(kinds)
	if out.Volkov, err = Volkov(kinds, r); err != nil || math.IsNaN(out.Volkov) {
		out.Volkov = 0 // no answer
	}
	return out, nil
}

// Device is that of a row.
func (p *Plan) Device(r *Row) *latencies.Device {
	for i := range p.Space.Params {
		if p.Space.Params[i].Name == ParamGPU {
			k := slices.Index(p.Space.Params[i].Values, r.Values[i])
			return p.Recipe.Devices[k]
		}
	}
	return p.Recipe.Devices[0]
}

// Describe writes the parameters of a row.
func (p *Plan) Describe(r *Row) string {
	v := p.Space.variant(r.Number)
	return p.Space.Describe(&v)
}
