package finding

import (
	"cmp"
	"context"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// covered is the part of a finding's saving that another one of the same cause must save to stand for it.
const covered = 0.8

// arrange sorts findings by what they save, leaves out those of which another one names the cause, and puts those that
// need another one behind it.
func arrange(list []Finding) []Finding {
	order := func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.within(), a.within()), a.Pos.Compare(b.Pos), cmp.Compare(a.Code, b.Code))
	}
	slices.SortStableFunc(list, order)
	var out []Finding
	for _, f := range list {
		if !slices.ContainsFunc(list, func(other Finding) bool {
			return other.covers(&f) && (other.Scattered || !f.Scattered)
		}) {
			out = append(out, f)
		}
	}
	for i := range out {
		k := slices.IndexFunc(out, func(f Finding) bool { return f.Code == out[i].after && out[i].after != "" })
		if k > i {
			first := out[k]
			copy(out[i+1:k+1], out[i:k])
			out[i] = first
		}
	}
	return out
}

// covers reports whether a finding names the cause of another one, and saves enough to stand for it.
func (f *Finding) covers(other *Finding) bool {
	return slices.Contains(ruleOf(f.Code).covers, other.Code) && f.Saved >= covered*other.Saved
}

// uncovered are those of some more findings of which no other one names the cause, one of each rule.
func uncovered(list, more []Finding) (out []Finding) {
	for _, f := range more {
		if !slices.ContainsFunc(slices.Concat(more, list), func(other Finding) bool {
			return slices.Contains(ruleOf(other.Code).covers, f.Code)
		}) && !slices.ContainsFunc(slices.Concat(list, out), func(other Finding) bool { return other.Code == f.Code }) {
			out = append(out, f)
		}
	}
	return out
}

// within is the saving that a first change can be expected to bring: half of what no change of its kind can exceed, as
// two chains of dependences in turn hide half of the latency of one. What does not bound the run ranks behind the rest.
func (f *Finding) within() float64 {
	if f.last {
		return f.Saved - 1
	}
	if f.symptom {
		return f.Saved / 2
	}
	return f.Saved
}

// joint simulates the kernel with all findings that change it or how many groups of it fit, nil for fewer than two:
// with the code of those of which there is some, to which the others are applied.
func (r *Run) joint(ctx context.Context, list []Finding) (*Joint, error) {
	own := r
	base, names := r.edited(list)
	if base != nil {
		var err error
		if own, err = r.runOf(ctx, base); own == nil {
			return nil, err
		}
	}
	t := own.trial(Finding{}) // of the groups of its own launch
	j := &Joint{}
	for _, f := range list {
		rule := ruleOf(f.Code)
		switch {
		case f.symptom:
			continue
		case f.variant != "":
			if !slices.Contains(names, f.variant) {
				continue
			}
		case f.Code == "occupancy":
			t.config.Concurrent = f.config.Concurrent
		case f.changes == nil:
			continue
		case base == nil:
			t.changes = append(t.changes, f.changes...)
		default:
			again, err := rule.find(own)
			if err != nil {
				return nil, err
			}
			for _, x := range again {
				t.changes = append(t.changes, x.changes...)
			}
		}
		t.floor = max(t.floor, f.floor)
		if !slices.Contains(j.Codes, f.Code) {
			j.Codes = append(j.Codes, f.Code)
		}
	}
	if len(j.Codes) < 2 {
		return nil, nil
	}
	var err error
	if t.Remedied, _, err = own.Changed(t.changes...); err != nil {
		return nil, err
	}
	res := own.Result // of a variant with all of it
	if len(t.changes) > 0 || t.config != own.Config {
		if err = t.bound(own); err != nil {
			return nil, err
		}
		if res, err = r.budget.run(ctx, own, &t); res == nil {
			return nil, err
		}
	}
	j.Saved = t.save(r, res.Seconds-res.LaunchSeconds, res.Groups)
	j.Seconds, j.Bound = t.Seconds, res.Bound
	for _, f := range list { // the floor of one counts traffic that another one spares
		if slices.Contains(j.Codes, f.Code) && f.Seconds < j.Seconds {
			j.Seconds, j.Saved = f.Seconds, f.Saved
		}
	}
	return j, nil
}

// runOf is the run of a variant, nil if there is no work left for it.
func (r *Run) runOf(ctx context.Context, g *idg.Graph) (other *Run, err error) {
	t := r.trial(Finding{})
	other = &Run{Config: t.config, budget: r.budget}
	if other.Kernel, err = remedy.NewKernel(g, r.Mapper, r.Options); err != nil {
		return nil, err
	}
	t.Remedied = remedy.Remedied{Graph: g, Mapping: other.Mapping}
	other.Launch = r.launchOf(&t)
	if other.Result = r.variants[g]; other.Result == nil {
		if err = t.bound(r); err != nil {
			return nil, err
		}
		if other.Result, err = r.budget.run(ctx, r, &t); other.Result == nil {
			return nil, err
		}
	}
	other.Causes, err = cause.Of(other.Result, other.Mapping.Device)
	return other, err
}
