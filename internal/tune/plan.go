package tune

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gpupipe/internal/generate"
	"gpupipe/latencies"
	"gpupipe/lower"
	"gpupipe/lower/arrange"
	"gpupipe/lower/translate"
	"gpupipe/simulate/sweep"
	"gpupipe/unroll"
)

// Plan is the variants of a space, or a shard of them, ready to be predicted.
type Plan struct {
	Space    *Space
	Recipe   *Recipe
	Variants []Variant
	Kernel   string // the name of the kernel; empty if no variant that was looked at can be read
	jobs     []job  // by variant
	devices  map[*latencies.Device]*device
	arranged arrange.Forms

	programs shared[*generate.Program]
	launches shared[Outcome]
	results  shared[result] // by graph
	fast     predictions
}

// device is what is done once for a device.
type device struct {
	*latencies.Mapper
	digest string
}

// job is a variant with what it shares.
type job struct {
	source  *generate.Source
	options *generate.Options
	program string // key of what is parsed
	launch  string // key of what is executed
	key     string // digest of all that the row depends on
	err     error  // why it cannot be predicted
}

// NewPlan makes the options of the variants of a shard (the zero value: of all) and preprocesses their sources.
func NewPlan(ctx context.Context, s *Space, r *Recipe, shard sweep.Shard, jobs int) (*Plan, error) {
	variants, err := s.Variants()
	if err != nil {
		return nil, err
	}
	if shard.Of > 1 {
		variants = everyNth(variants, shard)
	}
	p := &Plan{Space: s, Recipe: r, Variants: variants, devices: map[*latencies.Device]*device{},
		jobs: make([]job, len(variants))}
	for _, d := range r.Devices {
		m, err := latencies.NewMapper(d, nil)
		if err != nil {
			return nil, err
		}
		digest, err := sweep.DeviceDigest(d)
		if err != nil {
			return nil, err
		}
		p.devices[d] = &device{m, digest}
	}
	var texts sync.Map
	err = Parallel(ctx, jobs, len(variants), func(i int) { p.jobs[i] = p.prepare(&variants[i], &texts) })
	if err != nil {
		return nil, err
	}
	read := map[string]string{}
	texts.Range(func(name, text any) bool { read[name.(string)] = text.(string); return true })
	if err := r.Check(s, read); err != nil {
		return nil, err
	}
	return p, p.checkKernel()
}

// everyNth are the variants of a shard.
func everyNth(list []Variant, shard sweep.Shard) (out []Variant) {
	for i := shard.Index - 1; i < len(list); i += shard.Of {
		out = append(out, list[i])
	}
	return out
}

// checkKernel finds a kernel, or a loop to unroll, that no variant has, by the first variants that can be read.
func (p *Plan) checkKernel() error {
	left := slices.Clone(p.Recipe.Unrolls)
	var last *lower.Kernel
	for i := range p.jobs[:min(len(p.jobs), mostTried)] {
		j := &p.jobs[i]
		if j.err != nil {
			continue
		}
		program, err := generate.Parse(j.source, j.options)
		if err != nil {
			continue
		}
		fn, err := program.Choose(p.Recipe.Kernel)
		if err != nil {
			return err
		}
		p.Kernel = fn.Name
		if last, err = translate.Kernel(program.Unit, fn); err == nil {
			left = slices.DeleteFunc(left, func(a Assignment) bool { return hasLoop(last, a.Name) })
		}
		if len(left) == 0 {
			return nil
		}
	}
	if last == nil {
		return nil
	}
	e := spaceError("--unroll %s: kernel %s has no loop there", left[0].Name, p.Kernel)
	for _, l := range last.Loops {
		e.WithNote("there is one at %v", l.Pos)
	}
	return e
}

// hasLoop reports whether a kernel has a loop at a location; what is none is an error of its own.
func hasLoop(k *lower.Kernel, location string) bool {
	at, err := unroll.ParseLocation(location)
	return err != nil || slices.ContainsFunc(k.Loops, func(l *lower.Loop) bool { return at.Matches(l.Pos) })
}

// mostTried bounds the variants that are read beforehand.
const mostTried = 8

// prepare makes the options of a variant and the keys of what it shares.
func (p *Plan) prepare(v *Variant, texts *sync.Map) job {
	j, err := p.keysOf(v, texts)
	if err != nil {
		sum := sha256.Sum256([]byte(p.Space.Describe(v) + err.Error()))
		return job{err: err, key: fmt.Sprintf("%x", sum[:keyBytes])}
	}
	return j
}

// keyBytes is how much of a digest rows have: enough to tell any two apart.
const keyBytes = 12

func (p *Plan) keysOf(v *Variant, texts *sync.Map) (job, error) {
	source, o, err := p.Recipe.options(p.Space, v)
	if err != nil {
		return job{}, err
	}
	o.Known = &p.arranged
	pre, err := generate.Preprocess(source, o)
	if err != nil {
		return job{}, err
	}
	for name, text := range pre.Files {
		texts.LoadOrStore(name, text)
	}
	program := fmt.Sprintf("%x %s %v %s %v", pre.Sum, p.devices[o.Device].digest, o.Compiler,
		strings.Join(o.Templates, " "), o.FastMath)
	launch := fmt.Sprint(program, " ", o.Local, o.Groups, o.Global, o.Args, o.DynamicLocal, o.Unrolls, o.Registers)
	h := sha256.New()
	fmt.Fprintf(h, "tune-1 %s %s %+v %t %v", launch, p.Recipe.Kernel, p.Recipe.Config, p.Recipe.Warm, o.Kinds)
	for _, c := range o.Contents {
		fmt.Fprintf(h, "%s %x", c.Name, sha256.Sum256(c.Bytes))
	}
	return job{source: source, options: o, program: program, launch: launch,
		key: fmt.Sprintf("%x", h.Sum(nil)[:keyBytes])}, nil
}

// Index is the index of a variant, -1 if it is none of the plan.
func (p *Plan) Index(number int64) int {
	return slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Number == number })
}

// Device is that of a row.
func (p *Plan) Device(r *Row) *latencies.Device {
	for i := range p.Space.Params {
		if p.Space.Params[i].Name == ParamGPU {
			return p.Recipe.Devices[slices.Index(p.Space.Params[i].Values, r.Values[i])]
		}
	}
	return p.Recipe.Devices[0]
}

// Describe writes the parameters of a row.
func (p *Plan) Describe(r *Row) string {
	v := p.Space.variant(r.Number)
	return p.Space.Describe(&v)
}
