package constant

import (
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// maxSteps bounds the statements and expressions of one evaluation.
const maxSteps = 2_000_000

// datum is a value in a cell: a number, parts, or where a pointer leads.
type datum struct {
	num   ctypes.Value
	parts []*cell // of an array, a class, or a vector
	ptr   *address
	set   bool // it has been given a value
}

// cell is where an object lives.
type cell struct {
	t *ctypes.Type
	d datum
	// foreign is an object of the program that is not constant: it has an address, and neither value nor change.
	foreign bool
}

// address is element i of an array's cells, or one cell.
type address struct {
	in    *cell // the array, nil where it is one object
	index int64
	cell  *cell // the object
}

// Program is what an evaluation has to know of the program.
type Program struct {
	Values   map[*ast.Object]ast.Expr // initialisers of constant objects
	Callable func(*ast.Function) bool
	Empty    func(*ctypes.Type) bool // classes without data
}

// evaluation is one run of the evaluator.
type evaluation struct {
	p     *Program
	vars  map[*ast.Object]*cell
	steps int
	depth int
	ret   *cell
	at    diag.Pos // of the statement that is being executed
}

// GiveUp ends an evaluation that does not know, and says where and why.
type GiveUp struct {
	At  diag.Pos
	Why string
}

// Evaluate gives the value of an expression, nil where it has none that is known.
func (p *Program) Evaluate(e ast.Expr) (value ast.Expr, why GiveUp) {
	defer func() {
		if r := recover(); r != nil {
			g, ok := r.(GiveUp)
			if !ok {
				panic(r)
			}
			value, why = nil, g
		}
	}()
	ev := &evaluation{p: p, vars: map[*ast.Object]*cell{}}
	d := ev.value(e)
	return d.literal(e.Type(), e.Pos()), GiveUp{}
}

// literal is a datum as an expression; nil where it is none.
func (d datum) literal(t *ctypes.Type, pos diag.Pos) ast.Expr {
	switch {
	case t.IsScalar():
		if !d.set {
			return nil
		}
		v := d.num
		v.Type = t
		return &ast.Literal{Typed: ast.Of(t, pos), Value: v}
	case t.Kind == ctypes.Array || t.IsClass():
		list := &ast.InitList{Typed: ast.Of(t, pos)}
		for i, p := range d.parts {
			x := p.d.literal(p.t, pos)
			if x == nil {
				return nil
			}
			list.Add(int64(i), x)
		}
		return list
	case t.Kind == ctypes.Vector:
		v := &ast.VectorLit{Typed: ast.Of(t, pos)}
		for _, p := range d.parts {
			x := p.d.literal(t.Elem, pos)
			if x == nil {
				return nil
			}
			v.Elems = append(v.Elems, x)
		}
		return v
	}
	return nil
}

func (ev *evaluation) fail() datum { panic(GiveUp{ev.at, "this has no constant value"}) }

func (ev *evaluation) step() {
	if ev.steps++; ev.steps > maxSteps {
		panic(GiveUp{ev.at, "the evaluation takes more than " + strconv.Itoa(maxSteps) + " steps"})
	}
}

// newCell makes an object of a type without a value; zero gives it zeros.
func (ev *evaluation) newCell(t *ctypes.Type, zero bool) *cell {
	ev.step()
	x := &cell{t: t}
	switch {
	case t.Kind == ctypes.Array:
		if t.Len < 0 || t.Len > maxSteps {
			ev.fail()
		}
		for range t.Len {
			x.d.parts = append(x.d.parts, ev.newCell(t.Elem, zero))
		}
		x.d.set = true
	case t.Kind == ctypes.Vector:
		for range t.Len {
			x.d.parts = append(x.d.parts, ev.newCell(t.Elem, zero))
		}
		x.d.set = true
	case t.Kind == ctypes.Struct:
		for _, f := range t.Fields {
			x.d.parts = append(x.d.parts, ev.newCell(f.Type, zero))
		}
		x.d.set = true
	case t.Kind == ctypes.Union:
		ev.fail()
	case zero && t.IsScalar():
		x.d = known(ctypes.Convert(ctypes.IntValue(ctypes.Int, 0), t))
	case zero && t.Kind == ctypes.Pointer:
		x.d = datum{set: true}
	}
	return x
}

func known(v ctypes.Value) datum { return datum{num: v, set: true} }

// store copies a value into a cell.
func (ev *evaluation) store(x *cell, d datum) {
	if x.foreign {
		ev.fail()
	}
	if len(x.d.parts) > 0 || d.parts != nil {
		if len(x.d.parts) != len(d.parts) {
			ev.fail()
		}
		for i, p := range x.d.parts {
			ev.step()
			ev.store(p, d.parts[i].d)
		}
		x.d.set = true
		return
	}
	x.d = d
}

// place is the cell of an lvalue.
func (ev *evaluation) place(e ast.Expr) *cell {
	ev.step()
	switch x := e.(type) {
	case *ast.VarRef:
		if v := ev.vars[x.Obj]; v != nil {
			return v
		}
		return ev.global(x.Obj)
	case *ast.Member:
		of := ev.place(x.X)
		if x.Field < len(of.d.parts) {
			return of.d.parts[x.Field]
		}
	case *ast.Deref:
		if p := ev.value(x.X).ptr; p != nil && p.cell != nil {
			return p.cell
		}
	case *ast.Index:
		i := ev.value(x.I)
		if x.X.Type().Kind == ctypes.Vector {
			of := ev.place(x.X)
			if i.num.Int >= 0 && i.num.Int < int64(len(of.d.parts)) {
				return of.d.parts[i.num.Int]
			}
			break
		}
		p := ev.moved(ev.value(x.X), i.num.Int)
		if p.ptr != nil && p.ptr.cell != nil {
			return p.ptr.cell
		}
	case *ast.Swizzle:
		of := ev.place(x.X)
		if len(x.Lanes) == 1 {
			return of.d.parts[x.Lanes[0]]
		}
	}
	if !ast.IsLvalue(e) { // a part of a value
		t := ev.newCell(e.Type(), false)
		ev.store(t, ev.value(e))
		return t
	}
	ev.fail()
	return nil
}

// object is the cell of an lvalue whose address is taken.
func (ev *evaluation) object(e ast.Expr) *cell {
	ref, ok := e.(*ast.VarRef)
	if !ok || !ref.T.IsClass() || ev.vars[ref.Obj] != nil || ev.p.Values[ref.Obj] != nil || ref.Obj.Init != nil {
		return ev.place(e)
	}
	x := ev.newCell(ref.T, false)
	x.disown()
	ev.vars[ref.Obj] = x
	return x
}

// disown marks an object and its parts as foreign.
func (x *cell) disown() {
	x.foreign = true
	for _, p := range x.d.parts {
		p.disown()
	}
}

// global is the cell of a constant object outside of the evaluation.
func (ev *evaluation) global(obj *ast.Object) *cell {
	x := ev.newCell(obj.Type, true)
	switch {
	case obj.Constant != nil:
		x.d = known(*obj.Constant)
	case ev.p.Values[obj] != nil:
		ev.store(x, ev.value(ev.p.Values[obj]))
	case obj.Const && obj.Init != nil:
		ev.store(x, ev.value(obj.Init))
	default:
		ev.fail()
	}
	ev.vars[obj] = x
	return x
}

// moved is a pointer some elements on.
func (ev *evaluation) moved(d datum, n int64) datum {
	if d.ptr == nil {
		return ev.fail()
	}
	p := *d.ptr
	if p.in == nil {
		if n != 0 {
			return ev.fail()
		}
		return d
	}
	p.index += n
	if p.index < 0 || p.index > int64(len(p.in.d.parts)) {
		return ev.fail()
	}
	p.cell = nil
	if p.index < int64(len(p.in.d.parts)) {
		p.cell = p.in.d.parts[p.index]
	}
	return datum{ptr: &p, set: true}
}

// copyOf is a value that later changes of its cell leave alone.
func (ev *evaluation) copyOf(x *cell) datum {
	ev.step()
	if x.d.parts == nil {
		if !x.d.set {
			return ev.fail()
		}
		return x.d
	}
	d := datum{set: true}
	for _, p := range x.d.parts {
		q := &cell{t: p.t}
		if p.d.set || p.t.IsClass() || p.t.Kind == ctypes.Array {
			q.d = ev.copyOf(p)
		}
		d.parts = append(d.parts, q)
	}
	if d.parts == nil {
		d.parts = []*cell{}
	}
	return d
}
