package generate

import (
	"math/bits"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
)

// A kernel that copies a tile into local memory usually declares the tile as
// large as its work group: As[BLOCK_SIZE][BLOCK_SIZE], subscripted by
// [get_local_id(1)][get_local_id(0)]. The extents are then the group's size.

// extents are the group's extents that local arrays suggest.
type extents struct {
	size  [3]int64 // 0 = nothing suggests this one
	array [3]string
}

// axis is one subscript position of a local array.
type axis struct {
	object   lower.ObjectID
	position int
}

// usage is how the subscripts at an axis depend on local ids.
type usage struct {
	extent int64
	plain  [3]bool  // subscripted by get_local_id(d) itself
	part   [3]int64 // or by a part of it: what it is divided by
	most   int64    // the largest constant added to a local id
}

// localExtents finds the extents of local arrays that are subscripted by plain
// local ids. A halo (t[lid + 2] beside t[lid]) is taken off, and one
// word of padding. Of several arrays the smallest counts. One subscripted by get_local_id(0) / 32 has an element for
// each warp of the group; as many as the largest group has say nothing. Neither does an array where a guard leaves the
// work items behind its end out, as in "if (lid < 16) bins[lid] = 0".
func localExtents(k *lower.Kernel) extents {
	defs := definitions(k)
	axes := map[axis]*usage{}
	var order []axis // of first use
	lower.Walk(k.Body, func(s lower.Stmt) {
		in, ok := s.(*lower.Instr)
		if !ok || in.Op != lower.Load && in.Op != lower.Store || in.Space != idg.SpaceLocal {
			return
		}
		object, subs := defs.subscripts(in.Args[0])
		if object == 0 {
			return
		}
		size := k.Object(object).Size
		for i, sub := range subs {
			a := axis{object, i}
			u := axes[a]
			if u == nil && sub.scale > 0 && size > 0 {
				u = &usage{extent: size / sub.scale}
				axes[a] = u
				order = append(order, a)
			}
			size = sub.scale
			if dim, add, ok := defs.localID(sub.index); ok && u != nil {
				u.plain[dim] = u.plain[dim] || add == 0
				u.most = max(u.most, add)
			} else if dim, by := defs.partOfLocalID(sub.index); by > 1 && u != nil {
				u.part[dim] = by
			}
		}
	})
	guarded := defs.guardedBy(k.Body)
	var e extents
	for _, a := range order {
		u := axes[a]
		n := u.extent - u.most
		if n > 4 && bits.OnesCount64(uint64(n-1)) == 1 {
			n-- // padding against bank conflicts
		}
		for d := range u.plain {
			says := u.plain[d]
			if u.part[d] > 0 {
				n *= u.part[d]
				says = n < maxGroupItems
			}
			if says && !guarded[guardedID{d, n}] && n >= 1 && (e.size[d] == 0 || n < e.size[d]) {
				e.size[d], e.array[d] = n, k.Object(a.object).Name
			}
		}
	}
	return e
}

// group completes the extents to a group of the given dimensions: those that
// are not known share what is left of assumedGroupItems. names are the arrays
// that were used.
func (e *extents) group(dims int) (local [3]int64, names string, ok bool) {
	items := int64(1)
	var used []string
	for d := range dims {
		if e.size[d] == 0 {
			continue
		}
		if items *= e.size[d]; items > maxGroupItems {
			return local, "", false
		}
		if len(used) == 0 || used[len(used)-1] != e.array[d] {
			used = append(used, e.array[d])
		}
	}
	if len(used) == 0 {
		return local, "", false
	}
	local = [3]int64{1, 1, 1}
	rest := max(1, assumedGroupItems/items)
	for d := range dims {
		if local[d] = e.size[d]; local[d] == 0 {
			local[d], rest = rest, 1
		}
	}
	return local, strings.Join(used, " and "), true
}

// defined has for registers that are assigned exactly once that instruction.
type defined []*lower.Instr

func definitions(k *lower.Kernel) defined {
	defs, several := make(defined, len(k.Regs)+1), make([]bool, len(k.Regs)+1)
	lower.Walk(k.Body, func(s lower.Stmt) {
		in, ok := s.(*lower.Instr)
		if !ok {
			return
		}
		for _, r := range in.Dsts {
			several[r] = several[r] || defs[r] != nil
			defs[r] = in
		}
	})
	for r, again := range several {
		if again {
			defs[r] = nil
		}
	}
	for _, p := range k.Params {
		defs[p.Reg] = nil
	}
	return defs
}

// of is the instruction that defines an operand, nil if that is not one.
func (d defined) of(o lower.Operand) *lower.Instr {
	if o.Kind != lower.OperandReg {
		return nil
	}
	return d[o.Reg]
}

// subscript is one step of an address: index × scale bytes.
type subscript struct {
	index lower.Operand
	scale int64
}

// subscripts takes an address apart into the array and its subscripts, the
// outermost first. The object is 0 for other addresses.
func (d defined) subscripts(address lower.Operand) (lower.ObjectID, []subscript) {
	var subs []subscript
	for {
		if address.Kind == lower.OperandObject {
			for i, j := 0, len(subs)-1; i < j; i, j = i+1, j-1 {
				subs[i], subs[j] = subs[j], subs[i]
			}
			return address.Object, subs
		}
		in := d.of(address)
		switch {
		case in == nil:
			return 0, nil
		case in.Op == lower.PtrAdd:
			subs = append(subs, subscript{in.Args[1], in.Scale})
		case in.Op != lower.Mov && in.Op != lower.Bitcast:
			return 0, nil
		}
		address = in.Args[0]
	}
}

// localID reports whether a value is get_local_id(dim) plus a constant.
func (d defined) localID(o lower.Operand) (dim int, add int64, ok bool) {
	for {
		in := d.of(o)
		if in == nil {
			return 0, 0, false
		}
		switch in.Op {
		case lower.Mov, lower.Convert, lower.Bitcast:
			o = in.Args[0]
		case lower.Index:
			return in.Dim, add, in.Fn == "get_local_id" && in.Dim >= 0 && in.Dim < 3
		case lower.Add:
			x, c := in.Args[0], in.Args[1]
			if x.Kind == lower.OperandConst {
				x, c = c, x
			}
			if c.Kind != lower.OperandConst {
				return 0, 0, false
			}
			o, add = x, add+int64(c.Bits)
		default:
			return 0, 0, false
		}
	}
}

// partOfLocalID is the constant that get_local_id(dim) is divided by in a value; 0 for other values.
func (d defined) partOfLocalID(o lower.Operand) (dim int, by int64) {
	in := d.of(o)
	for in != nil && (in.Op == lower.Mov || in.Op == lower.Convert || in.Op == lower.Bitcast) {
		in = d.of(in.Args[0])
	}
	if in == nil || in.Op != lower.Div && in.Op != lower.Shr || in.Args[1].Kind != lower.OperandConst {
		return 0, 0
	}
	dim, add, ok := d.localID(in.Args[0])
	by = int64(in.Args[1].Bits)
	if in.Op == lower.Shr {
		by = 1 << (by & 31)
	}
	if !ok || add != 0 {
		return 0, 0
	}
	return dim, by
}

// guardedID is a local id and a constant that a branch compares it with: it is less.
type guardedID struct {
	dim  int
	less int64
}

// guardedBy are the local ids that branches compare with constants.
func (d defined) guardedBy(body lower.Block) map[guardedID]bool {
	found := map[guardedID]bool{}
	lower.Walk(body, func(s lower.Stmt) {
		branch, ok := s.(*lower.If)
		if !ok {
			return
		}
		in := d.of(branch.Cond)
		if in == nil || in.Op != lower.Lt || in.Args[1].Kind != lower.OperandConst {
			return
		}
		if dim, add, ok := d.localID(in.Args[0]); ok {
			found[guardedID{dim, int64(in.Args[1].Bits) - add}] = true
		}
	})
	return found
}
