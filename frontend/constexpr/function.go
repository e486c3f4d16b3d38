package constexpr

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tokens"
)

// Bounds of one constant.
const (
	maxSteps = 20_000 // statements and expressions, of all functions that it calls
	maxCalls = 64     // functions and names within each other
)

// Function is a constexpr function of integers.
type Function struct {
	params   []string
	body     []string // words between its braces
	unsigned bool     // something in it is
}

// NewFunction makes the function that words declare, with the words between its parentheses and between
// its braces; nil if a parameter is no integer.
func NewFunction(declaration, params, body []string) *Function {
	f := &Function{body: body}
	for _, p := range tokens.SplitWords(params) {
		if len(p) < 2 || !isIntegerType(p[:len(p)-1]) {
			return nil
		}
		f.params = append(f.params, p[len(p)-1])
	}
	f.unsigned = slices.ContainsFunc(declaration, func(s string) bool { return slices.Contains(unsignedWords, s) })
	return f
}

// Equal reports whether two functions are the same one, declared twice.
func (f *Function) Equal(g *Function) bool {
	return f != nil && g != nil && slices.Equal(f.body, g.body) && slices.Equal(f.params, g.params)
}

// run is a call of a constexpr function, or the expression outside of all of them.
type run struct {
	names    Names
	vars     map[string]int64
	unsigned bool
	steps    *int
	calls    int // around it
	bad      bool
	returned bool
	result   int64
}

// spend counts a step.
func (r *run) spend() bool {
	*r.steps++
	r.bad = r.bad || *r.steps > maxSteps
	return !r.bad
}

// eval is the value of an expression.
func (r *run) eval(words []string) (int64, bool) {
	if len(words) == 0 || !r.spend() {
		return 0, false
	}
	e := &evaluator{words: words, run: r}
	v := e.conditional()
	return v, !e.bad && !r.bad && len(e.words) == 0
}

// must is eval where anything that is not constant ends the call.
func (r *run) must(words []string) int64 {
	v, ok := r.eval(words)
	r.bad = r.bad || !ok
	return v
}

// inRange reports whether a value can stand for what C computes; outside of functions any can.
func (r *run) inRange(v int64) bool {
	return r.vars == nil || v == int64(int32(v)) && !(r.unsigned && v < 0)
}

// call is what a function gives for arguments.
func (r *run) call(f *Function, args []int64) (int64, bool) {
	if len(args) != len(f.params) || r.calls >= maxCalls || !r.spend() {
		return 0, false
	}
	c := &run{names: r.names, vars: map[string]int64{}, unsigned: f.unsigned, steps: r.steps, calls: r.calls + 1}
	for i, p := range f.params {
		c.vars[p] = args[i]
		c.bad = c.bad || !c.inRange(args[i])
	}
	c.block(f.body)
	return c.result, c.returned && !c.bad && c.inRange(c.result)
}

// block executes statements.
func (r *run) block(words []string) {
	for len(words) > 0 && !r.returned && !r.bad {
		n := statementWords(words)
		if n == 0 {
			r.bad = true
			return
		}
		r.statement(words[:n])
		words = words[n:]
	}
}

// statement executes the statement that words are.
func (r *run) statement(words []string) {
	if !r.spend() {
		return
	}
	last := len(words) - 1
	switch words[0] {
	case "{":
		r.block(words[1:last])
	case ";", "static_assert":
	case "return":
		r.result, r.returned = r.must(words[1:last]), true
	case "if", "while", "for":
		r.compound(words)
	default:
		r.simple(words[:last])
	}
}

// compound executes if, while and for.
func (r *run) compound(words []string) {
	open := slices.Index(words, "(")
	c := tokens.ClosingWord(words, open)
	head, body := words[open+1:c], words[c+1:]
	switch words[0] {
	case "if":
		n := statementWords(body)
		if r.must(head) != 0 && !r.bad {
			r.statement(body[:n])
		} else if len(body) > n && !r.bad {
			r.statement(body[n+1:]) // behind else
		}
		return
	case "while":
		head = slices.Concat([]string{";"}, head, []string{";"})
	}
	parts := tokens.CutWords(head, ";")
	if len(parts) != 3 {
		r.bad = true
		return
	}
	r.simple(parts[0])
	for !r.bad && !r.returned && (len(parts[1]) == 0 || r.must(parts[1]) != 0) && !r.bad {
		r.statement(body)
		if !r.returned {
			r.simple(parts[2])
		}
	}
}

// simple executes a declaration or an expression, without its semicolon.
func (r *run) simple(words []string) {
	if r.bad || len(words) == 0 {
		return
	}
	n := slices.Index(words, "=")
	if n < 2 || !isIntegerType(words[:n-1]) {
		r.must(words)
		return
	}
	parts := tokens.CutWords(words[n-1:], ",")
	for _, d := range parts {
		if len(d) < 3 || d[1] != "=" {
			r.bad = true
			return
		}
		r.set(d[0], r.must(d[2:]))
	}
}

// set gives a variable a value.
func (r *run) set(name string, v int64) {
	r.vars[name] = v
	r.bad = r.bad || !r.inRange(v)
}

// operand is the value of a variable, with what assigns to it, or of a call; ok is false where name
// is neither.
func (r *run) operand(e *evaluator, name string) (v int64, ok bool) {
	v, isVar := r.vars[name]
	if f := r.names.function(name); f != nil && !isVar && e.next() == "(" {
		return r.callOf(e, f), true
	}
	if !isVar {
		return 0, false
	}
	old, op := v, e.next()
	switch {
	case op == "++" || op == "--":
		e.take()
		v = e.apply(ctypes.BinaryOp(op[:1]), v, 1)
	case op == "=":
		e.take()
		v = e.conditional()
		old = v
	case slices.Contains(assignments, op):
		e.take()
		v = e.apply(ctypes.BinaryOp(op[:len(op)-1]), v, e.conditional())
		old = v
	default:
		return v, true
	}
	if !e.bad && e.dead == 0 {
		r.set(name, v)
	}
	return old, true
}

// assignments are the operators that change a variable.
var assignments = []string{"+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="}

// counted is the value of ++name or --name.
func (r *run) counted(e *evaluator, op string) int64 {
	name := e.take()
	v, ok := r.vars[name]
	if e.bad = e.bad || !ok; e.bad {
		return 0
	}
	if v = e.apply(ctypes.BinaryOp(op[:1]), v, 1); e.dead == 0 {
		r.set(name, v)
	}
	return v
}

// callOf is what the call gives whose ( is next.
func (r *run) callOf(e *evaluator, f *Function) int64 {
	e.take()
	var args []int64
	for e.next() != ")" && !e.bad {
		args = append(args, e.conditional())
		if e.next() != "," {
			break
		}
		e.take()
	}
	if e.take() != ")" || e.bad || e.dead > 0 {
		return 0
	}
	v, ok := r.call(f, args)
	e.bad = e.bad || !ok
	return v
}

// statementWords is the number of words of the statement that words start with, 0 where they
// start with none.
func statementWords(words []string) int {
	if len(words) == 0 {
		return 0
	}
	switch words[0] {
	case "{":
		return tokens.ClosingWord(words, 0) + 1
	case "if", "while", "for":
		c := tokens.ClosingWord(words, slices.Index(words, "("))
		if c < 0 {
			return 0
		}
		n := statementWords(words[c+1:])
		if n == 0 {
			return 0
		}
		if n += c + 1; words[0] == "if" && n < len(words) && words[n] == "else" {
			m := statementWords(words[n+1:])
			if m == 0 {
				return 0
			}
			n += m + 1
		}
		return n
	case "do", "switch", "goto", "try", "using", "typedef", "auto", "break", "continue":
		return 0
	}
	return slices.Index(words, ";") + 1
}
