package frontend

import (
	"slices"
	"strings"
)

// hostExpr evaluates an expression of host code. What it does not understand has no value: it
// never guesses.
type hostExpr struct {
	*hostRun
	k, end int
	failed bool // the text is not understood
	deep   int
}

// eval is the value of tokens i to j.
func (r *hostRun) eval(i, j int) hostValue {
	if r.spend(1); i >= j {
		return unknownf("an expression is missing")
	}
	if r.is(i, "{") && r.shape.closing(i) == j-1 { // = {1, 2}
		args := r.arguments(i)
		if len(args) == 1 {
			return args[0]
		}
		return dim3Of(args)
	}
	e := &hostExpr{hostRun: r, k: i, end: j}
	v := e.conditional()
	if e.failed || e.k != j {
		return unknownf("%s is not understood (%s)", r.quote(i, j), r.line(i))
	}
	return v
}

// arguments are the values of the list that opens at token open.
func (r *hostRun) arguments(open int) (list []hostValue) {
	for _, part := range r.argumentTokens(open+1, r.shape.closing(open)) {
		list = append(list, r.eval(part[0], part[1]))
	}
	return list
}

// argumentTokens cuts tokens i to j at their commas, but not at those between the arguments of a
// template.
func (r *hostRun) argumentTokens(i, j int) [][2]int {
	parts := r.split(i, j, false)
	for n := 0; n+1 < len(parts); n++ {
		for k := parts[n][0]; k < parts[n][1]; k++ {
			if r.kindOf(k) != tokIdent || !r.is(r.next(k), "<") {
				continue
			}
			if _, closing, rest, ok := r.angleWords(r.next(k)); ok && rest == 0 && closing > parts[n][1] && closing < j && r.is(r.next(closing), "(") {
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
func (r *hostRun) quote(i, j int) string {
	var words []string
	for k := i; k < j && k < i+12; k++ {
		words = append(words, r.at(k))
	}
	if j > i+12 {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}

func (e *hostExpr) peek() string {
	if e.k >= e.end || e.kindOf(e.k) == tokString {
		return ""
	}
	return e.at(e.k)
}

func (e *hostExpr) accept(s string) bool {
	if e.peek() == s {
		e.k++
		return true
	}
	return false
}

func (e *hostExpr) fail() hostValue {
	e.failed = true
	return unknownf("it is not understood")
}

func (e *hostExpr) conditional() hostValue {
	if e.deep++; e.deep > maxBrackets || e.failed {
		return e.fail()
	}
	defer func() { e.deep-- }()
	c := e.binary(0)
	if !e.accept("?") {
		return c
	}
	a := e.conditional()
	if !e.accept(":") {
		return e.fail()
	}
	b := e.conditional()
	switch {
	case !c.known():
		return c
	case !c.isScalar():
		return e.fail()
	case !a.known(): // the type depends on both
		return a
	case !b.known():
		return b
	case a.isScalar() && b.isScalar(): // of their common type
		t := usualType(a.scalar.Type, b.scalar.Type)
		a, b = scalarValue(convertValue(a.scalar, t)), scalarValue(convertValue(b.scalar, t))
	}
	if c.scalar.IsTrue() {
		return a
	}
	return b
}

// binary reads operators of a level of precedences and those that bind tighter.
func (e *hostExpr) binary(level int) hostValue {
	if level == len(precedences) {
		return e.unary()
	}
	a := e.binary(level + 1)
	for !e.failed && slices.Contains(precedences[level], e.peek()) {
		op := e.peek()
		e.k++
		b := e.binary(level + 1)
		if op == "&&" || op == "||" {
			a = connective(op, a, b)
		} else {
			a = hostBinary(op, a, b)
		}
	}
	return a
}

// connective is x && y or x || y; y need not be known where x decides.
func connective(op string, x, y hostValue) hostValue {
	if !x.isScalar() {
		return x
	}
	if x.scalar.IsTrue() == (op == "||") {
		return scalarValue(boolValue(op == "||"))
	}
	if !y.isScalar() {
		return y
	}
	return scalarValue(boolValue(y.scalar.IsTrue()))
}

func (e *hostExpr) unary() hostValue {
	if e.deep++; e.deep > maxBrackets || e.failed {
		return e.fail()
	}
	defer func() { e.deep-- }()
	switch s := e.peek(); s {
	case "-", "~", "!":
		e.k++
		v := e.unary()
		if !v.known() || !v.isScalar() {
			return v
		}
		op := map[string]Op{"-": Neg, "~": BitNot, "!": Not}[s]
		if s != "!" {
			v.scalar = convertValue(v.scalar, promoted(v.scalar.Type))
		}
		if r, ok := evalUnary(op, v.scalar); ok {
			return scalarValue(r)
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
		closing := e.shape.closing(e.k)
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
func (e *hostExpr) sizeOf() hostValue {
	e.k++
	closing := e.shape.closing(e.k)
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
		if v.value.isScalar() && t.auto {
			t = hostType{kind: v.value.scalar.Type.Kind}
		}
	}
	switch {
	case pointer && n == closing:
		return scalarValue(intValue(ULong, 8))
	case n != closing || !isType:
		return unknownf("%s is not understood (%s)", e.quote(open-1, closing+1), e.line(open))
	case t.dim3:
		return scalarValue(intValue(ULong, 12))
	case t.kind != 0:
		return scalarValue(intValue(ULong, Scalar(t.kind).Size()))
	}
	return vectorSize(e.at(n-1), e.line(open))
}

// vectorSize is the size of a type such as float4, by its name.
func vectorSize(name, line string) hostValue {
	for _, k := range cudaVectorElems {
		rest, ok := strings.CutPrefix(name, k)
		if n := strings.Index("1234", rest); ok && len(rest) == 1 && n >= 0 {
			if t, ok := hostTypeNames[k]; ok || slices.Contains(arithmeticWords, k) {
				if !ok {
					t = hostType{kind: arithmeticKind([]string{k})}
				}
				return scalarValue(intValue(ULong, int64(n+1)*Scalar(t.kind).Size()))
			}
		}
	}
	if name == "half" || name == "__half" {
		return scalarValue(intValue(ULong, 2))
	}
	return unknownf("the size of %s is not known (%s)", name, line)
}

// isTypeName reports whether tokens i to j, which typeAt has taken for a type, are one that is
// known to be.
func (e *hostExpr) isTypeName(i, j int) bool {
	last := e.at(j - 1)
	if _, ok := hostTypeNames[last]; ok || slices.Contains(arithmeticWords, last) || e.is(j-1, "const") {
		return true
	}
	if v := e.env.find(last); v != nil {
		return v.isType
	}
	if _, ok := e.types[last]; ok {
		return true
	}
	return e.is(i, "struct") || e.is(i, "const") || vectorSize(last, "").known()
}

func (e *hostExpr) primary() hostValue {
	i := e.k
	if i >= e.end {
		return e.fail()
	}
	switch e.kindOf(i) {
	case tokNumber:
		e.k++
		return e.number(i)
	case tokString:
		e.k++
		if v, problem := parseChar(e.at(i)); strings.HasPrefix(e.at(i), "'") && problem == "" {
			return scalarValue(intValue(Char, v.Int))
		}
		return unknownf("a string is no number")
	case tokIdent:
		return e.name()
	}
	if c := e.shape.closing(i); e.is(i, "(") && c > 0 && c < e.end {
		inner := &hostExpr{hostRun: e.hostRun, k: i + 1, end: c, deep: e.deep}
		v := inner.conditional()
		if inner.failed || inner.k != c {
			return e.fail()
		}
		e.k = c + 1
		return v
	}
	if e.is(i, "::") && e.kindOf(i+1) == tokIdent {
		e.k++
		return e.name()
	}
	return e.fail()
}

func (e *hostExpr) number(i int) hostValue {
	s := e.at(i)
	v, problem := parseInt(s)
	if hex := strings.HasPrefix(strings.ToLower(s), "0x"); problem != "" && (strings.ContainsAny(s, ".pP") || !hex && strings.ContainsAny(s, "eE")) {
		if strings.HasSuffix(strings.ToLower(s), "h") {
			return e.fail()
		}
		v, problem = parseFloat(s, false)
	}
	if problem != "" {
		return e.fail()
	}
	return scalarValue(v)
}

// postfix reads what stands behind an operand.
func (e *hostExpr) postfix(v hostValue) hostValue {
	for !e.failed {
		i := e.k
		switch e.peek() {
		case ".", "->":
			member := e.at(i + 1)
			if e.kindOf(i+1) != tokIdent {
				return e.fail()
			}
			e.k = i + 2
			if c := e.shape.closing(e.k); e.peek() == "(" && c > 0 && c < e.end {
				e.k = c + 1
				v = unknownf("what %s() gives is not known (%s)", member, e.line(i))
			} else if e.is(i, "->") {
				v = unknownf("member %s of an object is not known (%s)", member, e.line(i))
			} else if v.known() {
				v = v.member(member)
			} else {
				v = unknownf("member %s of an object is not known (%s)", member, e.line(i))
			}
		case "[", "(":
			c := e.shape.closing(i)
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
