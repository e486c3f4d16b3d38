package translate

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// The matrix instructions that inline PTX names.

// matrixLoad lowers ldmatrix. The lanes give the addresses of rows of 16 bytes, each lane that of one for four
// matrices, the first 16 or 8 lanes for two or one; here each lane reads as many bytes of them as it gets
// words.
func (l *lowerer) matrixLoad(e *ast.BuiltinCall, cores target.TensorCores) value {
	pos := e.Pos()
	if !l.needs(target.Turing, cores, "ldmatrix", pos) {
		return l.poison(e.T)
	}
	p := l.pointerArg(e.Args[0])
	n := e.T.Lanes()
	address := l.matrixRows(p.base, n, pos)
	in := &Instr{Op: lower.Load, Type: lower.U32, Args: []Operand{address}, Space: idg.SpaceLocal,
		Align: lower.U32.Size() * int64(n), Volatile: p.volatile, Pos: pos}
	v := value{typ: e.T}
	for range n {
		x := l.temp(lower.U32)
		in.Dsts, v.ops = append(in.Dsts, x.Reg), append(v.ops, x)
	}
	l.add(in, pos)
	return v
}

// matrixRows is the address of what a lane accesses of n matrices.
func (l *lowerer) matrixRows(p Operand, n int, pos Pos) Operand {
	if n == 4 {
		return p
	}
	row := l.temp(lower.Ptr)
	l.add(&Instr{Op: lower.MatrixRow, Type: lower.Ptr, Dim: n, Dsts: []Reg{row.Reg}, Args: []Operand{p}, Pos: pos}, pos)
	return row
}

// matrixStore lowers stmatrix, whose lanes give addresses as those of ldmatrix do.
func (l *lowerer) matrixStore(e *ast.BuiltinCall, cores target.TensorCores) value {
	pos := e.Pos()
	if l.unit.Target.TensorCores != 0 && !l.needs(target.Hopper, cores, "stmatrix", pos) {
		return value{typ: e.T}
	}
	p := l.pointerArg(e.Args[0])
	n := len(e.Args) - 1
	in := &Instr{Op: lower.Store, Type: lower.U32, Space: idg.SpaceLocal, Align: lower.U32.Size() * int64(n),
		Volatile: p.volatile, Pos: pos}
	in.Args = []Operand{l.matrixRows(p.base, n, pos)}
	for _, x := range e.Args[1:] {
		in.Args = append(in.Args, l.expr(x).one())
	}
	l.add(in, pos)
	return value{typ: e.T}
}

// matrixProduct lowers mma: the registers of the factors and of what is added.
func (l *lowerer) matrixProduct(e *ast.BuiltinCall, cores target.TensorCores) value {
	pos := e.Pos()
	p := inlineptx.ProductOf(e.Builtin.Name)
	if !l.needs(p.Since, cores, "matrix instruction of this shape and type", pos) {
		return l.poison(e.T)
	}
	in := &Instr{Op: lower.MatMul, Type: lower.IrType(ctypes.Scalar(p.Sum)), Fn: p.Name, Pos: pos}
	return l.product(in, e)
}

// needs reports whether tensor cores have what a generation has, with an error if not.
func (l *lowerer) needs(since, cores target.TensorCores, what string, pos Pos) bool {
	if cores >= since {
		return true
	}
	l.unsupported(pos, "the device's tensor cores have no %s", what).WithNote(
		"choose one of compute capability %s or more", capabilityOf[since])
	return false
}

// capabilityOf is the first compute capability with a generation of tensor cores.
var capabilityOf = map[target.TensorCores]string{target.Volta: "7.0", target.Turing: "7.5", target.Ampere: "8.0",
	target.Hopper: "9.0"}

// groupProduct lowers wgmma: the registers that are added to, and the factors.
func (l *lowerer) groupProduct(e *ast.BuiltinCall, cores target.TensorCores) value {
	pos := e.Pos()
	shape := inlineptx.GroupShapeOf(e.Builtin.Name)
	if l.unit.Target.TensorCores != 0 && !l.needs(target.Hopper, cores, "matrix instruction of a warp group", pos) {
		return l.poison(e.T)
	}
	in := &Instr{Op: lower.GroupMatMul, Type: lower.IrType(ctypes.Scalar(shape.Sum)),
		Fn: fmt.Sprintf("m64n%dk%d.%s", shape.Columns, shape.Depth, shape.Factor), Dim: shape.Columns, Pos: pos}
	return l.product(in, e)
}

// product adds a product of matrices, with its factors and the registers of its sums.
func (l *lowerer) product(in *Instr, e *ast.BuiltinCall) value {
	for _, x := range e.Args {
		in.Args = append(in.Args, l.expr(x).one())
	}
	v := value{typ: e.T}
	for range e.T.Lanes() {
		x := l.temp(lower.IrType(e.T))
		in.Dsts, v.ops = append(in.Dsts, x.Reg), append(v.ops, x)
	}
	l.add(in, in.Pos)
	return v
}
