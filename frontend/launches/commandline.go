package launches

import (
	"maps"
	"slices"

	"gpupipe/frontend/ctypes"
)

// enterMain executes main with the command line that is given, else as a run without arguments does (argc is 1). Where
// others launch what such a run does not, since it only says how it is called, main is executed as any run does.
func (r *interpreter) enterMain(f *function) {
	if r.run.CommandLine != nil {
		texts := append([]string{f.name}, r.run.CommandLine...)
		r.enter(f, []Value{number(ctypes.IntValue(ctypes.Int, int64(len(texts)))), textsOf(texts)}, nil, nil)
		return
	}
	before, start := len(r.launches), r.state()
	r.enter(f, nil, nil, nil)
	if !r.spend(0) {
		return
	}
	steps, ofAny := r.steps, r.state()
	launches := slices.Clone(r.launches[before:])
	r.resume(start)
	r.launches = r.launches[:before:before]
	r.enter(f, []Value{number(ctypes.IntValue(ctypes.Int, 1))}, nil, nil)
	if !r.spend(0) || !launchesAll(r.launches[before:], launches) {
		r.resume(ofAny)
		r.steps, r.launches = steps, append(r.launches[:before], launches...)
		return
	}
	for i := before; i < len(r.launches); i++ {
		u := &r.launches[i]
		u.NoArguments = !slices.ContainsFunc(launches, func(v Launch) bool { return u.same(&v) && u.holdsFor(&v) })
	}
}

// hostState is what executing a function changes beside the launches.
type hostState struct {
	vars    []variable
	visited map[*function]bool
}

func (r *interpreter) state() hostState {
	return hostState{r.env.snapshot(), maps.Clone(r.visited)}
}

func (r *interpreter) resume(s hostState) {
	r.env.restore(s.vars)
	r.visited = s.visited
}

// launchesAll reports whether every launch of b, wherever its sizes are from, is one of a too.
func launchesAll(a, b []Launch) bool {
	for i := range b {
		if !slices.ContainsFunc(a, func(u Launch) bool { return u.same(&b[i]) }) {
			return false
		}
	}
	return true
}

// same reports whether two launches are made by the same text.
func (u *Launch) same(v *Launch) bool { return u.Pos == v.Pos && u.Kernel == v.Kernel }

// holdsFor reports whether all that is known of a launch is known of v too, and the same.
func (u *Launch) holdsFor(v *Launch) bool {
	holds := func(a, b Value) bool { return !a.Known() || a.equal(b) }
	if len(u.Values) != len(v.Values) || !holds(u.Grid, v.Grid) || !holds(u.Block, v.Block) ||
		!holds(u.Shared, v.Shared) {
		return false
	}
	for i := range u.Values {
		if !holds(u.Values[i], v.Values[i]) {
			return false
		}
	}
	return true
}
