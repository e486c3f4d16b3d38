package resolve

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// Where OpenCL C calls a mixture of scalar types ambiguous, the usual
// arithmetic conversions decide, but a literal gives way to the type of the
// others: fmax(x, 0.0) stays float.

// match decides whether a call's arguments fit an overload and returns the
// parameter types and the result type. why says what does not fit.
func (c *checker) match(o builtins.Overload, args []ast.Expr) (params []*ctypes.Type, result *ctypes.Type, why string) {
	res, codes := builtins.SplitSignature(o.Signature)
	if len(codes) == 1 && codes[0] == "..." {
		return nil, c.codeType(res, nil), ""
	}
	if len(args) != len(codes) {
		return nil, nil, countOf(len(codes), "argument") + " expected, " + countOf(len(args), "argument") + " given"
	}
	generic, why := c.genericType(codes, args)
	if why != "" {
		return nil, nil, why
	}
	for i, code := range codes {
		t, why := c.paramType(code, generic, args[i])
		if why != "" {
			return nil, nil, why
		}
		params = append(params, t)
	}
	return params, c.codeType(res, generic), ""
}

// paramType is the type of one parameter.
func (c *checker) paramType(code string, generic *ctypes.Type, arg ast.Expr) (*ctypes.Type, string) {
	at := arg.Type()
	if elem, ok := strings.CutPrefix(code, "*"); ok {
		if at.Kind != ctypes.Pointer {
			return nil, "a pointer is needed, this is " + at.String()
		}
		want := c.codeType(elem, generic)
		if !at.Elem.Equal(want) && !(at.Elem.IsInteger() && want.IsInteger() && at.Elem.Size() == want.Size()) {
			return nil, "a pointer to " + want.String() + " is needed, this is " + at.String()
		}
		return at, ""
	}
	if code == "m" {
		if !at.Base().IsInteger() || at.Lanes() != generic.Lanes() {
			return nil, "an integer type with " + countOf(generic.Lanes(), "component") + " is needed, this is " +
				at.String()
		}
		return at, ""
	}
	t := c.codeType(code, generic)
	switch {
	case at.IsScalar() && t.IsArith(), at.Equal(t):
		return t, ""
	}
	return nil, t.String() + " is needed, this is " + at.String()
}

// codeType is the type that a code stands for, nil for an unknown one.
func (c *checker) codeType(code string, generic *ctypes.Type) *ctypes.Type {
	if builtins.IsGeneric(code) {
		return generic
	}
	switch code {
	case "n":
		return c.withLanes(ctypes.Int, generic)
	case "u":
		k := generic.Base().Kind
		if generic.Base().IsInteger() {
			k = ctypes.UnsignedOf(generic.Base().Size())
		}
		return c.withLanes(k, generic)
	case "e":
		return generic.Base()
	case "r":
		return c.comparisonType(generic)
	case "dim":
		return ctypes.Scalar(ctypes.Int)
	case "void":
		return ctypes.Scalar(ctypes.Void)
	}
	if k, ok := kindsByName[code]; ok {
		return ctypes.Scalar(k)
	}
	return nil
}

// genericType finds the common generic type of a call, nil if the signature
// has none.
func (c *checker) genericType(codes []string, args []ast.Expr) (*ctypes.Type, string) {
	letter := ""
	var vector, scalar *ctypes.Type
	var literals *ctypes.Type // of literals alone
	for i, code := range codes {
		t := args[i].Type()
		if elem, ok := strings.CutPrefix(code, "*"); ok && elem == "g" && t.Kind == ctypes.Pointer {
			// An atomic's pointer decides alone.
			if !t.Elem.IsScalar() {
				return nil, "a pointer to a scalar is needed, this is " + t.String()
			}
			return t.Elem, ""
		}
		if !builtins.IsGeneric(code) {
			continue
		}
		letter = code
		_, isLiteral := args[i].(*ast.Literal)
		switch {
		case t.Kind == ctypes.Vector && vector != nil && !vector.Equal(t):
			return nil, vector.String() + " and " + t.String() + " do not go together"
		case t.Kind == ctypes.Vector:
			vector = t
		case !t.IsScalar():
			return nil, "a number is needed, this is " + t.String()
		case isLiteral && code != "t", code == "t" && t.Size() == 8:
			// No 24-bit function takes a long: the other arguments decide.
			literals = mixed(literals, t)
		default:
			scalar = mixed(scalar, t)
		}
	}
	t := vector
	if t == nil {
		t = c.scalarGeneric(letter, scalar, literals)
	}
	switch {
	case letter == "":
		return nil, ""
	case letter == "f" && !t.Base().IsFloat():
		return nil, "a floating type is needed, this is " + t.String()
	case (letter == "i" || letter == "t") && !t.Base().IsInteger():
		return nil, "an integer type is needed, this is " + t.String()
	case letter == "s" && t.Kind != ctypes.Vector:
		return ctypes.Scalar(ctypes.Float), ""
	case letter == "s" && t.Elem.Kind != ctypes.Float:
		return nil, "float is needed, this is " + t.String()
	case letter == "t" && t.Kind != ctypes.UInt && t.Kind != ctypes.Vector:
		return ctypes.Scalar(ctypes.Int), ""
	case letter == "t" && t.Base().Size() != 4:
		return nil, "int or uint is needed, this is " + t.String()
	}
	return t, ""
}

// scalarGeneric is the generic type of scalar arguments only.
func (c *checker) scalarGeneric(letter string, scalar, literals *ctypes.Type) *ctypes.Type {
	t := scalar
	switch {
	case t == nil:
		t = literals
	case literals != nil && literals.IsFloat() && !t.IsFloat():
		t = literals // max(i, 0.5f) is a float
	case literals != nil && c.cfg.Dialect == ast.CUDA:
		t = mixed(t, literals) // C++ has one rule for literals and variables
	}
	if letter == "f" && t != nil && t.IsInteger() {
		// C++ computes sqrt(int) in double; OpenCL has to be told, so that what is
		// meant is the type that a kernel computes in.
		if c.cfg.Dialect == ast.CUDA {
			return ctypes.Scalar(ctypes.Double)
		}
		return ctypes.Scalar(ctypes.Float)
	}
	return t
}

// mixed is the common type of two scalars: equal ones are not promoted, but
// no function takes bool.
func mixed(a, b *ctypes.Type) *ctypes.Type {
	if b.Kind == ctypes.Bool {
		b = ctypes.Scalar(ctypes.Int)
	}
	if a == nil || a.Equal(b) {
		return b
	}
	return ctypes.Usual(a, b)
}

// countOf prints "1 argument", "2 arguments".
func countOf(n int, noun string) string {
	s := "s"
	if n == 1 {
		s = ""
	}
	return strconv.Itoa(n) + " " + noun + s
}
