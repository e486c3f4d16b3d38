package lower

import (
	"errors"
	"fmt"

	"gpupipe/idg"
)

// Verify checks the invariants of the representation: operands and results have
// the types that their operation asks for, a temporary is assigned by one
// instruction and used only after it in its block or a block inside, jumps name
// statements around them, nothing follows a jump in its block, ids are dense and
// in textual order, depths and inductions are right, objects are consistent. It
// returns every violation found, joined.
func (k *Kernel) Verify() error {
	v := &verifier{k: k, assigned: make([]int, len(k.Regs)), visible: make([]bool, len(k.Regs)),
		labels: map[Label]bool{}}
	VerifyObjects(k.Objects, v.fail)
	v.params()
	v.block(k.Body)
	if v.loops != len(k.Loops) {
		v.fail(k.Pos, "%d loops listed, %d in the body", len(k.Loops), v.loops)
	}
	if v.branches != len(k.Branches) {
		v.fail(k.Pos, "%d branches listed, %d in the body", len(k.Branches), v.branches)
	}
	for i, r := range k.Regs {
		if r.Type < Pred || r.Type > Ptr {
			v.fail(k.Pos, "register %d has type %v", i+1, r.Type)
		}
		if !r.Var && v.assigned[i] != 1 {
			v.fail(k.Pos, "temporary %%%d is assigned %d times", i+1, v.assigned[i])
		}
		if r.Var && r.Name == "" {
			v.fail(k.Pos, "variable register %d has no name", i+1)
		}
	}
	if k.Accuracy < Rounded || k.Accuracy > Fast {
		v.fail(k.Pos, "accuracy %d", k.Accuracy)
	}
	return errors.Join(v.errs...)
}

// maxVerifyErrors is where Verify stops collecting.
const maxVerifyErrors = 20

type verifier struct {
	k        *Kernel
	errs     []error
	assigned []int  // textual assignments so far, by Reg - 1
	visible  []bool // temporaries defined so far in the enclosing blocks
	labels   map[Label]bool
	around   []Stmt // enclosing Loop, Switch and Region, outermost first
	loops    int
	branches int
	depth    int
}

func (v *verifier) fail(pos Pos, format string, args ...any) {
	if len(v.errs) < maxVerifyErrors {
		v.errs = append(v.errs, fmt.Errorf("%v: %s", pos, fmt.Sprintf(format, args...)))
	}
}

// VerifyObjects checks the memory objects of a kernel and hands each violation to fail.
func VerifyObjects(objects []Object, fail func(pos Pos, format string, args ...any)) {
	for i, o := range objects {
		switch {
		case !validSpace(o.Space):
			fail(o.Pos, "object %d (%s) is in %v", i+1, o.Name, o.Space)
		case o.Size < 0:
			fail(o.Pos, "object %s has %d bytes", o.Name, o.Size)
		case o.Dynamic && (o.Space != idg.SpaceLocal || o.Size != 0):
			fail(o.Pos, "dynamic object %s: %v, %d bytes", o.Name, o.Space, o.Size)
		case o.Init != nil && int64(len(o.Init)) != o.Size:
			fail(o.Pos, "object %s of %d bytes has %d initial bytes", o.Name, o.Size, len(o.Init))
		case o.Init != nil && !o.ReadOnly:
			fail(o.Pos, "object %s has initial content but is not read-only", o.Name)
		case o.Space == idg.SpacePrivate && o.Size == 0:
			fail(o.Pos, "private object %s has no size", o.Name)
		}
	}
}

func (v *verifier) params() {
	for _, p := range v.k.Params {
		if !v.def(p.Reg, p.Type, p.Pos) {
			continue
		}
		if (p.Type == Ptr) != (p.Object != 0) || int(p.Object) > len(v.k.Objects) {
			v.fail(p.Pos, "parameter %s of type %v has object %d", p.Name, p.Type, p.Object)
		}
	}
}

// def notes an assignment of register r by something that gives type t.
func (v *verifier) def(r Reg, t Type, pos Pos) bool {
	if r == 0 || int(r) > len(v.k.Regs) {
		v.fail(pos, "register %d does not exist", r)
		return false
	}
	v.assigned[r-1]++
	v.visible[r-1] = true
	if have := v.k.Reg(r).Type; have != t {
		v.fail(pos, "register %d of type %v is assigned a %v", r, have, t)
	}
	return true
}

// use checks an operand; types lists what it may be, none = anything.
func (v *verifier) use(o Operand, pos Pos, types ...Type) {
	switch o.Kind {
	case OperandReg:
		if o.Reg == 0 || int(o.Reg) > len(v.k.Regs) {
			v.fail(pos, "register %d does not exist", o.Reg)
			return
		}
		r := v.k.Reg(o.Reg)
		if r.Type != o.Type {
			v.fail(pos, "operand of type %v names register %d of type %v", o.Type, o.Reg, r.Type)
		}
		if !r.Var && !v.visible[o.Reg-1] {
			v.fail(pos, "temporary %%%d is used where it is not defined", o.Reg)
		}
	case OperandConst:
		if o.Type < Pred || o.Type > Ptr || !o.Type.IsFloat() && o.Bits != WrapBits(o.Type, o.Bits) ||
			o.Type.IsFloat() && o.Type != F64 && o.Bits>>(8*o.Type.Size()) != 0 {
			v.fail(pos, "constant %#x is no %v", o.Bits, o.Type)
		}
	case OperandObject:
		if o.Object == 0 || int(o.Object) > len(v.k.Objects) || o.Type != Ptr {
			v.fail(pos, "object operand %d of type %v", o.Object, o.Type)
		}
	default:
		v.fail(pos, "operand is missing")
		return
	}
	if len(types) > 0 && o.Type != types[0] {
		v.fail(pos, "operand has type %v, want %v", o.Type, types[0])
	}
}

// block checks statements. Temporaries defined in it end with it.
func (v *verifier) block(b Block) {
	var mine []Reg
	for i, s := range b {
		switch s := s.(type) {
		case *Instr:
			v.instr(s)
			mine = append(mine, s.Dsts...)
		case *If:
			v.branch(s)
		case *Loop:
			v.loop(s)
		case *Switch:
			v.switchStmt(s)
		case *Region:
			v.label(s.Label, s.Pos)
			v.inside(s, func() { v.block(s.Body) })
		case *Leave:
			v.jump(s.Label, s.Kind, s.Pos)
			v.last(b, i, s.Pos)
		case *Continue:
			v.jump(s.Label, "continue", s.Pos)
			v.last(b, i, s.Pos)
		default:
			v.fail(v.k.Pos, "statement %T", s)
		}
	}
	for _, r := range mine {
		if r != 0 && int(r) <= len(v.visible) {
			v.visible[r-1] = false
		}
	}
}

// instr checks one instruction against the description of its operation.
func (v *verifier) instr(in *Instr) {
	s := Signature{Op: in.Op, Type: in.Type, From: in.From, Fn: in.Fn, Dim: in.Dim, Scale: in.Scale, Space: in.Space,
		Align: in.Align, Whole: in.Whole, Offset: in.Offset, Subscript: in.Subscript}
	for _, a := range in.Args {
		v.use(a, in.Pos)
		s.Args = append(s.Args, a.Type)
	}
	for _, d := range in.Dsts {
		if !v.k.validReg(d) {
			v.fail(in.Pos, "register %d does not exist", d)
			return
		}
		t := v.k.Reg(d).Type
		v.def(d, t, in.Pos)
		s.Results = append(s.Results, t)
	}
	s.Verify(func(format string, args ...any) { v.fail(in.Pos, format, args...) })
}

func (v *verifier) last(b Block, i int, pos Pos) {
	if i != len(b)-1 {
		v.fail(pos, "statements follow a jump")
	}
}

func (v *verifier) inside(s Stmt, f func()) {
	v.around = append(v.around, s)
	f()
	v.around = v.around[:len(v.around)-1]
}

func (v *verifier) label(l Label, pos Pos) {
	if l == 0 || v.labels[l] {
		v.fail(pos, "label L%d is zero or not unique", l)
	}
	v.labels[l] = true
}

// jump checks that a jump of a kind names an enclosing statement that it can
// leave or continue.
func (v *verifier) jump(l Label, kind string, pos Pos) {
	for i := len(v.around) - 1; i >= 0; i-- {
		ok, at := false, Label(0)
		switch s := v.around[i].(type) {
		case *Loop:
			at, ok = s.Label, kind == "break" || kind == "continue"
		case *Switch:
			at, ok = s.Label, kind == "break"
		case *Region:
			at, ok = s.Label, kind == "return" || kind == "break" || kind == "goto"
		}
		if at == l {
			if !ok {
				v.fail(pos, "%s cannot name L%d", kind, l)
			}
			return
		}
	}
	v.fail(pos, "%s names L%d, which is not around it", kind, l)
}

func (v *verifier) branch(s *If) {
	v.branches++
	if int(s.ID) != v.branches || v.branches > len(v.k.Branches) || v.k.Branches[s.ID-1] != s {
		v.fail(s.Pos, "branch %d is number %d in the text", s.ID, v.branches)
	}
	switch s.Kind {
	case "if", "?:", "&&", "||":
	default:
		v.fail(s.Pos, "branch of kind %q", s.Kind)
	}
	v.use(s.Cond, s.Pos, Pred)
	v.block(s.Then)
	v.block(s.Else)
}

func (v *verifier) switchStmt(s *Switch) {
	v.label(s.Label, s.Pos)
	v.use(s.Value, s.Pos)
	if !s.Value.Type.IsInteger() {
		v.fail(s.Pos, "switch on a %v", s.Value.Type)
	}
	seen := map[int64]bool{}
	defaults := 0
	for _, c := range s.Cases {
		for _, x := range c.Values {
			if seen[x] {
				v.fail(c.Pos, "case %d twice", x)
			}
			seen[x] = true
		}
		if c.Default {
			defaults++
		}
		v.inside(s, func() { v.block(c.Body) })
	}
	if defaults > 1 {
		v.fail(s.Pos, "%d defaults", defaults)
	}
}

func (v *verifier) loop(s *Loop) {
	v.loops++
	v.depth++
	if int(s.ID) != v.loops || v.loops > len(v.k.Loops) || v.k.Loops[s.ID-1] != s {
		v.fail(s.Pos, "loop %d is number %d in the text", s.ID, v.loops)
	}
	if s.Depth != v.depth {
		v.fail(s.Pos, "loop at depth %d says %d", v.depth, s.Depth)
	}
	v.label(s.Label, s.Pos)
	switch s.Kind {
	case "for", "while", "do":
	default:
		v.fail(s.Pos, "loop of kind %q", s.Kind)
	}
	if g := s.Pragma; g != nil && (g.Kind < UnrollFull || g.Kind > NoUnroll || g.Kind == UnrollFactor && g.Factor < 2) {
		v.fail(g.Pos, "pragma %v by %d", g.Kind, g.Factor)
	}
	v.inside(s, func() {
		for _, b := range s.blocks() {
			if b == &s.Cond {
				v.condition(s)
			} else {
				v.block(*b)
			}
		}
	})
	if c := s.Counter; c != 0 && (!v.k.validReg(c) || !v.k.Reg(c).Var || !v.k.Reg(c).Type.IsInteger()) {
		v.fail(s.Pos, "counter %d is not an integer variable", c)
	}
	v.depth--
}

// condition checks a loop's Cond block and the value it leaves.
func (v *verifier) condition(s *Loop) {
	v.block(s.Cond)
	c := s.CondValue
	if c.Kind == 0 {
		return
	}
	if c.Kind == OperandReg && !v.k.validReg(c.Reg) {
		v.fail(s.Pos, "condition names register %d", c.Reg)
		return
	}
	if c.Kind == OperandReg && !v.k.Reg(c.Reg).Var && !v.visible[c.Reg-1] {
		if topLevel(s.Cond)[c.Reg] == nil { // outlives its block by design
			v.fail(s.Pos, "condition %%%d is not defined by the Cond block", c.Reg)
		}
		v.visible[c.Reg-1] = true
		defer func() { v.visible[c.Reg-1] = false }()
	}
	v.use(c, s.Pos, Pred)
}

func (k *Kernel) validReg(r Reg) bool { return r != 0 && int(r) <= len(k.Regs) }
