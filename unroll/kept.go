package unroll

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// kept is a place of memory that a loop has in registers (structure.Promoted): it is loaded once
// and stored behind the loop.
type kept struct {
	of    *structure.Promoted
	at    *value       // its address
	vals  []*value     // what it holds
	lanes laneMask     // of those
	dirty laneMask     // lanes that have to store it
	store *lower.Instr // the last store
}

// keepPlaces begins with the places of a loop that no loop around it has.
func (r *resolver) keepPlaces(a *activeLoop) {
	if !r.opt.Optimises() || r.opt.inMemory {
		return
	}
	for _, p := range r.st.PromotedIn(a.l) {
		around := slices.ContainsFunc(r.loops, func(b *activeLoop) bool {
			return slices.ContainsFunc(b.kept, func(k *kept) bool {
				for in := range p.Accesses {
					return k.of.Accesses[in]
				}
				return false
			})
		})
		if !around {
			a.kept = append(a.kept, &kept{of: p})
		}
	}
	a.carries = a.kept
	for _, b := range r.loops {
		for _, k := range b.kept {
			if k.of.AccessedIn(a.l) {
				a.carries = append(slices.Clip(a.carries), k)
			}
		}
	}
}

// keptAt returns the place that an access goes to, nil if it goes to memory.
func (r *resolver) keptAt(in *lower.Instr) *kept {
	for _, a := range r.loops {
		for _, k := range a.kept {
			if k.of.Accesses[in] {
				return k
			}
		}
	}
	return nil
}

// loadKept executes a load of a place at an address: from memory in the lanes that have not seen it yet.
func (r *resolver) loadKept(k *kept, in *lower.Instr, at *value) {
	if mask := r.mask; mask&^k.lanes != 0 {
		r.mask &^= k.lanes
		e := r.loadAt(in, at)
		r.keep(k, at, append([]*value{e.v}, e.more...))
		r.mask = mask
	}
	for i, d := range in.Dsts {
		r.set(d, k.vals[i])
	}
}

// keep takes over what has been loaded from an address or is stored there, in the current lanes.
func (r *resolver) keep(k *kept, at *value, vals []*value) {
	if k.at == nil {
		k.at = at
	}
	before := k.vals
	k.vals = slices.Clone(vals)
	if before != nil && k.lanes&^r.mask != 0 {
		for i, v := range vals {
			k.vals[i] = r.mergeLanes(before[i], v, r.mask)
		}
	}
	k.lanes |= r.mask
}

// opaqueKept makes the contents what a loop hands on to its next iteration or to the code behind it.
func (r *resolver) opaqueKept(k *kept, level int32) {
	for i, v := range k.vals {
		k.vals[i] = r.opaque(v, level)
		k.vals[i].level = level
	}
}

// storeKept stores what a loop that has ended had in registers.
func (r *resolver) storeKept(list []*kept) {
	for _, k := range list {
		if k.dirty != 0 && !r.stopped() {
			r.mask = k.dirty
			r.storeAt(k.store, k.at, k.vals)
		}
	}
}

// clone returns a copy that stays as it is.
func (k *kept) clone() kept {
	out := *k
	out.vals = slices.Clone(k.vals)
	return out
}

// kept compares a place with what it is a period later.
func (m *matcher) kept(x, y kept) bool {
	return x.of == y.of && x.lanes == y.lanes && x.dirty == y.dirty && x.store == y.store && m.value(x.at, y.at) &&
		slices.EqualFunc(x.vals, y.vals, m.value)
}

// keptIn lists the places of all loops that are executed which a statement accesses: all others stay as they are.
func (r *resolver) keptIn(s lower.Stmt) (list []*kept) {
	for _, a := range r.loops {
		if len(a.kept) == 0 {
			continue
		}
		for _, p := range r.st.PromotedAccessedIn(a.l, s) {
			if i := slices.IndexFunc(a.kept, func(k *kept) bool { return k.of == p }); i >= 0 {
				list = append(list, a.kept[i])
			}
		}
	}
	return list
}

// contentsOf copies places.
func contentsOf(list []*kept) []kept {
	out := make([]kept, len(list))
	for i, k := range list {
		out[i] = k.clone()
	}
	return out
}

// restoreKept makes places what they were.
func restoreKept(list []*kept, were []kept) {
	for i, k := range list {
		*k = were[i]
	}
}

// mergeKept joins what the sides of a branch left in places: then is what the first did.
func mergeKept(list []*kept, then []kept, join func(then, els *value) *value) {
	for n, k := range list {
		x := then[n]
		switch {
		case x.vals == nil:
		case k.vals == nil:
			*k = x
		default:
			for i, v := range k.vals {
				k.vals[i] = join(x.vals[i], v)
			}
			if k.store == nil {
				k.store = x.store
			}
			k.lanes, k.dirty = k.lanes|x.lanes, k.dirty|x.dirty
		}
	}
}
