package preprocess

import (
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// macro is one definition.
type macro struct {
	name     string
	pos      diag.Pos
	function bool
	params   []string
	variadic bool // the last of params takes what is left
	body     []Token
	active   bool // being expanded
	builtin  func(*Preprocessor, Token) Token
}

// same reports whether a second definition says the same as the first (C11 6.10.3).
func (m *macro) same(o *macro) bool {
	return m.function == o.function && m.variadic == o.variadic && slices.Equal(m.params, o.params) &&
		slices.EqualFunc(m.body, o.body, func(a, b Token) bool { return a.Text == b.Text && a.Spaced == b.Spaced })
}

// define reads the rest of a #define line.
func (p *Preprocessor) define(line []Token, at diag.Pos) {
	if len(line) == 0 || line[0].Kind != Ident {
		p.fail(at, "SYNTAX", "#define needs a name")
		return
	}
	m := &macro{name: line[0].Text, pos: line[0].Pos}
	if m.name == "defined" || m.name == "__VA_ARGS__" || m.name == "__VA_OPT__" {
		p.fail(line[0].Pos, "SYNTAX", "%s cannot be a macro", m.name)
		return
	}
	rest := line[1:]
	if len(rest) > 0 && rest[0].Is("(") && !rest[0].Spaced {
		var ok bool
		if rest, ok = p.parameters(m, rest[1:]); !ok {
			return
		}
	}
	m.body = slices.Clone(rest)
	if len(m.body) > 0 {
		m.body[0].Spaced = false
		if m.body[0].Is("##") || m.body[len(m.body)-1].Is("##") {
			p.fail(m.pos, "SYNTAX", "## cannot stand at an end of the macro %s", m.name)
			return
		}
	}
	if old := p.macros[m.name]; old != nil && old.builtin == nil && !diag.IsLibrary(old.pos.File) && !old.same(m) {
		p.out.Warnings.Add(diag.Warningf(m.pos, "REDEFINED", "the macro %s is defined again, differently from %v",
			m.name, old.pos))
	}
	p.macros[m.name] = m
	if len(p.macros) > mostMacros && !p.stopped {
		p.fail(m.pos, "TOO-LARGE", "more than %d macros are defined here", mostMacros).
			WithNote("define those only that the kernel uses")
		p.stopped = true
	}
}

// mostMacros bounds what a program defines, so that it is read within a second: 16 times what every compiler of C11
// accepts (5.2.4.1).
const mostMacros = 1 << 16

// parameters reads those of a function-like macro, from behind the parenthesis.
func (p *Preprocessor) parameters(m *macro, line []Token) (rest []Token, ok bool) {
	m.function = true
	bad := func(t diag.Pos) ([]Token, bool) {
		p.fail(t, "SYNTAX", "the parameters of the macro %s are not written as (a, b)", m.name)
		return nil, false
	}
	for i := 0; i < len(line); i++ {
		t := &line[i]
		switch {
		case t.Is(")") && (len(m.params) == 0 || i > 0 && !line[i-1].Is(",")):
			return line[i+1:], true
		case t.Is("...") && !m.variadic:
			m.variadic = true
			if i == 0 || line[i-1].Is(",") {
				m.params = append(m.params, "__VA_ARGS__")
			}
		case t.Kind == Ident && !m.variadic && (i == 0 || line[i-1].Is(",")):
			if slices.Contains(m.params, t.Text) {
				p.fail(t.Pos, "SYNTAX", "the macro %s has two parameters %s", m.name, t.Text)
				return nil, false
			}
			m.params = append(m.params, t.Text)
		case t.Is(",") && i > 0 && line[i-1].Kind == Ident && !m.variadic:
		default:
			return bad(t.Pos)
		}
	}
	return bad(m.pos)
}

// source gives tokens to expand: those put back, else of a list.
type source struct {
	list  []Token
	at    int
	macro *macro // whose expansion the list is: it is active until the list ends
}

// expander expands macros in what a function gives.
type expander struct {
	p     *Preprocessor
	stack []source
	more  func() (Token, bool) // from the file; nil where the list is all
}

// next is the next token, not expanded.
func (e *expander) next() (Token, bool) {
	for len(e.stack) > 0 {
		s := &e.stack[len(e.stack)-1]
		if s.at < len(s.list) {
			s.at++
			return s.list[s.at-1], true
		}
		if s.macro != nil {
			s.macro.active = false
		}
		e.stack = e.stack[:len(e.stack)-1]
	}
	if e.more == nil {
		return Token{}, false
	}
	return e.more()
}

// unread puts tokens back.
func (e *expander) unread(list ...Token) { e.stack = append(e.stack, source{list: list}) }

// expand is the next token after macros; ok is false at the end.
func (e *expander) expand() (Token, bool) {
	for {
		t, ok := e.next()
		switch {
		case e.p.stopped:
			return Token{}, false
		case !ok || t.Kind != Ident || t.painted:
			return t, ok
		case e.p.asked && t.Text == "defined":
			return e.definedHere(t), true
		}
		m := e.p.macros[t.Text]
		if m == nil {
			return t, true
		}
		if m.active {
			t.painted = true
			return t, true
		}
		if m.builtin != nil {
			return m.builtin(e.p, t), true
		}
		var args [][]Token
		if m.function {
			var called bool
			if args, called = e.arguments(m, &t); !called {
				return t, true
			}
		}
		if !e.p.spend(len(m.body)+1+len(e.stack)/e.p.limits.Nesting, t.Pos, m.name) {
			return t, true
		}
		body := e.p.substitute(m, args, &t)
		m.active = true
		e.stack = append(e.stack, source{list: body, macro: m})
	}
}

// arguments reads those of a call of a macro; called is false if no parenthesis follows its name.
func (e *expander) arguments(m *macro, name *Token) (args [][]Token, called bool) {
	var skipped []Token
	t, ok := e.next()
	for ok && (t.Kind == newline || t.Kind == Directive) {
		skipped = append(skipped, t)
		t, ok = e.next()
	}
	if !ok || !t.Is("(") {
		if ok {
			skipped = append(skipped, t)
		}
		e.unread(skipped...)
		return nil, false
	}
	arg, depth := []Token{}, 0
	spaced := false
	for {
		t, ok := e.next()
		if !ok || t.Kind == EOF {
			e.p.fail(name.Pos, "SYNTAX", "the call of the macro %s is not closed", m.name)
			if ok {
				e.unread(t)
			}
			return nil, false
		}
		if t.Kind == newline || t.Kind == Directive {
			spaced = true
			continue
		}
		t.Spaced = t.Spaced || spaced
		spaced = false
		switch {
		case t.Is("("):
			depth++
		case t.Is(")") && depth == 0:
			args = append(args, arg)
			return e.p.matched(m, args, name), true
		case t.Is(")"):
			depth--
		case t.Is(",") && depth == 0 && !(m.variadic && len(args) == len(m.params)-1):
			args = append(args, arg)
			arg = []Token{}
			continue
		}
		arg = append(arg, t)
		if !e.p.spend(1, name.Pos, m.name) {
			return nil, false
		}
	}
}

// matched checks the number of arguments, and completes them.
func (p *Preprocessor) matched(m *macro, args [][]Token, name *Token) [][]Token {
	if len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0 {
		return nil
	}
	if m.variadic && len(args) == len(m.params)-1 {
		args = append(args, nil)
	}
	if len(args) != len(m.params) {
		p.fail(name.Pos, "SYNTAX", "the macro %s takes %d arguments, not %d", m.name, len(m.params), len(args))
		for len(args) < len(m.params) {
			args = append(args, nil)
		}
	}
	return args
}

// substitute is the body of a macro with its arguments.
func (p *Preprocessor) substitute(m *macro, args [][]Token, name *Token) []Token {
	from := &Expansion{Macro: m.name, Pos: name.Pos, Outer: name.From}
	s := substitution{p: p, m: m, args: args, expanded: make([][]Token, len(args)), pos: name.Pos, from: from}
	out := s.run(m.body)
	if len(out) > 0 {
		out[0].Spaced, out[0].First = name.Spaced, name.First
	}
	p.spend(len(out), name.Pos, m.name)
	return out
}

// substitution is one call of a macro.
type substitution struct {
	p        *Preprocessor
	m        *macro
	args     [][]Token
	expanded [][]Token // arguments, when they were expanded
	pos      diag.Pos
	from     *Expansion
}

func (s *substitution) param(t *Token) int {
	if t.Kind != Ident {
		return -1
	}
	return slices.Index(s.m.params, t.Text)
}

// run makes the substitutions in a body.
func (s *substitution) run(body []Token) []Token {
	var out []Token
	for i := 0; i < len(body) && !s.p.stopped; i++ {
		t := body[i]
		t.First = false
		k := s.param(&t)
		pastes := i+1 < len(body) && body[i+1].Is("##")
		switch {
		case t.Is("#") && s.m.function && i+1 < len(body) && s.param(&body[i+1]) >= 0:
			out = append(out, s.stringise(s.args[s.param(&body[i+1])], t.Spaced))
			i++
		case t.Is("##") && len(out) > 0 && i+1 < len(body):
			i++
			var right []Token
			if k := s.param(&body[i]); k >= 0 {
				right = s.raw(k, &body[i])
				// GNU: a comma in front of an empty ## __VA_ARGS__ goes.
				if out[len(out)-1].Is(",") && s.m.variadic && k == len(s.m.params)-1 {
					if len(right) == 0 {
						out = out[:len(out)-1]
					}
					out = append(out, right...)
					continue
				}
			} else if body[i].Text == "__VA_OPT__" && s.m.variadic {
				right, i = s.optional(body, i)
			} else {
				right = []Token{s.own(body[i])}
			}
			out = s.paste(out, right)
		case t.Kind == Ident && t.Text == "__VA_OPT__" && s.m.variadic:
			var part []Token
			part, i = s.optional(body, i)
			out = append(out, part...)
		case k >= 0 && pastes:
			if part := s.raw(k, &t); len(part) > 0 {
				out = append(out, part...)
			} else { // a place marker
				out = append(out, Token{Kind: Other, Pos: s.pos, From: s.from, Spaced: t.Spaced})
			}
		case k >= 0:
			out = append(out, s.expand(k, &t)...)
		default:
			out = append(out, s.own(t))
		}
	}
	return slices.DeleteFunc(out, func(t Token) bool { return t.Text == "" && t.Kind == Other })
}

// own is a token of the macro's body, at the place of its use.
func (s *substitution) own(t Token) Token {
	t.Pos, t.From, t.First = s.pos, s.from, false
	return t
}

// raw is an argument as written, expand one that is expanded.
func (s *substitution) raw(k int, t *Token) []Token { return spacedLike(s.args[k], t) }

func (s *substitution) expand(k int, t *Token) []Token {
	if s.expanded[k] == nil && len(s.args[k]) > 0 {
		s.expanded[k] = s.p.expandList(s.args[k])
	}
	return spacedLike(s.expanded[k], t)
}

// spacedLike is a list that stands for a token.
func spacedLike(list []Token, t *Token) []Token {
	if len(list) == 0 {
		return nil
	}
	out := slices.Clone(list)
	out[0].Spaced, out[0].First = t.Spaced, false
	return out
}

// optional is what __VA_OPT__(...) at an index stands for, and the index of its end.
func (s *substitution) optional(body []Token, i int) (out []Token, end int) {
	if i+1 >= len(body) || !body[i+1].Is("(") {
		s.p.fail(s.pos, "SYNTAX", "__VA_OPT__ in the macro %s has no parentheses", s.m.name)
		return nil, i
	}
	depth := 0
	for end = i + 1; end < len(body); end++ {
		if body[end].Is("(") {
			depth++
		} else if body[end].Is(")") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	last := len(s.m.params) - 1
	if end < len(body) && len(s.expand(last, &body[i])) > 0 {
		out = spacedLike(s.run(body[i+2:end]), &body[i])
	}
	return out, min(end, len(body)-1)
}

// paste joins the last token of out and the first of right.
func (s *substitution) paste(out, right []Token) []Token {
	if len(right) == 0 {
		return out
	}
	left := &out[len(out)-1]
	if left.Text == "" {
		t := right[0]
		t.Spaced = left.Spaced
		*left = t
		return append(out, right[1:]...)
	}
	text := left.Text + right[0].Text
	if !s.p.spend(len(text)/bytesPerToken, s.pos, s.m.name) {
		return nil
	}
	var errs diag.List
	x := newLexer(s.pos.File, text, &errs)
	t := x.next()
	if x.at < len(x.text) && text != ">>" && text != ">=" && text != ">>=" || t.Kind == EOF || t.Kind == newline {
		s.p.fail(s.pos, "SYNTAX", "the macro %s pastes %q and %q, which is not a token", s.m.name, left.Text,
			right[0].Text)
		return append(out, right...)
	}
	t.Text = text
	t.Pos, t.From, t.Spaced, t.First = s.pos, s.from, left.Spaced, false
	*left = t
	return append(out, right[1:]...)
}

// stringise is the string of an argument (C11 6.10.3.2).
func (s *substitution) stringise(arg []Token, spaced bool) Token {
	var b strings.Builder
	b.WriteByte('"')
	for i, t := range arg {
		if i > 0 && t.Spaced {
			b.WriteByte(' ')
		}
		if t.Kind == String || t.Kind == Char {
			b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Text))
		} else {
			b.WriteString(t.Text)
		}
	}
	b.WriteByte('"')
	s.p.spend(b.Len()/bytesPerToken, s.pos, s.m.name)
	return Token{Kind: String, Text: b.String(), Pos: s.pos, From: s.from, Spaced: spaced}
}

// expandList expands a list of tokens by itself.
func (p *Preprocessor) expandList(list []Token) []Token {
	if p.nested++; p.nested > p.limits.Nesting {
		p.nested--
		if len(list) > 0 {
			p.fail(list[0].Pos, "TOO-LARGE", "macros are nested more than %d deep", p.limits.Nesting)
			p.stopped = true
		}
		return list
	}
	defer func() { p.nested-- }()
	e := &expander{p: p, stack: []source{{list: list}}}
	out := []Token{}
	for {
		t, ok := e.expand()
		if !ok {
			return out
		}
		if t.Kind != newline {
			out = append(out, t)
		}
	}
}
