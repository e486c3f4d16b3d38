package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/tensor"
)

// The functions of fragments of matrices (CUDA C++ Programming Guide, Warp Matrix Functions).

// tensorCall types the functions of fragments; false means that the name is none of them.
func (c *checker) tensorCall(name string, args []Expr, pos Pos) (Expr, bool) {
	if len(args) < 2 || isInvalid(args...) {
		return nil, false
	}
	void := Scalar(Void)
	call := func(b string, args ...Expr) (Expr, bool) {
		if isInvalid(args...) {
			return invalidAt(pos), true
		}
		return &BuiltinCall{Typed: ast.Of(void, pos), Builtin: &Builtin{Name: b, Class: Tensor}, Args: args}, true
	}
	at := func(e Expr) Expr { return c.addressOf(e, pos) }
	number := func(e Expr) Expr { return c.convert(e, Scalar(UInt), name) }
	first := tensor.FragmentOf(args[0].Type())
	switch {
	case name == "fill_fragment" && first != nil && len(args) == 2:
		elem := first.Elem
		return call("fill", at(args[0]), c.convert(args[1], Scalar(elem), name))
	case name == "load_matrix_sync" && first != nil && (len(args) == 3 || len(args) == 4):
		return call("load", append([]Expr{at(args[0]), c.tensorMemory(args[1], first, pos), number(args[2])}, c.memoryLayout(first, args[3:], pos)...)...)
	case name == "store_matrix_sync" && len(args) == 4 && tensor.FragmentOf(args[1].Type()) != nil:
		f := tensor.FragmentOf(args[1].Type())
		return call("store", append([]Expr{at(args[1]), c.tensorMemory(args[0], f, pos), number(args[2])}, c.memoryLayout(f, args[3:], pos)...)...)
	case (name == "mma_sync") && first != nil && (len(args) == 4 || len(args) == 5):
		a, b, sum := tensor.FragmentOf(args[1].Type()), tensor.FragmentOf(args[2].Type()), tensor.FragmentOf(args[3].Type())
		if first.Use != 'c' || a == nil || b == nil || sum == nil || a.Use != 'a' || b.Use != 'b' || *sum != *first || !first.Accumulates(a) || !first.Accumulates(b) || a.Factor != b.Factor {
			return c.fail(pos, "mma_sync: fragments of one shape and of types that go together are needed: accumulator, matrix_a, matrix_b and accumulator"), true
		}
		return call("mma", at(args[0]), at(args[1]), at(args[2]), at(args[3]))
	}
	return nil, false
}

// tensorMemory checks the pointer of a fragment's matrix in memory.
func (c *checker) tensorMemory(p Expr, f *tensor.Fragment, pos Pos) Expr {
	p = c.rvalue(p)
	if t := p.Type(); t.Kind != Pointer || t.Elem.Kind != f.Elem {
		return c.fail(pos, "a pointer to %v is needed for this fragment, this is %v", Scalar(f.Elem), t)
	}
	return p
}

// memoryLayout is whether the matrix of a fragment is column-major in memory, as a number.
func (c *checker) memoryLayout(f *tensor.Fragment, given []Expr, pos Pos) []Expr {
	col := f.ColMajor
	if f.Use == 'c' {
		if len(given) == 0 {
			return []Expr{c.fail(pos, "the layout of an accumulator in memory is needed: mem_row_major or mem_col_major")}
		}
		lit, ok := c.rvalue(given[0]).(*Literal)
		if !ok {
			c.unsupported(pos, "a layout that is not constant is", "write mem_row_major or mem_col_major")
			return []Expr{invalidAt(pos)}
		}
		col = lit.Value.Int != 0
	}
	if col {
		return []Expr{c.number(UInt, 1, pos)}
	}
	return []Expr{c.number(UInt, 0, pos)}
}
