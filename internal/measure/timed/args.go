package timed

import (
	"encoding/binary"
	"math"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/measure/driver"
	"gpupipe/lower"
)

// memory is a buffer of the kernel.
type memory struct {
	name     string
	typ      lower.Type
	readOnly bool
	count    int64
	buffer   driver.Buffer
}

// arguments are a kernel's: those that stay, and its buffers.
type arguments struct {
	list    []driver.Arg
	buffers []*memory
}

func (a *arguments) close() {
	for _, m := range a.buffers {
		if m.buffer != nil {
			m.buffer.Close()
		}
	}
}

// arguments makes the buffers and the values of a kernel.
func (j *Job) arguments(d driver.Device) (*arguments, error) {
	a := &arguments{}
	err := j.collect(d, a)
	if err == nil {
		err = a.fill()
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// collect adds the arguments in their order.
func (j *Job) collect(d driver.Device, a *arguments) error {
	params := j.kernel.Lowered.Params
	for _, whole := range j.Function.Params {
		n := 0
		for n < len(params) && isPart(params[n].Name, whole.Name) {
			n++
		}
		arg, err := j.argument(d, a, whole, params[:n])
		if err != nil {
			return err
		}
		params, a.list = params[n:], append(a.list, arg)
	}
	return nil
}

// isPart reports whether a parameter is an argument or a part of it, such as v.x of v.
func isPart(name, whole string) bool {
	rest, ok := strings.CutPrefix(name, whole)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// argument is one of a kernel, of which the parameters are the parts.
func (j *Job) argument(d driver.Device, a *arguments, whole *ast.Object, parts []lower.Param) (driver.Arg, error) {
	switch t := whole.Type; {
	case t.IsImage():
		return driver.Arg{}, diag.Errorf(whole.Pos, codeKernel,
			"argument %s is an image: gpumeasure passes buffers and values only", whole.Name).
			WithNote("read the data from a buffer in a copy of the kernel")
	case t.Kind == ctypes.Vector, t.Kind == ctypes.Struct, t.Kind == ctypes.Union:
		return j.compound(whole, parts)
	case len(parts) == 1 && parts[0].Type == lower.Ptr:
		return j.pointer(d, a, parts[0])
	case len(parts) == 1:
		return j.scalar(parts[0])
	}
	return driver.Arg{}, diag.Errorf(whole.Pos, codeKernel, "argument %s is a %v, which gpumeasure cannot pass",
		whole.Name, whole.Type)
}

// compound is a vector or structure of the values of its parts.
func (j *Job) compound(whole *ast.Object, parts []lower.Param) (driver.Arg, error) {
	value := make([]byte, whole.Type.Size())
	for _, p := range parts {
		if p.Type == lower.Ptr {
			return driver.Arg{},
				diag.Errorf(p.Pos, codeKernel, "argument %s holds a pointer, which gpumeasure cannot pass", whole.Name)
		}
		part, err := j.scalar(p)
		if err != nil {
			return driver.Arg{}, err
		}
		copy(value[p.Offset:], part.Value)
	}
	return driver.Arg{Value: value}, nil
}

// pointer makes what a pointer points to.
func (j *Job) pointer(d driver.Device, a *arguments, p lower.Param) (driver.Arg, error) {
	o := j.kernel.Lowered.Object(p.Object)
	switch o.Space {
	case idg.SpaceLocal:
		return driver.Arg{LocalBytes: int(max(1, j.kernel.Options.DynamicLocal))}, nil
	case idg.SpaceGlobal, idg.SpaceConstant:
	default:
		return driver.Arg{}, diag.Errorf(p.Pos, codeKernel, "argument %s is a %s, which gpumeasure cannot pass", p.Name,
			p.CType)
	}
	m := &memory{name: p.Name, typ: o.Elem, readOnly: o.ReadOnly, count: j.Counts[p.Name]}
	if m.typ == 0 {
		m.typ = lower.U8
	}
	if m.count == 0 {
		m.count = j.usual(d) / m.typ.Size()
	}
	var err error
	if m.buffer, err = d.NewBuffer(m.count * m.typ.Size()); err != nil {
		return driver.Arg{}, diag.Errorf(p.Pos, codeKernel, "buffer %s: %v", p.Name,
			err).WithNote("give its number of elements with --buffer %s=COUNT", p.Name)
	}
	a.buffers = append(a.buffers, m)
	return driver.Arg{Buffer: m.buffer}, nil
}

// usual are the bytes of a buffer whose size is not given: enough for 64 of each work item.
func (j *Job) usual(d driver.Device) int64 {
	const least, each = 16 << 20, 64
	n := max(least, each*j.items()*j.Groups[0]*j.Groups[1]*j.Groups[2])
	if most := d.Properties().GlobalBytes / 16; most > 0 {
		n = min(n, most)
	}
	return n
}

// scalar is the value of an argument.
func (j *Job) scalar(p lower.Param) (driver.Arg, error) {
	v, ok := j.kernel.Options.Args[p.Name]
	if !ok {
		return driver.Arg{}, diag.Errorf(p.Pos, codeKernel, "argument %s has no value",
			p.Name).WithNote("give --arg %s=VALUE", p.Name)
	}
	float := v.Float
	if !v.IsFloat {
		float = float64(v.Int)
	}
	switch p.Type {
	case lower.F32:
		return driver.Float(float32(float)), nil
	case lower.F64:
		return driver.DoubleArg(float), nil
	case lower.F16:
		return driver.Arg{}, diag.Errorf(p.Pos, codeKernel,
			"argument %s is of half precision, which gpumeasure cannot pass", p.Name)
	}
	n := uint64(v.Int)
	if v.IsFloat {
		n = uint64(int64(v.Float))
	}
	return driver.Arg{Value: binary.LittleEndian.AppendUint64(nil, n)[:p.Type.Size()]}, nil
}

// fill gives all buffers their first contents: floating-point numbers in [0, 1), and integers that are their own
// indices, so that what is used as a subscript stays within.
func (a *arguments) fill() error {
	for _, m := range a.buffers {
		if err := m.buffer.Write(m.contents()); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) contents() []byte {
	size := int(m.typ.Size())
	data := make([]byte, m.count*int64(size))
	for i := range int(m.count) {
		at := data[i*size:]
		fraction := float64(uint32(i)*2654435761>>16) / 65536 // D. Knuth's multiplicative hash
		switch m.typ {
		case lower.F32:
			binary.LittleEndian.PutUint32(at, math.Float32bits(float32(fraction)))
		case lower.F64:
			binary.LittleEndian.PutUint64(at, math.Float64bits(fraction))
		case lower.F16:
			binary.LittleEndian.PutUint16(at, 0x3800) // 0.5
		default:
			for b := range size {
				at[b] = byte(uint64(i) >> (8 * b))
			}
		}
	}
	return data
}
