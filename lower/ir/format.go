package ir

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/lower"
)

// Format prints a kernel as text that Parse reads: its parameters and memory objects, then its instructions,
// each with its source position (line:column, with the file where it is not the kernel's). A value is printed
// by the name of the source's variable ("acc", and "acc#2" when another one has it already), without one as
// %number; both count in the order of the text, so that equal code gives equal text. The address of an object
// is @name. The type of a result or constant is printed where the operation does not imply it. An else that
// does nothing is left out. Errors are w's.
func Format(w io.Writer, f *Func) error { return format(w, f, true) }

// FormatCode is Format without source positions.
func FormatCode(w io.Writer, f *Func) error { return format(w, f, false) }

// String is the text of Format.
func (f *Func) String() string {
	var b strings.Builder
	_ = Format(&b, f) // a Builder does not fail
	return b.String()
}

func format(w io.Writer, f *Func, positions bool) error {
	p := &printer{w: bufio.NewWriter(w), f: f, positions: positions, labels: map[*Instr]int{}}
	p.name()
	p.kernel()
	return p.w.Flush()
}

// Names gives the values of a kernel their names in its text.
func Names(f *Func) func(*Value) string {
	p := &printer{f: f, labels: map[*Instr]int{}}
	p.name()
	return func(v *Value) string { return p.operand(v, 0) }
}

// printer writes one kernel.
type printer struct {
	w         *bufio.Writer
	f         *Func
	positions bool
	values    []string // by ID
	objects   []string // by ObjectID - 1
	labels    map[*Instr]int
	indent    int
}

// name gives all values and objects their names.
func (p *printer) name() {
	p.values = make([]string, p.f.NumValues())
	seen, temporaries := map[string]int{}, 0
	name := func(v *Value) {
		switch {
		case v == nil || int(v.ID) >= len(p.values) || p.values[v.ID] != "": // irverify's business
		case v.Name == "":
			temporaries++
			p.values[v.ID] = "%" + strconv.Itoa(temporaries)
		default:
			p.values[v.ID] = unique(seen, v.Name)
		}
	}
	for _, a := range p.f.Args {
		name(a)
	}
	p.f.Body.Walk(func(in *Instr) {
		for _, r := range in.Results {
			name(r)
		}
		for _, b := range in.Blocks {
			for _, a := range b.Params {
				name(a)
			}
		}
		if in.Op == lower.OpLoop || in.Op == lower.OpRegion {
			p.labels[in] = len(p.labels) + 1
		}
	})
	seen = map[string]int{}
	for _, o := range p.f.Objects {
		n := o.Name
		if n == "" {
			n = "tmp"
		}
		p.objects = append(p.objects, "@"+unique(seen, n))
	}
}

// unique numbers the second and later uses of a name.
func unique(seen map[string]int, name string) string {
	seen[name]++
	if n := seen[name]; n > 1 {
		return quoteName(name) + "#" + strconv.Itoa(n)
	}
	return quoteName(name)
}

// deepest is up to which depth lines are indented.
const deepest = 32

// line writes one indented line with a valid position behind it.
func (p *printer) line(pos Pos, text string) {
	for range min(p.indent, deepest) {
		p.w.WriteString("  ")
	}
	p.w.WriteString(text)
	if pos.IsValid() && p.positions {
		p.w.WriteString("  ; ")
		if pos.File != p.f.Pos.File {
			p.w.WriteString(pos.File + ":")
		}
		p.w.WriteString(strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column))
	}
	p.w.WriteByte('\n')
}

func (p *printer) kernel() {
	head := "kernel " + quoteName(p.f.Name)
	if p.f.Accuracy <= lower.Fast {
		head += " " + p.f.Accuracy.String()
	}
	if p.positions && p.f.Pos != (Pos{}) {
		head += fmt.Sprintf("  ; %s:%d:%d", p.f.Pos.File, p.f.Pos.Line, p.f.Pos.Column)
	}
	p.line(Pos{}, head)
	for i, a := range p.f.Params {
		text := "param "
		if i < len(p.f.Args) {
			text += p.value(p.f.Args[i])
		}
		text += " " + a.Type.String()
		if a.Object != 0 {
			text += " -> " + p.object(a.Object)
		}
		if a.Offset != 0 {
			text += fmt.Sprintf(" offset %d", a.Offset)
		}
		if a.CType != "" {
			text += " ctype " + strconv.Quote(a.CType)
		}
		p.line(a.Pos, text)
	}
	for i := range p.f.Objects {
		o := &p.f.Objects[i]
		p.line(o.Pos, objectText(p.objects[i], o))
	}
	p.line(Pos{}, "{")
	p.block(p.f.Body)
	p.line(Pos{}, "}")
}

func objectText(name string, o *Object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "object %s %v", name, o.Space)
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
		fmt.Fprintf(&b, " init %q", fmt.Sprintf("%x", o.Init))
	}
	return b.String()
}

func (p *printer) block(b *Block) {
	p.indent++
	for _, in := range b.Instrs {
		p.instr(in)
	}
	p.indent--
}

func (p *printer) instr(in *Instr) {
	var b strings.Builder
	implied := ResultType(in)
	for i, r := range in.Results {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.value(r))
		if r.Type != implied {
			b.WriteString(":" + r.Type.String())
		}
	}
	if len(in.Results) > 0 {
		b.WriteString(" = ")
	}
	b.WriteString(in.Op.String())
	switch in.Op {
	case lower.OpIf, lower.OpLoop, lower.OpSwitch, lower.OpRegion:
		p.control(&b, in)
		return
	case lower.OpYield:
		p.operands(&b, in)
	case lower.OpLeave, lower.OpContinue:
		if in.Kind != "" {
			b.WriteString("." + quoteWord(in.Kind))
		}
		b.WriteString(" " + p.label(in.Target))
		p.operands(&b, in)
	default:
		p.operation(&b, in)
	}
	p.line(in.Pos, b.String())
}

// operation prints what is behind the name of one without blocks: ".space.type.from fn(operands) attributes".
func (p *printer) operation(b *strings.Builder, in *Instr) {
	if in.Space != 0 {
		b.WriteString("." + in.Space.String())
	}
	if in.Type != ImpliedType(in.Op) {
		b.WriteString("." + in.Type.String())
	}
	if in.From != 0 {
		b.WriteString("." + in.From.String())
	}
	if in.Fn == "" {
		p.operands(b, in)
	} else {
		var args strings.Builder
		p.operands(&args, in)
		inner := strings.TrimPrefix(args.String(), " ")
		if in.Op == lower.Index && inner == "" {
			inner = strconv.Itoa(in.Dim)
		}
		b.WriteString(" " + quoteWord(in.Fn) + "(" + inner + ")")
	}
	if in.Scale != 0 {
		fmt.Fprintf(b, " * %d", in.Scale)
	}
	if in.Element != "" {
		b.WriteString(" of " + strconv.Quote(in.Element))
	}
	if in.Align != NaturalAlign(in) {
		fmt.Fprintf(b, " align %d", in.Align)
	}
	if in.Whole != 0 || in.Offset != 0 {
		fmt.Fprintf(b, " at %d of %d", in.Offset, in.Whole)
	}
	if in.Dim != 0 && (in.Op != lower.Index || in.Fn == "" || len(in.Args) > 0) {
		fmt.Fprintf(b, " dim %d", in.Dim)
	}
	if in.Volatile {
		b.WriteString(" volatile")
	}
	if in.Subscript {
		b.WriteString(" subscript")
	}
	if in.Component != 0 {
		fmt.Fprintf(b, " component %d", in.Component)
	}
}

// control prints an operation with blocks: ".kind operands attributes {", and its blocks.
func (p *printer) control(b *strings.Builder, in *Instr) {
	if kind := in.kind(); kind != ImpliedKind(in.Op) {
		b.WriteString("." + quoteWord(kind))
	}
	if in.Op == lower.OpLoop || in.Op == lower.OpRegion {
		b.WriteString(" " + p.label(in))
	}
	if in.Op == lower.OpLoop {
		p.params(b, in)
	} else {
		p.operands(b, in)
	}
	if in.Source != 0 {
		fmt.Fprintf(b, " source %d", in.Source)
	}
	if in.Loop != nil {
		loopText(b, in.Loop)
	}
	p.blocks(b, in)
}

func loopText(b *strings.Builder, l *LoopInfo) {
	if l.BoundText != "" {
		b.WriteString(" bound " + strconv.Quote(l.BoundText))
	}
	if l.Copies != 0 {
		fmt.Fprintf(b, " copies %d", l.Copies)
	}
	if l.Decision != "" {
		b.WriteString(" decision " + strconv.Quote(l.Decision))
	}
}

// blocks prints those of a control operation, b the line in front of the first.
func (p *printer) blocks(b *strings.Builder, in *Instr) {
	blocks := in.Blocks
	if in.Op == lower.OpIf && len(blocks) == 2 && trivial(blocks[1]) &&
		(!p.positions || blocks[1].Instrs[0].Pos == in.Pos) {
		blocks = blocks[:1]
	}
	head, pos := b.String(), in.Pos
	for i, block := range blocks {
		if i > 0 {
			head, pos = "}", Pos{}
			if in.Op == lower.OpIf {
				head = "} else"
			}
		}
		if in.Op == lower.OpSwitch {
			head += " " + caseText(in, i)
		}
		p.line(pos, head+" {")
		if i == 0 && in.Loop != nil && in.Loop.Pragma != nil {
			p.pragma(in.Loop.Pragma)
		}
		p.block(block)
	}
	if len(blocks) == 0 { // irverify's business
		p.line(pos, head+" {")
	}
	p.line(Pos{}, "}")
}

func caseText(in *Instr, i int) string {
	if i >= len(in.Cases) {
		return "default"
	}
	text := "case"
	for j, v := range in.Cases[i] {
		if j > 0 {
			text += ","
		}
		text += " " + strconv.FormatInt(v, 10)
	}
	return text
}

// PragmaWords are what the text calls the kinds of pragmas.
var PragmaWords = map[ast.PragmaKind]string{ast.UnrollFull: "full", ast.UnrollFactor: "factor", ast.NoUnroll: "none"}

func (p *printer) pragma(g *lower.Pragma) {
	text := "pragma " + cmp.Or(PragmaWords[g.Kind], "invalid")
	if g.Factor != 0 {
		text += " " + strconv.FormatInt(g.Factor, 10)
	}
	if g.Text != "" {
		text += " " + strconv.Quote(g.Text)
	}
	p.indent++
	p.line(g.Pos, text)
	p.indent--
}

// params prints those of a loop with their first values.
func (p *printer) params(b *strings.Builder, in *Instr) {
	if len(in.Blocks) == 0 {
		p.operands(b, in)
		return
	}
	params := in.Blocks[0].Params
	if len(params) == 0 && len(in.Args) == 0 {
		return
	}
	b.WriteString(" (")
	for i := range max(len(params), len(in.Args)) {
		if i > 0 {
			b.WriteString(", ")
		}
		implied := Type(0)
		if i < len(params) {
			implied = params[i].Type
			b.WriteString(p.value(params[i]) + ":" + implied.String())
		}
		b.WriteString(" = ")
		if i < len(in.Args) {
			b.WriteString(p.operand(in.Args[i], implied))
		}
	}
	b.WriteByte(')')
}

func (p *printer) operands(b *strings.Builder, in *Instr) {
	for i, a := range in.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + p.operand(a, OperandType(in, i)))
	}
}

func (p *printer) label(in *Instr) string {
	if n := p.labels[in]; n != 0 {
		return "L" + strconv.Itoa(n)
	}
	return "L?" // irverify's business
}

func (p *printer) object(id ObjectID) string {
	if id == 0 || int(id) > len(p.objects) {
		return "@?"
	}
	return p.objects[id-1]
}

// value is the name of a value.
func (p *printer) value(v *Value) string {
	if v == nil {
		return "none"
	}
	if int(v.ID) < len(p.values) && p.values[v.ID] != "" {
		return p.values[v.ID]
	}
	return fmt.Sprintf("%%?%d%s", v.ID, v.Name) // nobody defines it: irverify's business
}

// operand prints a value where one of the type implied is expected.
func (p *printer) operand(v *Value, implied Type) string {
	text := ""
	switch {
	case v == nil:
		return "none"
	case v.Kind == Address:
		return p.object(v.Object)
	case v.Kind == Const:
		text = constText(v.Type, v.Bits)
	case v.Kind == Undef:
		text = "undef"
	default:
		return p.value(v)
	}
	if v.Type != implied {
		text += ":" + v.Type.String()
	}
	return text
}
