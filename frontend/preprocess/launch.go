package preprocess

import (
	"regexp"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// A comment "idgen: local=8,8 arg.n=N" gives the kernel behind it its launch. Its fields are separated by blanks.

// noBlanks explains what ends a field.
const noBlanks = "a value holds no blanks: local=8,8 arg.n=N*2"

// extents are numbers as on the command line: 16x16. No C constant looks like that.
var extents = regexp.MustCompile(`^[1-9][0-9]*(x[1-9][0-9]*)+$`)

// directive cuts the text of a comment on a launch into tokens.
func directive(t *Token) {
	var errs diag.List
	x := newLexer(t.Pos.File, t.Text, &errs)
	x.line, x.start = t.Pos.Line, -t.Pos.Column+1
	for u := x.next(); u.Kind != EOF; u = x.next() {
		t.Args = append(t.Args, u)
	}
}

// directives makes the fields of the comments on launches, whose values name macros of the whole program.
func (p *Preprocessor) directives() {
	for i := range p.out.Tokens {
		t := &p.out.Tokens[i]
		if t.Kind != Directive {
			continue
		}
		if len(t.Args) == 0 {
			p.out.Warnings.Add(diag.Warningf(t.Pos, "DIRECTIVE",
				"empty directive").WithNote("write local=8,8 global=1024,1024, say"))
		}
		list := t.Args
		t.Args = nil
		for len(list) > 0 {
			n := 1
			for n < len(list) && !list[n].Spaced {
				n++
			}
			t.Args = append(t.Args, p.field(list[:n])...)
			list = list[n:]
		}
	}
}

// field makes a name, = and a value with its macros expanded of KEY=VALUE.
func (p *Preprocessor) field(list []Token) []Token {
	is := slices.IndexFunc(list, func(t Token) bool { return t.Is("=") })
	if is < 1 || is == len(list)-1 {
		text := ""
		for _, t := range list {
			text += t.Text
		}
		p.fail(list[0].Pos, "DIRECTIVE", "%q is no KEY=VALUE", text).WithNote(noBlanks)
		return nil
	}
	key, value := list[0], list[is+1:]
	key.Kind = Ident
	for _, t := range list[1:is] {
		key.Text += t.Text
	}
	if n := value[0]; len(value) == 1 && n.Kind == Number && extents.MatchString(n.Text) {
		value = nil
		for i, text := range strings.Split(n.Text, "x") {
			if i > 0 {
				value = append(value, Token{Kind: Punct, Text: ",", Pos: n.Pos})
			}
			value = append(value, Token{Kind: Number, Text: text, Pos: n.Pos})
		}
	}
	return append([]Token{key, list[is]}, p.expandList(value)...)
}
