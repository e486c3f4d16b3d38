package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"

	"modernc.org/cc/v4"
)

// noBlanks explains what ends a field of a directive.
const noBlanks = "a value holds no blanks: local=8,8 arg.n=N*2"

// Launch directives are comments alone on their line that give the kernel
// defined next its launch settings:
//
//	// idgen: local=BLOCK,BLOCK global=1024,1024 arg.n=1024
//	// idgen: dynamic-local=BLOCK*BLOCK*sizeof(float)
//
// Behind "idgen:" stand KEY=VALUE fields, separated by blanks. The keys local,
// global and groups take one to three integer constant expressions of C,
// separated by commas, without blanks, or numbers as on the command line (8x8); dynamic-local (bytes) and arg.NAME (the
// value of the kernel's parameter NAME) take one. The lines before one kernel
// add up; no key may be given twice. Macros have the values that they have at
// the end of the file, -D included. An #if takes directives out like code.

const (
	directiveMark  = "idgen:"
	keyLocal       = "local"
	keyGlobal      = "global"
	keyGroups      = "groups"
	keyDynamic     = "dynamic-local"
	keyArgPrefix   = "arg."
	maxDimensions  = 3
	maxExpressions = 1000 // of all directives of a program
)

// rawLaunch is a directive as found in the raw text.
type rawLaunch struct {
	src    *source.File
	off    int // logical offset of the comment
	fields []rawField
}

type rawField struct {
	off   int // logical offset of the key
	key   string
	exprs []rawExpr
}

type rawExpr struct {
	off  int
	text string
}

// launchComments collects the directives and puts in their place a pragma that
// tells the loader which of them count.
func (r *rewriter) launchComments() {
	for _, c := range r.Comments {
		body, ok := strings.CutPrefix(strings.TrimLeft(r.Text[c.Start+2:c.End], " \t"), directiveMark)
		if !ok {
			continue
		}
		d := rawLaunch{src: r.File, off: int(c.Start)}
		text := ""
		if e := r.launchFields(&d, int(c.End)-len(body), body); e != nil {
			text = fmt.Sprintf("#pragma %s %d", pragmaDiag, r.diagID(e))
		} else {
			text = fmt.Sprintf("#pragma %s %d", pragmaDirective, len(r.l.directives))
			r.l.directives = append(r.l.directives, d)
		}
		r.edits = append(r.edits, source.Edit{Start: c.Start, End: c.End, Order: source.Replace, Text: text})
	}
}

// launchFields splits the text of a directive, which starts at offset off.
func (r *rewriter) launchFields(d *rawLaunch, off int, text string) *diag.Error {
	for i := 0; i < len(text); {
		if tokens.IsBlank(text[i]) {
			i++
			continue
		}
		n := strings.IndexFunc(text[i:], func(c rune) bool { return c < 0x80 && tokens.IsBlank(byte(c)) })
		if n < 0 {
			n = len(text) - i
		}
		pos := r.LogicalPos(off + i)
		key, value, ok := strings.Cut(text[i:i+n], "=")
		if !ok || key == "" {
			return diag.Errorf(pos, codeDirective, "%q is no KEY=VALUE", text[i:i+n]).
				WithNote(noBlanks)
		}
		limit, e := fieldLimit(pos, key)
		if e != nil {
			return e
		}
		separator := byte(',')
		if limit > 1 && extents.MatchString(value) {
			separator = 'x'
		}
		f := rawField{off: off + i, key: key, exprs: splitExpressions(value, separator, off+i+len(key)+1)}
		for _, x := range f.exprs {
			if !r.validExpression(x.text) {
				e := diag.Errorf(r.LogicalPos(x.off), codeDirective, "%q is no constant expression", x.text)
				if x.text == "" {
					e = e.WithNote(noBlanks)
				}
				return e
			}
		}
		if len(f.exprs) > limit {
			return diag.Errorf(pos, codeDirective, "%s takes at most %d values, not %d", key, limit, len(f.exprs))
		}
		d.fields = append(d.fields, f)
		i += n
	}
	if len(d.fields) == 0 {
		return diag.Warningf(r.LogicalPos(d.off), codeDirective, "empty directive").WithNote("write local=8,8 global=1024,1024, say")
	}
	return nil
}

// fieldLimit is how many expressions a key takes.
func fieldLimit(pos diag.Pos, key string) (int, *diag.Error) {
	switch {
	case key == keyLocal || key == keyGlobal || key == keyGroups:
		return maxDimensions, nil
	case key == keyDynamic:
		return 1, nil
	case strings.HasPrefix(key, keyArgPrefix):
		if name := key[len(keyArgPrefix):]; tokens.IsIdentifier(name) {
			return 1, nil
		}
		return 0, diag.Errorf(pos, codeDirective, "%q names no parameter", key).WithNote("write arg.NAME=VALUE")
	}
	e := diag.Errorf(pos, codeDirective, "unknown key %q", key)
	keys := []string{keyLocal, keyGlobal, keyGroups, keyDynamic, keyArgPrefix + "NAME"}
	if near := spelling.DidYouMean(key, keys); near != "" {
		_ = e.WithNote("%s", near)
	} else {
		_ = e.WithNote("the keys are %s", strings.Join(keys, ", "))
	}
	return 0, e
}

// extents are numbers as --local takes them: 16x16. No C constant looks like that.
var extents = regexp.MustCompile(`^[1-9][0-9]*(x[1-9][0-9]*)+$`)

// splitExpressions splits a value at the separators outside of brackets.
func splitExpressions(value string, separator byte, off int) (exprs []rawExpr) {
	start, depth := 0, 0
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == separator && depth == 0:
			exprs = append(exprs, rawExpr{off + start, value[start:i]})
			start = i + 1
		case value[i] == '(':
			depth++
		case value[i] == ')':
			depth--
		}
	}
	return exprs
}

func (r *rewriter) validExpression(text string) bool {
	l, _, err := tokens.Lex(text, r.l.cfg.Dialect == source.CUDA)
	if err != nil || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return false
	}
	return isExpression(l.Words(0, len(l.Tokens)))
}

// directiveText is a hidden function whose statements are the expressions of
// the directives, one to a line, so that cc expands their macros.
type directiveText struct {
	text  string
	exprs []*rawExpr // by line, from the second on
	srcs  []*source.File
}

// directivesText makes the hidden function of the directives that the
// preprocessor came by.
func (l *loader) directivesText() *directiveText {
	d := &directiveText{}
	if len(l.launches) == 0 {
		return d
	}
	var b strings.Builder
	fmt.Fprintf(&b, "void %s(void) {\n", encoding.DirectivesFunc)
	for _, id := range l.launches {
		launch := &l.directives[id]
		for f := range launch.fields {
			for x := range launch.fields[f].exprs {
				e := &launch.fields[f].exprs[x]
				if len(d.exprs) == maxExpressions {
					l.fail(diag.Errorf(launch.src.LogicalPos(launch.off), tokens.CodeLimit, "more than %d values in directives", maxExpressions))
					return d
				}
				fmt.Fprintf(&b, "(%s);\n", e.text)
				d.exprs = append(d.exprs, e)
				d.srcs = append(d.srcs, launch.src)
			}
		}
	}
	fmt.Fprintf(&b, "}\n")
	d.text = b.String()
	return d
}

// pos is the position of a place in the hidden function.
func (d *directiveText) pos(line, column int) (diag.Pos, bool) {
	if d == nil || len(d.exprs) == 0 {
		return diag.Pos{}, false
	}
	n := min(max(line-2, 0), len(d.exprs)-1)
	x := d.exprs[n]
	return d.srcs[n].LogicalPos(x.off + min(max(column-2, 0), len(x.text))), true
}

// launchDirectives ties the directives to the kernels that follow them. hidden
// is the body of the hidden function.
func (p *Parsed) launchDirectives(hidden *cc.CompoundStatement) (diag.List, error) {
	exprs := statementExpressions(hidden)
	if len(exprs) != len(p.l.endText.exprs) {
		return nil, fmt.Errorf("%d of %d directive values parsed", len(exprs), len(p.l.endText.exprs))
	}
	var notes diag.List
	given := map[*cc.FunctionDefinition][]string{}
	for _, id := range p.l.launches {
		launch := p.l.directives[id]
		d := Directive{Pos: launch.src.LogicalPos(launch.off)}
		for _, f := range launch.fields {
			n := len(f.exprs)
			d.Fields = append(d.Fields, DirectiveField{launch.src.LogicalPos(f.off), f.key, exprs[:n:n]})
			exprs = exprs[n:]
		}
		kernel, rejected := p.kernelAfter(launch.src, launch.off)
		if rejected {
			continue
		}
		if kernel == nil {
			notes.Add(diag.Warningf(d.Pos, codeDirective, "no kernel follows this directive"))
			continue
		}
		for _, f := range d.Fields {
			if slices.Contains(given[kernel], f.Key) {
				return diag.List{diag.Errorf(f.Pos, codeDirective, "%s is given twice for kernel %s", f.Key, kernel.Declarator.Name())}, nil
			}
			given[kernel] = append(given[kernel], f.Key)
		}
		d.Kernel = kernel
		p.Directives = append(p.Directives, d)
	}
	return notes, nil
}

// statementExpressions returns the expressions of a body's statements.
func statementExpressions(body *cc.CompoundStatement) (exprs []cc.ExpressionNode) {
	for l := body.BlockItemList; l != nil; l = l.BlockItemList {
		if b := l.BlockItem; b != nil && b.Case == cc.BlockItemStmt && b.Statement != nil && b.Statement.Case == cc.StatementExpr {
			if e := b.Statement.ExpressionStatement.ExpressionList; e != nil {
				exprs = append(exprs, e)
			}
		}
	}
	return exprs
}

// kernelAfter returns the first kernel defined behind an offset of the same
// file; rejected if that kernel could not be parsed.
func (p *Parsed) kernelAfter(src *source.File, off int) (kernel *cc.FunctionDefinition, rejected bool) {
	best := -1
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		fd := tu.ExternalDeclaration.FunctionDefinition
		if fd == nil || encoding.AttributeNamed(encoding.AttributesOf(fd.DeclarationSpecifiers, nil), encoding.AttrKernel) == nil {
			continue
		}
		at := fd.Position()
		if p.l.sourceOf(at.Filename) != src {
			continue
		}
		if o := src.LogicalOffset(at.Offset); o > off && (best < 0 || o < best) {
			kernel, best = fd, o
		}
	}
	for _, it := range p.l.items {
		if it.kernel && it.err != nil && it.src == src {
			if o := int(src.Tokens[it.start].Start); o > off && (best < 0 || o < best) {
				return nil, true
			}
		}
	}
	return kernel, false
}
