package inlineptx

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Operand is an operand of a statement: "=r"(x) or "r"(x).
type Operand struct {
	Name   string
	Value  ast.Expr     // that it begins with; nil of one that is only written
	Result *ctypes.Type // what it is assigned to at the end, nil of an input
}

// Code is what a statement does.
type Code struct {
	Stmts   []ast.Stmt
	Results []ast.Expr // of the outputs, in their order
	Ignored []string   // instructions that stand for none
	Assumed []string   // PartNote, ClusterNote
}

// What is taken otherwise than the program says.
const (
	PartNote = "a barrier of some work items (bar.sync with a number) is taken as one of the group: all warps wait " +
		"for each other"
	ClusterNote = "a cluster is taken as groups by themselves: its barrier is the group's, and the local memory of " +
		"another group is the group's own"
)

// advice is what to do about assembly that is not known.
const advice = "replace it by the builtin function that it stands for, or by C"

// statement is one statement while it is translated. The first error ends it: what follows means nothing.
type statement struct {
	Code
	pos      diag.Pos
	volatile bool
	template *Template
	operands []ast.Expr               // a register each, or a constant
	names    map[string]int           // of operands with names
	scopes   []map[string]*ast.Object // registers by the block that declares them
	truth    map[string]bool          // predicates of which the value is known
	carry    *Carry
	err      *diag.Error
}

// Translate gives the statements that do what a template says. An operand is a variable of its own, and so are the
// registers that the template declares. The carry is that of the statements before in the function.
func (t *Template) Translate(operands []Operand, volatile bool, carry *Carry, pos diag.Pos) (*Code, *diag.Error) {
	s := &statement{pos: pos, volatile: volatile, template: t, names: map[string]int{}, truth: map[string]bool{},
		carry: carry}
	for i := range operands {
		s.operand(&operands[i])
	}
	s.declare()
	for i := 0; i < len(t.Code) && s.err == nil; {
		if in := &t.Code[i]; in.Words[0] == "bra" {
			i = s.jump(in, i)
		} else {
			s.guarded(in)
			i++
		}
	}
	return &s.Code, s.err
}

// operand declares the register of an operand, whose number is its name.
func (s *statement) operand(o *Operand) {
	if o.Name != "" {
		s.names[o.Name] = len(s.operands)
	}
	value := o.Value
	if _, constant := value.(*ast.Literal); !constant || o.Result != nil {
		t := o.Result
		if t == nil {
			t = value.Type()
		}
		value = s.register("asm"+strconv.Itoa(len(s.operands)), t, value)
	}
	s.operands = append(s.operands, value)
	if o.Result != nil {
		s.Results = append(s.Results, value)
	}
}

// register declares a variable that stands for a register.
func (s *statement) register(name string, t *ctypes.Type, init ast.Expr) *ast.VarRef {
	obj := &ast.Object{Name: name, Type: t, Space: idg.SpacePrivate, Pos: s.pos}
	s.Stmts = append(s.Stmts, &ast.Decl{Positioned: ast.At(s.pos), Obj: obj, Init: init})
	return ast.RefTo(obj, s.pos)
}

// declare makes the registers of the template.
func (s *statement) declare() {
	s.scopes = make([]map[string]*ast.Object, len(s.template.Parents))
	for _, r := range s.template.Registers {
		t := types[r.Type]
		if t == nil {
			s.reject("the register type ." + r.Type + " of inline PTX is")
			return
		}
		if s.scopes[r.Scope] == nil {
			s.scopes[r.Scope] = map[string]*ast.Object{}
		}
		for _, name := range r.Names {
			s.scopes[r.Scope][name] = s.register(name, t, nil).Obj
		}
	}
}

// reject reports what is not supported; the value stands for one that nobody looks at.
func (s *statement) reject(construct string) ast.Expr {
	if s.err == nil {
		s.err = Unsupported(s.pos, construct)
	}
	return s.number(ctypes.Int, 0)
}

// Unsupported is the error of a construct that is not supported ("... is").
func Unsupported(pos diag.Pos, construct string) *diag.Error {
	return diag.Errorf(pos, "UNSUPPORTED", "%s not supported", construct).WithNote("%s", advice)
}

// do appends a statement that evaluates e.
func (s *statement) do(e ast.Expr) { s.Stmts = append(s.Stmts, ast.Do(e, s.pos)) }

// assume notes what is taken otherwise than the program says.
func (s *statement) assume(note string) {
	if !slices.Contains(s.Assumed, note) {
		s.Assumed = append(s.Assumed, note)
	}
}

// guarded appends the statements of an instruction with its guard.
func (s *statement) guarded(in *Instruction) {
	if in.Guard == "" {
		s.execute(in)
		return
	}
	guard := s.value(in, in.Guard, ctypes.Scalar(ctypes.Bool))
	if in.Negated {
		guard = &ast.Unary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), s.pos), Op: ctypes.Not, X: guard}
	}
	outer := s.Stmts
	s.Stmts = nil
	s.execute(in)
	body := &ast.Block{Positioned: ast.At(s.pos), Stmts: s.Stmts}
	s.Stmts = append(outer, &ast.If{Positioned: ast.At(s.pos), Cond: guard, Then: body})
}

// jump is the instruction behind a branch at i: one forward, or one of which it is known that it is not
// taken, as those of loops around mbarrier.try_wait, of which the wait is one.
func (s *statement) jump(in *Instruction, i int) int {
	taken, known := s.truth[in.Guard]
	if in.Guard == "" {
		taken, known = true, true
	} else {
		taken = taken != in.Negated
	}
	target, found := s.template.Labels[strings.Join(in.Operands, " ")]
	switch {
	case known && !taken:
		return i + 1
	case known && found && target > i:
		return target
	}
	s.reject("the branch " + in.Op + " " + strings.Join(in.Operands, ", ") + " of inline PTX is")
	return i
}

// execute appends the statements of an instruction without its guard: by its own function, else by its row.
func (s *statement) execute(in *Instruction) {
	run := executed[in.Words[0]]
	if (run == nil || !run(s, in)) && s.err == nil && !s.byRow(in) {
		s.reject("the PTX instruction " + in.Op + " is")
	}
}

// byRow executes an instruction of the table; false if no row is of it.
func (s *statement) byRow(in *Instruction) bool {
	t := in.Type(0)
	if strings.HasPrefix(in.Words[0], "vsh") { // its modes stand behind its types
		t = types[in.Words[min(1, len(in.Words)-1)]]
	}
	for i := range table {
		r := &table[i]
		if !r.matches(in, t) {
			continue
		}
		if r.result == nil {
			return true
		}
		dst, args := "", in.Operands
		if strings.HasPrefix(r.operands, "=") {
			dst, args = args[0], args[1:]
		}
		var x []ast.Expr
		for j, kind := range strings.Trim(r.operands, "=*") {
			if e := s.argument(in, kind, args[j], t); e != nil {
				x = append(x, e)
			}
		}
		e := r.result(s, in, t, x)
		switch {
		case e == nil:
			return false
		case dst == "":
			s.do(e)
			return true
		case t != nil && t.IsScalar() && e.Type().IsScalar() && !in.Has("wide"):
			e = s.convert(e, t, true) // what C has promoted
		}
		s.set(in, dst, e)
		return true
	}
	return false
}

// matches reports whether a row is of an instruction of type t.
func (r *row) matches(in *Instruction, t *ctypes.Type) bool {
	words := strings.Fields(r.words)
	n := len(strings.TrimSuffix(r.operands, "*"))
	if words[0] != in.Words[0] || len(in.Operands) < n || len(in.Operands) > n && !strings.HasSuffix(r.operands, "*") ||
		in.Has(unknownSuffixes...) || r.of != nil && (t == nil || !r.of(t)) {
		return false
	}
	for _, w := range words[1:] {
		if !in.Has(w) {
			return false
		}
	}
	if !strings.ContainsAny(r.operands, "tw") {
		return true
	}
	return t != nil && !slices.ContainsFunc(in.Words[1:], func(w string) bool {
		return types[w] == nil && !slices.Contains(words, w) && !slices.Contains(arithmeticSuffixes, w)
	})
}

// argument is an operand as a row says: see row. It is nil of one that is not looked at.
func (s *statement) argument(in *Instruction, kind rune, text string, t *ctypes.Type) ast.Expr {
	switch kind {
	case 't':
		return s.value(in, text, t)
	case 'w':
		return s.value(in, text, wider(t))
	case 'p':
		return s.value(in, text, ctypes.Scalar(ctypes.Bool))
	case 'u':
		return s.value(in, text, ctypes.Scalar(ctypes.UInt))
	case 'i':
		return s.value(in, text, ctypes.Scalar(ctypes.Int))
	case 'l':
		return s.value(in, text, ctypes.Scalar(ctypes.ULong))
	case 'r':
		return s.raw(in, text)
	case 'B':
		return s.address(in, text, ctypes.Scalar(ctypes.ULong), idg.SpaceLocal)
	case 'L':
		return s.address(in, text, ctypes.Scalar(ctypes.UChar), idg.SpaceLocal)
	case 'G':
		return s.address(in, text, ctypes.Scalar(ctypes.UChar), idg.SpaceGlobal)
	}
	return nil // '-'
}

// call is a call of a function of the language.
func (s *statement) call(class builtins.Class, name string, t *ctypes.Type, args ...ast.Expr) ast.Expr {
	return &ast.BuiltinCall{Typed: ast.Of(t, s.pos), Builtin: &builtins.Function{Name: name, Class: class}, Args: args}
}

// cuda is a call of a function that CUDA has without arguments.
func (s *statement) cuda(name string) ast.Expr {
	o := builtins.CUDA().Find(name)[0]
	var args []ast.Expr
	for _, v := range o.Implicit {
		args = append(args, s.number(ctypes.UInt, v))
	}
	return &ast.BuiltinCall{Typed: ast.Of(ctypes.Scalar(ctypes.Void), s.pos), Builtin: o.Function, Args: args}
}
