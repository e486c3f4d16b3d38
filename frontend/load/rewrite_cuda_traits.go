package load

import (
	"strings"

	"gpupipe/frontend/encoding"
)

// What the standard library says about types becomes calls that typing answers
// (package encoding), since only it knows what a name stands for:
//
//	std::numeric_limits<T>::max()   __kl_limit_max((T *)0)
//	std::is_same<T, U>::value       __kl_is_same((T *)0, (U *)0)
//	std::is_integral_v<T>           __kl_is_integral((T *)0)

// trait rewrites the trait at token i, with its < at token n.
func (r *rewriter) trait(i, n int) bool {
	gt := r.angle(n)
	if gt < 0 {
		return false
	}
	name, value := r.At(i), r.Next(gt)
	last := gt // of what the call takes the place of
	switch s := r.At(i); {
	case s == "numeric_limits":
		member := r.Next(value)
		open := r.Next(member)
		if !r.Is(value, "::") || !encoding.LimitNames[r.At(member)] || !r.Is(open, "(") || r.Shape.Closing(open) != r.Next(open) {
			return false
		}
		name, last = "limit_"+r.At(member), r.Next(open)
	case len(s) > 2 && s[len(s)-2:] == "_v" && encoding.TypeTraits[s[:len(s)-2]] > 0:
		name = s[:len(s)-2]
	case encoding.TypeTraits[s] > 0 && r.Is(value, "::") && r.Is(r.Next(value), "value"):
		last = r.Next(value)
	default:
		return false
	}
	args := r.arguments(n, gt)
	if want := encoding.TypeTraits[name]; want > 0 && len(args) != want {
		return false
	}
	r.replace(i, encoding.TraitPrefix+name)
	r.replace(n, "((")
	for _, a := range args[:len(args)-1] {
		if len(a) == 0 {
			return false
		}
		r.replace(r.Next(a[len(a)-1]), "*)0,(")
	}
	r.replace(gt, "*)0)")
	r.blank(gt+1, last+1)
	return true
}

// isTrait reports whether the library's name at token i is that of a trait of types, which constants may be made of.
func (r *rewriter) isTrait(i int) bool {
	return encoding.TypeTraits[strings.TrimSuffix(r.At(i), "_v")] > 0 || r.Is(i, "numeric_limits")
}
