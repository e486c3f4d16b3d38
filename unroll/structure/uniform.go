package structure

import (
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
)

// divergence is what a compiler cannot tell to be the same in all lanes of a warp: what
// follows from a work item's id or an atomic, or was assigned where lanes have gone different ways.
// Arguments, launch sizes, ids of groups and what is loaded from an address that is the same are.
type divergence struct {
	st      *Kernel
	regs    []bool // by Reg - 1
	private bool   // what some private array holds; they are not told apart
	changed bool
	leaves  map[lower.Label]bool // statements that some lanes leave while others stay
}

// diverging finds it, by going over the kernel until nothing is added.
func diverging(st *Kernel) *divergence {
	d := &divergence{st: st, regs: make([]bool, len(st.k.Regs)), leaves: map[lower.Label]bool{}}
	for d.changed = true; d.changed; {
		d.changed = false
		d.block(st.k.Body, false)
	}
	return d
}

// operand reports whether an operand may differ between lanes.
func (d *divergence) operand(o lower.Operand) bool {
	return o.Kind == lower.OperandReg && d.regs[o.Reg-1]
}

// loop reports whether the lanes of a warp may leave a loop at different times.
func (d *divergence) loop(l *lower.Loop) bool { return d.operand(l.CondValue) || d.leaves[l.Label] }

func (d *divergence) add(r lower.Reg) {
	if r != 0 && !d.regs[r-1] {
		d.regs[r-1], d.changed = true, true
	}
}

// block goes over statements; apart says that some lanes may be elsewhere.
func (d *divergence) block(b lower.Block, apart bool) {
	for _, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			d.instr(st, apart)
		case *lower.If:
			own := d.operand(st.Cond)
			d.block(st.Then, apart || own)
			d.block(st.Else, apart || own)
			if own {
				d.assigned(st)
			}
		case *lower.Loop:
			own := d.loop(st)
			d.block(st.Cond, apart || own)
			d.block(st.Body, apart || own)
			d.block(st.Post, apart || own)
			if own {
				d.assigned(st)
			}
		case *lower.Switch:
			own := d.operand(st.Value)
			for i := range st.Cases {
				d.block(st.Cases[i].Body, apart || own)
			}
			if own {
				d.assigned(st)
			}
		case *lower.Region:
			d.block(st.Body, apart)
		case *lower.Leave:
			if apart && !d.leaves[st.Label] {
				d.leaves[st.Label], d.changed = true, true
			}
		}
	}
}

// assigned adds the variables that a statement assigns and that live on behind it: some lanes
// have another value of them, or that of another iteration.
func (d *divergence) assigned(s lower.Stmt) {
	within := d.st.facts(s).blocks
	for _, r := range d.st.AssignedIn(s) {
		if !slices.ContainsFunc(within, func(b BlockID) bool { return d.st.Encloses(b, d.st.scope[r-1]) }) {
			d.add(r)
		}
	}
}

func (d *divergence) instr(in *lower.Instr, apart bool) {
	own := slices.ContainsFunc(in.Args, d.operand)
	switch in.Op {
	case lower.Index:
		own = ofWorkItem(in.Fn)
	case lower.Atomic:
		own = true
	case lower.SubGroup:
		verb, _, _ := strings.Cut(in.Fn, "_")
		own = !slices.Contains([]string{"all", "any", "ballot", "reduce", "broadcast"}, verb)
	case lower.Load:
		own = own || d.private && in.Space == idg.SpacePrivate
	case lower.Store:
		if (own || apart) && in.Space == idg.SpacePrivate && !d.private {
			d.private, d.changed = true, true
		}
	}
	if own {
		for _, r := range in.Dsts {
			d.add(r)
		}
	}
}

// ofWorkItem reports whether a work-item function has other results for other lanes.
func ofWorkItem(fn string) bool {
	return slices.Contains([]string{"get_local_id", "get_global_id", "get_local_linear_id", "get_global_linear_id",
		"get_sub_group_local_id", "get_sub_group_id"}, fn)
}
