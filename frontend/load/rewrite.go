package load

import (
	"fmt"
	"strconv"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// rewriter turns one file of OpenCL C or CUDA C into C for cc.Parse, in the raw
// text, before preprocessing. Lines keep their numbers, and every character
// that is not replaced finds its way back to its column (package source).
//
// What is wrong in the text becomes a #pragma in it, so that an #if can still
// take it out.
type rewriter struct {
	*cxx.Reader
	l     *loader
	edits []source.Edit
	dead  []bool // by token: blanked out, to be left alone by later passes
	// inMacro is set for the text of a macro, in which nothing is reported.
	inMacro bool
}

// rewritePass is one step. Passes only add edits; they all see the original
// text.
type rewritePass struct {
	name string
	only source.Dialect // 0 = both
	run  func(*rewriter)
}

// rewritePasses lists the passes in order.
func rewritePasses() []rewritePass {
	return []rewritePass{
		{"directives", 0, (*rewriter).directives}, // #include, #line, #error, bare #define; _Pragma in macros: before any other looks at directives
		{"launch directives", 0, (*rewriter).launchComments},
		{"attributes of C++", source.CUDA, (*rewriter).brackets},
		{"items", source.CUDA, (*rewriter).items},           // blanks host code: what follows need not look at it
		{"macros of C++", source.CUDA, (*rewriter).defines}, // after the items, which name types
		{"literals", 0, (*rewriter).literals},
		{"pragmas", 0, (*rewriter).pragmas},
		{"attributes", 0, (*rewriter).attributes},
		{"macro bombs", 0, (*rewriter).macroBombs}, // after the items: not in host code
		{"pipes", source.OpenCL, (*rewriter).pipes},
		{"assembly", source.CUDA, (*rewriter).assembly}, // before C++'s :: is taken out
		{"C++ expressions", source.CUDA, (*rewriter).cudaExpressions},
		{"references", source.CUDA, (*rewriter).references},
	}
}

// rewrite fills a source's rewritten text.
func (l *loader) rewrite(s *source.File) {
	r := &rewriter{Reader: l.Reader(s), l: l, dead: make([]bool, len(s.Tokens))}
	passes := rewritePasses()
	if l.host {
		passes = hostPasses()
	}
	for _, p := range passes {
		if p.only == 0 || p.only == l.cfg.Dialect {
			p.run(r)
		}
	}
	s.Edits = r.edits
	l.settle(s)
}

// replace puts text in place of token i.
func (r *rewriter) replace(i int, text string) {
	t := r.Tokens[i]
	r.edits = append(r.edits, source.Edit{Start: t.Start, End: t.End, Order: source.Replace, Text: text})
}

// before inserts text in front of token i.
func (r *rewriter) before(i int, text string) {
	s := r.Tokens[i].Start
	r.edits = append(r.edits, source.Edit{Start: s, End: s, Order: source.Before, Text: text})
}

// behind inserts text behind token i.
func (r *rewriter) behind(i int, text string) {
	e := r.Tokens[i].End
	r.edits = append(r.edits, source.Edit{Start: e, End: e, Order: source.Behind, Text: text})
}

// blank takes tokens i to j (exclusive) out, pragmas included, but not the
// other directives and newlines among them.
func (r *rewriter) blank(i, j int) {
	for ; i < j; i++ {
		if r.KindOf(i) != tokens.Newline && !r.Outlives(i) {
			r.replace(i, "")
			r.dead[i] = true
		}
	}
}

// blankLine takes the directive line that starts at token i out and puts text
// in its place.
func (r *rewriter) blankLine(i int, text string) {
	r.replace(i, text)
	for i++; i < len(r.Tokens) && r.KindOf(i) != tokens.Newline; i++ {
		r.replace(i, "")
	}
}

// tokPos is the position of token i.
func (r *rewriter) tokPos(i int) diag.Pos {
	if i >= len(r.Tokens) {
		return r.LogicalPos(len(r.Text))
	}
	return r.LogicalPos(int(r.Tokens[i].Start))
}

// diagID registers a diagnostic for #pragma __kl_diag.
func (r *rewriter) diagID(e *diag.Error) int {
	r.l.diags = append(r.l.diags, e)
	return len(r.l.diags) - 1
}

// complain reports e where token i stands, unless an #if takes the place out.
// The token must not be part of a directive.
func (r *rewriter) complain(i int, e *diag.Error) {
	if r.inMacro {
		return
	}
	r.before(i, fmt.Sprintf("\n#pragma %s %d\n", pragmaDiag, r.diagID(e)))
}

// complainLine puts the report of e in place of the directive at token i.
func (r *rewriter) complainLine(i int, e *diag.Error) {
	r.blankLine(i, fmt.Sprintf("#pragma %s %d", pragmaDiag, r.diagID(e)))
}

// unsupported reports a construct at token i. If that lies in a function of a
// CUDA file, only this function is lost.
func (r *rewriter) unsupported(i int, construct, advice string) {
	if r.inMacro {
		return
	}
	e := diag.Errorf(r.tokPos(i), CodeUnsupported, "%s not supported", construct)
	if advice != "" {
		_ = e.WithNote("%s", advice)
	}
	if it := r.itemAt(i); it != nil {
		it.reject(e)
		return
	}
	r.complain(i, e)
}

// literals replaces literals that are not closed, which would end cc's scanner
// even where an #if takes them out, and the macros that stand for literals.
func (r *rewriter) literals() {
	for i, t := range r.Tokens {
		if t.Kind == tokens.Ident && !t.InDirective && !r.dead[i] {
			r.literalMacro(i)
		}
		if t.Kind != tokens.String || r.dead[i] || r.ClosedLiteral(i) {
			continue
		}
		kind := "string"
		if q := r.Text[t.Start]; q == '\'' || r.Text[t.End-1] != '"' && t.End > t.Start+1 && r.Text[t.Start+1] == '\'' {
			kind = "character constant"
		}
		if t.InDirective {
			r.replace(i, "")
			continue
		}
		r.complain(i, diag.Errorf(r.tokPos(i), tokens.CodeSyntax, "%s is not closed on its line", kind))
		r.replace(i, "0")
	}
}

// literalMacro replaces __FILE__, which cc would give a name of the loader's,
// and the date and time, which would make two runs differ.
func (r *rewriter) literalMacro(i int) {
	switch r.At(i) {
	case "__FILE__":
		r.replace(i, strconv.Quote(r.Name))
	case "__DATE__":
		r.replace(i, `"Jan  1 1970"`)
	case "__TIME__":
		r.replace(i, `"00:00:00"`)
	}
}

// assembly parts the :: of inline assembly, which no scope stands before, and its operands.
func (r *rewriter) assembly() {
	for i, t := range r.Tokens {
		if t.Kind != tokens.Ident || t.InDirective || r.dead[i] {
			continue
		}
		switch r.At(i) {
		case "asm", "__asm", "__asm__":
			r.assemblyOperands(i)
		}
	}
}

// assemblyOperands parts the :: between the parentheses behind token i, operands left out, and
// operands without a comma between them, which nvcc takes.
func (r *rewriter) assemblyOperands(i int) {
	open := r.Next(i)
	for r.Is(open, "volatile") || r.Is(open, "__volatile__") || r.Is(open, "__volatile") {
		open = r.Next(open)
	}
	end := r.Shape.Closing(open)
	for k := r.Next(open); r.Is(open, "(") && k < end; k = r.Next(k) {
		switch {
		case r.Is(k, "(") && r.Shape.Closing(k) > k:
			k = r.Shape.Closing(k)
			if n := r.Next(k); n < end && r.KindOf(n) == tokens.String {
				r.behind(k, ",")
			}
		case r.Is(k, "::"):
			r.replace(k, ": :")
			r.dead[k] = true
		}
	}
}
