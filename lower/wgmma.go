package lower

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/internal/target"
)

// groupProduct lowers wgmma: the registers that are added to, and the factors.
func (l *lowerer) groupProduct(e *ast.BuiltinCall, cores target.TensorCores) value {
	pos := e.Pos()
	shape := inlineptx.GroupShapeOf(e.Builtin.Name)
	if l.unit.Target.TensorCores != 0 && !l.needs(target.Hopper, cores, "matrix instruction of a warp group", pos) {
		return l.poison(e.T)
	}
	in := &Instr{Op: GroupMatMul, Type: irType(ctypes.Scalar(shape.Sum)),
		Fn: fmt.Sprintf("m64n%dk%d.%s", shape.Columns, shape.Depth, shape.Factor), Dim: shape.Columns, Pos: pos}
	for _, x := range e.Args {
		in.Args = append(in.Args, l.expr(x).one())
	}
	v := value{typ: e.T}
	for range e.T.Lanes() {
		x := l.temp(irType(e.T))
		in.Dsts, v.ops = append(in.Dsts, x.Reg), append(v.ops, x)
	}
	l.add(in, pos)
	return v
}
