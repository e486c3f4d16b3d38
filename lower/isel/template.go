package isel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
	"gpupipe/lower/machine"
)

// A template is what an operation becomes: instructions with a semicolon or a line end between them, each
// "result = MNEMONIC operands" or "MNEMONIC operands". Operands are x, y, z (and w), what the operation reads,
// d (and d2), its results, numbers, RZ, PT, special registers in capitals, and names of what an instruction
// before has written. A name that begins with p is a predicate; "t:2" where it is written first makes it two
// words. "x.0" is a word of x; "-x", "|x|" and "!p" are modifiers. "@p" or "@!p" in front of an instruction is
// its guard: its result keeps what it was where the guard does not hold, which "d = x; @p d = FMUL d, 2"
// writes. "#5" and "#w" are numbers that are part of the instruction. "rare p { ... }" is a path that usual numbers do
// not take.
type template struct {
	steps []step
	names []variable
	calls *machine.Routine // nil: none that is known
	// inlines is what its rare path is in machine code where that is not written out: CALL stands for it, and the
	// results of CALL for the registers that it needs.
	inlines *inlined
	// executes is a routine that usual numbers take, too: its code is part of the template, and of the kernel once.
	executes *machine.Routine
}

// inlined is a path that each use of an operation has a copy of, which is another one where it is the only one.
type inlined struct{ alone, several *machine.Routine }

// listInlined lists the copies of inlined paths behind the code.
func (s *selector) listInlined() {
	for len(s.inlined) > 0 {
		path, all := s.inlined[0], len(s.inlined)
		s.inlined = slices.DeleteFunc(s.inlined, func(p *inlined) bool { return p == path })
		n, r := all-len(s.inlined), *path.several
		if n == 1 {
			r = *path.alone
		}
		r.Copies, r.Counts = n, slices.Clone(r.Counts)
		for i := range r.Counts {
			r.Counts[i] *= n
		}
		s.c.Routines = append(s.c.Routines, &r)
	}
}

// share lists what the code has too often of a routine that an operation executes: all but one.
func (s *selector) share(r *machine.Routine) {
	i := slices.IndexFunc(s.c.Routines, func(o *machine.Routine) bool { return o.Name == r.Name })
	if i < 0 {
		s.c.Routines = append(s.c.Routines, &machine.Routine{Name: r.Name, Ops: r.Ops, Counts: make([]int, len(r.Ops)),
			Copies: -1})
		return
	}
	s.c.Routines[i].Copies--
	for k, n := range r.Counts {
		s.c.Routines[i].Counts[k] -= n
	}
}

// variable is a name of a template.
type variable struct {
	name  string
	words int
	pred  bool
}

// step is one line of a template: an instruction, a copy ("d = x") or a rare path.
type step struct {
	op    string // "": a copy
	guard *term
	dsts  []term
	args  []term
	inner []step // of a rare path, behind guard
	rare  bool
}

// term is an operand of a template.
type term struct {
	name     int // of template.names; -1: not a name
	arg      int // from 1: an operand of the operation; from -1 down: a result of it
	word     int // -1: all
	constant Operand
	span     int
	nothing  bool // a result that is thrown away
	not, abs bool
}

// parseTemplate reads the notation.
func parseTemplate(text string) (*template, error) {
	p := &templateParser{t: &template{}, index: map[string]int{}}
	p.tokens = strings.Fields(strings.NewReplacer("\n", " ; ", ";", " ; ", "{", " { ", "}", " } ", ",",
		" , ").Replace(text))
	steps, err := p.block(false)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	p.t.steps = steps
	return p.t, nil
}

type templateParser struct {
	t      *template
	tokens []string
	index  map[string]int
}

func (p *templateParser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	s := p.tokens[0]
	p.tokens = p.tokens[1:]
	return s
}

// block reads steps up to a closing brace, or the end.
func (p *templateParser) block(inner bool) ([]step, error) {
	var out []step
	for len(p.tokens) > 0 {
		switch p.tokens[0] {
		case ";":
			p.next()
			continue
		case "}":
			p.next()
			if !inner {
				return nil, fmt.Errorf("a brace is closed that is not open")
			}
			return out, nil
		case "rare":
			p.next()
			g, err := p.term(p.next(), false)
			if err != nil {
				return nil, err
			}
			if p.next() != "{" {
				return nil, fmt.Errorf("rare without {")
			}
			body, err := p.block(true)
			if err != nil {
				return nil, err
			}
			out = append(out, step{guard: &g, inner: body, rare: true})
			continue
		}
		s, err := p.step()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if inner {
		return nil, fmt.Errorf("a brace is not closed")
	}
	return out, nil
}

// step reads one instruction.
func (p *templateParser) step() (s step, err error) {
	var words []string
	for len(p.tokens) > 0 && p.tokens[0] != ";" && p.tokens[0] != "}" {
		if w := p.next(); w != "," {
			words = append(words, w)
		}
	}
	if strings.HasPrefix(words[0], "@") {
		g, err := p.term(words[0][1:], false)
		if err != nil {
			return s, err
		}
		s.guard, words = &g, words[1:]
	}
	for i, w := range words {
		if w != "=" {
			continue
		}
		rest := words[i+1:]
		if len(rest) == 0 {
			return s, fmt.Errorf("nothing behind =")
		}
		if mnemonic(rest[0]) {
			s.op, rest = rest[0], rest[1:]
		}
		if s.args, err = p.terms(rest, false); err != nil {
			return s, err
		}
		s.dsts, err = p.terms(words[:i], true)
		return s, err
	}
	s.op = words[0]
	s.args, err = p.terms(words[1:], false)
	return s, err
}

// mnemonic reports whether a word is an instruction: registers and constants in capitals are not.
func mnemonic(w string) bool {
	if w == "RZ" || w == "PT" || strings.HasPrefix(w, "SR_") {
		return false
	}
	return len(w) > 1 && (w[0] >= 'A' && w[0] <= 'Z' || strings.Contains(w, "_") || strings.Contains(w, "."))
}

func (p *templateParser) terms(words []string, written bool) (list []term, err error) {
	for _, w := range words {
		t, err := p.term(w, written)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// arguments are the names of operands and results.
var arguments = map[string]int{"x": 1, "y": 2, "z": 3, "w": 4, "d": -1, "d2": -2}

func (p *templateParser) term(w string, written bool) (t term, err error) {
	t.name, t.word = -1, -1
	for {
		switch {
		case strings.HasPrefix(w, "!"), strings.HasPrefix(w, "-") && !number(w):
			t.not, w = true, w[1:]
			continue
		case len(w) > 2 && w[0] == '|' && w[len(w)-1] == '|':
			t.abs, w = true, w[1:len(w)-1]
			continue
		}
		break
	}
	switch {
	case w == "_":
		t.nothing = true
		return t, nil
	case strings.HasPrefix(w, "#"):
		if t.arg = arguments[w[1:]]; t.arg == 0 {
			t.constant, err = literal(w[1:])
		}
		t.constant.Name = "#"
		return t, err
	case strings.HasPrefix(w, "c["):
		return t, bankTerm(w, &t)
	case w == "RZ":
		t.constant = Operand{Kind: Immediate}
		return t, nil
	case w == "PT":
		t.constant = Operand{Kind: Immediate, Bits: 1, Name: "PT"}
		return t, nil
	case number(w):
		t.constant, err = literal(w)
		return t, err
	case w != "" && w[0] >= 'A' && w[0] <= 'Z':
		t.constant = Operand{Kind: Special, Name: w}
		return t, nil
	}
	name, part, cut := strings.Cut(w, ".")
	if cut {
		first, count, _ := strings.Cut(part, "+")
		if t.word, err = strconv.Atoi(first); err != nil {
			return t, fmt.Errorf("%q names no word", w)
		}
		t.span, _ = strconv.Atoi(count)
	}
	name, width, wide := strings.Cut(name, ":")
	if t.arg = arguments[name]; t.arg != 0 {
		return t, nil
	}
	i, ok := p.index[name]
	if !ok {
		if !written {
			return t, fmt.Errorf("%s is read before it is written", name)
		}
		i = len(p.t.names)
		p.index[name] = i
		v := variable{name: name, words: 1, pred: strings.HasPrefix(name, "p")}
		if wide {
			if v.words, err = strconv.Atoi(width); err != nil {
				return t, fmt.Errorf("%q has no width", w)
			}
		}
		p.t.names = append(p.t.names, v)
	}
	t.name = i
	return t, nil
}

func number(w string) bool {
	d := strings.TrimPrefix(w, "-")
	return d != "" && d[0] >= '0' && d[0] <= '9'
}

// literal is a number: of single precision where it has a point.
func literal(w string) (Operand, error) {
	if strings.Contains(w, ".") && !strings.HasPrefix(w, "0x") {
		x, err := strconv.ParseFloat(w, 32)
		return Operand{Kind: Immediate, Bits: uint64(math.Float32bits(float32(x)))}, err
	}
	if n, err := strconv.ParseUint(w, 0, 64); err == nil && n>>32 != 0 {
		return Operand{Kind: Immediate, Bits: n}, nil
	}
	n, err := strconv.ParseInt(w, 0, 64)
	return Operand{Kind: Immediate, Bits: uint64(uint32(n))}, err
}

// bankTerm reads a word of a constant bank: c[0x2][0x10].
func bankTerm(w string, t *term) error {
	name, at, _ := strings.Cut(w, "][")
	n, err := strconv.ParseUint(strings.TrimSuffix(at, "]"), 0, 32)
	t.constant = Operand{Kind: Bank, Bits: n, Name: name + "]", Span: 2}
	return err
}

// expansion is a template that is being written out for an operation.
type expansion struct {
	s    *selector
	t    *template
	regs []Reg
	args []Operand
	dsts []dest
}

// expand writes a template out: args are what the operation reads, dsts where its results go.
func (s *selector) expand(t *template, args []Operand, dsts []dest) {
	if t.calls != nil && !slices.Contains(s.c.Routines, t.calls) {
		s.c.Routines = append(s.c.Routines, t.calls)
	}
	if t.executes != nil {
		s.share(t.executes)
	}
	if t.inlines != nil {
		s.inlined = append(s.inlined, t.inlines)
	}
	e := &expansion{s: s, t: t, args: args, dsts: dsts, regs: make([]Reg, len(t.names))}
	for i, v := range t.names {
		class := Vector
		switch {
		case v.pred && t.scalar():
			class = UniformPredicate
		case v.pred:
			class = Predicate
		case t.scalar():
			class = Uniform
		}
		e.regs[i] = s.c.NewReg(RegInfo{Class: class, Words: v.words, Name: v.name})
	}
	e.steps(t.steps)
}

// scalar reports whether a template is of AMD's scalar unit.
func (t *template) scalar() bool {
	return len(t.steps) > 0 && strings.HasPrefix(t.steps[0].op, "s_")
}

func (e *expansion) steps(list []step) {
	s := e.s
	for i := range list {
		st := &list[i]
		switch {
		case st.rare:
			g := e.operand(*st.guard)
			before := s.seq
			s.seq = nil
			e.steps(st.inner)
			n := &If{Cond: Guard{Reg: g.Reg, Not: g.Not}, Then: &Block{Nodes: s.seq}, Else: &Block{}, Rare: true}
			s.seq = append(before, n)
		case st.op == "":
			d := e.dest(st.dsts[0])
			if d.reg == 0 {
				continue
			}
			m := &tidy.Moves{Pos: s.in.Pos, For: s.in}
			m.List = append(m.List, tidy.Move{To: d.reg, Word: d.word, Span: d.span, From: e.operand(st.args[0])})
			s.moves = append(s.moves, m)
			s.seq = append(s.seq, m)
		default:
			e.instr(st)
		}
	}
}

// instr writes one instruction out.
func (e *expansion) instr(st *step) {
	var d dest
	var more []Reg
	for i, t := range st.dsts {
		if t.nothing {
			continue
		}
		if x := e.dest(t); i == 0 {
			d = x
		} else if x.reg != 0 {
			more = append(more, x.reg)
		}
	}
	uses := make([]Operand, len(st.args))
	for i, t := range st.args {
		uses[i] = e.operand(t)
	}
	in := e.s.emit(st.op, d, more, uses...)
	if st.guard != nil {
		g := e.operand(*st.guard)
		in.Guard = Guard{Reg: g.Reg, Not: g.Not}
	}
}

// dest is where a term is written.
func (e *expansion) dest(t term) dest {
	if t.arg < 0 {
		if -t.arg > len(e.dsts) {
			return dest{}
		}
		d := e.dsts[-t.arg-1]
		if t.word >= 0 && d.reg != 0 {
			d.word, d.span = d.word+t.word, max(1, t.span)
		}
		return d
	}
	d := dest{reg: e.regs[t.name], span: e.t.names[t.name].words}
	if t.word >= 0 {
		d.word, d.span = t.word, max(1, t.span)
	}
	return d
}

// operand is what a term is read as.
func (e *expansion) operand(t term) Operand {
	var o Operand
	switch {
	case t.arg > 0 && t.arg <= len(e.args):
		if o = e.args[t.arg-1]; o.Kind == Immediate && t.constant.Name != "" {
			o.Name = t.constant.Name
		}
	case t.arg < 0:
		d := e.dest(term{name: -1, arg: t.arg, word: -1})
		o = Operand{Kind: InReg, Reg: d.reg, Word: d.word, Span: d.span}
	case t.name >= 0:
		o = Operand{Kind: InReg, Reg: e.regs[t.name]}
		if e.t.names[t.name].words > 1 {
			o.Word = -1
		}
	default:
		o = t.constant
	}
	if t.word >= 0 {
		o = tidy.Word(o, t.word)
		if t.span > 1 {
			o.Span = t.span
		}
	}
	if t.not {
		if o.Kind == Immediate && o.Name == "" && o.Bits != 0 {
			o.Bits ^= 1 << 31
		} else {
			o.Not = !o.Not
		}
	}
	o.Abs = o.Abs || t.abs
	return o
}

// dest is where a result goes: words of a register. reg 0: nowhere.
type dest struct {
	reg        Reg
	word, span int
}

// emit appends an instruction to those of the operation at hand.
func (s *selector) emit(op string, d dest, more []Reg, uses ...Operand) *Instr {
	op = s.table.name(op, s.t)
	if d.reg != 0 && s.c.Reg(d.reg).Class == Uniform {
		op = s.isa.uniform(op)
	}
	row := s.table.describe(op)
	in := &Instr{Op: op, Class: row.class, Pipe: row.pipe, Uses: uses, From: s.in}
	if s.in != nil {
		in.Pos = s.in.Pos
	}
	if d.reg != 0 {
		in.Defs = append(in.Defs, d.reg)
		if info := s.c.Reg(d.reg); info.Words != d.span {
			in.Part, in.Span = d.word+1, d.span
		}
	}
	in.Defs = append(in.Defs, more...)
	s.isa.legal(in)
	s.seq = append(s.seq, in)
	return in
}

// posOf is where an operation stands in the source.
func posOf(in *ir.Instr) ir.Pos {
	if in == nil {
		return ir.Pos{}
	}
	return in.Pos
}

// accuracy is how exact an operation is to be: one that names its rounding is rounded, whatever a flag asks for.
func (s *selector) accuracy(in *ir.Instr) lower.Accuracy {
	if _, mode := lower.Mode(in.Fn); mode != "" || in.Moded() {
		return lower.Rounded
	}
	return s.f.Accuracy
}

// row selects by a row of the table, with what operand gives for values that are no conditions.
func (s *selector) row(key string, in *ir.Instr, operand func(i int, v *ir.Value) Operand) {
	t := s.table.find(key, s.t, s.accuracy(in))
	if t == nil {
		s.fail(in, "no instructions for %s", key)
		return
	}
	args := make([]Operand, len(in.Args))
	for i, v := range in.Args {
		if v.Type == lower.Pred {
			args[i] = s.predicateOperand(v)
			continue
		}
		args[i] = operand(i, v)
	}
	dsts := make([]dest, len(in.Results))
	for i, v := range in.Results {
		s.want[v.ID] = 3
		dsts[i] = s.dest(v)
	}
	s.expand(t, args, dsts)
}
