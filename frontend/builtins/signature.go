package builtins

import "strings"

// SplitSignature takes a signature apart.
//
// A signature is RESULT(PARAM,...) over these codes:
//
//	f g i     generic: any floating, arithmetic or integer type, scalar or
//	          vector; all generic parameters of a call have the same one
//	s         generic: float only, which is all that native_ functions take
//	t         generic: int or uint, which is all that 24-bit arithmetic takes
//	n         int, with as many lanes as the generic
//	u         the unsigned counterpart of the generic
//	e         the generic's scalar
//	r         the result of a relational function: int, for vectors the signed
//	          integer vector of the same size
//	m         any integer type with as many lanes as the generic
//	dim       a dimension, a constant int
//	*X        pointer to X in any space
//	...       anything, not evaluated
//	float ... a scalar type by name
func SplitSignature(s string) (result string, params []string) {
	result, rest, _ := strings.Cut(s, "(")
	rest = strings.TrimSuffix(rest, ")")
	if rest == "" {
		return result, nil
	}
	return result, strings.Split(rest, ",")
}

// IsGeneric reports whether a code of a signature is generic.
func IsGeneric(code string) bool { return len(code) == 1 && strings.Contains("fgist", code) }
