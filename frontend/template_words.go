package frontend

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tokens"
)

// Template arguments are handled as lists of words, the spelling of their
// tokens, with every >> taken apart.

// shortTypes names by one word the types that have several, so that T(x) stays
// a conversion.
var shortTypes = map[string]string{
	"unsigned": "uint", "unsigned int": "uint", "unsigned char": "uchar", "unsigned short": "ushort", "unsigned long": "ulong",
	"unsigned long long": "ulong", "unsigned long long int": "ulong", "long long": "int64_t", "long long int": "int64_t", "signed char": "int8_t",
	"signed int": "int", "signed": "int", "long int": "long", "short int": "short", "unsigned short int": "ushort", "unsigned long int": "ulong",
	"__half": "half", "__nv_bfloat16": "half", "nv_bfloat16": "half", // as in the prelude
	"long unsigned int": "ulong", "int unsigned": "uint", "char unsigned": "uchar",
}

// typeText is the canonical spelling of a type argument.
func typeText(words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "typename" || w == "struct" || w == "class" })
	if len(words) > 0 && words[0] == "::" {
		words = words[1:]
	}
	n := 0
	for n < len(words) && (words[n] == "unsigned" || words[n] == "signed" || words[n] == "long" || words[n] == "int" || words[n] == "char" || words[n] == "short") {
		n++
	}
	if n == 0 && len(words) > 0 && shortTypes[words[0]] != "" {
		words[0] = shortTypes[words[0]]
	}
	if n > 0 {
		if short := shortTypes[tokens.JoinWords(words[:n])]; short != "" {
			words = append([]string{short}, words[n:]...)
		}
	}
	return tokens.JoinWords(words)
}

// evaluator computes integer constants written as words: what template
// arguments need, which have to be equal when their values are.
type evaluator struct {
	words []string
	value func(name string) ([]string, bool)
	depth int
	run   *constantRun // whose variables and functions have values; nil: there are none
	dead  int          // sides around that are not chosen: what they hold has no effect
	bad   bool
}

// evalWords evaluates a constant; value gives the words that a name stands for.
func evalWords(words []string, value func(string) ([]string, bool), depth int) (int64, bool) {
	if len(words) == 0 || depth > 16 {
		return 0, false
	}
	e := &evaluator{words: words, value: value, depth: depth}
	v := e.conditional()
	return v, !e.bad && len(e.words) == 0
}

func (e *evaluator) next() string {
	if len(e.words) == 0 {
		return ""
	}
	return e.words[0]
}

func (e *evaluator) take() string {
	w := e.next()
	if w == "" {
		e.bad = true
		return ""
	}
	e.words = e.words[1:]
	return w
}

func (e *evaluator) conditional() int64 {
	c := e.binary(0)
	if e.next() != "?" {
		return c
	}
	e.take()
	a := e.side(c != 0, e.conditional)
	if e.take() != ":" {
		e.bad = true
	}
	b := e.side(c == 0, e.conditional)
	if c != 0 {
		return a
	}
	return b
}

// side reads an operand that counts if it is chosen.
func (e *evaluator) side(chosen bool, read func() int64) int64 {
	if !chosen {
		e.dead++
		defer func() { e.dead-- }()
	}
	return read()
}

// binary reads operators of a precedence and those that bind tighter. The operators > and >> stand in
// parentheses in template arguments.
func (e *evaluator) binary(level int) int64 {
	if level > ctypes.TightestPrecedence {
		return e.unary()
	}
	a := e.binary(level + 1)
	for op := ctypes.BinaryOp(e.next()); !e.bad && op != 0 && op.Precedence() == level; op = ctypes.BinaryOp(e.next()) {
		e.take()
		decided := op == LogOr && a != 0 || op == LogAnd && a == 0
		a = e.apply(op, a, e.side(!decided, func() int64 { return e.binary(level + 1) }))
	}
	return a
}

// apply is the value of an operator.
func (e *evaluator) apply(op Op, a, b int64) int64 { return e.checked(e.operator(op, a, b)) }

// checked is v, which in a function has to be what its types hold.
func (e *evaluator) checked(v int64) int64 {
	e.bad = e.bad || e.dead == 0 && e.run != nil && !e.run.inRange(v)
	return v
}

// operator computes a op b in 64 bits. What C leaves undefined is no constant.
func (e *evaluator) operator(op Op, a, b int64) int64 {
	v, ok, err := ctypes.EvalBinary(op, ctypes.IntValue(Long, a), ctypes.IntValue(Long, b))
	if !ok || err != nil || (op == Shl || op == Shr) && (b < 0 || b > 62) {
		e.bad = e.bad || e.dead == 0
		return 0
	}
	return v.Int
}

// wordSizes are the sizes of types in bytes that sizeof meets.
var wordSizes = map[string]int64{"char": 1, "bool": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "unsigned": 4, "float": 4,
	"double": 8, "long": 8, "size_t": 8, "float2": 8, "float4": 16, "int4": 16, "int2": 8, "double2": 16, "uint4": 16, "half2": 4}

func (e *evaluator) unary() int64 {
	switch w := e.take(); w {
	case "":
		return 0
	case "-":
		return e.checked(-e.unary())
	case "+":
		return e.unary()
	case "!":
		return e.apply(Eq, e.unary(), 0)
	case "~":
		return e.checked(^e.unary())
	case "(":
		v := e.conditional()
		if e.take() != ")" {
			e.bad = true
		}
		return v
	case "++", "--":
		if e.run != nil {
			return e.run.counted(e, w)
		}
	case "true":
		return 1
	case "false":
		return 0
	case "std":
		if e.take() == "::" {
			return e.unary()
		}
	case "is_same", "is_same_v":
		return e.sameType(w)
	case "sizeof":
		if e.take() == "(" {
			size := wordSizes[e.take()]
			if e.take() == ")" && size > 0 {
				return size
			}
		}
	default:
		if v, problem := ctypes.ParseInt(w); problem == "" && v.Int >= 0 {
			return v.Int
		}
		if e.run != nil {
			if v, ok := e.run.operand(e, w); ok {
				return v
			}
		}
		if words, ok := e.value(w); ok {
			if v, ok := e.named(words); ok {
				return v
			}
		}
	}
	e.bad = true
	return 0
}

// named evaluates the words that a name stands for.
func (e *evaluator) named(words []string) (int64, bool) {
	if e.run == nil {
		return evalWords(words, e.value, e.depth+1)
	}
	outside := &constantRun{l: e.run.l, steps: e.run.steps, calls: e.run.calls + 1}
	if outside.calls > maxConstantCalls {
		return 0, false
	}
	return outside.eval(words)
}

// sameType evaluates is_same_v<A, B> and is_same<A, B>::value.
func (e *evaluator) sameType(name string) int64 {
	end, depth := 0, 0
	for ; end < len(e.words); end++ {
		if e.words[end] == "<" {
			depth++
		} else if e.words[end] == ">" {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if end == len(e.words) || e.next() != "<" {
		e.bad = true
		return 0
	}
	parts := tokens.SplitWords(e.words[1:end])
	e.words = e.words[end+1:]
	if name == "is_same" && (e.take() != "::" || e.take() != "value") || len(parts) != 2 {
		e.bad = true
		return 0
	}
	if typeText(parts[0]) == typeText(parts[1]) {
		return 1
	}
	return 0
}
