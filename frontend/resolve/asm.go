package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// assembly checks a statement of inline assembly, asm("template" : outputs : inputs : clobbers) (Inline PTX Assembly in
// CUDA), which package inlineptx translates.
func (c *checker) assembly(n *syntax.AsmStmt, out *[]ast.Stmt) {
	text, problem := ctypes.Text(n.Template)
	if problem != "" {
		c.errorf(n.Pos, codeConstant, "%s", problem)
		return
	}
	template, err := inlineptx.Parse(text)
	if err != nil {
		c.errs.Add(inlineptx.Unsupported(n.Pos, err.Error()))
		return
	}
	var operands []inlineptx.Operand
	var targets []ast.Expr
	for i := range n.Outputs {
		x := stripped(c.expr(n.Outputs[i].X))
		if isInvalid(x) || !c.writable(x, n.Pos) {
			return
		}
		o := inlineptx.Operand{Name: n.Outputs[i].Name, Result: x.Type()}
		if strings.Contains(n.Outputs[i].Constraint, "+") {
			o.Value = c.rvalue(x)
		}
		operands, targets = append(operands, o), append(targets, x)
	}
	for i := range n.Inputs {
		x := c.builtinOperand(c.rvalue(stripped(c.expr(n.Inputs[i].X))))
		if isInvalid(x) {
			return
		}
		operands = append(operands, inlineptx.Operand{Name: n.Inputs[i].Name, Value: x})
	}
	code, failed := template.Translate(operands, n.Volatile, &c.fn.carry, n.Pos)
	if failed != nil {
		c.errs.Add(failed)
		return
	}
	c.noteAssembly(code, n.Pos)
	for i, target := range targets {
		e := c.assign(target, code.Results[i], n.Pos)
		if isInvalid(e) {
			return
		}
		code.Stmts = append(code.Stmts, ast.Do(e, n.Pos))
	}
	if len(code.Stmts) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(n.Pos), Stmts: code.Stmts})
	}
}

// noteAssembly tells what of a statement is left out or taken otherwise.
func (c *checker) noteAssembly(code *inlineptx.Code, pos diag.Pos) {
	for _, name := range code.Ignored {
		c.ignoredCall(builtins.Overload{Name: name, Signature: "void()",
			Function: &builtins.Function{Name: name, Class: builtins.Ignored}}, pos)
	}
	for _, note := range code.Assumed {
		c.warnOnce(pos, note)
	}
}
