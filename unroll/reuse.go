package unroll

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/unroll/locality"
)

// reuse collects what the warps of the group touch and has it analysed.
type reuse struct {
	st     *static
	opt    Options
	homes  homes
	shapes *locality.Shapes
	limit  int // accesses of a warp
	warps  []locality.Warp
	// What is known of warps of other groups, of those with which the next warp is compared.
	compared [][3]int64
	proved   map[place]proved
}

func newReuse(st *static, opt Options, homes homes) *reuse {
	l := idg.Launch{Local: opt.Local, WarpSize: opt.WarpSize}
	return &reuse{
		st: st, opt: opt, homes: homes, shapes: locality.NewShapes(),
		limit:    int(locality.MaxTouches / l.WarpsPerGroup()),
		compared: comparedGroups(opt), proved: map[place]proved{},
	}
}

// recorder returns what records the addresses of a warp, nil if nobody asked.
func (u *reuse) recorder() *addresses {
	if u == nil {
		return nil
	}
	return &addresses{shapes: u.shapes, limit: u.limit}
}

// add takes over a resolved warp of the group.
func (u *reuse) add(r *resolver, live []bool) {
	if u == nil {
		return
	}
	w, named := r.touched(live, func(i int) idg.InstrID { return r.trace.ClassAt(r.b, i) })
	u.warps = append(u.warps, w)
	u.neighboursOf(r, &w, named)
}

// other finds out which addresses a warp of another group touches.
func (u *reuse) other(group [3]int64, warp uint32) (locality.Warp, error) {
	if p, ok := u.proved[place{group, warp}]; ok {
		return p.warp(), nil
	}
	return u.resolve(group, warp)
}

// resolve resolves a warp of another group for its addresses.
func (u *reuse) resolve(group [3]int64, warp uint32) (locality.Warp, error) {
	opt := u.opt
	opt.group = group
	if !u.st.spent.affords(1, kindBudget*opt.maxWork()) {
		return locality.Warp{}, diag.Errorf(u.st.k.Pos, "LOCALITY", "their warps are too long")
	}
	for {
		if err := u.st.roles.prepare(u.st, opt, u.homes); err != nil {
			return locality.Warp{}, err
		}
		r := newResolver(u.st, opt, nil, warp, u.homes)
		u.st.roles.follow(r)
		r.addresses = u.recorder()
		r.run()
		u.st.spent.add(r.work)
		if r.restart {
			return locality.Warp{}, diag.Errorf(u.st.k.Pos, "LOCALITY",
				"group %v keeps a private array in memory that this one has in registers", group)
		}
		if r.err != nil {
			return locality.Warp{}, r.err
		}
		if live := r.trace.Finish(); r.settled(live) {
			w, _ := r.touched(live, func(int) idg.InstrID { return 0 })
			return w, nil
		}
	}
}

// analyse writes the locality of the group into a header and returns what there
// is to say about it.
func (u *reuse) analyse(h *idg.Header) diag.List {
	in := &locality.Input{Launch: h.Launch, Shapes: u.shapes, Group: u.opt.group, Warps: u.warps,
		SectorBytes: u.opt.SectorBytes}
	if u.opt.Locality == LaunchLocality {
		in.Resolve = u.other
	}
	var notes diag.List
	result, err := locality.Analyse(in)
	if err != nil {
		notes.Add(diag.Notef(u.st.k.Pos, "LOCALITY", "other groups are not analysed: %v", err))
		in.Resolve = nil
		result, _ = locality.Analyse(in) // which fails where Resolve does only
	}
	h.Locality, h.Footprint = result.Locality, result.Footprint
	for _, text := range result.Notes {
		notes.Add(diag.Notef(u.st.k.Pos, "LOCALITY", "%s", text))
	}
	return notes
}
