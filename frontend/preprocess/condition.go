package preprocess

import (
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Values of #if are intmax_t or uintmax_t (C11 6.10.1), which are long and unsigned long.

func integer(v int64) ctypes.Value { return ctypes.IntValue(ctypes.Long, v) }

// commonType is that of two values.
func commonType(v, w ctypes.Value) *ctypes.Type { return ctypes.Scalar(max(v.Type.Kind, w.Type.Kind)) }

// evaluate decides an #if.
func (p *Preprocessor) evaluate(line []Token, at diag.Pos) bool {
	if len(line) == 0 {
		p.fail(at, "SYNTAX", "#if needs a condition")
		return false
	}
	p.asked = true
	list := p.withoutQueries(p.expandList(p.withoutQueries(line))) // macros make queries, too
	p.asked = false
	c := &conditionParser{list: list, at: at, deepest: p.limits.Nesting}
	v := c.ternary(true)
	if c.err == nil && c.i < len(list) {
		c.fail(&list[c.i], "is not expected here")
	}
	if c.err != nil {
		if !p.stopped {
			p.out.Errors.Add(c.err)
		}
		return false
	}
	p.out.Conditions = append(p.out.Conditions, Condition{at, list, v})
	return v.IsTrue()
}

// withoutQueries answers defined(X), __has_include(...) and their like.
func (p *Preprocessor) withoutQueries(line []Token) []Token {
	var out []Token
	for i := 0; i < len(line); i++ {
		t := line[i]
		answer := func(yes bool) {
			t.Kind, t.Text = Number, "0"
			if yes {
				t.Text = "1"
			}
			out = append(out, t)
		}
		switch {
		case t.Is("defined") && i+1 < len(line) && line[i+1].Kind == Ident:
			answer(p.isDefined(line[i+1].Text))
			i++
		case t.Is("defined") && i+3 < len(line) && line[i+1].Is("(") && line[i+3].Is(")"):
			answer(p.isDefined(line[i+2].Text))
			i += 3
		case t.Kind == Ident && strings.HasPrefix(t.Text, "__has_") && i+1 < len(line) && line[i+1].Is("("):
			end := i + 2
			for depth := 1; end < len(line); end++ {
				if line[end].Is("(") {
					depth++
				} else if line[end].Is(")") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			answer(t.Text == "__has_include" && p.hasInclude(line[i+2:min(end, len(line))]))
			i = end
		default:
			out = append(out, t)
		}
	}
	return out
}

// definedHere answers a "defined" that a macro has made, which [cpp.cond] leaves to the compiler: gcc, clang and nvcc
// take it as one that is written. The name behind it is not expanded.
func (e *expander) definedHere(t Token) Token {
	var read []Token
	next := func() (Token, bool) {
		u, ok := e.next()
		if ok {
			read = append(read, u)
		}
		return u, ok
	}
	name, ok := next()
	if ok && name.Is("(") {
		var end Token
		if name, ok = next(); ok {
			end, ok = next()
			ok = ok && end.Is(")")
		}
	}
	if !ok || name.Kind != Ident {
		e.unread(read...)
		return t
	}
	t.Kind, t.Text = Number, "0"
	if e.p.isDefined(name.Text) {
		t.Text = "1"
	}
	return t
}

func (p *Preprocessor) hasInclude(line []Token) bool {
	name, system, ok := headerName(line)
	if !ok {
		return false
	}
	if _, known := p.library(name); known && system {
		return true
	}
	return p.readable(p.candidates(name, p.stack[len(p.stack)-1].path, system))
}

// conditionParser evaluates while it reads; what is not evaluated may divide by zero.
type conditionParser struct {
	list           []Token
	i              int
	at             diag.Pos
	err            *diag.Error
	depth, deepest int
}

func (c *conditionParser) fail(t *Token, why string) {
	if c.err == nil {
		c.err = diag.Errorf(t.Pos, "SYNTAX", "%s %s in the condition of #if", t.Text, why)
		if !t.Pos.IsValid() {
			c.err.Pos = c.at
		}
	}
	c.i = len(c.list)
}

func (c *conditionParser) peek() *Token {
	if c.i < len(c.list) {
		return &c.list[c.i]
	}
	return &Token{Kind: EOF, Text: "the end", Pos: c.at}
}

func (c *conditionParser) take(text string) bool {
	if c.peek().Is(text) {
		c.i++
		return true
	}
	return false
}

func (c *conditionParser) ternary(used bool) ctypes.Value {
	if c.depth++; c.depth > c.deepest {
		c.fail(c.peek(), "is nested too deep")
	}
	defer func() { c.depth-- }()
	v := c.binary(0, used)
	if !c.take("?") {
		return v
	}
	a := c.ternary(used && v.IsTrue())
	if !c.take(":") {
		c.fail(c.peek(), "is not the : of a ?")
	}
	b := c.ternary(used && !v.IsTrue())
	if !v.IsTrue() {
		return ctypes.Convert(b, commonType(a, b))
	}
	return ctypes.Convert(a, commonType(a, b))
}

// words are the operators of C++ that are spelled as names.
var words = map[string]string{"or": "||", "and": "&&", "bitor": "|", "xor": "^", "bitand": "&", "not_eq": "!="}

// operator takes one that binds as tightly as level; >, >= and >> are of single tokens.
func (c *conditionParser) operator(level int) ctypes.Op {
	t := c.peek()
	text, n := t.Text, 1
	if word, ok := words[text]; ok {
		text = word
	}
	if t.Is(">") && c.i+1 < len(c.list) {
		if next := &c.list[c.i+1]; !next.Spaced && (next.Is(">") || next.Is("=")) {
			text, n = text+next.Text, 2
		}
	}
	op := ctypes.BinaryOp(text)
	if t.Kind == Number || t.Kind == String || op == 0 || op.Precedence() != level {
		return 0
	}
	c.i += n
	return op
}

func (c *conditionParser) binary(level int, used bool) ctypes.Value {
	if level > ctypes.TightestPrecedence {
		return c.unary(used)
	}
	v := c.binary(level+1, used)
	for c.err == nil {
		at := c.peek()
		op := c.operator(level)
		if op == 0 {
			break
		}
		needed := used && !(op == ctypes.LogAnd && !v.IsTrue()) && !(op == ctypes.LogOr && v.IsTrue())
		v = c.apply(op, v, c.binary(level+1, needed), needed, at)
	}
	return v
}

func (c *conditionParser) apply(op ctypes.Op, v, w ctypes.Value, used bool, at *Token) ctypes.Value {
	t := commonType(v, w)
	if op == ctypes.Shl || op == ctypes.Shr {
		t = v.Type
	}
	r, ok, _ := ctypes.EvalBinary(op, ctypes.Convert(v, t), ctypes.Convert(w, t))
	switch {
	case !ok && used:
		c.fail(at, "divides by zero")
		fallthrough
	case !ok:
		return ctypes.Convert(integer(0), t)
	case r.Type.Kind == ctypes.Int:
		return integer(r.Int)
	}
	return r
}

func (c *conditionParser) unary(used bool) ctypes.Value {
	if c.depth++; c.depth > c.deepest {
		c.fail(c.peek(), "is nested too deep")
	}
	defer func() { c.depth-- }()
	t := c.peek()
	c.i++
	switch {
	case t.Is("!") || t.Is("not"):
		v, _ := ctypes.EvalUnary(ctypes.Not, c.unary(used))
		return integer(v.Int)
	case t.Is("~") || t.Is("compl"):
		v, _ := ctypes.EvalUnary(ctypes.BitNot, c.unary(used))
		return v
	case t.Is("-"):
		v, _ := ctypes.EvalUnary(ctypes.Neg, c.unary(used))
		return v
	case t.Is("+"):
		return c.unary(used)
	case t.Is("("):
		v := c.ternary(used)
		if !c.take(")") {
			c.fail(c.peek(), "is not the closing parenthesis")
		}
		return v
	case t.Kind == Number:
		v, problem := ctypes.ParseInt(separators.Replace(t.Text))
		if problem != "" {
			c.fail(t, "is no integer")
		} else if v.Int < 0 || strings.ContainsAny(t.Text, "uU") {
			return ctypes.IntValue(ctypes.ULong, v.Int)
		}
		return integer(v.Int)
	case t.Kind == Char:
		v, problem := ctypes.ParseChar(t.Text)
		if problem != "" {
			c.fail(t, "is no character")
		}
		return integer(v.Int)
	case t.Is("true"):
		return integer(1)
	case t.Kind == Ident:
		return integer(0) // a name that is not a macro is 0
	}
	c.i--
	c.fail(t, "is not expected here")
	return integer(0)
}

// separators are what a number may have beside its digits and the suffixes of types that differ here.
var separators = strings.NewReplacer("'", "", "z", "", "Z", "")
