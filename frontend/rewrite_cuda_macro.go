package frontend

import "slices"

// macroWords are what makes the text of a macro C++ that has to be rewritten.
var macroWords = []string{"static_cast", "reinterpret_cast", "const_cast", "::", "constexpr"}

// defines rewrites the texts of macros.
func (r *rewriter) defines() {
	for i, t := range r.toks {
		if t.inDir && r.is(i, "#") && r.is(i+1, "define") && i+2 < len(r.toks) && r.kindOf(i+2) == tokIdent {
			r.defineExpressions(i+3, r.lineEnd(i))
		}
	}
}

// defineExpressions rewrites the C++ in the text of a macro, tokens i to end of a
// #define, parameters included, as in a function. What cannot be rewritten stays
// for the parser to report where the macro is used.
func (r *rewriter) defineExpressions(i, end int) {
	worth := false
	for k := i; k < end; k++ {
		_, _, surface := surfaceFunction(r.at(k))
		worth = worth || slices.Contains(macroWords, r.at(k)) || (textureDims[r.at(k)] > 0 || surface || r.l.words.types[r.at(k)]) && k+1 < end
	}
	if i >= end || !worth {
		return
	}
	if r.is(i, "(") && r.toks[i].start == r.toks[i-1].end { // its parameters
		for i < end && !r.is(i, ")") {
			i++
		}
		i++
	}
	if i >= end {
		return
	}
	start, stop := int(r.toks[i].start), int(r.toks[end-1].end)
	text, _, err := lex(r.text[start:stop], CUDA)
	if err != nil {
		return
	}
	shape, _, err := shapeOf(text)
	if err != nil {
		return
	}
	for k := range shape.body {
		shape.body[k] = true
	}
	m := &rewriter{source: &source{name: r.name, lexed: text, written: text, shape: shape, lines: lineStarts(text.text)}, l: r.l, dead: make([]bool, len(text.toks)), inMacro: true}
	m.assembly()
	m.cudaExpressions()
	if len(m.edits) == 0 {
		return
	}
	for _, e := range m.edits {
		e.start += int32(start)
		e.end += int32(start)
		r.edits = append(r.edits, e)
	}
}
