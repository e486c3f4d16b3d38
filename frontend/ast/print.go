package ast

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
)

// Fprint writes a unit's kernels, and the functions and objects that they use,
// as C with every type and conversion spelled out: literals carry their type,
// (T)(x) is a conversion (explicit ones are marked cast), bits<T>(x) a
// reinterpretation, decay(a) an array that became a pointer, .s01 a swizzle.
// The text is meant for people and golden tests, not for a compiler.
func Fprint(w io.Writer, u *Unit) error {
	p := &printer{}
	for _, g := range u.Globals {
		p.line("%s", strings.TrimSpace(p.object(g)+p.initText(g.Init))+";")
	}
	seen := map[*Function]bool{}
	for _, k := range u.Kernels {
		p.function(k, seen)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// String prints a unit as Fprint does.
func (u *Unit) String() string {
	var b strings.Builder
	_ = Fprint(&b, u) // a Builder takes everything
	return b.String()
}

// ExprString prints an expression as Fprint does.
func ExprString(e Expr) string { return (&printer{}).expr(e) }

type printer struct {
	b      strings.Builder
	indent int
	called []*Function // by what has been printed, in order
}

func (p *printer) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *printer) initText(e Expr) string {
	if e == nil {
		return ""
	}
	return " = " + p.expr(e)
}

// object prints a declaration without its initialiser.
func (p *printer) object(o *Object) string {
	var words []string
	if !o.Param && o.Space.String() != "private" {
		words = append(words, "__"+o.Space.String())
	}
	if o.Const && o.Type.Kind != ctypes.Pointer {
		words = append(words, "const")
	}
	if o.Dynamic {
		words = append(words, "dynamic")
	}
	words = append(words, o.Type.String())
	if o.Const && o.Type.Kind == ctypes.Pointer {
		words = append(words, "const") // the pointer, not what it points to
	}
	words = append(words, o.Name)
	if o.AddressTaken {
		words = append(words, "/*addressed*/")
	}
	return strings.Join(words, " ")
}

// function prints a function once, and after it those that it calls.
func (p *printer) function(f *Function, seen map[*Function]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	var head []string
	if f.Kernel {
		head = append(head, "kernel")
	}
	if f.WorkGroupSize[0] > 0 {
		head = append(head, fmt.Sprintf("size(%d,%d,%d)", f.WorkGroupSize[0], f.WorkGroupSize[1], f.WorkGroupSize[2]))
	}
	if f.MaxWorkItems > 0 {
		head = append(head, fmt.Sprintf("max(%d)", f.MaxWorkItems))
	}
	if f.MinResident > 0 {
		head = append(head, fmt.Sprintf("resident(%d)", f.MinResident))
	}
	var params []string
	for _, o := range f.Params {
		params = append(params, p.object(o))
	}
	head = append(head, fmt.Sprintf("%v %s(%s)", f.Result, f.Name, strings.Join(params, ", ")))
	p.launch(f.Launch)
	p.line("%s", strings.Join(head, " "))
	p.called = nil
	p.block(f.Body)
	for _, callee := range p.called {
		p.function(callee, seen)
	}
}

func (p *printer) launch(l *LaunchDirective) {
	if l == nil {
		return
	}
	text := "// launch:"
	for _, f := range []struct {
		key   string
		sizes []int64
	}{{"local", l.Local}, {"global", l.Global}, {"groups", l.Groups}} {
		if f.sizes != nil {
			text += fmt.Sprintf(" %s=%s", f.key, strings.ReplaceAll(strings.Trim(fmt.Sprint(f.sizes), "[]"), " ", ","))
		}
	}
	if l.DynamicLocal > 0 {
		text += fmt.Sprintf(" dynamic-local=%d", l.DynamicLocal)
	}
	if l.Reference != "" {
		text += " reference=" + l.Reference
	}
	for _, a := range l.Args {
		text += fmt.Sprintf(" arg.%s=%v", a.Name, a.Value)
	}
	p.line("%s", text)
}

func (p *printer) block(b *Block) {
	p.line("{")
	p.indent++
	for _, s := range b.Stmts {
		p.stmt(s)
	}
	p.indent--
	p.line("}")
}

// body prints a statement under a heading.
func (p *printer) body(s Stmt) {
	if b, ok := s.(*Block); ok {
		p.block(b)
		return
	}
	p.indent++
	p.stmt(s)
	p.indent--
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		p.block(s)
	case *Decl:
		p.line("%s%s;", p.object(s.Obj), p.initText(s.Init))
	case *ExprStmt:
		p.line("%s;", p.expr(s.X))
	case *If:
		p.line("if (%s)", p.expr(s.Cond))
		p.body(s.Then)
		if s.Else != nil {
			p.line("else")
			p.body(s.Else)
		}
	case *Loop:
		p.loop(s)
	case *Switch:
		p.line("switch (%s) {", p.expr(s.X))
		for _, c := range s.Cases {
			p.switchCase(c)
		}
		p.line("}")
	case *Labelled:
		p.block(&Block{s.Positioned, s.Stmts})
		p.line("%s:", s.Name)
	case *Goto:
		p.line("goto %s;", s.Name)
	case *Break:
		p.line("break;")
	case *Continue:
		p.line("continue;")
	case *Return:
		if s.X == nil {
			p.line("return;")
			return
		}
		p.line("return %s;", p.expr(s.X))
	}
}

func (p *printer) loop(s *Loop) {
	if s.Pragma != nil {
		p.line("// line %d: %v", s.Pragma.Pos.Line, s.Pragma)
	}
	cond := ""
	if s.Cond != nil {
		cond = p.expr(s.Cond)
	}
	switch s.Kind {
	case WhileLoop:
		p.line("while (%s)", cond)
		p.body(s.Body)
	case DoLoop:
		p.line("do")
		p.body(s.Body)
		p.line("while (%s);", cond)
	default:
		post := ""
		if s.Post != nil {
			post = p.expr(s.Post)
		}
		var init printer
		for _, d := range s.Init {
			init.stmt(d)
		}
		p.called = append(p.called, init.called...)
		p.line("for (%s; %s; %s)", strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(init.b.String()), "\n", " "),
			";"), cond, post)
		p.body(s.Body)
	}
}

func (p *printer) switchCase(c Case) {
	for _, v := range c.Values {
		p.line("case %d:", v)
	}
	if c.Default {
		p.line("default:")
	}
	p.indent++
	for _, s := range c.Body {
		p.stmt(s)
	}
	p.indent--
}

func (k PragmaKind) String() string {
	switch k {
	case UnrollFull:
		return "unroll"
	case UnrollFactor:
		return "unroll by"
	case NoUnroll:
		return "no unroll"
	}
	return "invalid pragma"
}

// String says what a pragma asks for: "unroll by 4".
func (p *Pragma) String() string {
	if p.Kind == UnrollFactor {
		return fmt.Sprintf("%v %d", p.Kind, p.Factor)
	}
	return p.Kind.String()
}

func (p *printer) exprs(es []Expr) string {
	var parts []string
	for _, e := range es {
		parts = append(parts, p.expr(e))
	}
	return strings.Join(parts, ", ")
}

func (p *printer) expr(e Expr) string {
	switch x := e.(type) {
	case *Literal:
		return x.Value.String()
	case *VarRef:
		return x.Obj.Name
	case *Decay:
		return "decay(" + p.expr(x.X) + ")"
	case *Unary:
		return x.Op.String() + p.expr(x.X)
	case *Binary:
		op := x.Op.String()
		if !x.T.Equal(x.X.Type()) || x.Op.IsComparison() {
			op += "." + x.X.Type().Base().String()
		}
		return "(" + p.expr(x.X) + " " + op + " " + p.expr(x.Y) + ")"
	case *PtrAdd:
		op := " +p "
		if x.Sub {
			op = " -p "
		}
		return "(" + p.expr(x.X) + op + p.expr(x.Index) + ")"
	case *Convert:
		return p.convert(x)
	case *Bitcast:
		return "bits<" + x.T.String() + ">(" + p.expr(x.X) + ")"
	case *Assign:
		return p.assign(x)
	case *IncDec:
		op := "++"
		if x.Dec {
			op = "--"
		}
		if x.Post {
			return p.expr(x.X) + op
		}
		return op + p.expr(x.X)
	case *Cond:
		return "(" + p.expr(x.C) + " ? " + p.expr(x.X) + " : " + p.expr(x.Y) + ")"
	case *Comma:
		return "(" + p.expr(x.X) + ", " + p.expr(x.Y) + ")"
	case *StmtExpr:
		return stmtExprText(x)
	case *Index:
		return p.expr(x.X) + "[" + p.expr(x.I) + "]"
	case *Deref:
		return "(*" + p.expr(x.X) + ")"
	case *AddrOf:
		return "&" + p.expr(x.X)
	case *Member:
		return p.member(x)
	case *Swizzle:
		return p.expr(x.X) + ".s" + laneDigits(x.Lanes)
	case *VectorLit:
		return "(" + x.T.String() + "){" + p.exprs(x.Elems) + "}"
	case *InitList:
		return p.initList(x)
	case *Call:
		p.called = append(p.called, x.Fn)
		return x.Fn.Name + "(" + p.exprs(x.Args) + ")"
	case *BuiltinCall:
		return x.Builtin.Name + "." + typeSuffix(x.T) + "(" + p.exprs(x.Args) + ")"
	}
	return "<invalid>"
}

// typeSuffix prints a type as part of a name.
func typeSuffix(t *ctypes.Type) string { return strings.ReplaceAll(t.String(), " ", "") }

func laneDigits(lanes []int) string {
	s := ""
	for _, l := range lanes {
		s += strconv.FormatInt(int64(l), 16)
	}
	return s
}

func (p *printer) convert(x *Convert) string {
	how := ""
	if x.Explicit {
		how = "cast "
	}
	if x.Saturate {
		how += "sat "
	}
	if x.Rounding != "" {
		how += x.Rounding + " "
	}
	return "(" + how + x.T.String() + ")(" + p.expr(x.X) + ")"
}

func (p *printer) assign(x *Assign) string {
	switch {
	case x.Op == 0:
		return p.expr(x.X) + " = " + p.expr(x.Y)
	case x.Common == nil || x.Common.Equal(x.T):
		return p.expr(x.X) + " " + x.Op.String() + "= " + p.expr(x.Y)
	}
	return p.expr(x.X) + " " + x.Op.String() + "=<" + x.Common.String() + "> " + p.expr(x.Y)
}

func (p *printer) member(x *Member) string {
	name := x.X.Type().Fields[x.Field].Name
	if name == "" {
		name = "<" + strconv.Itoa(x.Field) + ">"
	}
	return p.expr(x.X) + "." + name
}

func (p *printer) initList(x *InitList) string {
	var parts []string
	for i, e := range x.Elems {
		s := p.expr(e)
		if i < len(x.Index) && x.Index[i] != int64(i) { // Verify prints broken lists
			s = fmt.Sprintf("[%d]=%s", x.Index[i], s)
		}
		parts = append(parts, s)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// stmtExprText prints a statement expression on one line.
func stmtExprText(x *StmtExpr) string {
	p := &printer{}
	for _, s := range x.Stmts {
		p.stmt(s)
	}
	text := strings.Join(strings.Fields(p.b.String()), " ")
	if x.X != nil {
		text = strings.TrimSpace(text + " " + p.expr(x.X) + ";")
	}
	return "({ " + text + " })"
}
