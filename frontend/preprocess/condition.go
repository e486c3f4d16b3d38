package preprocess

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/diag"
)

// integer is a value of #if: intmax_t or uintmax_t (C11 6.10.1).
type integer struct {
	value    uint64
	unsigned bool
}

func truth(b bool) integer {
	if b {
		return integer{value: 1}
	}
	return integer{}
}

// evaluate decides an #if.
func (p *Preprocessor) evaluate(line []Token, at diag.Pos) bool {
	if len(line) == 0 {
		p.fail(at, "SYNTAX", "#if needs a condition")
		return false
	}
	list := p.expandList(p.withoutQueries(line))
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
	return v.value != 0
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

func (c *conditionParser) ternary(used bool) integer {
	if c.depth++; c.depth > c.deepest {
		c.fail(c.peek(), "is nested too deep")
	}
	defer func() { c.depth-- }()
	v := c.binary(0, used)
	if !c.take("?") {
		return v
	}
	a := c.ternary(used && v.value != 0)
	if !c.take(":") {
		c.fail(c.peek(), "is not the : of a ?")
	}
	b := c.ternary(used && v.value == 0)
	unsigned := a.unsigned || b.unsigned
	if v.value == 0 {
		a = b
	}
	return integer{a.value, unsigned}
}

// levels are the binary operators, the weakest first.
var levels = [][]string{{"||", "or"}, {"&&", "and"}, {"|", "bitor"}, {"^", "xor"}, {"&", "bitand"}, {"==", "!=", "not_eq"}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator takes one of a level; >, >= and >> are of single tokens.
func (c *conditionParser) operator(level int) string {
	t := c.peek()
	op, n := t.Text, 1
	if t.Is(">") && c.i+1 < len(c.list) {
		if next := &c.list[c.i+1]; !next.Spaced && (next.Is(">") || next.Is("=")) {
			op, n = op+next.Text, 2
		}
	}
	if t.Kind == Number || t.Kind == String || !slices.Contains(levels[level], op) {
		return ""
	}
	c.i += n
	return op
}

func (c *conditionParser) binary(level int, used bool) integer {
	if level == len(levels) {
		return c.unary(used)
	}
	v := c.binary(level+1, used)
	for c.err == nil {
		at := c.peek()
		op := c.operator(level)
		if op == "" {
			break
		}
		needed := used
		switch op {
		case "&&", "and":
			needed = used && v.value != 0
		case "||", "or":
			needed = used && v.value == 0
		}
		w := c.binary(level+1, needed)
		v = c.apply(op, v, w, needed, at)
	}
	return v
}

func (c *conditionParser) apply(op string, v, w integer, used bool, at *Token) integer {
	u := v.unsigned || w.unsigned
	a, b := int64(v.value), int64(w.value)
	less := a < b
	if u {
		less = v.value < w.value
	}
	switch op {
	case "||", "or":
		return truth(v.value != 0 || w.value != 0)
	case "&&", "and":
		return truth(v.value != 0 && w.value != 0)
	case "|", "bitor":
		return integer{v.value | w.value, u}
	case "^", "xor":
		return integer{v.value ^ w.value, u}
	case "&", "bitand":
		return integer{v.value & w.value, u}
	case "==":
		return truth(v.value == w.value)
	case "!=", "not_eq":
		return truth(v.value != w.value)
	case "<":
		return truth(less)
	case ">=":
		return truth(!less)
	case ">":
		return truth(!less && v.value != w.value)
	case "<=":
		return truth(less || v.value == w.value)
	case "<<":
		return integer{v.value << (w.value & 63), v.unsigned}
	case ">>":
		if v.unsigned {
			return integer{v.value >> (w.value & 63), true}
		}
		return integer{uint64(a >> (w.value & 63)), false}
	case "+":
		return integer{v.value + w.value, u}
	case "-":
		return integer{v.value - w.value, u}
	case "*":
		return integer{v.value * w.value, u}
	}
	if w.value == 0 {
		if used {
			c.fail(at, "divides by zero")
		}
		return integer{0, u}
	}
	switch {
	case u && op == "/":
		return integer{v.value / w.value, true}
	case u:
		return integer{v.value % w.value, true}
	case b == -1 && op == "/":
		return integer{-v.value, false}
	case b == -1:
		return integer{}
	case op == "/":
		return integer{uint64(a / b), false}
	}
	return integer{uint64(a % b), false}
}

func (c *conditionParser) unary(used bool) integer {
	if c.depth++; c.depth > c.deepest {
		c.fail(c.peek(), "is nested too deep")
	}
	defer func() { c.depth-- }()
	t := c.peek()
	c.i++
	switch {
	case t.Is("!") || t.Is("not"):
		return truth(c.unary(used).value == 0)
	case t.Is("~") || t.Is("compl"):
		v := c.unary(used)
		return integer{^v.value, v.unsigned}
	case t.Is("-"):
		v := c.unary(used)
		return integer{-v.value, v.unsigned}
	case t.Is("+"):
		return c.unary(used)
	case t.Is("("):
		v := c.ternary(used)
		if !c.take(")") {
			c.fail(c.peek(), "is not the closing parenthesis")
		}
		return v
	case t.Kind == Number:
		v, ok := parseInteger(t.Text)
		if !ok {
			c.fail(t, "is no integer")
		}
		return v
	case t.Kind == Char:
		v, ok := parseCharacter(t.Text)
		if !ok {
			c.fail(t, "is no character")
		}
		return v
	case t.Is("true"):
		return truth(true)
	case t.Kind == Ident:
		return integer{} // a name that is no macro is 0
	}
	c.i--
	c.fail(t, "is not expected here")
	return integer{}
}

// parseInteger reads an integer of any base, with digit separators and suffixes.
func parseInteger(text string) (integer, bool) {
	digits := strings.TrimRight(strings.ReplaceAll(text, "'", ""), "uUlLzZ")
	suffix := strings.ToLower(text[min(len(text), len(strings.TrimRight(text, "uUlLzZ"))):])
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '7' {
		digits = "0o" + digits[1:]
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	return integer{n, strings.Contains(suffix, "u") || n > 1<<63-1}, err == nil && !strings.Contains(digits, "_")
}

// parseCharacter reads a character without prefix, or with one.
func parseCharacter(text string) (integer, bool) {
	i := strings.IndexByte(text, '\'')
	if i < 0 || len(text) < i+3 {
		return integer{}, false
	}
	r, _, rest, err := strconv.UnquoteChar(strings.TrimSuffix(text[i+1:], "'"), '\'')
	if err != nil || rest != "" {
		if text[i+1:] == `\0'` {
			return integer{}, true
		}
		return integer{}, false
	}
	return integer{value: uint64(r)}, true
}
