package finding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// Reading is what the time is if the lanes of a warp access other places with the addresses that nobody knows.
type Reading struct {
	Seconds float64
	Buffers []string // with such addresses
}

// leastReading is the part of the time from which on such places matter.
const leastReading = 0.1

// scattered is the run with places far apart, nil if all addresses are known or that takes no more time.
func (r *Run) scattered(ctx context.Context) (*Run, error) {
	o := r.Options
	if o.Scattered || !r.takenAs(0) {
		return nil, nil
	}
	o.Scattered = true
	other, err := r.read(ctx, o)
	if err != nil || other.Result.Seconds < (1+leastReading)*r.Result.Seconds {
		return nil, err
	}
	other.Causes, err = cause.Of(other.Result, r.Mapping.Device)
	return other, err
}

// coalesced is the time with neighbours at the places that are taken to be far apart, nil if that is hardly less.
func (r *Run) coalesced(ctx context.Context) (*Reading, error) {
	o := r.Options
	if o.Scattered || o.Coalesced || !r.takenAs(latencies.Scattered) {
		return nil, nil
	}
	o.Coalesced = true
	other, err := r.read(ctx, o)
	if err != nil || r.Result.Seconds < (1+leastReading)*other.Result.Seconds {
		return nil, err
	}
	return &Reading{Seconds: other.Result.Seconds, Buffers: r.unknown()}, nil
}

// takenAs reports whether some addresses that nobody knows are taken to be so.
func (r *Run) takenAs(as latencies.Addresses) bool {
	return slices.ContainsFunc(r.Mapping.UnknownAddresses(r.Graph), func(id idg.InstrID) bool {
		return r.Mapping.Entry(id).Addresses == as
	})
}

// read is the run with other options.
func (r *Run) read(ctx context.Context, o latencies.Options) (other *Run, err error) {
	other = &Run{Config: r.trial(Finding{}).config, budget: r.budget}
	if other.Kernel, err = remedy.NewKernel(r.Graph, r.Mapper, o); err != nil {
		return nil, err
	}
	other.Launch = r.Launch.Mapped(other.Mapping)
	other.Result, err = other.Launch.Run(ctx, other.Config)
	r.budget.left -= other.Launch.Work()
	return other, err
}

// unknown are the buffers at addresses that nobody knows, in the order of their first access.
func (r *Run) unknown() (list []string) {
	for _, id := range r.Mapping.UnknownAddresses(r.Graph) {
		a := r.Graph.Access(r.Graph.Instr(id).Access)
		if a.Buffer != "" && !a.Reserved() && !slices.Contains(list, a.Buffer) {
			list = append(list, a.Buffer)
		}
	}
	return list
}

// indirect: lanes that access places which they have loaded, taken to be far apart. Its remedy has neighbours instead,
// or one word of constant memory for all lanes.
func indirect(r *Run) (out []trial, err error) {
	for _, space := range []idg.Space{idg.SpaceGlobal, idg.SpaceConstant} {
		pick := func(in *idg.Instr) bool {
			a := r.Graph.Access(in.Access)
			return a != nil && a.Space == space && r.isIndirect(in)
		}
		far := r.partOf(func(c *simulate.ClassUse) bool { return pick(c.Instr) })
		if far.top == nil {
			continue
		}
		slices.Sort(far.buffers)
		names := and(far.buffers)
		f := Finding{
			Pos: far.top.Pos,
			What: fmt.Sprintf("indirect: the lanes of a warp access places of %s that they have loaded",
				names),
			Proof: "each lane takes a sector of its own, unless the loaded places are neighbours",
			Remedy: "sort or reorder the data so that neighbouring lanes access neighbouring elements; where each " +
				"work item walks through a list of its own, as the rows of a sparse matrix, let a warp share one",
		}
		if space == idg.SpaceConstant {
			f.What = fmt.Sprintf("constant memory by lane: the lanes of a warp read different words of %s",
				names)
			f.Proof = "a read of the constant cache for each different word"
			f.Remedy = fmt.Sprintf("keep %s in global or local memory, or subscript it by what is the same for all "+
				"lanes",
				names)
		}
		out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Otherwise, Pick: pick, As: together})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// together has the lanes of an access touch neighbours, or one word of constant memory.
func together(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
	near := *a
	near.Offsets = make([]int64, max(1, in.Lanes))
	for i := range near.Offsets {
		if a.Space != idg.SpaceConstant {
			near.Offsets[i] = int64(i) * int64(a.Width)
		}
	}
	return in, &near
}

// isIndirect reports whether an instruction accesses places that follow from what was loaded, and that are taken to be
// far apart.
func (r *Run) isIndirect(in *idg.Instr) bool {
	if r.far == nil {
		r.far = map[idg.Instr]bool{}
		for i := range r.Graph.Instrs() {
			x := &r.Graph.Instrs()[i]
			a := r.Graph.Access(x.Access)
			if a != nil && !a.Known() && !a.Same && a.Buffer != "" &&
				strings.Contains(a.Assumed, "loaded") {
				r.far[*x] = r.Mapping.Entries[i].Addresses == latencies.Scattered
			}
		}
	}
	return r.far[*in]
}
