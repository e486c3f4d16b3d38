package ctypes

// Promoted is the type after C's integer promotions.
func Promoted(t *Type) *Type {
	if t.IsInteger() && t.Kind < Int {
		return Scalar(Int)
	}
	return t
}

// Usual is the common type of C's usual arithmetic conversions, with
// OpenCL's rules for vectors: two vectors must agree, a scalar takes the
// vector's type. It is nil if there is none.
func Usual(a, b *Type) *Type {
	switch {
	case !a.IsArith() || !b.IsArith():
		return nil
	case a.Kind == Vector && b.Kind == Vector:
		if a.Equal(b) {
			return a
		}
		return nil
	case a.Kind == Vector:
		return a
	case b.Kind == Vector:
		return b
	}
	// Kinds are declared in the order of conversion rank, and a long holds every
	// uint, so the greater kind is C's choice.
	return Scalar(max(a.Kind, b.Kind, Int))
}
