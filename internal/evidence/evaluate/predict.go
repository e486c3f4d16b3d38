package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/tune"
	"gpupipe/latencies"
	"gpupipe/lower/translate"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// predictor predicts the configurations of one kernel on one device.
type predictor struct {
	spec         *Spec
	device       *latencies.Device
	mapper       *latencies.Mapper
	file         string // relative to root
	root         string
	text         string
	scale        float64 // of the predicted times
	dialect      ast.Dialect
	local        []*expr
	groups       []*expr
	dynamicLocal *expr // nil = none
	args         map[string]*expr
	config       simulate.Config
	modes        []issueMode    // the first of them is the one that counts
	options      unroll.Options // what all configurations share
	memo         memo
}

// prediction is what the models say about one configuration.
type prediction struct {
	seconds  []float64        // by issue mode
	roofline float64          // seconds
	volkov   float64          // seconds
	pipe     float64          // seconds (see tune.PipeSeconds)
	warps    float64          // resident on a compute unit
	result   *simulate.Result // of the first mode
	graph    graphFacts
	remarks  []remark
	counted  *latencies.Traffic // of a launch as the profiler counted it; nil = not known
}

// graphFacts are what the residual analysis wants to know about a graph.
type graphFacts struct {
	registers int
	perWarp   map[string]int64 // instructions per work group by class
}

func newPredictor(s *Spec, d *latencies.Device, o *options) (*predictor, error) {
	file := filepath.Join(o.sources, s.Source)
	if s.Clock.MHz > 0 {
		var err error
		if d, err = d.AtClock(int64(s.Clock.MHz * 1e6)); err != nil {
			return nil, err
		}
	}
	rules, err := s.Hints.rules()
	if err != nil {
		return nil, err
	}
	m, err := latencies.NewMapper(d, rules)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	modes := o.modes
	if modes == nil {
		modes = []issueMode{ownMode}
	}
	p := &predictor{spec: s, device: d, mapper: m, root: o.sources, file: filepath.ToSlash(filepath.Clean(s.Source)),
		text: string(text), dialect: ast.OpenCL, scale: 1, config: o.config, modes: modes}
	for _, c := range s.Replace {
		if !strings.Contains(p.text, c.Old) {
			return nil, fmt.Errorf("%s: there is no %q to replace", file, c.Old)
		}
		p.text = strings.ReplaceAll(p.text, c.Old, c.New)
	}
	if s.Scale > 0 {
		p.scale = s.Scale
	}
	switch ext := filepath.Ext(file); {
	case s.Language == "cuda", s.Language == "" && (strings.HasPrefix(ext, ".cu") || ext == ".hip"):
		p.dialect = ast.CUDA
	}
	for _, list := range []struct {
		texts []string
		into  *[]*expr
	}{{s.Local, &p.local}, {s.Groups, &p.groups}} {
		for _, t := range list.texts {
			e, err := parseExpr(t)
			if err != nil {
				return nil, err
			}
			*list.into = append(*list.into, e)
		}
	}
	if s.DynamicLocal != "" {
		if p.dynamicLocal, err = parseExpr(s.DynamicLocal); err != nil {
			return nil, err
		}
	}
	if p.args, err = parseArguments(s.Args); err != nil {
		return nil, err
	}
	p.options = unroll.Options{
		Target: d.Target(), Warps: unroll.EveryWarp, Locality: unroll.LaunchLocality, Kinds: unroll.SampledIfUneven,
	}
	p.options.FastMath = s.FastMath
	if s.Warps == "first" {
		p.options.Warps = unroll.FirstWarp
	}
	if p.options.Contents, err = contents(s.Contents); err != nil {
		return nil, err
	}
	if p.options.Trips, p.options.Branches, err = s.Hints.choices(); err != nil {
		return nil, err
	}
	if s.Edges {
		p.options.Kinds = unroll.EdgeGroups
	}
	if s.Locality != "" {
		if p.options.Locality, err = unroll.ParseLocality(s.Locality); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// predict runs the pipe for one row.
func (p *predictor) predict(ctx context.Context, t *table, r *row) (prediction, error) {
	if r.bad != nil {
		return prediction{}, r.bad
	}
	g, said, err := p.resolve(t, r)
	if err != nil {
		return prediction{}, err
	}
	out, err := p.memo.of(g, func() (prediction, error) { return p.models(ctx, g) })
	out.remarks = slices.Clone(out.remarks) // those of the graph, which other rows may have as well
	for _, e := range said {
		out.remarks = append(out.remarks, remark{place: e.Pos.String(), text: e.Message})
	}
	return out, err
}

// models asks all models about a graph.
func (p *predictor) models(ctx context.Context, g *idg.Graph) (prediction, error) {
	// of all kinds, as groups at the edges are served like others
	mapping, err := p.mapper.MapWith(g, latencies.Options{Warm: p.spec.Warm})
	if err != nil {
		return prediction{}, err
	}
	var kinds []simulate.GroupKind
	for _, k := range g.GroupKinds() {
		kinds = append(kinds, simulate.GroupKind{Graph: k.Graph, Mapping: mapping, Count: k.Groups})
	}
	var seconds []float64
	var res *simulate.Result // of the first mode
	for _, m := range p.modes {
		r, err := p.run(ctx, m, kinds)
		if err != nil {
			return prediction{}, err
		}
		if seconds = append(seconds, (r.Seconds-r.LaunchSeconds)*p.scale+r.LaunchSeconds); res == nil {
			res = r
		}
	}
	bound, err := tune.Volkov(kinds, res)
	if err != nil {
		return prediction{}, err
	}
	counted := mapping
	if p.spec.Counters != "" && p.spec.Warm && !p.spec.CountedWarm {
		if counted, err = p.mapper.MapWith(g, latencies.Options{}); err != nil {
			return prediction{}, err
		}
	}
	return prediction{
		counted: counted.Traffic, seconds: seconds, warps: float64(res.OccupancyWarps), result: res,
		roofline: tune.Roofline(kinds) * p.scale, volkov: bound * p.scale, pipe: tune.PipeSeconds(kinds) * p.scale,
		graph:   factsOf(kinds[0].Graph),
		remarks: remarksOf(g, mapping, res),
	}, nil
}

// run simulates in one issue mode.
func (p *predictor) run(ctx context.Context, m issueMode, kinds []simulate.GroupKind) (*simulate.Result, error) {
	config := p.config
	config.Issue, config.Precision = m.issue, p.spec.Precision
	return simulate.RunKinds(ctx, kinds, config)
}

// resolve makes the graph of one row, and tells what was assumed and is to be said of its local memory.
func (p *predictor) resolve(t *table, r *row) (*idg.Graph, diag.List, error) {
	defines := slices.Concat(p.spec.Defines, t.defines(r))
	u, err := frontend.Parse(frontend.Config{File: p.file, Text: p.text, Dialect: p.dialect, Defines: defines,
		Target: p.options.Target, Templates: p.spec.Template, IncludePaths: p.spec.IncludeDirs, FS: os.DirFS(p.root)})
	if err != nil {
		return nil, nil, err
	}
	fn := u.Kernel(p.spec.Kernel)
	if fn == nil {
		if b := u.BrokenKernel(p.spec.Kernel); b != nil {
			return nil, nil, b.Err
		}
		return nil, nil, fmt.Errorf("there is no kernel %q", p.spec.Kernel)
	}
	k, err := translate.Kernel(u, fn)
	if err != nil {
		return nil, nil, err
	}
	names := t.names(r)
	local, err := extents(p.local, names)
	if err != nil {
		return nil, nil, err
	}
	groups, err := extents(p.groups, names)
	if err != nil {
		return nil, nil, err
	}
	opt := p.options
	opt.Source = idg.Source{File: p.file, Dialect: p.dialect.String(), Defines: defines}
	opt.Local, opt.Groups = local, groups
	if p.dynamicLocal != nil {
		if opt.DynamicLocal, err = p.dynamicLocal.whole(names, 0); err != nil {
			return nil, nil, fmt.Errorf("dynamic_local: %w", err)
		}
	}
	if opt.Args, err = argumentValues(p.args, k, names); err != nil {
		return nil, nil, err
	}
	g, said, err := generate.Execute(k, fn, p.dialect, opt)
	if err != nil {
		return nil, nil, err
	}
	if e := generate.CheckLaunchBounds(p.device, opt.Compiler, fn); e != nil {
		said.Add(e)
	}
	if e := generate.CheckStaticLocal(k, p.dialect, opt.Compiler); e != nil {
		said.Add(e)
	}
	return g, said, nil
}

// extents evaluates up to three dimensions.
func extents(list []*expr, names map[string]float64) ([3]int64, error) {
	out := [3]int64{1, 1, 1}
	for i, e := range list {
		v, err := e.whole(names, 1)
		if err != nil {
			return out, err
		}
		out[i] = v
	}
	return out, nil
}

// maxElements bounds a buffer whose contents are given.
const maxElements = 1 << 24

// contents evaluates what buffers hold.
func contents(list []ContentSpec) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, c := range list {
		e, err := parseExpr(c.Value)
		if err != nil {
			return nil, err
		}
		if c.Elements < 1 || c.Elements > maxElements {
			return nil, fmt.Errorf("contents of %s: %d elements", c.Buffer, c.Elements)
		}
		add, err := elementOf(c.Type)
		if err != nil {
			return nil, fmt.Errorf("contents of %s: %w", c.Buffer, err)
		}
		names := map[string]float64{"last": 0}
		for i := range c.Elements {
			names["i"] = float64(i)
			v, err := e.value(names)
			if err != nil {
				return nil, fmt.Errorf("contents of %s: %w", c.Buffer, err)
			}
			names["last"], out[c.Buffer] = v, add(out[c.Buffer], v)
		}
	}
	return out, nil
}

// elementOf appends a value of a type to a buffer.
func elementOf(name string) (func([]byte, float64) []byte, error) {
	order := binary.LittleEndian
	switch name {
	case "", "float":
		return func(b []byte, v float64) []byte { return order.AppendUint32(b, math.Float32bits(float32(v))) }, nil
	case "double":
		return func(b []byte, v float64) []byte { return order.AppendUint64(b, math.Float64bits(v)) }, nil
	case "int":
		return func(b []byte, v float64) []byte { return order.AppendUint32(b, uint32(int32(v))) }, nil
	}
	return nil, fmt.Errorf("type %q is none of float, double and int", name)
}
