package memory

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// rewrite makes accesses at constants of those with computed subscripts, with comparisons that choose.
func (x *indexer) rewrite() {
	instead := map[*ir.Instr][]*ir.Instr{}
	before := map[*ir.Instr][]*ir.Instr{}
	repl := &ir.Replacements{}
	for i := range x.accesses {
		a := &x.accesses[i]
		if !a.computed {
			continue
		}
		w := &indexedCode{x: x, a: a, before: before, repl: repl}
		w.make()
		instead[a.in] = w.out
	}
	x.f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		out.Instrs = append(out.Instrs, before[in]...)
		if list, ok := instead[in]; ok {
			out.Instrs = append(out.Instrs, list...)
			return nil
		}
		return in
	})
	repl.Apply(x.f.Body)
}

// indexedCode makes the code of one access.
type indexedCode struct {
	x      *indexer
	a      *indexedAccess
	out    []*ir.Instr
	before map[*ir.Instr][]*ir.Instr
	repl   *ir.Replacements
}

func (w *indexedCode) add(list *[]*ir.Instr, op ir.Op, t, result ir.Type, args ...*ir.Value) *ir.Value {
	in := &ir.Instr{Op: op, Type: t, Args: args, Pos: w.a.in.Pos}
	*list = append(*list, in)
	return w.x.f.AddResult(in, result, "")
}

// make appends what an access becomes.
func (w *indexedCode) make() {
	f, in := w.x.f, w.a.in
	size, n := in.Type.Size(), elements(in)
	step := max(size, min(w.x.align.Of(in.Args[0]), 256))
	index, scale, start := w.place(in.Args[0])
	object := f.Object(w.a.object)
	values := make([]*ir.Value, n)
	for at := int64(0); at+n*size <= object.Size; at += step {
		if (at-start)%scale != 0 {
			continue
		}
		here := w.add(&w.out, lower.Eq, lower.U32, lower.Pred, index, f.Int(lower.U32, (at-start)/scale))
		for i := range n {
			p := w.pointer(at + i*size)
			old := w.load(p)
			if in.Op == lower.Store {
				v := w.add(&w.out, lower.Select, in.Type, in.Type, here, in.Args[1+i], old)
				w.out = append(w.out, &ir.Instr{Op: lower.Store, Type: in.Type, Args: []*ir.Value{p, v},
					Space: in.Space, Pos: in.Pos})
				continue
			}
			if values[i] == nil {
				values[i] = old
				continue
			}
			values[i] = w.add(&w.out, lower.Select, in.Type, in.Type, here, old, values[i])
		}
	}
	for i, r := range in.Results {
		if values[i] == nil {
			values[i] = f.Undef(in.Type)
		}
		w.repl.Put(r, values[i])
	}
}

// pointer is the address of a place in the object.
func (w *indexedCode) pointer(at int64) *ir.Value {
	base := w.x.f.Address(w.a.object)
	if at == 0 {
		return base
	}
	p := w.add(&w.out, lower.PtrAdd, lower.S64, lower.Ptr, base, w.x.f.Int(lower.S64, at))
	p.Def.Scale = 1
	return p
}

func (w *indexedCode) load(p *ir.Value) *ir.Value {
	v := w.add(&w.out, lower.Load, w.a.in.Type, w.a.in.Type, p)
	v.Def.Space = w.a.in.Space
	return v
}

// place is where an address leads in its object: start bytes and scale times an index (U32) behind its beginning.
func (w *indexedCode) place(v *ir.Value) (index *ir.Value, scale, start int64) {
	base, n := splitAddress(v)
	if d := ir.Def(base, lower.PtrAdd); d != nil {
		if rest, m := splitAddress(d.Args[0]); rest.Kind == ir.Address {
			return w.word(&w.out, d.Args[1]), d.Scale, n + m
		}
	}
	return w.offset(&w.out, base), 1, n
}

// word is an integer in 32 bits, as private addresses are.
func (w *indexedCode) word(list *[]*ir.Instr, v *ir.Value) *ir.Value {
	if v.Type == lower.U32 {
		return v
	}
	r := w.add(list, lower.Convert, lower.U32, lower.U32, v)
	r.Def.From = v.Type
	return r
}

// offset is the distance of a pointer from the start of its object in bytes (U32).
func (w *indexedCode) offset(list *[]*ir.Instr, v *ir.Value) *ir.Value {
	f := w.x.f
	if v.Kind == ir.BlockArg || v.Kind == ir.Result && v.Def.Nests() {
		return w.beside(v)
	}
	d := ir.Def(v, lower.PtrAdd)
	if d == nil {
		return f.Int(lower.U32, 0)
	}
	scaled := w.word(list, d.Args[1])
	if d.Scale != 1 {
		scaled = w.add(list, lower.Mul, lower.U32, lower.U32, scaled, f.Int(lower.U32, d.Scale))
	}
	return w.add(list, lower.Add, lower.U32, lower.U32, w.offset(list, d.Args[0]), scaled)
}

// beside is the parameter of a loop, or the result of a control operation, that is the offset of one that is a pointer.
func (w *indexedCode) beside(v *ir.Value) *ir.Value {
	if c := w.x.offsets[v]; c != nil {
		return c
	}
	f, in := w.x.f, v.Def
	from := w.x.jumps.Exits(in)
	var c *ir.Value
	if v.Kind == ir.BlockArg {
		c = f.AddParam(in, lower.U32, v.Name)
		from = append([]*ir.Instr{in}, w.x.jumps.Continues[in]...)
	} else {
		c = f.AddResult(in, lower.U32, v.Name)
	}
	w.x.offsets[v] = c
	for _, j := range from {
		var list []*ir.Instr
		j.Args = append(j.Args, w.offset(&list, j.Args[v.Index]))
		w.before[j] = append(w.before[j], list...)
	}
	return c
}
