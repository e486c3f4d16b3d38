package finding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// Reading is what the time is if the lanes of a warp access places far apart with the addresses that nobody knows.
type Reading struct {
	Seconds float64
	Buffers []string // with such addresses
}

// leastReading is the part of the time from which on such places matter.
const leastReading = 0.1

// scattered is the run with places far apart, nil if all addresses are known or that takes no more time.
func (r *Run) scattered(ctx context.Context) (*Run, error) {
	if r.Options.Scattered || len(r.Mapping.UnknownAddresses(r.Graph)) == 0 {
		return nil, nil
	}
	o := r.Options
	o.Scattered = true
	other := &Run{Config: r.trial(Finding{}).config}
	var err error
	if other.Kernel, err = remedy.NewKernel(r.Graph, r.Mapper, o); err != nil {
		return nil, err
	}
	if other.Result, err = simulate.Run(ctx, r.Graph, other.Mapping, other.Config); err != nil {
		return nil, err
	}
	if other.Result.Seconds < (1+leastReading)*r.Result.Seconds {
		return nil, nil
	}
	other.Causes, err = cause.Of(other.Result, r.Mapping.Device)
	return other, err
}

// unknown are the buffers at addresses that nobody knows, in the order of their first access.
func (r *Run) unknown() (list []string) {
	for _, id := range r.Mapping.UnknownAddresses(r.Graph) {
		if name := r.Graph.Access(r.Graph.Instr(id).Access).Buffer; name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// indirect: places that follow from what is loaded. Its remedy is the run with neighbouring places: of the reading with
// scattered ones.
func indirect(r *Run) ([]trial, error) {
	if !r.Options.Scattered {
		return nil, nil
	}
	var first *idg.Instr
	var names []string
	most := -1.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		a := r.Graph.Access(c.Instr.Access)
		if c.Issued == 0 || a == nil || a.Known() || a.Same || a.Space != idg.SpaceGlobal || a.Within > 0 ||
			a.Buffer == "" || !strings.Contains(a.Assumed, "loaded") {
			continue
		}
		if load := r.Causes.Load(c); load > most {
			first, most = c.Instr, load
		}
		if !slices.Contains(names, a.Buffer) {
			names = append(names, a.Buffer)
		}
	}
	if first == nil {
		return nil, nil
	}
	slices.Sort(names)
	o := r.Options
	o.Scattered = false
	m, err := r.Mapper.MapWith(r.Graph, o)
	if err != nil {
		return nil, err
	}
	t := r.trial(Finding{
		Pos: first.Pos,
		What: fmt.Sprintf("indirect: the lanes of a warp access places of %s that they have loaded",
			strings.Join(names, " and ")),
		Proof: "a sector for each lane, unless what is loaded makes neighbours of them",
		Remedy: "sort or reorder the data so that neighbouring lanes access neighbouring elements; where each work item " +
			"walks through a list of its own, as the rows of a sparse matrix, let a warp share one",
	})
	t.Mapping = m
	return []trial{t}, nil
}
