package resolve

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
)

// named finds a register or an operand by what the template calls it, nil if there is none.
func (a *asmStatement) named(in *inlineptx.Instruction, name string) ast.Expr {
	if number, ok := strings.CutPrefix(name, "%"); ok {
		i, known := a.names[strings.Trim(number, "[]")]
		if n, err := strconv.Atoi(number); err == nil {
			i, known = n, true
		}
		if known {
			if i >= len(a.operands) {
				return nil
			}
			return a.operands[i].value
		}
	}
	for s := in.Scope; ; s = a.template.Parents[s] {
		if obj := a.scopes[s][name]; obj != nil {
			return ast.RefTo(obj, a.pos)
		}
		if s == 0 {
			return nil
		}
	}
}

// raw is an operand in its own type: a register, a number, or a special register.
func (a *asmStatement) raw(in *inlineptx.Instruction, text string) ast.Expr {
	if e := a.named(in, text); e != nil {
		return e
	}
	if v, ok := ptxNumber(text); ok {
		return ast.LiteralOf(v, a.pos)
	}
	if e := a.special(text); e != nil {
		return e
	}
	return a.reject("the operand " + text + " of " + in.Op + " is")
}

// value is an operand as a value of type t.
func (a *asmStatement) value(in *inlineptx.Instruction, text string, t *ctypes.Type) ast.Expr {
	if name, not := strings.CutPrefix(text, "!"); not && t.Kind == ctypes.Bool {
		return a.unary(ctypes.Not, a.raw(in, name), a.pos)
	}
	return a.castTo(a.raw(in, text), t)
}

// values are several operands of one type.
func (a *asmStatement) values(in *inlineptx.Instruction, texts []string, t *ctypes.Type) []ast.Expr {
	list := make([]ast.Expr, len(texts))
	for i, text := range texts {
		list[i] = a.value(in, text, t)
	}
	return list
}

// castTo is the content of a register taken as a value of type t: registers of one size have no type of
// their own, and of a wider one the low bits are taken.
func (a *asmStatement) castTo(e ast.Expr, t *ctypes.Type) ast.Expr {
	from := e.Type()
	switch {
	case isInvalid(e) || from.Equal(t):
		return e
	case from.Kind == ctypes.Pointer || t.Kind == ctypes.Pointer:
		return a.castValue(e, t, a.pos)
	case from.IsInteger() && t.IsInteger():
		return a.convertScalar(e, t, true)
	case from.IsInteger() && from.Size() > t.Size():
		return a.castTo(a.convertScalar(e, ctypes.Scalar(ctypes.UnsignedOf(t.Size())), true), t)
	case from.Size() < t.Size() && t.IsInteger() && (from.IsFloat() || from.Kind == ctypes.Vector):
		return a.convertScalar(a.castTo(e, ctypes.Scalar(ctypes.UnsignedOf(from.Size()))), t, true)
	case from.Size() == t.Size():
		return &ast.Bitcast{Typed: ast.Of(t, a.pos), X: e}
	}
	return a.reject("a " + from.String() + " as a " + t.String() + " of inline PTX is")
}

// set assigns a value to the register that an instruction writes; _ takes none.
func (a *asmStatement) set(in *inlineptx.Instruction, dst string, e ast.Expr) {
	if isInvalid(e) {
		a.failed = true
		return
	}
	if dst == "_" {
		a.do(e)
		return
	}
	to, ok := a.named(in, dst).(*ast.VarRef)
	if !ok {
		a.reject("the result " + dst + " of " + in.Op + " is")
		return
	}
	x := a.castTo(e, to.T)
	a.do(&ast.Assign{Typed: of(to.T, a.pos, x), X: to, Y: x})
}

// setAll assigns the lanes of a vector to registers; a scalar goes to the only one.
func (a *asmStatement) setAll(in *inlineptx.Instruction, dsts []string, e ast.Expr) {
	if len(dsts) == 1 || isInvalid(e) {
		a.set(in, dsts[0], e)
		return
	}
	all := a.register("vector", e.Type(), e)
	for i, dst := range dsts {
		a.set(in, dst, &ast.Swizzle{Typed: ast.Of(e.Type().Elem, a.pos), X: all, Lanes: []int{i}})
	}
}

// ptxNumber reads a constant (PTX ISA, Constants): integers, 0f and 0d with the bits of a float, and
// decimal floats.
func ptxNumber(s string) (ctypes.Value, bool) {
	if len(s) == 10 && (strings.HasPrefix(s, "0f") || strings.HasPrefix(s, "0F")) {
		if bits, err := strconv.ParseUint(s[2:], 16, 32); err == nil {
			return ctypes.FloatValue(ctypes.Float, float64(math.Float32frombits(uint32(bits)))), true
		}
	}
	if len(s) == 18 && (strings.HasPrefix(s, "0d") || strings.HasPrefix(s, "0D")) {
		if bits, err := strconv.ParseUint(s[2:], 16, 64); err == nil {
			return ctypes.FloatValue(ctypes.Double, math.Float64frombits(bits)), true
		}
	}
	if n, err := strconv.ParseInt(strings.TrimRight(s, "U"), 0, 64); err == nil {
		return ctypes.IntValue(ctypes.Long, n), true
	}
	if n, err := strconv.ParseUint(strings.TrimRight(s, "U"), 0, 64); err == nil {
		return ctypes.IntValue(ctypes.ULong, int64(n)), true
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && strings.Contains(s, ".") {
		return ctypes.FloatValue(ctypes.Float, f), true
	}
	return ctypes.Value{}, false
}

// specialIndices are the special registers that are CUDA's index variables.
var specialIndices = map[string]string{"tid": "get_local_id", "ctaid": "get_group_id", "ntid": "get_local_size",
	"nctaid": "get_num_groups"}

// clusterIndices are the special registers of three numbers of which nothing is known.
var clusterIndices = []string{"clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"}

// specialRegisters are those of which nothing is known but that reading one is an instruction.
var specialRegisters = map[string]ctypes.Kind{
	"smid": ctypes.UInt, "nsmid": ctypes.UInt, "gridid": ctypes.ULong, "warpid": ctypes.UInt, "nwarpid": ctypes.UInt,
	"clock": ctypes.UInt, "clock_hi": ctypes.UInt, "clock64": ctypes.ULong,
	"globaltimer": ctypes.ULong, "globaltimer_lo": ctypes.UInt, "globaltimer_hi": ctypes.UInt,
	"dynamic_smem_size": ctypes.UInt, "total_smem_size": ctypes.UInt,
	"cluster_ctarank": ctypes.UInt, "cluster_nctarank": ctypes.UInt, "is_explicit_cluster": ctypes.UInt,
}

// special is the value of a special register (PTX ISA, Special Registers), nil if it is none.
func (a *asmStatement) special(text string) ast.Expr {
	if text == "WARP_SZ" {
		return number(ctypes.UInt, warpLanes, a.pos)
	}
	name, ok := strings.CutPrefix(strings.TrimPrefix(text, "%"), "%") // %% is a % where there are operands
	if !ok {
		name = strings.TrimPrefix(text, "%")
	}
	if name == text {
		return nil
	}
	if reg, dim, ok := strings.Cut(name, "."); ok && specialIndices[reg] != "" && len(dim) == 1 {
		if d := strings.Index("xyz", dim); d >= 0 {
			return workItemBuiltin(specialIndices[reg], ctypes.UInt, d, a.pos)
		}
	} else if ok && len(dim) == 1 && slices.Contains(clusterIndices, reg) {
		return workItemBuiltin(specialRegister+reg+"_"+dim, ctypes.UInt, -1, a.pos)
	}
	lane := func() ast.Expr { return workItemBuiltin("get_sub_group_local_id", ctypes.UInt, -1, a.pos) }
	bit := func() ast.Expr { return a.binary(ctypes.Shl, number(ctypes.UInt, 1, a.pos), lane(), a.pos) }
	below := func() ast.Expr { return a.binary(ctypes.Sub, bit(), number(ctypes.UInt, 1, a.pos), a.pos) }
	switch name {
	case "laneid":
		return lane()
	case "lanemask_eq":
		return bit()
	case "lanemask_lt":
		return below()
	case "lanemask_le":
		return a.binary(ctypes.Or, below(), bit(), a.pos)
	case "lanemask_ge":
		return a.unary(ctypes.BitNot, below(), a.pos)
	case "lanemask_gt":
		return a.unary(ctypes.BitNot, a.binary(ctypes.Or, below(), bit(), a.pos), a.pos)
	}
	if kind := specialRegisters[name]; kind != 0 {
		return workItemBuiltin(specialRegister+name, kind, -1, a.pos)
	}
	return nil
}

// specialRegister is what the names of work-item functions that stand for special registers begin with.
const specialRegister = "get_special_"

// heapAddress stands for what malloc returns.
const heapAddress = specialRegister + "heap"
