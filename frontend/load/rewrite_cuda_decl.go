package load

import (
	"fmt"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// using turns "using T = U;" into "typedef U T;" and takes other forms out.
func (r *rewriter) using(i, end int) {
	name := r.Next(i)
	eq := r.Next(name)
	if end-1 <= eq || !r.Is(eq, "=") || r.KindOf(name) != tokens.Ident || !r.Is(end-1, ";") {
		r.blank(i, end)
		return
	}
	r.l.Words.Types[r.At(name)] = true
	r.addItem(i, end, cxx.Head{Body: end, Name: r.At(name)})
	r.replace(i, "typedef")
	r.replace(name, "")
	r.replace(eq, "")
	r.before(end-1, " "+r.At(name))
}

// declaration keeps what device code may need: types, constants and device
// variables.
func (r *rewriter) declaration(i, end int) {
	if r.textureReference(i, end) {
		return
	}
	tag := r.Find(i, end, "struct", "union", "enum", "class")
	defines := tag < end && r.Has(tag, end, "{") || tag == i
	if r.Mark(i, end, "__device__", "__constant__", "__shared__", "__managed__") == "" && !defines &&
		!r.Has(i, end, "typedef", "const", "constexpr") && r.l.Words.Marks[r.At(i)] == "" {
		r.blank(i, end)
		return
	}
	h := cxx.Head{Body: end}
	open := r.Find(i, end, "{")
	if tag < open && r.Is(tag, "enum") {
		r.enum(i, end, tag, open, &h)
	} else if tag < open || tag == i {
		r.structure(i, end, tag, open, &h)
		return
	}
	if r.Has(i, end, "typedef") && r.Is(end-1, ";") {
		if p := r.Prev(end - 1); p > i && r.KindOf(p) == tokens.Ident {
			r.l.Words.Types[r.At(p)] = true
		}
	}
	it := r.addItem(i, end, h)
	if std := r.Find(i, end, "std", "thrust", "cub", "hipcub"); std < end && r.Is(r.Next(std), "::") && !r.isTrait(r.Next(r.Next(std))) {
		it.reject(diag.Notef(r.tokPos(i), codeDropped, "it is of the C++ library"))
	}
}

// textureReference keeps "texture<float4, 2, mode> t;" as an object and the type
// of its pixels.
func (r *rewriter) textureReference(i, end int) bool {
	k := r.Find(i, end, "texture")
	open := r.Next(k)
	if k == end || !r.Is(open, "<") || r.Find(i, k, "(", "=", "<") < k {
		return false
	}
	gt := r.angle(open)
	name := r.Next(gt)
	if gt < 0 || name >= end || r.KindOf(name) != tokens.Ident {
		return false
	}
	r.addItem(i, end, cxx.Head{Body: end, Name: r.At(name)})
	for p := i; p < k; p++ {
		if r.KindOf(p) != tokens.Newline {
			r.replace(p, "")
		}
	}
	r.replace(k, "typedef ")
	r.replace(open, "")
	rest := min(gt, r.Find(open, gt, ","))
	for p := rest; p < gt; p++ {
		if r.KindOf(p) != tokens.Newline {
			r.replace(p, "")
		}
	}
	r.replace(gt, " "+r.At(name)+encoding.TexelMark+"; "+ctypes.Texture+" ")
	for p := r.Next(name); p < end; p = r.Next(p) { // further references of the type
		if r.Is(p, ",") && r.KindOf(r.Next(p)) == tokens.Ident {
			r.behind(end-1, " typedef "+r.At(name)+encoding.TexelMark+" "+r.At(r.Next(p))+encoding.TexelMark+";")
		}
	}
	return true
}

// enum makes the name of an enumeration a type and takes "class" and the
// underlying type out.
func (r *rewriter) enum(i, end, tag, open int, h *cxx.Head) {
	k := r.Next(tag)
	if r.Is(k, "class") || r.Is(k, "struct") {
		r.replace(k, "")
		k = r.Next(k)
	}
	if k >= open || r.KindOf(k) != tokens.Ident || open == end {
		return
	}
	h.Name = r.At(k)
	if c := r.Next(k); r.Is(c, ":") {
		r.blank(c, open)
	}
	r.l.Words.Types[h.Name] = true
	if !r.Is(i, "typedef") {
		r.behind(end-1, fmt.Sprintf(" typedef enum %s %s;", h.Name, h.Name))
	}
}

// structure makes the name of a struct or union a type, as in C++, and rejects
// what C structs cannot have.
func (r *rewriter) structure(i, end, tag, open int, h *cxx.Head) {
	name := r.Next(tag)
	for name < open && cxx.AttributeWord(r.At(name)) {
		c := r.Shape.Closing(r.Next(name))
		if c < 0 {
			break
		}
		name = r.Next(c)
	}
	if name < end && r.KindOf(name) == tokens.Ident {
		h.Name = r.At(name)
	}
	it := r.addItem(i, end, *h)
	if k, what := r.classFeature(tag, end, name, open); what != "" {
		e := unsupportedAt(r.tokPos(k), what, "keep the data in a plain struct and make the functions free ones")
		if r.Mark(i, end, "__device__") == "" {
			e = diag.Notef(r.tokPos(k), codeDropped, "struct %s is a class of host code", h.Name)
		}
		it.reject(e)
		it.feature = what
		return
	}
	if h.Name != "" {
		r.l.Words.Types[h.Name] = true
		keyword := r.At(tag)
		if keyword == "class" { // declared only: its pointers are those of a struct
			keyword = "struct"
			r.replace(tag, keyword)
		}
		r.before(i, fmt.Sprintf("typedef %s %s %s; ", keyword, h.Name, h.Name))
	}
	if r.Has(i, end, "typedef") {
		if p := r.Prev(end - 1); p > i && r.KindOf(p) == tokens.Ident {
			r.l.Words.Types[r.At(p)] = true
		}
	}
}

// classFeature looks for what makes the struct at token tag a C++ class.
func (r *rewriter) classFeature(tag, end, name, open int) (int, string) {
	if c := r.Next(name); r.Is(c, ":") && c < open {
		return c, "inheritance is"
	}
	closing := r.Shape.Closing(open)
	if k := r.Find(open, closing, "virtual"); k < closing {
		return k, "a virtual function is"
	}
	if r.Is(tag, "class") && !(open == end && r.Is(r.Next(name), ";")) {
		return tag, "a class is"
	}
	if open >= end || closing < 0 {
		return 0, ""
	}
	for k := open + 1; k < closing; k++ {
		if r.Tokens[k].InDirective {
			continue
		}
		switch s := r.At(k); {
		case s == "operator":
			return k, "an overloaded operator is"
		case s == "public" || s == "private" || s == "protected" || s == "virtual" || s == "friend" || s == "template" || s == "~":
			return k, fmt.Sprintf("a struct with %q is", s)
		case s == "(" && r.Shape.Parent[k] == int32(open):
			if p := r.Prev(k); r.KindOf(p) == tokens.Ident && !cxx.AttributeWord(r.At(p)) {
				return p, "a member function is"
			}
		}
	}
	return 0, ""
}
