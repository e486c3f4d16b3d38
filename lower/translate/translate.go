// Package translate turns one typed kernel of package frontend into the structured IR of package lower, with every
// helper function inlined. It consumes a checked [ast.Unit] and one of its kernels. Package lower's comment says what
// becomes of vectors, structs, accesses and fragments.
package translate

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// What structured IR is made of.
type (
	Block   = lower.Block
	Instr   = lower.Instr
	Label   = lower.Label
	Object  = lower.Object
	Op      = lower.Op
	Operand = lower.Operand
	Pos     = lower.Pos
	Reg     = lower.Reg
	Type    = lower.Type
)

const (
	OperandConst = lower.OperandConst
	OperandReg   = lower.OperandReg
)

// maxStatements bounds the IR of one kernel: inlining a chain of helpers that
// each call the next one twice doubles the code at every level.
const maxStatements = 1_500_000

// Kernel turns kernel fn of unit u into IR. The error is a [diag.List] of
// positioned errors: UNSUPPORTED for what the IR cannot express, UNDEFINED for a
// function without a body, RECURSION, and TOOLARGE when inlining explodes.
func Kernel(u *ast.Unit, fn *ast.Function) (*lower.Kernel, error) {
	l := &lowerer{
		unit:    u,
		k:       &lower.Kernel{Name: fn.Name, Pos: fn.Pos, Accuracy: accuracyOf(u), GroupSize: fn.WorkGroupSize},
		statics: map[*ast.Object]place{},
		facts:   map[*ast.Function]*facts{},
		origins: newOrigins(),
	}
	l.function(fn)
	if err := l.errs.Err(); err != nil {
		return nil, err
	}
	lower.Finish(l.k)
	return l.k, nil
}

// lowerer builds one kernel.
type lowerer struct {
	unit    *ast.Unit
	k       *lower.Kernel
	errs    diag.List
	cur     *Block // where statements go
	frame   *frame
	statics map[*ast.Object]place // objects that exist once: local arrays, tables
	facts   map[*ast.Function]*facts
	origins origins

	caller Pos // the call of the user's that is being inlined

	labels     Label
	depth      int // of loops
	statements int
	full       bool // maxStatements was reached and reported
	// subscript is on while arithmetic is lowered that only computes an address.
	subscript bool
	// kept is on while a pointer value is lowered that a variable keeps: its
	// arithmetic is the source's own, no part of an access.
	kept bool
	// component is set while a component of a vector operation is lowered (Instr.Component).
	component int
}

// frame is one function being lowered: the kernel or an inlined call.
type frame struct {
	fn      *ast.Function
	parent  *frame
	facts   *facts
	vars    map[*ast.Object]place
	label   Label     // of the function's Region
	result  []Operand // registers of the result's leaves
	targets []exit    // what break and continue may mean, innermost last
	labels  map[*ast.Labelled]Label
}

// exit is a statement that break or continue can name.
type exit struct {
	label    Label
	loop     bool // continue may name it
	leaveAll bool // do { } while (0): continue is a break
}

// value is an rvalue: one operand for each leaf of its type.
type value struct {
	typ *ctypes.Type
	ops []Operand
}

// unsupported reports a construct that cannot be lowered.
func (l *lowerer) unsupported(pos Pos, format string, args ...any) *diag.Error {
	e := diag.Errorf(l.users(pos), "UNSUPPORTED", format, args...)
	l.errs.Add(e)
	return e
}

// poison is a value of type t to go on with after an error.
func (l *lowerer) poison(t *ctypes.Type) value {
	v := value{typ: t}
	if lower.CountLeaves(t) > lower.MaxLeaves {
		return v
	}
	for _, f := range lower.LeavesOf(t) {
		v.ops = append(v.ops, lower.Zero(f.Typ))
	}
	return v
}

// one is the only operand of a scalar value.
func (v value) one() Operand {
	if len(v.ops) == 0 { // only after a reported error
		return lower.Zero(lower.S32)
	}
	return v.ops[0]
}

// add appends a statement to the current block. An instruction owns its operands: the passes rename
// them in place, and a caller may give one slice to several instructions.
func (l *lowerer) add(s lower.Stmt, pos Pos) {
	if l.full {
		return
	}
	l.statements++
	if l.statements > maxStatements {
		l.full = true
		l.errs.Add(diag.Errorf(pos, "TOOLARGE",
			"kernel %s has more than %d operations after inlining its helper functions", l.k.Name, maxStatements).
			WithNote("simplify the helper functions, or replace calls that the prediction does not need"))
		return
	}
	at := lower.Position(s)
	*at = l.users(*at)
	if in, ok := s.(*Instr); ok {
		in.Args, in.Dsts = slices.Clone(in.Args), slices.Clone(in.Dsts)
	}
	*l.cur = append(*l.cur, s)
}

// users is the position of the user's to which a position belongs: a library's code is that of the line that calls it.
func (l *lowerer) users(pos Pos) Pos {
	if diag.IsLibrary(pos.File) {
		return l.caller
	}
	return pos
}

// emit appends an instruction and marks it when it belongs to a subscript.
func (l *lowerer) emit(in *Instr) {
	if l.subscript && in.Op.Arithmetic() {
		in.Subscript = true
	}
	in.Component = l.component
	l.add(in, in.Pos)
}

// in lowers with b as the current block. Nothing inside belongs to a subscript
// around it.
func (l *lowerer) in(b *Block, f func()) {
	cur, sub, kept := l.cur, l.subscript, l.kept
	l.cur, l.subscript, l.kept = b, false, false
	f()
	l.cur, l.subscript, l.kept = cur, sub, kept
}

// terminated reports whether the current block has been left: what follows in
// it cannot be reached.
func (l *lowerer) terminated() bool {
	b := *l.cur
	if len(b) == 0 {
		return false
	}
	switch b[len(b)-1].(type) {
	case *lower.Leave, *lower.Continue:
		return true
	}
	return false
}

// temp makes a temporary register.
func (l *lowerer) temp(t Type) Operand { return l.newReg(lower.RegInfo{Type: t}) }

// variable makes a register that may be assigned more than once.
func (l *lowerer) variable(t Type, name string) Operand {
	return l.newReg(lower.RegInfo{Type: t, Name: name, Var: true})
}

func (l *lowerer) newReg(r lower.RegInfo) Operand {
	l.k.Regs = append(l.k.Regs, r)
	return Operand{Kind: OperandReg, Type: r.Type, Reg: Reg(len(l.k.Regs))}
}

// variables makes a variable register for each leaf of t, none for a type too
// large to copy, whose load reports it.
func (l *lowerer) variables(t *ctypes.Type, name string) []Operand {
	if lower.CountLeaves(t) > lower.MaxLeaves {
		return nil
	}
	var ops []Operand
	for _, f := range lower.LeavesOf(t) {
		ops = append(ops, l.variable(f.Typ, name+f.Name))
	}
	return ops
}

// op emits an operation in t on args and returns its result.
func (l *lowerer) op(op Op, t Type, pos Pos, args ...Operand) Operand {
	fn := ""
	if (op == lower.Shl || op == lower.Shr) && l.unit.Dialect == ast.CUDA &&
		!(args[1].Kind == OperandConst && args[1].Bits < uint64(8*t.Size())) {
		fn = "clamp"
	}
	return l.opAs(op, fn, t, pos, args...)
}

// opAs emits an operation of a mode.
func (l *lowerer) opAs(op Op, fn string, t Type, pos Pos, args ...Operand) Operand {
	rt := t
	if op.IsComparison() {
		rt = lower.Pred
	}
	dst := l.temp(rt)
	l.emit(&Instr{Op: op, Type: t, Fn: fn, Dsts: []Reg{dst.Reg}, Args: args, Pos: pos})
	return dst
}

// call emits a call of the math function fn.
func (l *lowerer) call(fn string, t Type, pos Pos, args ...Operand) Operand {
	dst := l.temp(t)
	l.emit(&Instr{Op: lower.Call, Type: t, Fn: fn, Dsts: []Reg{dst.Reg}, Args: args, Pos: pos})
	return dst
}

func (l *lowerer) newLabel() Label {
	l.labels++
	return l.labels
}

// accuracyOf is what the source language asks for.
func accuracyOf(u *ast.Unit) lower.Accuracy {
	switch {
	case u.Target.FastMath:
		return lower.Fast
	case u.Dialect == ast.OpenCL:
		return lower.Relaxed
	}
	return lower.Rounded
}
