package host

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
)

// expression evaluates an expression of host code. What it does not understand has no value: it
// never guesses.
type expression struct {
	*interpreter
	k, end int
	failed bool // the text is not understood
	deep   int
}

// eval is the value of tokens i to j.
func (r *interpreter) eval(i, j int) Value {
	if r.spend(1); i >= j {
		return unknownf("an expression is missing")
	}
	if r.is(i, "{") && r.closing(i) == j-1 { // = {1, 2}
		args := r.arguments(i)
		if len(args) == 1 {
			return args[0]
		}
		return dim3Of(args)
	}
	e := &expression{interpreter: r, k: i, end: j}
	v := e.conditional()
	if e.failed || e.k != j {
		return unknownf("%s is not understood (%s)", r.quote(i, j), r.line(i))
	}
	return v
}

// arguments are the values of the list that opens at token open.
func (r *interpreter) arguments(open int) []Value {
	list := []Value{}
	for _, part := range r.argumentTokens(open+1, r.closing(open)) {
		list = append(list, r.eval(part[0], part[1]))
	}
	return list
}

// argumentTokens cuts tokens i to j at their commas, but not at those between the arguments of a
// template.
func (r *interpreter) argumentTokens(i, j int) [][2]int {
	parts := r.split(i, j, false)
	for n := 0; n+1 < len(parts); n++ {
		for k := parts[n][0]; k < parts[n][1]; k++ {
			if r.kindOf(k) != Word || !r.is(k+1, "<") {
				continue
			}
			if closing := r.closingAngle(k + 1); closing > parts[n][1] && closing < j && r.is(closing+1, "(") {
				parts[n][1] = parts[n+1][1]
				parts = slices.Delete(parts, n+1, n+2)
				n--
				break
			}
		}
	}
	return parts
}

// quote spells tokens i to j out, shortened.
func (r *interpreter) quote(i, j int) string {
	var words []string
	for k := i; k < j && k < i+12; k++ {
		words = append(words, r.at(k))
	}
	if j > i+12 {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}

func (e *expression) peek() string {
	if e.k >= e.end || e.kindOf(e.k) == Literal {
		return ""
	}
	return e.at(e.k)
}

func (e *expression) accept(s string) bool {
	if e.peek() == s {
		e.k++
		return true
	}
	return false
}

func (e *expression) fail() Value {
	e.failed = true
	return unknownf("it is not understood")
}

func (e *expression) conditional() Value {
	if e.deep++; e.deep > maxNesting || e.failed {
		return e.fail()
	}
	defer func() { e.deep-- }()
	c := e.binary(0)
	if !e.accept("?") {
		return c
	}
	ofA := e.k
	a := e.conditional()
	if !e.accept(":") {
		return e.fail()
	}
	ofB := e.k
	b := e.conditional()
	if c.IsScalar() { // what is not chosen need not be known where its type is
		if !a.Known() && !c.Scalar.IsTrue() && e.parsesInt(ofA) {
			a = number(ctypes.IntValue(ctypes.Int, 0))
		}
		if !b.Known() && c.Scalar.IsTrue() && e.parsesInt(ofB) {
			b = number(ctypes.IntValue(ctypes.Int, 0))
		}
	}
	switch {
	case !c.Known():
		return c
	case !c.IsScalar():
		return e.fail()
	case !a.Known(): // the type depends on both
		return a
	case !b.Known():
		return b
	case a.IsScalar() && b.IsScalar(): // of their common type
		t := ctypes.Usual(a.Scalar.Type, b.Scalar.Type)
		a, b = number(ctypes.Convert(a.Scalar, t)), number(ctypes.Convert(b.Scalar, t))
	}
	if c.Scalar.IsTrue() {
		return a
	}
	return b
}

// parsesInt reports whether the operand at token i is a call that makes an int of a text, as programs do
// of their arguments.
func (e *expression) parsesInt(i int) bool {
	if e.is(i, "std") && e.is(i+1, "::") {
		i += 2
	}
	return (e.is(i, "atoi") || e.is(i, "stoi")) && e.is(i+1, "(") && (e.is(e.closing(i+1)+1, ":") || e.closing(i+1)+1 >= e.k)
}

// binary reads operators of a precedence and those that bind tighter.
func (e *expression) binary(level int) Value {
	if level > ctypes.TightestPrecedence {
		return e.unary()
	}
	a := e.binary(level + 1)
	for op := ctypes.BinaryOp(e.peek()); !e.failed && op != 0 && op.Precedence() == level; op = ctypes.BinaryOp(e.peek()) {
		e.k++
		b := e.binary(level + 1)
		if op == ctypes.LogAnd || op == ctypes.LogOr {
			a = connective(op, a, b)
		} else {
			a = compute(op, a, b)
		}
	}
	return a
}

// connective is x && y or x || y; y need not be known where x decides.
func connective(op ctypes.Op, x, y Value) Value {
	if !x.IsScalar() {
		return x
	}
	if x.Scalar.IsTrue() == (op == ctypes.LogOr) {
		return number(ctypes.BoolValue(op == ctypes.LogOr))
	}
	if !y.IsScalar() {
		return y
	}
	return number(ctypes.BoolValue(y.Scalar.IsTrue()))
}

func (e *expression) unary() Value {
	if e.deep++; e.deep > maxNesting || e.failed {
		return e.fail()
	}
	defer func() { e.deep-- }()
	switch s := e.peek(); s {
	case "-", "~", "!":
		e.k++
		v := e.unary()
		if !v.Known() || !v.IsScalar() {
			return v
		}
		op := map[string]ctypes.Op{"-": ctypes.Neg, "~": ctypes.BitNot, "!": ctypes.Not}[s]
		if s != "!" {
			v.Scalar = ctypes.Convert(v.Scalar, ctypes.Promoted(v.Scalar.Type))
		}
		if r, ok := ctypes.EvalUnary(op, v.Scalar); ok {
			return number(r)
		}
		return e.fail()
	case "+":
		e.k++
		return e.unary()
	case "*", "&", "++", "--":
		i := e.k
		e.k++
		_ = e.unary()
		return unknownf("%s is not understood (%s)", e.quote(i, min(e.k, e.end)), e.line(i))
	case "(":
		closing := e.closing(e.k)
		if t, n := e.typeAt(e.k+1, e.typesHere()); n > e.k+1 && n == closing && e.isTypeName(e.k+1, n) && closing < e.end {
			e.k = closing + 1
			return e.unary().as(t)
		}
	case "sizeof":
		return e.sizeOf()
	}
	return e.postfix(e.primary())
}

// sizeOf reads sizeof(T) and sizeof(x).
func (e *expression) sizeOf() Value {
	e.k++
	closing := e.closing(e.k)
	if !e.is(e.k, "(") || closing < 0 || closing >= e.end {
		return e.fail()
	}
	open := e.k
	e.k = closing + 1
	t, n := e.typeAt(open+1, e.typesHere())
	pointer := false
	for e.is(n, "*") {
		pointer, n = true, n+1
	}
	isType := n > open+1 && e.isTypeName(open+1, n)
	if v := e.env.find(e.at(open + 1)); !isType && v != nil && closing == open+2 {
		t, n, isType = v.typ, closing, true
		if v.value.IsScalar() && t.auto {
			t = variableType{kind: v.value.Scalar.Type.Kind}
		}
	}
	switch {
	case pointer && n == closing:
		return number(ctypes.IntValue(ctypes.ULong, 8))
	case n != closing || !isType:
		return unknownf("%s is not understood (%s)", e.quote(open-1, closing+1), e.line(open))
	case t.isDim3:
		return number(ctypes.IntValue(ctypes.ULong, 12))
	case t.kind != 0:
		return number(ctypes.IntValue(ctypes.ULong, ctypes.Scalar(t.kind).Size()))
	}
	return vectorSize(e.at(n-1), e.line(open))
}

// vectorSize is the size of a type such as float4, by its name.
func vectorSize(name, line string) Value {
	for _, k := range ctypes.CUDAVectorElements {
		rest, ok := strings.CutPrefix(name, k)
		if n := strings.Index("1234", rest); ok && len(rest) == 1 && n >= 0 {
			if t := namedType([]string{k}, typeNames); t.kind != 0 {
				return number(ctypes.IntValue(ctypes.ULong, int64(n+1)*ctypes.Scalar(t.kind).Size()))
			}
		}
	}
	if name == "half" || name == "__half" {
		return number(ctypes.IntValue(ctypes.ULong, 2))
	}
	return unknownf("the size of %s is not known (%s)", name, line)
}

// isTypeName reports whether tokens i to j, which typeAt has taken for a type, are one that is
// known to be.
func (e *expression) isTypeName(i, j int) bool {
	last := e.at(j - 1)
	if _, ok := typeNames[last]; ok || slices.Contains(arithmeticWords, last) || e.is(j-1, "const") {
		return true
	}
	if v := e.env.find(last); v != nil {
		return v.isType
	}
	if _, ok := e.types[last]; ok {
		return true
	}
	return e.is(i, "struct") || e.is(i, "const") || vectorSize(last, "").Known()
}

func (e *expression) primary() Value {
	i := e.k
	if i >= e.end {
		return e.fail()
	}
	switch e.kindOf(i) {
	case Number:
		e.k++
		return e.number(i)
	case Literal:
		e.k++
		if v, problem := ctypes.ParseChar(e.at(i)); strings.HasPrefix(e.at(i), "'") && problem == "" {
			return number(ctypes.IntValue(ctypes.Char, v.Int))
		}
		return unknownf("a string is no number")
	case Word:
		return e.name()
	}
	if c := e.closing(i); e.is(i, "(") && c > 0 && c < e.end {
		inner := &expression{interpreter: e.interpreter, k: i + 1, end: c, deep: e.deep}
		v := inner.conditional()
		if inner.failed || inner.k != c {
			return e.fail()
		}
		e.k = c + 1
		return v
	}
	if e.is(i, "::") && e.kindOf(i+1) == Word {
		e.k++
		return e.name()
	}
	return e.fail()
}

func (e *expression) number(i int) Value {
	v, problem := ctypes.ParseNumber(e.at(i))
	if problem != "" {
		return e.fail()
	}
	return number(v)
}

// postfix reads what stands behind an operand.
func (e *expression) postfix(v Value) Value {
	for !e.failed {
		i := e.k
		switch e.peek() {
		case ".", "->":
			member := e.at(i + 1)
			if e.kindOf(i+1) != Word {
				return e.fail()
			}
			e.k = i + 2
			if c := e.closing(e.k); e.peek() == "(" && c > 0 && c < e.end {
				e.k = c + 1
				v = unknownf("what %s() gives is not known (%s)", member, e.line(i))
			} else if e.is(i, "->") {
				v = unknownf("member %s of an object is not known (%s)", member, e.line(i))
			} else if v.Known() {
				v = v.member(member)
			} else {
				v = unknownf("member %s of an object is not known (%s)", member, e.line(i))
			}
		case "[", "(":
			c := e.closing(i)
			if c < 0 || c >= e.end {
				return e.fail()
			}
			e.k = c + 1
			if e.is(i, "[") {
				v = unknownf("an element of an array is not known (%s)", e.line(i))
			} else {
				v = unknownf("what a call gives is not known (%s)", e.line(i))
			}
		case "++", "--":
			e.k++
			v = unknownf("%s is not understood (%s)", e.quote(i-1, i+1), e.line(i))
		default:
			return v
		}
	}
	return v
}
