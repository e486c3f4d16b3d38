package memory

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Places in memory become values as variables of a structured language do (Brandis and Mössenböck, Single-Pass
// Generation of Static Single-Assignment Form for Structured Languages, 1994): what the blocks of a branch or a loop
// assign are its results, and what a loop assigns its parameters. Those that are not needed DCE and Simplify drop.

// cell is such a place.
type cell struct {
	typ  ir.Type
	name string
}

// part is what an access reads or writes of a cell: its bits from shift on, as many as the access's type has.
type part struct {
	cell  int
	shift int64
}

// renamer replaces accesses to cells by values.
type renamer struct {
	f       *ir.Func
	cells   []cell
	access  map[*ir.Instr][]part // the cells of the scalars of each load and store to replace
	current []*ir.Value          // by cell
	changed []assignment
	written map[*ir.Instr][]int // the cells that something in a control operation assigns, in order
	repl    *ir.Replacements
}

// assignment is one that is taken back at the end of a block.
type assignment struct {
	cell int
	old  *ir.Value
}

// newRenamer prepares to replace accesses in a block and those inside.
func newRenamer(f *ir.Func, cells []cell, access map[*ir.Instr][]part, repl *ir.Replacements) *renamer {
	return &renamer{f: f, cells: cells, access: access, current: make([]*ir.Value, len(cells)),
		written: map[*ir.Instr][]int{}, repl: repl}
}

// collect finds the cells that the instructions of a block assign.
func (r *renamer) collect(b *ir.Block) []int {
	var all []int
	for _, in := range b.Instrs {
		all = append(all, r.collectOf(in)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (r *renamer) collectOf(in *ir.Instr) []int {
	if in.Op == lower.Store {
		var all []int
		for _, p := range r.access[in] {
			all = append(all, p.cell)
		}
		return all
	}
	if !in.Nests() {
		return nil
	}
	var inner []int
	for _, b := range in.Blocks {
		inner = append(inner, r.collect(b)...)
	}
	slices.Sort(inner)
	inner = slices.Compact(inner)
	r.written[in] = inner
	return inner
}

// value is what a cell holds.
func (r *renamer) value(cell int) *ir.Value {
	if v := r.current[cell]; v != nil {
		return r.repl.Find(v)
	}
	return r.f.Undef(r.cells[cell].typ)
}

func (r *renamer) values(cells []int) []*ir.Value {
	out := make([]*ir.Value, len(cells))
	for i, c := range cells {
		out[i] = r.value(c)
	}
	return out
}

func (r *renamer) set(cell int, v *ir.Value) {
	r.changed = append(r.changed, assignment{cell, r.current[cell]})
	r.current[cell] = v
}

// back takes back the assignments since a mark.
func (r *renamer) back(mark int) {
	for i := len(r.changed) - 1; i >= mark; i-- {
		r.current[r.changed[i].cell] = r.changed[i].old
	}
	r.changed = r.changed[:mark]
}

// block renames the instructions of a block.
func (r *renamer) block(b *ir.Block) {
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		n := len(out)
		for out = r.instr(out, in); n < len(out); n++ {
			out[n].Parent = b
		}
	}
	b.Instrs = out
}

// instr appends what stands for an instruction.
func (r *renamer) instr(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
	r.repl.Operands(in)
	parts, replaced := r.access[in]
	switch {
	case replaced && in.Op == lower.Load:
		for i, p := range parts {
			v := r.value(p.cell)
			if v.Type.Size() > in.Type.Size() {
				out, v = r.extract(out, in, p.shift, v)
			}
			if v.Type != in.Type {
				out, v = r.convert(out, in, lower.Bitcast, in.Type, v)
			}
			r.repl.Put(in.Results[i], v)
		}
		return out
	case replaced:
		for i, p := range parts {
			v := in.Args[1+i]
			if t := r.cells[p.cell].typ; t.Size() > in.Type.Size() {
				out, v = r.insert(out, in, p, v)
			} else if v.Type != t {
				out, v = r.convert(out, in, lower.Bitcast, t, v)
			}
			r.set(p.cell, v)
		}
		return out
	case in.Op == lower.OpLeave:
		in.Args = append(in.Args, r.values(r.written[in.Target])...)
	case in.Op == lower.OpContinue:
		in.Args = append(in.Args, r.values(r.written[in.Target])...)
	case in.Op == lower.OpLoop:
		r.loop(in)
	case in.Nests():
		r.branch(in)
	}
	return append(out, in)
}

// convert appends a conversion.
func (r *renamer) convert(out []*ir.Instr, like *ir.Instr, op ir.Op, t ir.Type, v *ir.Value) ([]*ir.Instr, *ir.Value) {
	if v.Kind == ir.Undef {
		return out, r.f.Undef(t)
	}
	in := &ir.Instr{Op: op, Type: t, From: v.Type, Args: []*ir.Value{v}, Pos: like.Pos, Component: like.Component}
	return append(out, in), r.f.AddResult(in, t, "")
}

// binary appends an operation of two operands.
func (r *renamer) binary(out []*ir.Instr, like *ir.Instr, op ir.Op, x, y *ir.Value) ([]*ir.Instr, *ir.Value) {
	in := &ir.Instr{Op: op, Type: x.Type, Args: []*ir.Value{x, y}, Pos: like.Pos, Component: like.Component}
	return append(out, in), r.f.AddResult(in, x.Type, "")
}

// extract appends what takes the bits of an access out of a wider cell's value.
func (r *renamer) extract(out []*ir.Instr, in *ir.Instr, shift int64, v *ir.Value) ([]*ir.Instr, *ir.Value) {
	if shift > 0 && v.Kind != ir.Undef {
		out, v = r.binary(out, in, lower.Shr, v, r.f.Int(v.Type, shift))
	}
	return r.convert(out, in, lower.Convert, in.Type.Unsigned(), v)
}

// insert appends what puts a value in the place of some bits of a wider cell's.
func (r *renamer) insert(out []*ir.Instr, in *ir.Instr, p part, v *ir.Value) ([]*ir.Instr, *ir.Value) {
	old, size := r.value(p.cell), in.Type.Size()
	if v.Kind == ir.Undef {
		return out, old
	}
	if t := in.Type.Unsigned(); v.Type != t {
		out, v = r.convert(out, in, lower.Bitcast, t, v)
	}
	out, v = r.convert(out, in, lower.Convert, old.Type, v)
	if p.shift > 0 {
		out, v = r.binary(out, in, lower.Shl, v, r.f.Int(v.Type, p.shift))
	}
	if old.Kind == ir.Undef {
		return out, v
	}
	mask := (int64(1)<<(8*size) - 1) << p.shift
	out, old = r.binary(out, in, lower.And, old, r.f.Int(old.Type, ^mask))
	return r.binary(out, in, lower.Or, old, v)
}

// loop renames a loop: the cells that it assigns are its parameters and results.
func (r *renamer) loop(in *ir.Instr) {
	cells := r.written[in]
	mark := len(r.changed)
	in.Args = append(in.Args, r.values(cells)...)
	for _, c := range cells {
		r.set(c, r.f.AddParam(in, r.cells[c].typ, r.cells[c].name))
	}
	r.block(in.Blocks[0])
	r.back(mark)
	r.results(in, cells)
}

// branch renames an if, switch or region. A cell is a result where a block that reaches its end, or a jump to the end
// of the region, may assign it.
func (r *renamer) branch(in *ir.Instr) {
	cells := r.written[in]
	for _, b := range in.Blocks {
		mark := len(r.changed)
		r.block(b)
		if ir.Yields(b) {
			last := b.Last()
			last.Args = append(last.Args, r.values(cells)...)
		}
		r.back(mark)
	}
	r.results(in, cells)
}

func (r *renamer) results(in *ir.Instr, cells []int) {
	for _, c := range cells {
		r.set(c, r.f.AddResult(in, r.cells[c].typ, r.cells[c].name))
	}
}
