package constexpr

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tokens"
)

// Names tells what names stand for.
type Names struct {
	// Words are the words of a constant's or macro's value; ok is false for other names.
	Words func(name string) (words []string, ok bool)
	// Function is the constexpr function of a name, nil if there is none or there are several. A nil
	// Function knows none.
	Function func(name string) *Function
}

func (n Names) words(name string) ([]string, bool) {
	if n.Words == nil {
		return nil, false
	}
	return n.Words(name)
}

func (n Names) function(name string) *Function {
	if n.Function == nil {
		return nil
	}
	return n.Function(name)
}

// Eval is the value of a constant expression of integers; ok is false where words are none.
func Eval(words []string, names Names) (v int64, ok bool) {
	steps := 0
	return (&run{names: names, steps: &steps}).eval(words)
}

// evaluator reads and computes one expression.
type evaluator struct {
	run   *run // whose variables have values
	words []string
	dead  int // sides around that are not chosen: what they hold has no effect
	bad   bool
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
		decided := op == ctypes.LogOr && a != 0 || op == ctypes.LogAnd && a == 0
		a = e.apply(op, a, e.side(!decided, func() int64 { return e.binary(level + 1) }))
	}
	return a
}

// apply is the value of an operator.
func (e *evaluator) apply(op ctypes.Op, a, b int64) int64 { return e.checked(e.operator(op, a, b)) }

// checked is v, which in a function has to be what its types hold.
func (e *evaluator) checked(v int64) int64 {
	e.bad = e.bad || e.dead == 0 && !e.run.inRange(v)
	return v
}

// operator computes a op b in 64 bits. What C leaves undefined is no constant.
func (e *evaluator) operator(op ctypes.Op, a, b int64) int64 {
	v, ok, err := ctypes.EvalBinary(op, ctypes.IntValue(ctypes.Long, a), ctypes.IntValue(ctypes.Long, b))
	if !ok || err != nil || (op == ctypes.Shl || op == ctypes.Shr) && (b < 0 || b > 62) {
		e.bad = e.bad || e.dead == 0
		return 0
	}
	return v.Int
}

func (e *evaluator) unary() int64 {
	switch w := e.take(); w {
	case "":
		return 0
	case "-":
		return e.checked(-e.unary())
	case "+":
		return e.unary()
	case "!":
		return e.apply(ctypes.Eq, e.unary(), 0)
	case "~":
		return e.checked(^e.unary())
	case "(":
		v := e.conditional()
		if e.take() != ")" {
			e.bad = true
		}
		return v
	case "++", "--":
		return e.run.counted(e, w)
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
			size := sizes[e.take()]
			if e.take() == ")" && size > 0 {
				return size
			}
		}
	default:
		if v, problem := ctypes.ParseInt(w); problem == "" && v.Int >= 0 {
			return v.Int
		}
		if v, ok := e.run.operand(e, w); ok {
			return v
		}
		if words, ok := e.run.names.words(w); ok {
			if v, ok := e.named(words); ok {
				return v
			}
		}
	}
	e.bad = true
	return 0
}

// named evaluates the words that a name stands for, outside of the function that names it.
func (e *evaluator) named(words []string) (int64, bool) {
	if e.run.calls >= maxCalls {
		return 0, false
	}
	return (&run{names: e.run.names, steps: e.run.steps, calls: e.run.calls + 1}).eval(words)
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
	if TypeText(parts[0]) == TypeText(parts[1]) {
		return 1
	}
	return 0
}
