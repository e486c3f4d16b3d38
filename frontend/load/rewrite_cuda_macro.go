package load

import (
	"slices"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// macroWords are what makes the text of a macro C++ that has to be rewritten.
var macroWords = []string{"static_cast", "reinterpret_cast", "const_cast", "::", "constexpr"}

// defines rewrites the texts of macros.
func (r *rewriter) defines() {
	for i, t := range r.Tokens {
		if t.InDirective && r.Is(i, "#") && r.Is(i+1, "define") && i+2 < len(r.Tokens) && r.KindOf(i+2) == tokens.Ident {
			r.defineExpressions(i+3, r.LineEnd(i))
		}
	}
}

// defineExpressions rewrites the C++ in the text of a macro, tokens i to end of a
// #define, parameters included, as in a function. What cannot be rewritten stays
// for the parser to report where the macro is used.
func (r *rewriter) defineExpressions(i, end int) {
	worth := false
	for k := i; k < end; k++ {
		_, _, surface := encoding.SurfaceFunction(r.At(k))
		worth = worth || slices.Contains(macroWords, r.At(k)) || (encoding.TextureDims[r.At(k)] > 0 || surface || r.l.Words.Types[r.At(k)]) && k+1 < end
	}
	if i >= end || !worth {
		return
	}
	if r.Is(i, "(") && r.Tokens[i].Start == r.Tokens[i-1].End { // its parameters
		for i < end && !r.Is(i, ")") {
			i++
		}
		i++
	}
	if i >= end {
		return
	}
	start, stop := int(r.Tokens[i].Start), int(r.Tokens[end-1].End)
	text, _, err := tokens.Lex(r.Text[start:stop], true)
	if err != nil {
		return
	}
	shape, _, err := tokens.ShapeOf(text)
	if err != nil {
		return
	}
	for k := range shape.Body {
		shape.Body[k] = true
	}
	m := &rewriter{Reader: r.l.Reader(&source.File{Name: r.Name, List: text, Written: text, Shape: shape, Lines: source.LineStarts(text.Text)}), l: r.l, dead: make([]bool, len(text.Tokens)), inMacro: true}
	m.assembly()
	m.cudaExpressions()
	if len(m.edits) == 0 {
		return
	}
	for _, e := range m.edits {
		e.Start += int32(start)
		e.End += int32(start)
		r.edits = append(r.edits, e)
	}
}
