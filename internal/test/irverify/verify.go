// Package irverify checks the IR that tests and evidence have: what translating, building and passes must keep.
package irverify

import (
	"errors"
	"fmt"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Verify checks the invariants of the representation: every value has one definition and is used only where
// that is visible, behind it in its block or in a block inside; operands and results have the types that their
// operation asks for; a block ends in its only terminator, whose operands are those that its receiver has, and
// jumps name operations around them; what instructions, blocks and values say of each other agrees. It returns
// the violations found, joined, at most 20.
func Verify(f *ir.Func) error {
	n := f.NumValues()
	v := &verifier{f: f, defined: make([]*ir.Value, n), visible: make([]bool, n), around: map[*ir.Instr]bool{},
		seen: make(map[*ir.Instr]bool, n), lists: make(map[**ir.Value]*ir.Instr, n)}
	verifyObjects(f.Objects, v.fail)
	v.params()
	if f.Accuracy < lower.Rounded || f.Accuracy > lower.Fast {
		v.fail(f.Pos, "accuracy %d", f.Accuracy)
	}
	v.block(f.Body, nil)
	return errors.Join(v.errs...)
}

// After is Verify for pass.Run.
func After(_ string, f *ir.Func) error { return Verify(f) }

// maxVerifyErrors is where Verify stops collecting.
const maxVerifyErrors = 20

type verifier struct {
	f       *ir.Func
	errs    []error
	defined []*ir.Value // by ID
	visible []bool      // by ID: defined so far in the enclosing blocks
	around  map[*ir.Instr]bool
	seen    map[*ir.Instr]bool
	lists   map[**ir.Value]*ir.Instr // whose operands a list is
	names   func(*ir.Value) string   // of values in messages, made for the first one
}

func (v *verifier) fail(pos ir.Pos, format string, args ...any) {
	if len(v.errs) < maxVerifyErrors {
		v.errs = append(v.errs, fmt.Errorf("%v: %s", pos, fmt.Sprintf(format, args...)))
	}
}

// name is that of a value in the text.
func (v *verifier) name(x *ir.Value) string {
	if v.names == nil {
		v.names = ir.Names(v.f)
	}
	if x == nil {
		return "no value"
	}
	return fmt.Sprintf("%s (value %d)", v.names(x), x.ID)
}

func validType(t ir.Type) bool { return t >= lower.Pred && t <= lower.Ptr }

func (v *verifier) params() {
	if len(v.f.Args) != len(v.f.Params) {
		v.fail(v.f.Pos, "%d values for %d parameters", len(v.f.Args), len(v.f.Params))
		return
	}
	for i, p := range v.f.Params {
		a := v.f.Args[i]
		if (p.Type == lower.Ptr) != (p.Object != 0) || int(p.Object) > len(v.f.Objects) {
			v.fail(p.Pos, "parameter %s of type %v has object %d", p.Name, p.Type, p.Object)
		}
		if a.Kind != ir.KernelArg || a.Type != p.Type || a.Index != i || a.Object != p.Object {
			v.fail(p.Pos, "parameter %s of type %v is value %d of type %v", p.Name, p.Type, a.ID, a.Type)
		}
		v.define(a, p.Pos)
	}
}

// define notes that a value is defined here.
func (v *verifier) define(x *ir.Value, pos ir.Pos) {
	switch {
	case x == nil || x.ID == 0 || int(x.ID) >= len(v.defined):
		v.fail(pos, "a value without an ID")
		return
	case v.defined[x.ID] == x:
		v.fail(pos, "%s is defined twice", v.name(x))
	case v.defined[x.ID] != nil:
		v.fail(pos, "two values have the ID %d", x.ID)
	case !validType(x.Type):
		v.fail(pos, "%s has type %v", v.name(x), x.Type)
	}
	v.defined[x.ID] = x
	v.visible[x.ID] = true
}

// use checks that a value is visible.
func (v *verifier) use(x *ir.Value, pos ir.Pos) {
	if x == nil {
		v.fail(pos, "an operand is missing")
		return
	}
	switch x.Kind {
	case ir.Result, ir.BlockArg:
		if int(x.ID) >= len(v.defined) || v.defined[x.ID] != x || !v.visible[x.ID] {
			v.fail(pos, "%s is used where it is not defined", v.name(x))
		}
	case ir.KernelArg:
		if x.Index < 0 || x.Index >= len(v.f.Args) || v.f.Args[x.Index] != x {
			v.fail(pos, "%s is no parameter of the kernel", v.name(x))
		}
	case ir.Const:
		if !validType(x.Type) || !canonical(x.Type, x.Bits) {
			v.fail(pos, "constant %#x is no %v", x.Bits, x.Type)
		}
	case ir.Address:
		if x.Object == 0 || int(x.Object) > len(v.f.Objects) || x.Type != lower.Ptr {
			v.fail(pos, "address of object %d has type %v", x.Object, x.Type)
		}
	case ir.Undef:
		if !validType(x.Type) {
			v.fail(pos, "undefined value of type %v", x.Type)
		}
	default:
		v.fail(pos, "value %d of kind %d", x.ID, x.Kind)
	}
}

// canonical reports whether bits are those of a constant of a type as lower.Operand has them.
func canonical(t ir.Type, bits uint64) bool {
	switch t {
	case lower.F16, lower.BF16, lower.F32:
		return bits>>(8*t.Size()) == 0
	case lower.F64:
		return true
	}
	return lower.ConstInt(t, int64(bits)).Bits == bits
}

// block checks instructions. Values defined in a block end with it.
func (v *verifier) block(b *ir.Block, owner *ir.Instr) {
	pos := v.f.Pos
	if owner != nil {
		pos = owner.Pos
	}
	if b == nil || len(b.Instrs) == 0 {
		v.fail(pos, "an empty block")
		return
	}
	if b.Owner != owner {
		v.fail(pos, "a block names another owner")
	}
	for i, a := range b.Params {
		if owner == nil || owner.Op != lower.OpLoop {
			v.fail(pos, "a block that is not a loop's has parameters")
		}
		if a.Kind != ir.BlockArg || a.Def != owner || a.Index != i {
			v.fail(pos, "parameter %d of a block, %s, does not say so", i, v.name(a))
		}
		v.define(a, pos)
	}
	for i, in := range b.Instrs {
		if in.Parent != b {
			v.fail(in.Pos, "%v stands in a block that is not its parent", in.Op)
		}
		if v.seen[in] {
			v.fail(in.Pos, "%v stands in the text twice", in.Op)
			continue
		}
		v.seen[in] = true
		if in.IsTerminator() != (i == len(b.Instrs)-1) {
			v.fail(in.Pos, "%v is instruction %d of %d of its block", in.Op, i+1, len(b.Instrs))
		}
		v.instr(in)
	}
	for _, a := range b.Params {
		v.hide(a)
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			v.hide(r)
		}
	}
}

func (v *verifier) hide(x *ir.Value) {
	if x != nil && int(x.ID) < len(v.visible) {
		v.visible[x.ID] = false
	}
}

// instr checks one instruction: its operands, its blocks, its results and what its operation asks for.
func (v *verifier) instr(in *ir.Instr) {
	if len(in.Args) > 0 {
		if other := v.lists[&in.Args[0]]; other != nil {
			v.fail(in.Pos, "%v has the same list of operands as the %v at %v", in.Op, other.Op, other.Pos)
		}
		v.lists[&in.Args[0]] = in
	}
	complete := true
	for _, a := range in.Args {
		v.use(a, in.Pos)
		complete = complete && a != nil
	}
	for i, r := range in.Results {
		if r == nil || r.Kind != ir.Result || r.Def != in || r.Index != i {
			v.fail(in.Pos, "result %d of %v, %s, does not say so", i, in.Op, v.name(r))
			complete = false
		}
	}
	switch {
	case !complete:
	case in.Op >= lower.OpIf && in.Op <= lower.OpRegion:
		v.control(in)
	case in.IsTerminator():
		v.terminator(in)
	default:
		v.operation(in)
	}
	if len(in.Blocks) > 0 {
		v.around[in] = true
		for _, b := range in.Blocks {
			v.block(b, in)
		}
		delete(v.around, in)
	}
	for _, r := range in.Results {
		v.define(r, in.Pos)
	}
}

// operation checks an instruction without blocks against the description of its operation.
func (v *verifier) operation(in *ir.Instr) {
	v.want(in, len(in.Blocks) == 0 && in.Loop == nil && in.Cases == nil && in.Target == nil && in.Source == 0)
	if in.Op == lower.OpOpaque {
		v.want(in, in.Fn != "" && !in.Subscript)
		return
	}
	s := signature{Op: in.Op, Type: in.Type, From: in.From, Fn: in.Fn, Dim: in.Dim, Scale: in.Scale,
		Space: in.Space, Align: in.Align, Whole: int64(in.Whole), Offset: int64(in.Offset), Subscript: in.Subscript,
		Args: make([]ir.Type, len(in.Args)), Results: make([]ir.Type, len(in.Results))}
	for i, a := range in.Args {
		s.Args[i] = a.Type
	}
	for i, r := range in.Results {
		s.Results[i] = r.Type
	}
	s.verify(func(format string, args ...any) { v.fail(in.Pos, format, args...) })
}

// control checks the shape of an operation with blocks.
func (v *verifier) control(in *ir.Instr) {
	want := 1
	switch in.Op {
	case lower.OpIf:
		want = 2
		v.shape(in, len(in.Results), 1)
		if len(in.Args) == 1 && in.Args[0].Type != lower.Pred {
			v.fail(in.Pos, "if on a %v", in.Args[0].Type)
		}
	case lower.OpSwitch:
		want = len(in.Cases) + 1
		v.shape(in, len(in.Results), 1)
		if len(in.Args) == 1 && !in.Args[0].Type.IsInteger() {
			v.fail(in.Pos, "switch on a %v", in.Args[0].Type)
		}
		seen := map[int64]bool{}
		for _, c := range in.Cases {
			for _, x := range c {
				if seen[x] {
					v.fail(in.Pos, "case %d twice", x)
				}
				seen[x] = true
			}
		}
	case lower.OpRegion:
		v.shape(in, len(in.Results), 0)
	case lower.OpLoop:
		if in.Loop == nil {
			v.fail(in.Pos, "a loop without LoopInfo")
		}
		if len(in.Blocks) == 1 && in.Blocks[0] != nil {
			v.passed(in, in.Blocks[0].Params, "parameter")
		}
	}
	if len(in.Blocks) != want {
		v.fail(in.Pos, "%v has %d blocks, want %d", in.Op, len(in.Blocks), want)
	}
	if in.Op != lower.OpLoop && in.Loop != nil || in.Op != lower.OpSwitch && in.Cases != nil || in.Target != nil {
		v.fail(in.Pos, "%v has attributes of another operation", in.Op)
	}
}

// terminator checks where a jump goes and what it carries.
func (v *verifier) terminator(in *ir.Instr) {
	v.want(in, len(in.Results) == 0 && len(in.Blocks) == 0)
	owner := in.Parent
	switch in.Op {
	case lower.OpYield:
		v.want(in, in.Target == nil)
		if owner != nil && owner.Owner != nil && owner.Owner.Op == lower.OpLoop {
			v.fail(in.Pos, "the block of a loop ends in yield")
		}
	case lower.OpLeave, lower.OpContinue:
		t := in.Target
		switch {
		case t == nil || !v.around[t]:
			v.fail(in.Pos, "%v names what is not around it", in.Op)
			return
		case t.Op != lower.OpLoop && (t.Op != lower.OpRegion || in.Op == lower.OpContinue):
			v.fail(in.Pos, "%v names %v", in.Op, t.Op)
			return
		}
	}
	v.passed(in, in.Receivers(), "receiver")
}

// passed checks that operands have the types of what they become.
func (v *verifier) passed(in *ir.Instr, to []*ir.Value, what string) {
	if len(in.Args) != len(to) {
		v.fail(in.Pos, "%v has %d operands, want %d", in.Op, len(in.Args), len(to))
		return
	}
	for i, a := range in.Args {
		if a.Type != to[i].Type {
			v.fail(in.Pos, "operand %d of %v has type %v, its %s %s has %v", i+1, in.Op, a.Type, what, v.name(to[i]),
				to[i].Type)
		}
	}
}

// shape checks the number of results and operands.
func (v *verifier) shape(in *ir.Instr, results, args int) {
	if len(in.Results) != results || len(in.Args) != args {
		v.fail(in.Pos, "%v with %d results and %d operands", in.Op, len(in.Results), len(in.Args))
	}
}

// want checks a condition on the instruction's attributes.
func (v *verifier) want(in *ir.Instr, ok bool) {
	if !ok {
		v.fail(in.Pos, "%v.%v is not well formed", in.Op, in.Type)
	}
}
