package lower

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Format prints a kernel as text: its parameters and memory objects, then its
// statements, each with its source position (line:column, with the file where it
// is not the kernel's). A variable is printed by its name ("acc", and "acc#2"
// when another one has it already), a temporary as %number, an object's address
// as @name. The same kernel always gives the same text; errors are w's.
func Format(w io.Writer, k *Kernel) error {
	p := newPrinter(w, k)
	p.kernel()
	return p.w.Flush()
}

// String is the text of Format.
func (k *Kernel) String() string {
	var b strings.Builder
	_ = Format(&b, k) // a Builder does not fail
	return b.String()
}

// printer writes one kernel.
type printer struct {
	w       *bufio.Writer
	k       *Kernel
	regs    []string // by Reg - 1
	objects []string // by ObjectID - 1
	indent  int
}

func newPrinter(w io.Writer, k *Kernel) *printer {
	p := &printer{w: bufio.NewWriter(w), k: k}
	p.regs = make([]string, len(k.Regs))
	seen := map[string]int{}
	for i, r := range k.Regs {
		if r.Var {
			p.regs[i] = unique(seen, r.Name)
		} else {
			p.regs[i] = "%" + strconv.Itoa(i+1)
		}
	}
	p.objects = make([]string, len(k.Objects))
	seen = map[string]int{}
	for i, o := range k.Objects {
		name := o.Name
		if name == "" {
			name = "tmp"
		}
		p.objects[i] = "@" + unique(seen, name)
	}
	return p
}

// unique numbers the second and later uses of a name.
func unique(seen map[string]int, name string) string {
	seen[name]++
	if n := seen[name]; n > 1 {
		return fmt.Sprintf("%s#%d", name, n)
	}
	return name
}

// line writes one indented line. A valid position follows it.
func (p *printer) line(pos Pos, format string, args ...any) {
	for range p.indent {
		p.w.WriteString("  ")
	}
	fmt.Fprintf(p.w, format, args...)
	if pos.IsValid() {
		p.w.WriteString("  ; ")
		if pos.File != p.k.Pos.File {
			p.w.WriteString(pos.File + ":")
		}
		fmt.Fprintf(p.w, "%d:%d", pos.Line, pos.Column)
	}
	p.w.WriteByte('\n')
}

func (p *printer) kernel() {
	p.line(Pos{}, "kernel %s  ; %v", p.k.Name, p.k.Pos)
	for _, a := range p.k.Params {
		obj := ""
		if a.Object != 0 {
			obj = " -> " + p.objects[a.Object-1]
		}
		p.line(Pos{}, "param %s %v%s  ; %s", p.reg(a.Reg), a.Type, obj, a.CType)
	}
	for i := range p.k.Objects {
		p.object(i)
	}
	p.block(p.k.Body)
}

func (p *printer) object(i int) {
	o := &p.k.Objects[i]
	var b strings.Builder
	fmt.Fprintf(&b, "object %s %v", p.objects[i], o.Space)
	if o.Elem != 0 {
		fmt.Fprintf(&b, " %v", o.Elem)
	}
	if o.Size != 0 {
		fmt.Fprintf(&b, " %d bytes", o.Size)
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{o.Restrict, " restrict"}, {o.ReadOnly, " readonly"}, {o.Dynamic, " dynamic"}} {
		if f.on {
			b.WriteString(f.name)
		}
	}
	if o.Init != nil {
		fmt.Fprintf(&b, " = %x", o.Init)
	}
	p.line(o.Pos, "%s", b.String())
}

func (p *printer) block(b Block) {
	p.indent++
	for _, s := range b {
		p.stmt(s)
	}
	p.indent--
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Instr:
		p.instr(s)
	case *If:
		p.line(s.Pos, "%s %s  ; branch %d", s.Kind, p.operand(s.Cond), s.ID)
		p.block(s.Then)
		if len(s.Else) > 0 {
			p.line(Pos{}, "else")
			p.block(s.Else)
		}
	case *Loop:
		p.loop(s)
	case *Switch:
		p.line(s.Pos, "switch L%d %s", s.Label, p.operand(s.Value))
		for _, c := range s.Cases {
			var labels []string
			for _, v := range c.Values {
				labels = append(labels, fmt.Sprintf("case %d", v))
			}
			if c.Default {
				labels = append(labels, "default")
			}
			p.line(c.Pos, "%s", strings.Join(labels, ", "))
			p.block(c.Body)
		}
	case *Region:
		p.line(s.Pos, "region L%d %s", s.Label, s.Name)
		p.block(s.Body)
	case *Leave:
		p.line(s.Pos, "%s L%d", s.Kind, s.Label)
	case *Continue:
		p.line(s.Pos, "continue L%d", s.Label)
	}
}

func (p *printer) loop(s *Loop) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s L%d", s.Kind, s.Label)
	if s.BoundText != "" {
		fmt.Fprintf(&b, " (%s)", s.BoundText)
	}
	fmt.Fprintf(&b, "  ; loop %d depth %d", s.ID, s.Depth)
	p.line(s.Pos, "%s", b.String())
	if g := s.Pragma; g != nil {
		factor := ""
		if g.Kind == UnrollFactor {
			factor = " " + strconv.FormatInt(g.Factor, 10)
		}
		p.line(g.Pos, "pragma %v%s", g.Kind, factor)
	}
	if s.Counter != 0 {
		p.line(Pos{}, "counted by %s", p.reg(s.Counter))
	}
	cond := func() {
		if s.CondValue.Kind == 0 && len(s.Cond) == 0 {
			return
		}
		p.line(Pos{}, "cond")
		p.block(s.Cond)
		if s.CondValue.Kind != 0 {
			p.line(Pos{}, "while %s", p.operand(s.CondValue))
		}
	}
	if s.Kind != "do" {
		cond()
	}
	p.line(Pos{}, "body")
	p.block(s.Body)
	if len(s.Post) > 0 {
		p.line(Pos{}, "post")
		p.block(s.Post)
	}
	if s.Kind == "do" {
		cond()
	}
}

// instr prints "dsts = op.type args".
func (p *printer) instr(in *Instr) {
	var b strings.Builder
	for i, d := range in.Dsts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.reg(d))
	}
	if len(in.Dsts) > 0 {
		b.WriteString(" = ")
	}
	b.WriteString(in.Op.String())
	if in.Space != 0 {
		fmt.Fprintf(&b, ".%v", in.Space)
	}
	if in.Type != 0 && in.Op != PtrAdd && in.Op != PtrDiff {
		fmt.Fprintf(&b, ".%v", in.Type)
	}
	if in.From != 0 {
		fmt.Fprintf(&b, ".%v", in.From)
	}
	if in.Fn != "" {
		b.WriteString(" " + in.Fn)
	}
	if in.Op == Index {
		fmt.Fprintf(&b, " %d", in.Dim)
	}
	for i, a := range in.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + p.operand(a))
	}
	if in.Scale != 0 {
		fmt.Fprintf(&b, " * %d", in.Scale)
	}
	if in.Align != 0 && in.Align != in.natural() {
		fmt.Fprintf(&b, " align %d", in.Align)
	}
	if in.Whole != 0 {
		fmt.Fprintf(&b, " at %d of %d", in.Offset, in.Whole)
	}
	if in.Volatile {
		b.WriteString(" volatile")
	}
	if in.Subscript {
		b.WriteString(" [subscript]")
	}
	p.line(in.Pos, "%s", b.String())
}

// natural is the alignment that an access of a scalar or whole vector has.
func (in *Instr) natural() int64 {
	n := int64(len(in.Dsts))
	if in.Op == Store {
		n = int64(len(in.Args) - 1)
	}
	if n == 3 {
		n = 4
	}
	return n * in.Type.Size()
}

func (p *printer) reg(r Reg) string {
	if r == 0 || int(r) > len(p.regs) {
		return "%?" // Verify's business
	}
	return p.regs[r-1]
}

func (p *printer) operand(o Operand) string {
	switch o.Kind {
	case OperandReg:
		return p.reg(o.Reg)
	case OperandObject:
		if o.Object == 0 || int(o.Object) > len(p.objects) {
			return "@?"
		}
		return p.objects[o.Object-1]
	case OperandConst:
		return ConstText(o)
	}
	return "none"
}

// ConstText prints a constant so that its type shows: floats have a point, an
// exponent or a name, conditions are words.
func ConstText(o Operand) string {
	switch {
	case o.Type == Pred:
		return strconv.FormatBool(o.Bits != 0)
	case o.Type == Ptr:
		return fmt.Sprintf("0x%x", o.Bits)
	case o.Type.IsFloat():
		f := o.Float()
		bits := 64
		if o.Type != F64 {
			bits = 32
		}
		s := strconv.FormatFloat(f, 'g', -1, bits)
		if f == math.Trunc(f) && !strings.ContainsAny(s, "eIN") {
			s += ".0"
		}
		return s
	case o.Type.IsSigned():
		return strconv.FormatInt(int64(o.Bits), 10)
	}
	return strconv.FormatUint(o.Bits, 10)
}
