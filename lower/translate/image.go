package translate

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// imageRead lowers read_imagef and its like to one ImageLoad.
func (l *lowerer) imageRead(e *ast.BuiltinCall) value {
	pos := e.Pos()
	in := l.imageAccess(lower.ImageLoad, e)
	if len(e.Args) > 2 {
		in.Args = append(in.Args, l.expr(e.Args[2]).one()) // the sampler
	}
	in.Type = lower.IrType(e.T)
	v := value{typ: e.T}
	for range e.T.Lanes() {
		t := l.temp(in.Type)
		in.Dsts = append(in.Dsts, t.Reg)
		v.ops = append(v.ops, t)
	}
	l.add(in, pos)
	return v
}

// imageWrite lowers write_imagef and its like to one ImageStore.
func (l *lowerer) imageWrite(e *ast.BuiltinCall) value {
	in := l.imageAccess(lower.ImageStore, e)
	color := l.expr(e.Args[2])
	in.Type = lower.IrType(color.typ)
	in.Args = append(in.Args, color.ops...)
	l.add(in, e.Pos())
	return value{typ: e.T}
}

// imageAccess begins an access with its image and coordinates.
func (l *lowerer) imageAccess(op Op, e *ast.BuiltinCall) *Instr {
	image, coord := l.expr(e.Args[0]).one(), l.expr(e.Args[1])
	in := &Instr{Op: op, Space: idg.SpaceImage, Dim: len(coord.ops), Args: append([]Operand{image}, coord.ops...),
		Pos: e.Pos()}
	if strings.HasPrefix(e.Builtin.Name, "surf") {
		in.Scale = 1
	}
	return in
}

// imageQuery lowers get_image_width and its like: properties of an image are
// parameters of the kernel that the host sets with the image ("img.width").
func (l *lowerer) imageQuery(e *ast.BuiltinCall) value {
	image := l.expr(e.Args[0]).one()
	i := l.paramOf(image)
	if i < 0 {
		l.unsupported(e.Pos(), "%s of an image that is not a parameter of the kernel", e.Builtin.Name)
		return l.poison(e.T)
	}
	property := strings.TrimPrefix(e.Builtin.Name, "get_image_")
	if property != "dim" {
		return l.scalar(e, l.convertOperand(l.imageProperty(i, property), lower.IrType(e.T), "", e.Pos()))
	}
	v := value{typ: e.T}
	for _, p := range []string{"width", "height", "depth"}[:min(3, e.T.Lanes())] {
		v.ops = append(v.ops, l.imageProperty(i, p))
	}
	for len(v.ops) < e.T.Lanes() {
		v.ops = append(v.ops, lower.Zero(lower.IrType(e.T)))
	}
	return v
}

// imageProperty finds or makes the parameter that holds a property of the image
// that is parameter number i.
func (l *lowerer) imageProperty(i int, property string) Operand {
	name := l.k.Params[i].Name + "." + property
	for _, p := range l.k.Params {
		if p.Name == name {
			return Operand{Kind: OperandReg, Type: p.Type, Reg: p.Reg}
		}
	}
	r := l.variable(lower.S32, name)
	l.k.Params = append(l.k.Params, lower.Param{Name: name, Type: lower.S32, Reg: r.Reg,
		Pos: l.k.Params[i].Pos, CType: "int"})
	return r
}

// imageExtents makes the parameters by which rows and planes of an image, the
// last parameter so far, are found in memory: its width and, with three
// coordinates, its height. Whether the kernel asks for them or not, they can be
// given to say what its accesses touch.
func (l *lowerer) imageExtents(t *ctypes.Type) {
	i := len(l.k.Params) - 1
	if strings.HasPrefix(t.Name, "image2d") || strings.HasPrefix(t.Name, "image3d") ||
		strings.HasPrefix(t.Name, "image1d_array") {
		l.imageProperty(i, "width")
	}
	if strings.HasPrefix(t.Name, "image2d_array") || strings.HasPrefix(t.Name, "image3d") {
		l.imageProperty(i, "height")
	}
}

// paramOf is the index of the parameter that an operand is, or -1.
func (l *lowerer) paramOf(o Operand) int {
	for i, p := range l.k.Params {
		if o.Kind == OperandReg && o.Reg == p.Reg {
			return i
		}
	}
	return -1
}
