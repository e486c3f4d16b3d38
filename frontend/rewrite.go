package frontend

import (
	"fmt"
	"strconv"

	"gpupipe/internal/diag"
)

// rewriter turns one file of OpenCL C or CUDA C into C for cc.Parse, in the raw
// text, before preprocessing. Lines keep their numbers, and every character
// that is not replaced finds its way back to its column (rewrite_map.go).
//
// What is wrong in the text becomes a #pragma in it, so that an #if can still
// take it out.
type rewriter struct {
	*source
	l     *loader
	edits []edit
	dead  []bool // by token: blanked out, to be left alone by later passes
	// inMacro is set for the text of a macro, in which nothing is reported.
	inMacro bool
}

// rewritePass is one step. Passes only add edits; they all see the original
// text.
type rewritePass struct {
	name string
	only Dialect // 0 = both
	run  func(*rewriter)
}

// rewritePasses lists the passes in order.
func rewritePasses() []rewritePass {
	return []rewritePass{
		{"directives", 0, (*rewriter).directives}, // #include, #line, #error, bare #define; _Pragma in macros: before any other looks at directives
		{"launch directives", 0, (*rewriter).launchComments},
		{"items", CUDA, (*rewriter).items},           // blanks host code: what follows need not look at it
		{"macros of C++", CUDA, (*rewriter).defines}, // after the items, which name types
		{"literals", 0, (*rewriter).literals},
		{"pragmas", 0, (*rewriter).pragmas},
		{"attributes", 0, (*rewriter).attributes},
		{"macro bombs", 0, (*rewriter).macroBombs}, // after the items: not in host code
		{"pipes", OpenCL, (*rewriter).pipes},
		{"assembly", CUDA, (*rewriter).assembly}, // before C++'s :: is taken out
		{"C++ expressions", CUDA, (*rewriter).cudaExpressions},
		{"references", CUDA, (*rewriter).references},
	}
}

// rewrite fills a source's rewritten text.
func (l *loader) rewrite(s *source) {
	r := &rewriter{source: s, l: l, dead: make([]bool, len(s.toks))}
	passes := rewritePasses()
	if l.host {
		passes = hostPasses()
	}
	for _, p := range passes {
		if p.only == 0 || p.only == l.cfg.Dialect {
			p.run(r)
		}
	}
	s.edits = r.edits
	l.settle(s)
}

// replace puts text in place of token i.
func (r *rewriter) replace(i int, text string) {
	t := r.toks[i]
	r.edits = append(r.edits, edit{t.start, t.end, editReplace, text})
}

// before inserts text in front of token i.
func (r *rewriter) before(i int, text string) {
	s := r.toks[i].start
	r.edits = append(r.edits, edit{s, s, editBefore, text})
}

// behind inserts text behind token i.
func (r *rewriter) behind(i int, text string) {
	e := r.toks[i].end
	r.edits = append(r.edits, edit{e, e, editBehind, text})
}

// blank takes tokens i to j (exclusive) out, pragmas included, but not the
// other directives and newlines among them.
func (r *rewriter) blank(i, j int) {
	for ; i < j; i++ {
		if r.kindOf(i) != tokNewline && !r.outlives(i) {
			r.replace(i, "")
			r.dead[i] = true
		}
	}
}

// blankLine takes the directive line that starts at token i out and puts text
// in its place.
func (r *rewriter) blankLine(i int, text string) {
	r.replace(i, text)
	for i++; i < len(r.toks) && r.kindOf(i) != tokNewline; i++ {
		r.replace(i, "")
	}
}

// tokPos is the position of token i.
func (r *rewriter) tokPos(i int) Pos {
	if i >= len(r.toks) {
		return r.logicalPos(len(r.text))
	}
	return r.logicalPos(int(r.toks[i].start))
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
	e := diag.Errorf(r.tokPos(i), codeUnsupported, "%s not supported", construct)
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
	for i, t := range r.toks {
		if t.kind == tokIdent && !t.inDir && !r.dead[i] {
			r.literalMacro(i)
		}
		if t.kind != tokString || r.dead[i] || r.closedLiteral(i) {
			continue
		}
		kind := "string"
		if q := r.text[t.start]; q == '\'' || r.text[t.end-1] != '"' && t.end > t.start+1 && r.text[t.start+1] == '\'' {
			kind = "character constant"
		}
		if t.inDir {
			r.replace(i, "")
			continue
		}
		r.complain(i, diag.Errorf(r.tokPos(i), codeSyntax, "%s is not closed on its line", kind))
		r.replace(i, "0")
	}
}

// literalMacro replaces __FILE__, which cc would give a name of the loader's,
// and the date and time, which would make two runs differ.
func (r *rewriter) literalMacro(i int) {
	switch r.at(i) {
	case "__FILE__":
		r.replace(i, strconv.Quote(r.name))
	case "__DATE__":
		r.replace(i, `"Jan  1 1970"`)
	case "__TIME__":
		r.replace(i, `"00:00:00"`)
	}
}

func (r *rewriter) closedLiteral(i int) bool {
	s := r.at(i)
	for len(s) > 0 && s[0] != '"' && s[0] != '\'' {
		s = s[1:]
	}
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return false
	}
	// An odd number of backslashes escapes the quote.
	n := 0
	for k := len(s) - 2; k > 0 && s[k] == '\\'; k-- {
		n++
	}
	return n%2 == 0
}

// assembly parts the :: of inline assembly, which no scope stands before, and its operands.
func (r *rewriter) assembly() {
	for i, t := range r.toks {
		if t.kind != tokIdent || t.inDir || r.dead[i] {
			continue
		}
		switch r.at(i) {
		case "asm", "__asm", "__asm__":
			r.assemblyOperands(i)
		}
	}
}

// assemblyOperands parts the :: between the parentheses behind token i, operands left out, and
// operands without a comma between them, which nvcc takes.
func (r *rewriter) assemblyOperands(i int) {
	open := r.next(i)
	for r.is(open, "volatile") || r.is(open, "__volatile__") || r.is(open, "__volatile") {
		open = r.next(open)
	}
	end := r.shape.closing(open)
	for k := r.next(open); r.is(open, "(") && k < end; k = r.next(k) {
		switch {
		case r.is(k, "(") && r.shape.closing(k) > k:
			k = r.shape.closing(k)
			if n := r.next(k); n < end && r.kindOf(n) == tokString {
				r.behind(k, ",")
			}
		case r.is(k, "::"):
			r.replace(k, ": :")
			r.dead[k] = true
		}
	}
}
