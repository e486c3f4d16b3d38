package ctypes

// Op is an operator of a Unary or Binary expression.
type Op uint8

// The operators. The zero value is invalid.
const (
	Neg    Op = iota + 1 // -x
	BitNot               // ~x
	Not                  // !x, result int (vectors: -1 or 0 per lane)
	Add
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LogAnd // short-circuit, result int
	LogOr
)

var opNames = [...]string{Neg: "-", BitNot: "~", Not: "!", Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", And: "&",
	Or: "|", Xor: "^", Shl: "<<", Shr: ">>", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", LogAnd: "&&",
	LogOr: "||"}

func (o Op) String() string {
	if o != 0 && int(o) < len(opNames) {
		return opNames[o]
	}
	return "invalid operator"
}

// BinaryOp is the operator of two operands that is spelled text, 0 if there is none.
func BinaryOp(text string) Op {
	for o := Add; o <= LogOr; o++ {
		if opNames[o] == text {
			return o
		}
	}
	return 0
}

// TightestPrecedence is that of the operators that bind tightest.
const TightestPrecedence = 9

// Precedence is how tightly a binary operator binds: from 0, ||, to TightestPrecedence, *.
func (o Op) Precedence() int {
	switch o {
	case LogOr:
		return 0
	case LogAnd:
		return 1
	case Or:
		return 2
	case Xor:
		return 3
	case And:
		return 4
	case Eq, Ne:
		return 5
	case Lt, Le, Gt, Ge:
		return 6
	case Shl, Shr:
		return 7
	case Add, Sub:
		return 8
	}
	return TightestPrecedence
}

// IsComparison reports whether o is one of == != < <= > >=.
func (o Op) IsComparison() bool { return o >= Eq && o <= Ge }
