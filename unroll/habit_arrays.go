package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// arrayBytes is the size of the largest private array of which a loop's counter
// selects the elements, or 0. Such an array is memory while the loop is rolled,
// and registers once it is unrolled fully, so compilers then unroll larger loops.
func (r *resolver) arrayBytes(l *lower.Loop) int64 {
	f := r.st.facts(l)
	if !f.hasArrays {
		f.hasArrays = true
		if l.Induction != nil {
			t := arrayTracer{k: r.k, counts: map[lower.Reg]bool{l.Induction.Var: true}, object: map[lower.Reg]lower.ObjectID{}}
			t.block(l.Body)
			f.arrayBytes = t.bytes
		}
	}
	return f.arrayBytes
}

// arrayTracer follows a loop's counter through its body.
type arrayTracer struct {
	k      *lower.Kernel
	counts map[lower.Reg]bool           // depend on the counter
	object map[lower.Reg]lower.ObjectID // addresses: the array that they lie in
	bytes  int64
}

func (t *arrayTracer) block(b lower.Block) {
	for _, st := range b {
		if in, ok := st.(*lower.Instr); ok {
			t.instr(in)
		}
		blocks(st, t.block)
	}
}

func (t *arrayTracer) instr(in *lower.Instr) {
	if in.Op == lower.Load || in.Op == lower.Store {
		if o := t.objectOf(in.Args[0]); o != 0 && t.counts[in.Args[0].Reg] && t.k.Object(o).Space == idg.SpacePrivate {
			t.bytes = max(t.bytes, t.k.Object(o).Size)
		}
		return // what is loaded is no subscript that unrolling makes constant
	}
	for _, d := range in.Dsts {
		t.counts[d], t.object[d] = false, 0
		for _, a := range in.Args {
			t.counts[d] = t.counts[d] || t.counts[a.Reg]
		}
		if (in.Op == lower.PtrAdd || in.Op == lower.Mov) && len(in.Args) > 0 {
			t.object[d] = t.objectOf(in.Args[0])
		}
	}
}

func (t *arrayTracer) objectOf(o lower.Operand) lower.ObjectID {
	if o.Object != 0 {
		return o.Object
	}
	return t.object[o.Reg]
}
