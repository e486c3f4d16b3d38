package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/cmd/internal/source"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/internal/target"
	"gpupipe/internal/tune"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

// rank predicts the variants of a space and writes them in order.
func (o *options) rank(ctx context.Context, c *console.Console) error {
	s, r, err := o.read(c)
	if err != nil {
		return err
	}
	measured, err := o.readMeasured(s)
	if err != nil {
		return err
	}
	p, err := tune.NewPlan(ctx, s, r, o.shard, o.jobs)
	if err != nil {
		return err
	}
	rows, err := o.predict(ctx, c, p)
	if err != nil {
		return err
	}
	tune.Rank(rows)
	if first := &rows[0]; first.Error != "" && o.format == "text" {
		which := "none of " + sheet.Count(int64(len(rows)), "variant") + " can"
		if len(rows) == 1 {
			which = "the only variant cannot"
		}
		return diag.Errorf(diag.Pos{}, "SPACE", "%s run: %s (%s)", which, first.Error, p.Describe(first))
	}
	if err := o.intervals(ctx, p, rows); err != nil {
		return err
	}
	if o.plot != "" {
		if err := o.draw(c, p, rows); err != nil {
			return err
		}
	}
	return c.Emit(o.output, func(w io.Writer) error { return o.write(w, c, p, rows, measured) })
}

// intervals finds the range of each time that is shown, where not all are.
func (o *options) intervals(ctx context.Context, p *tune.Plan, rows []tune.Row) error {
	var shown []*tune.Row
	for i := range rows[:min(o.top, len(rows))] {
		if r := &rows[i]; r.Simulated() && r.High == 0 {
			shown = append(shown, r)
		}
	}
	errs := make([]error, len(shown))
	err := tune.Parallel(ctx, o.jobs, len(shown), func(i int) {
		var in tune.Interval
		in, errs[i] = p.Interval(ctx, shown[i])
		shown[i].Low, shown[i].High = in.Low, in.High
	})
	return cmp.Or(err, errors.Join(errs...))
}

// readMeasured reads the times of --measured, nil without it.
func (o *options) readMeasured(s *tune.Space) (map[int64]float64, error) {
	if o.measured == "" {
		return nil, nil
	}
	t, err := readTable(o.measured)
	if err != nil {
		return nil, err
	}
	return t.Measured(s)
}

// predict predicts the variants that an earlier run has not.
func (o *options) predict(ctx context.Context, c *console.Console, p *tune.Plan) (rows []tune.Row, err error) {
	run := tune.RunOptions{Jobs: o.jobs, Top: o.bounded()}
	var file *journal
	if o.resume != "" {
		if file, run.Known, err = openJournal(c, o.resume, p); err != nil {
			return nil, err
		}
		defer file.close()
	}
	console.Collect(memoryGrows, memoryLimit)
	bar := console.NewProgress(c.Stderr, "variant", len(p.Variants), len(run.Known))
	simulated := int64(0)
	err = p.Run(ctx, run, func(row tune.Row) {
		rows = append(rows, row)
		if row.Simulated() {
			simulated++
		}
		if _, known := run.Known[row.Number]; file != nil && !known {
			file.add(&row)
		}
		bar.Note = fmt.Sprintf(" (%s simulated)", sheet.Grouped(simulated))
		bar.Show(len(rows))
	})
	bar.Clear()
	if err == nil && file != nil {
		err = file.finish(c, rows)
	}
	return rows, err
}

// Memory that a run may fill before garbage is collected more often, and how far it may grow between collections
// otherwise (percent): what a variant allocates is garbage soon, and the heap is small against it.
const (
	memoryLimit = 768 << 20
	memoryGrows = 2000
)

// bounded is how many of the fastest variants are exact, 0 = all: where nothing but these is shown.
func (o *options) bounded() int {
	if o.measured != "" || o.importance || o.plot != "" {
		return 0
	}
	return o.top
}

// read reads the source, the space, the devices and the expressions.
func (o *options) read(c *console.Console) (*tune.Space, *tune.Recipe, error) {
	src, err := o.openSource(c)
	if err != nil {
		return nil, nil, err
	}
	s, err := o.readSpace(src)
	if err != nil {
		return nil, nil, err
	}
	s.Sample = o.sample
	for _, p := range slices.Backward(o.targets()) {
		if len(p.Values) > 1 {
			s.Params = slices.Insert(s.Params, 0, p)
		}
	}
	r, err := o.recipeOf(c, src, s)
	return s, r, err
}

// recipe reads the source and how variants of a space are made of it.
func (o *options) recipe(c *console.Console, s *tune.Space) (*tune.Recipe, error) {
	src, err := o.openSource(c)
	if err != nil {
		return nil, err
	}
	return o.recipeOf(c, src, s)
}

func (o *options) recipeOf(c *console.Console, src *generate.Source, s *tune.Space) (*tune.Recipe, error) {
	c.AddSource(src.File, src.Text)
	r := &tune.Recipe{Source: src, Kernel: o.kernel, Base: o.base, Compilers: o.compilers, Warm: o.warm,
		Config: simulate.Config{Precision: sweep.Precision}}
	r.Base.IncludeDirs = source.Slashed(o.base.IncludeDirs)
	var err error
	if r.Base.Contents, err = source.ReadContents(o.contents); err != nil {
		return nil, err
	}
	if err := o.devices(s, r); err != nil {
		return nil, err
	}
	return r, o.expressions(s, r)
}

func (o *options) openSource(c *console.Console) (*generate.Source, error) {
	if o.builtin != "" {
		return generate.Builtin(o.builtin, o.dialect, o.defines)
	}
	return source.Read(c, o.input, o.dialect, o.defines)
}

// targets are the devices and the compilers of the flags, as parameters.
func (o *options) targets() (list []tune.Param) {
	gpus, compilers := tune.Param{Name: tune.ParamGPU}, tune.Param{Name: tune.ParamCompiler}
	for _, name := range o.gpus {
		gpus.Values = append(gpus.Values, name)
	}
	for _, c := range o.compilers {
		compilers.Values = append(compilers.Values, c.String())
	}
	for _, p := range []tune.Param{gpus, compilers} {
		if len(p.Values) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// devices looks up the devices and the compilers that a space has as parameters, else those of the flags.
func (o *options) devices(s *tune.Space, r *tune.Recipe) error {
	if names := s.Texts(tune.ParamCompiler); names != nil {
		r.Compilers = nil
		for _, name := range names {
			c, err := target.ParseCompiler(name)
			if err != nil {
				return diag.Errorf(diag.Pos{}, "SPACE", "parameter %s: %v", tune.ParamCompiler, err)
			}
			r.Compilers = append(r.Compilers, c)
		}
	}
	names := s.Texts(tune.ParamGPU)
	if names == nil {
		names = o.gpus
	}
	if len(names) == 0 {
		names = []string{latencies.Default}
	}
	for _, name := range names {
		d, err := gpu.Find(name)
		if err != nil {
			return err
		}
		r.Devices = append(r.Devices, d)
	}
	return nil
}

// expressions reads the expressions of the command line.
func (o *options) expressions(s *tune.Space, r *tune.Recipe) (err error) {
	wrong := func(flag string, err error) error { return console.Usagef("--%s %v", flag, err) }
	for _, text := range o.where {
		e, err := tune.ParseExpr(text, s.Params)
		if err != nil {
			return wrong("where", err)
		}
		s.Where = append(s.Where, e)
	}
	for _, f := range []struct {
		flag, text string
		into       *[]*tune.Expr
	}{{"local", o.local, &r.Local}, {"grid", o.grid, &r.Groups}, {"global", o.global, &r.Global}} {
		if f.text == "" {
			continue
		}
		if *f.into, err = tune.ParseExprs(f.text, s.Params); err != nil {
			return wrong(f.flag, err)
		}
		if len(*f.into) > 3 {
			return console.Usagef("--%s %s: a launch has at most 3 dimensions", f.flag, f.text)
		}
	}
	for _, f := range []struct {
		flag  string
		texts []string
		into  *[]tune.Assignment
	}{{"arg", o.args, &r.Args}, {"unroll", o.unrolls, &r.Unrolls}, {"template", o.templates, &r.Templates}} {
		for _, text := range f.texts {
			a, err := tune.ParseAssignment(text, s.Params)
			if err != nil {
				return wrong(f.flag, err)
			}
			*f.into = append(*f.into, a)
		}
	}
	for _, f := range []struct {
		flag, text string
		into       **tune.Expr
	}{{"dynamic-local", o.dynamicLocal, &r.DynamicLocal}, {"registers", o.registers, &r.Registers}} {
		if f.text == "" {
			continue
		}
		if *f.into, err = tune.ParseExpr(f.text, s.Params); err != nil {
			return wrong(f.flag, err)
		}
	}
	return nil
}

// write writes rows in the format that is asked for.
func (o *options) write(w io.Writer, c *console.Console, p *tune.Plan, rows []tune.Row,
	measured map[int64]float64) error {
	shown := rows
	if o.top > 0 && len(shown) > o.top {
		shown = shown[:o.top]
	}
	switch o.format {
	case "cache":
		return diag.AsDefect(tune.WriteCache(console.Raw(w), p, shown))
	case "t4":
		return diag.AsDefect(tune.WriteT4(console.Raw(w), p, shown))
	case "csv":
		r := records(p, shown, measured)
		return r.WriteCSV(w)
	case "jsonl":
		return diag.AsDefect(writeLines(console.Raw(w), p, shown, measured))
	}
	s := table(p, rows, shown, measured)
	if o.importance {
		s = append(s, importance(p, rows))
	}
	if measured != nil {
		s = append(s, trust(rows, measured))
	}
	return s.WriteText(w, c.Layout(o.output))
}
