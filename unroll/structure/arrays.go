package structure

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// SelectsArray reports whether a loop's counter selects elements of a private array.
// Such an array is memory while the loop is rolled, and registers once it is unrolled
// fully, so compilers then unroll larger loops.
func (s *Kernel) SelectsArray(l *lower.Loop) bool {
	f := s.facts(l)
	if !f.hasArrays {
		f.hasArrays = true
		if l.Induction != nil {
			t := arrayTracer{st: s, counts: map[lower.Reg]bool{l.Induction.Var: true},
				object: map[lower.Reg]lower.ObjectID{}}
			t.block(l.Body)
			f.selectsArray = t.found
		}
	}
	return f.selectsArray
}

// arrayTracer follows a loop's counter through its body.
type arrayTracer struct {
	st     *Kernel
	counts map[lower.Reg]bool           // depend on the counter
	object map[lower.Reg]lower.ObjectID // addresses: the array that they lie in
	found  bool
}

func (t *arrayTracer) block(b lower.Block) {
	for _, st := range b {
		if in, ok := st.(*lower.Instr); ok {
			t.instr(in)
		}
		Blocks(st, t.block)
	}
}

func (t *arrayTracer) instr(in *lower.Instr) {
	access := in.Op == lower.Load || in.Op == lower.Store
	if access {
		o := t.objectOf(in.Args[0])
		t.found = t.found || o != 0 && t.counts[in.Args[0].Reg] && t.st.k.Object(o).Space == idg.SpacePrivate
	}
	for _, d := range in.Dsts {
		counts, object := false, lower.ObjectID(0)
		if !access { // what is loaded is not a subscript that unrolling makes constant
			for _, a := range in.Args {
				counts = counts || t.counts[a.Reg]
			}
		}
		if (in.Op == lower.PtrAdd || in.Op == lower.Mov) && len(in.Args) > 0 {
			object = t.objectOf(in.Args[0])
		}
		t.counts[d], t.object[d] = counts, object
	}
}

// objectOf is the array that an address lies in, also where the loop finds the address in a
// variable, such as a reference.
func (t *arrayTracer) objectOf(o lower.Operand) lower.ObjectID {
	if o.Object != 0 || o.Reg == 0 {
		return o.Object
	}
	if found, ok := t.object[o.Reg]; ok {
		return found
	}
	t.object[o.Reg] = 0 // a variable that depends on itself
	if defs := t.st.defs[o.Reg-1]; len(defs) == 1 && (defs[0].Op == lower.PtrAdd ||
		defs[0].Op == lower.Mov) && len(defs[0].Args) > 0 {
		t.object[o.Reg] = t.objectOf(defs[0].Args[0])
	}
	return t.object[o.Reg]
}
