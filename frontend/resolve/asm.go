package resolve

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Inline assembly: the PTX of asm("template" : outputs : inputs : clobbers) (Inline PTX Assembly in
// CUDA; PTX ISA) becomes the statements that do the same in C. An operand is a variable of its own,
// which an output is assigned from at the end; so are the registers that the template declares.
//
// What is known is in asm_memory.go, asm_bulk.go, asm_arithmetic.go, asm_warp.go, asm_matrix.go and asm_wgmma.go; any
// other instruction is an error that names it.

// asmAdvice is what to do about assembly that is not known.
const asmAdvice = "replace it by the builtin function that it stands for, or by C"

// asmStatement is one statement of assembly.
type asmStatement struct {
	*checker
	pos      diag.Pos
	volatile bool
	template *inlineptx.Template
	operands []asmOperand
	names    map[string]int           // of operands with names
	scopes   []map[string]*ast.Object // registers by the block that declares them
	truth    map[string]bool          // predicates of which the value is known
	out      []ast.Stmt
	failed   bool
}

// asmOperand is an operand of the statement.
type asmOperand struct {
	value  ast.Expr // a register, or a constant
	target ast.Expr // lvalue that an output is assigned to, nil of an input
}

// assembly checks a statement of inline assembly.
func (c *checker) assembly(n *syntax.AsmStmt, out *[]ast.Stmt) {
	a := &asmStatement{checker: c, pos: n.Pos, volatile: n.Volatile, names: map[string]int{}, truth: map[string]bool{}}
	text, problem := ctypes.Unquote(n.Template)
	if problem != "" {
		c.errorf(a.pos, codeConstant, "%s", problem)
		return
	}
	template, err := inlineptx.Parse(string(text))
	if err != nil {
		c.unsupported(a.pos, err.Error(), asmAdvice)
		return
	}
	a.template = template
	for i := range n.Outputs {
		a.operand(&n.Outputs[i], true)
	}
	for i := range n.Inputs {
		a.operand(&n.Inputs[i], false)
	}
	a.declare()
	for i := 0; i < len(template.Code) && !a.failed; {
		if in := &template.Code[i]; in.Words[0] == "bra" {
			i = a.jump(in, i)
		} else {
			a.execute(in)
			i++
		}
	}
	if a.failed {
		return
	}
	for _, o := range a.operands {
		if o.target != nil && !a.failed {
			a.do(a.assign(o.target, a.castTo(o.value, o.target.Type()), a.pos))
		}
	}
	if !a.failed && len(a.out) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(a.pos), Stmts: a.out})
	}
}

// operand types "=r"(x) and its like.
func (a *asmStatement) operand(n *syntax.AsmOperand, output bool) {
	if n.Name != "" {
		a.names[n.Name] = len(a.operands)
	}
	x := stripped(a.expr(n.X))
	if isInvalid(x) {
		a.failed = true
		a.operands = append(a.operands, asmOperand{value: x})
		return
	}
	if !output {
		x = a.rvalue(x)
		if isClass(x.Type()) {
			x = a.builtinOperand(x)
		}
		if _, constant := x.(*ast.Literal); !constant {
			x = a.register("", x.Type(), x)
		}
		a.operands = append(a.operands, asmOperand{value: x})
		return
	}
	if !a.writable(x, a.pos) {
		a.failed = true
		return
	}
	o := asmOperand{target: x}
	if strings.Contains(n.Constraint, "+") {
		o.value = a.register("", x.Type(), a.rvalue(x))
	} else {
		o.value = a.register("", x.Type(), nil)
	}
	a.operands = append(a.operands, o)
}

// register declares a variable that stands for a register. Those of operands have their number as
// name.
func (a *asmStatement) register(name string, t *ctypes.Type, init ast.Expr) *ast.VarRef {
	if name == "" {
		name = "asm" + strconv.Itoa(len(a.operands))
	}
	obj := &ast.Object{Name: name, Type: t, Space: idg.SpacePrivate, Pos: a.pos}
	a.failed = a.failed || init != nil && isInvalid(init)
	a.out = append(a.out, &ast.Decl{Positioned: ast.At(a.pos), Obj: obj, Init: init})
	return ast.RefTo(obj, a.pos)
}

// declare makes the registers of the template.
func (a *asmStatement) declare() {
	a.scopes = make([]map[string]*ast.Object, len(a.template.Parents))
	for _, r := range a.template.Registers {
		t := inlineptx.TypeNamed(r.Type)
		if t == nil {
			a.reject("the register type ." + r.Type + " of inline PTX is")
			return
		}
		if a.scopes[r.Scope] == nil {
			a.scopes[r.Scope] = map[string]*ast.Object{}
		}
		for _, name := range r.Names {
			a.scopes[r.Scope][name] = a.register(name, t, nil).Obj
		}
	}
}

// reject reports what is not supported.
func (a *asmStatement) reject(construct string) ast.Expr {
	if !a.failed {
		a.unsupported(a.pos, construct, asmAdvice)
	}
	a.failed = true
	return invalidAt(a.pos)
}

// unknown reports an instruction that is not supported.
func (a *asmStatement) unknown(in *inlineptx.Instruction) ast.Expr {
	return a.reject("the PTX instruction " + in.Op + " is")
}

// do appends a statement that evaluates e.
func (a *asmStatement) do(e ast.Expr) {
	if isInvalid(e) {
		a.failed = true
		return
	}
	a.out = append(a.out, ast.Do(e, a.pos))
}

// execute appends the statements of an instruction.
func (a *asmStatement) execute(in *inlineptx.Instruction) {
	if in.Guard == "" {
		a.instruction(in)
		return
	}
	guard := a.value(in, in.Guard, ctypes.Scalar(ctypes.Bool))
	if isInvalid(guard) {
		a.failed = true
		return
	}
	if in.Negated {
		guard = &ast.Unary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), a.pos), Op: ctypes.Not, X: guard}
	}
	outer := a.out
	a.out = nil
	a.instruction(in)
	body := &ast.Block{Positioned: ast.At(a.pos), Stmts: a.out}
	a.out = append(outer, &ast.If{Positioned: ast.At(a.pos), Cond: guard, Then: body})
}

// jump is the instruction behind a branch at i: one forward, or one of which it is known that it is not
// taken, as those of loops around mbarrier.try_wait, of which the wait is one.
func (a *asmStatement) jump(in *inlineptx.Instruction, i int) int {
	taken, known := a.truth[in.Guard]
	if in.Guard == "" {
		taken, known = true, true
	} else {
		taken = taken != in.Negated
	}
	target, found := a.template.Labels[strings.Join(in.Operands, " ")]
	switch {
	case known && !taken:
		return i + 1
	case known && found && target > i:
		return target
	}
	a.reject("the branch " + in.Op + " " + strings.Join(in.Operands, ", ") + " of inline PTX is")
	return i
}

// instruction appends the statements of an instruction without its guard.
func (a *asmStatement) instruction(in *inlineptx.Instruction) {
	if !a.memoryAccess(in) && !a.arithmetic(in) && !a.warp(in) && !a.matrix(in) && !a.failed {
		a.unknown(in)
	}
}
