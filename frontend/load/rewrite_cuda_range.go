package load

import (
	"fmt"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// Loops over the elements of an array, and names for the members of a struct or of a vector:
//
//	for (float x : a) { ... }    for (int __kl_at7 = 0; __kl_at7 < __kl_extent(a); __kl_at7++) { float x = (a)[__kl_at7]; { ... } }
//	auto [x, y] = f();           __kl_auto __kl_parts7 = f(); __kl_auto __kl_ref x = __kl_part(__kl_parts7, 0); ...

// rangeFor rewrites for (x : array), where the array is a name or a member; n is the (.
func (r *rewriter) rangeFor(i, n int) {
	c := r.Shape.Closing(n)
	if c < 0 || r.Find(n, c, ";", "?") < c {
		return
	}
	colon := r.Find(n, c, ":")
	if colon == c || !r.Shape.InBody(i) {
		return
	}
	end := r.StatementEnd(r.Next(c))
	if end <= r.Next(c) || !r.isPath(colon+1, c) || r.Is(r.Prev(colon), "]") {
		r.unsupported(i, "a range-based for is", "write a for loop over the index")
		return
	}
	of := r.Text[r.Tokens[r.Next(colon)].Start:r.Tokens[r.Prev(c)].End]
	at := fmt.Sprintf("__kl_at%d", i)
	r.replace(i, fmt.Sprintf("for (int %s = 0; %s < %s(%s); %s++)", at, at, encoding.ArrayExtent, of, at))
	r.replace(n, "{")
	for k := r.Next(n); k < colon; k = r.Next(k) {
		if r.Is(k, "&") || r.Is(k, "&&") {
			r.replace(k, " "+encoding.MacroReference+" ")
			r.dead[k] = true
		}
	}
	r.replace(colon, "= (")
	r.replace(c, ")["+at+"];")
	r.behind(end-1, " }")
}

// isPath reports whether tokens i to j are a name, or members of one.
func (r *rewriter) isPath(i, j int) bool {
	for k := r.Next(i - 1); k < j; k = r.Next(k) {
		if s := r.At(k); r.KindOf(k) != tokens.Ident && r.KindOf(k) != tokens.Number && s != "." && s != "->" && s != "[" && s != "]" {
			return false
		}
	}
	return true
}

// binding rewrites auto [x, y] = e, whose [ is token i; false means that it is something else.
func (r *rewriter) binding(i int) bool {
	auto := r.Prev(i)
	if r.Is(auto, "&") || r.Is(auto, "&&") {
		auto = r.Prev(auto)
	}
	c := r.Shape.Closing(i)
	if !r.Is(auto, "auto") || c < 0 {
		return false
	}
	equals := r.Next(c)
	end := r.Find(c, len(r.Tokens), ";")
	if !r.Is(equals, "=") || end >= len(r.Tokens) || r.Shape.KindAt(i) != tokens.Block {
		r.unsupported(i, "this structured binding is", "initialise it with =, in a statement of its own")
		return true
	}
	of := fmt.Sprintf("__kl_parts%d", i)
	names, part := "", 0
	for k := r.Next(i); k < c; k = r.Next(k) {
		if r.KindOf(k) == tokens.Ident {
			names += fmt.Sprintf(" %s %s %s = %s(%s, %d);", encoding.TypeAuto, encoding.MacroReference, r.At(k), encoding.StructPart, of, part)
			part++
		}
		r.replace(k, "")
	}
	if n := r.Next(auto); n != i {
		r.replace(n, " "+encoding.MacroReference+" ")
		r.dead[n] = true
	}
	r.replace(i, " "+of)
	r.replace(c, "")
	r.behind(end, names)
	return true
}
