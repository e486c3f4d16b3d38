package memory

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

const privateSpace = idg.SpacePrivate

// DeadStores removes stores of which nobody sees the effect (LLVM's DSE): a later store writes the same place and
// nothing reads it between, or the object is one that the kernel never reads (GlobalOpt) or, private, not any more.
func DeadStores(f *ir.Func, c *profile.Context) {
	d := &overwriter{f: f, memory: newMemory(f, c.Profile), escapes: escapesOf(f), reads: map[*ir.Instr]map[int]bool{},
		later: map[content]int32{}}
	d.unread = d.unreadObjects()
	summarise(f.Body, d.readsOf, d.reads)
	d.block(f.Body)
	scalar.DCE(f, c)
}

// overwriter walks a kernel backwards. In its memory the effects are reads.
type overwriter struct {
	f       *ir.Func
	memory  *memory
	escapes map[*ir.Instr]bool
	unread  []bool                     // by ObjectID - 1
	reads   map[*ir.Instr]map[int]bool // the classes that something inside a control operation reads
	later   map[content]int32          // what is written later, and since when nobody reads it
	undo    []func()
}

// unreadObjects are those of the kernel's own objects that it only writes.
func (d *overwriter) unreadObjects() []bool {
	out := make([]bool, len(d.f.Objects))
	for i, o := range d.f.Objects {
		out[i] = o.Space == idg.SpacePrivate || o.Space == idg.SpaceLocal
	}
	for _, p := range d.f.Params {
		if p.Object != 0 {
			out[p.Object-1] = false
		}
	}
	d.f.Body.Walk(func(in *ir.Instr) {
		for i, v := range in.Args {
			if v.Type != lower.Ptr || in.Op == lower.Store && i == 0 && !in.Volatile || in.Op == lower.PtrAdd {
				continue
			}
			if o := d.memory.of(v); o > 0 {
				out[o-1] = false
			}
		}
	})
	return out
}

// readsOf calls f for each effect of what an instruction reads.
func (d *overwriter) readsOf(in *ir.Instr, f func(effect)) {
	m := d.memory
	switch {
	case in.Op == lower.Load, in.Op == lower.Atomic:
		at, offset := decompose(in.Args[0])
		f(effect{class: m.classOf(in.Args[0], in.Space), at: at, offset: offset,
			size: in.Type.Size() * int64(len(in.Results))})
	case in.Op == lower.Copy:
		f(effect{class: m.classOf(in.Args[1], in.Space), whole: true})
		f(effect{class: m.classOf(in.Args[0], in.Space), whole: true})
	case in.Op == lower.MatrixRow, in.Op == lower.ImageLoad:
		f(effect{class: m.classOf(in.Args[0], in.Space), whole: true})
	case m.isBarrier(in):
		for c := range m.classes {
			if m.shared(c) {
				f(effect{class: c, whole: true})
			}
		}
	}
}

// forget notes that everything may be read from here on.
func (d *overwriter) forget() {
	for c := range d.memory.classes {
		d.memory.write(effect{class: c, whole: true})
	}
}

// block walks a block backwards.
func (d *overwriter) block(b *ir.Block) {
	if last := b.Last(); last.Op != lower.OpYield || b.Owner != nil && b.Owner.Op == lower.OpLoop {
		d.forget()
	}
	keep := len(b.Instrs)
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if in := b.Instrs[i]; d.instr(in) {
			keep--
			b.Instrs[keep] = in
		}
	}
	b.Instrs = b.Instrs[keep:]
}

// instr visits an instruction and reports whether it stays.
func (d *overwriter) instr(in *ir.Instr) bool {
	switch {
	case in.Nests():
		d.control(in)
	case in.Op == lower.Store && !in.Volatile:
		return d.store(in)
	default:
		d.readsOf(in, d.memory.write)
	}
	return true
}

// control visits a control operation: in a block that comes to its end what follows holds, too.
func (d *overwriter) control(in *ir.Instr) {
	for _, b := range in.Blocks {
		mark, n := d.memory.mark(), len(d.undo)
		d.block(b)
		d.memory.back(mark)
		for i := len(d.undo) - 1; i >= n; i-- {
			d.undo[i]()
		}
		d.undo = d.undo[:n]
	}
	if d.escapes[in] {
		d.forget()
	}
	for c := range d.memory.classes {
		if d.reads[in][c] {
			d.memory.write(effect{class: c, whole: true})
		}
	}
}

// store visits a store and reports whether it stays.
func (d *overwriter) store(in *ir.Instr) bool {
	m := d.memory
	if o := m.of(in.Args[0]); o > 0 && d.unread[o-1] {
		return false
	}
	at, offset := decompose(in.Args[0])
	class, size := m.classOf(in.Args[0], in.Space), in.Type.Size()
	dead := true
	for i := range int64(len(in.Args) - 1) {
		k := content{class, at, offset + i*size, size}
		since, written := d.later[k]
		dead = dead && written && since > 0 && m.unchanged(class, at, k.offset, size, since)
	}
	if dead {
		return false
	}
	for i := range int64(len(in.Args) - 1) {
		k := content{class, at, offset + i*size, size}
		old := d.later[k]
		d.later[k] = m.now
		d.undo = append(d.undo, func() { d.later[k] = old })
	}
	return true
}
