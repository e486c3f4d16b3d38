package preprocess

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// condition is an #if that is open.
type condition struct {
	pos    diag.Pos
	verb   string // "if"
	line   []Token
	at     diag.Pos
	taken  bool // one of its parts was
	active bool // this part is
	outer  bool // what it stands in is
	last   bool // #else was there
}

// reader gives the tokens of a file, after its directives.
type reader struct {
	*Preprocessor
	x          *lexer
	path       string // "" of a text that is not a file
	text       string
	conditions []condition
	skip       skipScan
}

func (r *reader) active() bool {
	return len(r.conditions) == 0 || r.conditions[len(r.conditions)-1].active
}

// next is the next token that no directive takes.
func (r *reader) next() (Token, bool) {
	for !r.stopped {
		t := r.x.next()
		switch {
		case t.Kind == EOF:
			return t, true
		case t.Is("#") && t.First:
			r.directive(t.Pos)
		case !r.active():
			if r.path == r.cfg.File && len(r.cfg.Marks) > 0 {
				r.look(&t)
			}
		case t.Kind == Other && t.Text != "" && (t.Text[0] == '"' || t.Text[0] == '\''):
			r.fail(t.Pos, "SYNTAX", "the quote %s is not closed", t.Text[:1])
		default:
			return t, true
		}
	}
	return Token{}, false
}

// line is the rest of a directive's line.
func (r *reader) line() (line []Token) {
	for {
		t := r.x.next()
		switch t.Kind {
		case newline, EOF:
			return line
		case Directive:
			continue
		}
		line = append(line, t)
	}
}

// directive executes one.
func (r *reader) directive(at diag.Pos) {
	name := r.x.next()
	if name.Kind == newline || name.Kind == EOF {
		return
	}
	switch name.Text {
	case "include", "include_next", "import":
		if r.active() {
			r.includeLine(at)
			return
		}
	case "pragma":
		line := r.line()
		if r.active() {
			if len(line) > 0 && line[0].Is("once") {
				r.once[r.path], r.onceFiles[File{path.Base(r.path), r.text}] = true, true
			}
			r.pragma(line, Token{Pos: at, First: true})
		}
		return
	}
	text := r.rest()
	line := r.line()
	switch name.Text {
	case "if":
		r.open(at, name.Text, line, r.active() && r.evaluate(line, at))
	case "ifdef", "ifndef":
		if len(line) == 0 && r.active() {
			r.fail(at, "SYNTAX", "#%s needs a name", name.Text)
		}
		r.open(at, name.Text, line, r.active() && len(line) > 0 && r.isDefined(line[0].Text) == (name.Text == "ifdef"))
	case "elif", "elifdef", "elifndef", "else", "endif":
		r.branch(name.Text, line, at)
	case "define":
		if r.active() {
			r.define(line, at)
		}
	case "undef":
		if r.active() && len(line) > 0 {
			delete(r.macros, line[0].Text)
		}
	case "error":
		if r.active() {
			r.fail(at, "ERROR-DIRECTIVE", "#error %s", text)
		}
	case "warning":
		if r.active() {
			r.out.Warnings.Add(diag.Warningf(at, "WARNING-DIRECTIVE", "#warning %s", text))
		}
	case "line", "ident", "sccs", "assert", "unassert":
		if r.active() && name.Text == "line" {
			r.setLine(line)
		}
	default:
		switch {
		case !r.active():
		case name.Kind == Number: // # 3 "k.h", of a text that has been preprocessed
			r.setLine(append([]Token{name}, line...))
		default:
			r.fail(at, "SYNTAX", "there is no directive #%s", name.Text)
		}
	}
}

// rest is the text of the line from here.
func (r *reader) rest() string {
	text := r.x.text[r.x.at:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// setLine: #line N "file" numbers what follows. Compilers write a line 0 for what no file holds; a position
// counts from 1.
func (r *reader) setLine(line []Token) {
	line = r.expandList(line)
	if len(line) == 0 {
		return
	}
	if n, problem := ctypes.ParseInt(line[0].Text); problem == "" && n.Int >= 0 && n.Int < 1<<31 {
		r.x.line = max(int(n.Int), 1)
	}
	if len(line) > 1 && line[1].Kind == String && len(line[1].Text) > 2 {
		r.x.file = line[1].Text[1 : len(line[1].Text)-1]
	}
}

// open begins a condition.
func (r *reader) open(at diag.Pos, verb string, line []Token, active bool) {
	r.conditions = append(r.conditions, condition{pos: at, verb: verb, line: line, at: at, taken: active,
		active: active, outer: r.active()})
}

// String is a condition as written, with its line.
func (c *condition) String() string {
	text := "#" + c.verb
	if c.last {
		text = "the #else of " + text
	}
	for _, t := range c.line {
		if t.Spaced {
			text += " "
		}
		text += t.Text
	}
	return text + " of line " + strconv.Itoa(c.at.Line)
}

// branch goes to another part of a condition, or ends it.
func (r *reader) branch(name string, line []Token, at diag.Pos) {
	n := len(r.conditions)
	if n == 0 {
		r.fail(at, "SYNTAX", "#%s without #if", name)
		return
	}
	c := &r.conditions[n-1]
	switch {
	case name == "endif":
		r.conditions = r.conditions[:n-1]
		return
	case c.last:
		r.fail(at, "SYNTAX", "#%s behind #else", name)
	case name == "else":
		c.active, c.last = c.outer && !c.taken, true
	default:
		c.active, c.verb, c.line, c.at = false, name, line, at
		if c.outer && !c.taken {
			if name == "elif" {
				c.active = r.evaluate(line, at)
			} else {
				c.active = len(line) > 0 && r.isDefined(line[0].Text) == (name == "elifdef")
			}
		}
	}
	c.taken = c.taken || c.active
}

func (p *Preprocessor) isDefined(name string) bool {
	if p.macros[name] != nil {
		return true
	}
	switch name {
	case "__has_include", "__has_include_next", "__has_builtin", "__has_attribute", "__has_feature", "__has_extension",
		"__has_cpp_attribute":
		return true
	}
	return false
}

// includeLine reads what follows #include.
func (r *reader) includeLine(at diag.Pos) {
	for r.x.peek(0) == ' ' || r.x.peek(0) == '\t' {
		r.x.step()
	}
	if r.x.peek(0) == '<' {
		text := r.rest()
		if i := strings.IndexByte(text, '>'); i > 0 {
			r.line()
			r.include(text[1:i], at, r.path, true)
			return
		}
	}
	line := r.line()
	if len(line) > 0 && line[0].Kind != String {
		line = r.expandList(line)
	}
	name, system, ok := headerName(line)
	if !ok {
		r.fail(at, "INCLUDE", `write #include "file" or #include <file>`)
		return
	}
	r.include(name, at, r.path, system)
}

// headerName is the name that tokens spell.
func headerName(line []Token) (name string, system, ok bool) {
	if len(line) > 0 && line[0].Kind == String && len(line[0].Text) > 2 {
		return strings.Trim(line[0].Text, `"`), false, true
	}
	end := slices.IndexFunc(line, func(t Token) bool { return t.Is(">") })
	if len(line) < 3 || !line[0].Is("<") || end < 1 {
		return "", false, false
	}
	for _, t := range line[1:end] {
		name += t.Text
	}
	return name, true, true
}
