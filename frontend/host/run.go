package host

import (
	"fmt"
	"slices"
)

// Bounds of the interpretation.
const (
	maxSteps = 200_000 // expressions and statements
	maxDepth = 12      // calls within calls
	// maxNesting is how deep operands are nested: no text is read whose brackets are deeper, and
	// what has no brackets (- - - x) ends here.
	maxNesting = 1000
)

// interpreter is the state of the interpretation.
type interpreter struct {
	*code
	env      environment
	fn       *function // being executed; nil at file scope
	steps    int
	depth    int
	quiet    bool // only a value is asked for: launches are not taken down
	returned []Value
	visited  map[*function]bool
	launches []Launch
}

// flow is how a statement ends.
type flow uint8

const (
	flowNext   flow = iota + 1 // the next statement is executed
	flowBreak                  // break or continue
	flowReturn                 // return, exit, throw, goto
)

// Launches interprets the host code of a file and returns the launches in the order in which it
// makes them.
func Launches(t *Text) []Launch {
	r := &interpreter{code: scan(t), visited: map[*function]bool{}}
	r.fileScope()
	roots := slices.DeleteFunc(slices.Clone(r.inOrder), func(f *function) bool { return !f.launches })
	slices.SortStableFunc(roots, func(a, b *function) int { return a.rank() - b.rank() })
	for _, f := range roots {
		switch {
		case r.visited[f]:
		case f.name == "main" && len(f.params) > 0:
			r.enterMain(f)
		default:
			r.enter(f, nil, nil, nil)
		}
	}
	return r.launches
}

// rank orders the functions that are not entered from another one: main first, then those that
// no other one mentions.
func (f *function) rank() int {
	switch {
	case f.name == "main":
		return 0
	case !f.mentioned:
		return 1
	}
	return 2
}

// spend counts work; it reports false when there has been too much.
func (r *interpreter) spend(n int) bool {
	r.steps += n
	return r.steps < maxSteps
}

// line says where token i was written.
func (r *interpreter) line(i int) string {
	p := r.pos(i)
	if p.File != r.File {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("line %d", p.Line)
}

// typesHere are the types in scope: those of the file and of the function.
func (r *interpreter) typesHere() map[string]variableType {
	types := r.types
	for i, v := range r.env.vars[r.env.base:] {
		if v.isType {
			if i == 0 || len(types) == len(r.types) {
				types = cloneTypes(r.types)
			}
			types[v.name] = v.typ
		}
	}
	return types
}

func cloneTypes(m map[string]variableType) map[string]variableType {
	c := make(map[string]variableType, len(m)+4)
	for k, v := range m {
		c[k] = v
	}
	return c
}

// block executes tokens i to end.
func (r *interpreter) block(i, end int) flow {
	base := len(r.env.vars)
	flow := flowNext
	open := i - 1
	for i < end && r.spend(1) {
		switch n := r.label(i, end); {
		case n > i:
			r.jumpTo(i, open, end)
			i, flow = n, flowNext
		case flow != flowNext:
			i = r.statementEndAt(i, end)
		default:
			i, flow = r.statement(i, end)
		}
	}
	r.env.vars = r.env.vars[:min(base, len(r.env.vars))]
	return flow
}

// jumpTo makes the state that of the label at token i of the block from token open to end:
// what the statements change is not known from which the label is jumped to.
func (r *interpreter) jumpTo(i, open, end int) {
	if !r.is(i, "case") && !r.is(i, "default") && r.fn != nil { // of a goto
		open, end = r.fn.open, r.fn.close
	}
	r.forgetChanged(open, end, "depends on the jump to "+r.line(i))
}

// label returns the token behind case X:, default: or name: at token i; i if none stands there.
func (r *interpreter) label(i, end int) int {
	switch {
	case r.is(i, "case"):
		for k := i; k < end && !r.is(k, ";"); k++ {
			if r.is(k, ":") {
				return k + 1
			}
		}
	case r.is(i, "default") && r.is(i+1, ":"), r.kindOf(i) == Word && r.is(i+1, ":") && i+1 < end:
		return i + 2
	}
	return i
}

// statementEndAt is the token behind the statement at token i.
func (r *interpreter) statementEndAt(i, end int) int {
	switch r.at(i) {
	case "{":
		if c := r.closing(i); c > i {
			return min(c+1, end)
		}
	case "if", "for", "while", "switch", "catch":
		open := i + 1
		if r.is(open, "constexpr") {
			open++
		}
		if c := r.closing(open); r.is(open, "(") && c > 0 && c+1 < end {
			k := r.statementEndAt(c+1, end)
			if r.is(i, "if") && r.is(k, "else") && k < end {
				return r.statementEndAt(k+1, end)
			}
			return k
		}
	case "do":
		return r.simpleEnd(r.statementEndAt(i+1, end), end)
	case "try", "else":
		return r.statementEndAt(i+1, end)
	}
	return r.simpleEnd(i, end)
}

// simpleEnd is the token behind the semicolon that ends the statement at token i.
func (r *interpreter) simpleEnd(i, end int) int {
	for k := i; k < end; k++ {
		if r.is(k, ";") {
			return k + 1
		}
		if c := r.closing(k); c > k {
			k = c
		}
	}
	return end
}

// statement executes the statement at token i and returns the token behind it.
func (r *interpreter) statement(i, end int) (int, flow) {
	after := r.statementEndAt(i, end)
	if after <= i {
		return end, flowNext
	}
	switch r.at(i) {
	case ";":
		return i + 1, flowNext
	case "{":
		return after, r.block(i+1, after-1)
	case "if":
		return after, r.ifStatement(i, after)
	case "for", "while", "do":
		r.loop(i, after)
		return after, flowNext
	case "switch":
		return after, r.switchStatement(i, after)
	case "try":
		return after, r.block(i+2, after-1)
	case "catch": // of what is not expected
		return after, flowNext
	case "break", "continue":
		return after, flowBreak
	case "return":
		v := unknownf("nothing is returned")
		if i+1 < after-1 {
			v = r.eval(i+1, after-1)
			r.effects(i+1, after-1)
		}
		r.returned = append(r.returned, v)
		return after, flowReturn
	case "goto", "throw":
		return after, flowReturn
	case "exit", "abort", "_exit", "quick_exit", "_Exit":
		return after, flowReturn
	case "std":
		if r.is(i+2, "exit") || r.is(i+2, "abort") {
			return after, flowReturn
		}
	}
	if f := r.funcs[r.at(i)]; len(f) > 0 && r.is(i+1, "(") && slices.ContainsFunc(f, r.exits) {
		return after, flowReturn
	}
	r.simple(i, after-1)
	return after, flowNext
}

// exits reports whether a function ends the program at its end.
func (r *interpreter) exits(f *function) bool {
	last := f.open
	for k := f.open + 1; k < f.close; k = r.statementEndAt(k, f.close) {
		if r.statementEndAt(k, f.close) <= k {
			return false
		}
		last = k
	}
	return (r.is(last, "exit") || r.is(last, "abort")) && r.is(last+1, "(") && !r.has(f.open, f.close, "return")
}

// ifStatement executes one side, or both where the condition is not known.
func (r *interpreter) ifStatement(i, end int) flow {
	open := i + 1
	if r.is(open, "constexpr") {
		open++
	}
	closing := r.closing(open)
	if closing < 0 || !r.is(open, "(") {
		r.forgetChanged(i, end, "is not followed ("+r.line(i)+")")
		return flowNext
	}
	base := len(r.env.vars)
	defer func() { r.env.vars = r.env.vars[:min(base, len(r.env.vars))] }()
	from := open + 1
	if semicolon := r.simpleEnd(from, closing); semicolon < closing { // if (int n = f(); n > 0)
		r.simple(from, semicolon-1)
		from = semicolon
	}
	c := r.condition(from, closing)
	then := closing + 1
	thenEnd := r.statementEndAt(then, end)
	els := end
	if r.is(thenEnd, "else") && thenEnd < end {
		els = thenEnd + 1
	}
	switch {
	case c.IsScalar() && c.Scalar.IsTrue():
		return r.side(then, thenEnd)
	case c.IsScalar():
		return r.side(els, end)
	}
	before := r.env.snapshot()
	flow1 := r.side(then, thenEnd)
	state1 := r.env.snapshot()
	r.env.restore(before)
	flow2 := r.side(els, end)
	switch {
	case flow1 != flowNext:
		return flow2
	case flow2 != flowNext:
		r.env.restore(state1)
		return flowNext
	}
	r.env.merge(state1, "depends on the condition in "+r.line(i))
	return flowNext
}

// side executes the statement of tokens i to end, if there is one.
func (r *interpreter) side(i, end int) flow {
	if i >= end {
		return flowNext
	}
	base := len(r.env.vars)
	_, flow := r.statement(i, end)
	r.env.vars = r.env.vars[:min(base, len(r.env.vars))]
	return flow
}

// condition evaluates tokens i to j, a declaration too, and what they do besides.
func (r *interpreter) condition(i, j int) Value {
	if r.isDeclaration(i, j) {
		r.simple(i, j)
		return unknownf("a declaration in a condition is not followed (%s)", r.line(i))
	}
	v := r.eval(i, j)
	r.effects(i, j)
	return v
}

// loop executes a loop's body once, with the variables unknown that it changes.
func (r *interpreter) loop(i, end int) {
	base := len(r.env.vars)
	body, condition := i+1, [2]int{}
	if !r.is(i, "do") {
		closing := r.closing(i + 1)
		if closing < 0 {
			r.forgetChanged(i, end, "is not followed ("+r.line(i)+")")
			return
		}
		from := i + 2
		if first := r.simpleEnd(from, closing); r.is(i, "for") && first < closing {
			r.simple(from, first-1)
			from = first
		}
		body, condition = closing+1, [2]int{from, closing}
	}
	why := "changes in the loop of " + r.line(i)
	if r.neverEntered(i, condition) {
		r.effects(condition[0], condition[1])
		r.env.vars = r.env.vars[:min(base, len(r.env.vars))]
		return
	}
	r.forgetChanged(i+1, end, why)
	r.effects(condition[0], condition[1])
	if r.is(i, "for") { // for (x : list): its name is declared there
		for k := i + 2; k < condition[1]; k++ {
			if r.is(k, ":") {
				r.env.declare(variable{name: r.at(k - 1), value: unknownf("%s %s", r.at(k-1), why)})
			}
		}
	}
	r.forgetChanged(i+1, end, why)
	before := r.env.snapshot()
	if flow := r.side(body, end); flow != flowNext {
		r.env.restore(before)
	} else {
		r.env.merge(before, why)
	}
	r.forgetChanged(i+1, end, why)
	r.env.vars = r.env.vars[:min(base, len(r.env.vars))]
}

// neverEntered reports whether the loop at token i has a condition, in these tokens with what a for
// executes behind each iteration, that does not hold the first time.
func (r *interpreter) neverEntered(i int, condition [2]int) bool {
	var end int
	switch r.at(i) {
	case "while":
		condition[0] = i + 2
		end = r.closing(i + 1)
	case "for":
		end = r.simpleEnd(condition[0], condition[1]) - 1
		if !r.is(end, ";") {
			return false
		}
	default:
		return false
	}
	if condition[0] >= end || r.isDeclaration(condition[0], end) {
		return false
	}
	c := r.eval(condition[0], end)
	return c.IsScalar() && !c.Scalar.IsTrue()
}

// switchStatement executes the case that a known value selects, else all of them.
func (r *interpreter) switchStatement(i, end int) flow {
	closing := r.closing(i + 1)
	open := closing + 1
	if closing < 0 || !r.is(open, "{") || r.closing(open) < 0 {
		r.forgetChanged(i, end, "is not followed ("+r.line(i)+")")
		return flowNext
	}
	v := r.condition(i+2, closing)
	if start, ok := r.selected(v, open); ok {
		base := len(r.env.vars)
		flow := flowNext
		for k := start; k < end-1 && flow == flowNext && r.spend(1); {
			if n := r.label(k, end-1); n > k {
				k = n
				continue
			}
			k, flow = r.statement(k, end-1)
		}
		r.env.vars = r.env.vars[:min(base, len(r.env.vars))]
		if flow == flowReturn {
			return flow
		}
		return flowNext
	}
	why := "depends on the switch of " + r.line(i)
	r.forgetChanged(open, end, why)
	before := r.env.snapshot()
	r.block(open+1, end-1)
	r.env.restore(before)
	return flowNext
}

// selected is the token at which the switch whose braces open at token open goes on with value v.
func (r *interpreter) selected(v Value, open int) (start int, ok bool) {
	if !v.IsScalar() || !v.Scalar.Type.IsInteger() {
		return 0, false
	}
	end := r.closing(open)
	start = end
	for k := open + 1; k < end; k++ {
		if r.outer(k) != open {
			continue
		}
		switch {
		case r.is(k, "default"):
			start = r.label(k, end)
		case r.is(k, "case"):
			n := r.label(k, end)
			c := r.eval(k+1, n-1)
			if !c.IsScalar() {
				return 0, false
			}
			if c.Scalar.Int == v.Scalar.Int {
				return n, true
			}
		}
	}
	return start, true
}

// forgetChanged makes the variables unknown that tokens i to j may change.
func (r *interpreter) forgetChanged(i, j int, why string) {
	r.assigned(i, j, func(name string, _ int, forever bool) { r.env.forget(name, "the value of "+name+" "+why, forever) })
}
