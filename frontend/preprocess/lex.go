package preprocess

import (
	"strings"
	"unicode/utf8"

	"gpupipe/internal/diag"
)

// lexer cuts a file into tokens.
type lexer struct {
	file   string
	text   string
	at     int
	line   int
	start  int // offset of the line's first byte
	spaced bool
	first  bool
	errs   *diag.List
}

func newLexer(file, text string, errs *diag.List) *lexer {
	return &lexer{file: file, text: strings.TrimPrefix(text, "\ufeff"), line: 1, first: true, errs: errs}
}

func (x *lexer) pos() diag.Pos {
	return diag.Pos{File: x.file, Line: x.line, Column: x.at - x.start + 1}
}

// spliceAt is the length of a backslash and the end of its line at an offset, 0 if none stands there.
func (x *lexer) spliceAt(at int) int {
	if at >= len(x.text) || x.text[at] != '\\' {
		return 0
	}
	switch rest := x.text[at+1:]; {
	case strings.HasPrefix(rest, "\n"):
		return 2
	case strings.HasPrefix(rest, "\r\n"):
		return 3
	}
	return 0
}

// skipSplices steps over continued lines.
func (x *lexer) skipSplices() {
	for {
		n := x.spliceAt(x.at)
		if n == 0 {
			return
		}
		x.at += n
		x.line++
		x.start = x.at
	}
}

// peek is the byte at so many characters from here, splices left out; 0 at the end.
func (x *lexer) peek(n int) byte {
	at := x.at
	for {
		for k := x.spliceAt(at); k > 0; k = x.spliceAt(at) {
			at += k
		}
		if at >= len(x.text) {
			return 0
		}
		if n == 0 {
			return x.text[at]
		}
		n--
		at++
	}
}

// step takes one byte.
func (x *lexer) step() {
	x.skipSplices()
	if x.at >= len(x.text) {
		return
	}
	if x.text[x.at] == '\n' {
		x.line++
		x.start = x.at + 1
	}
	x.at++
	x.skipSplices()
}

// newline is the token that ends a line; it never leaves the preprocessor.
const newline Kind = 0

// next is the next token. Ends of lines are tokens of kind newline.
func (x *lexer) next() Token {
	x.skipSplices()
	for {
		switch c := x.peek(0); {
		case c == 0 && x.at >= len(x.text):
			return Token{Kind: EOF, Pos: x.pos(), First: x.first}
		case c == '\n':
			t := Token{Kind: newline, Pos: x.pos()}
			x.step()
			x.first, x.spaced = true, false
			return t
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			x.step()
			x.spaced = true
		case c == '/' && x.peek(1) == '/':
			if t, ok := x.lineComment(); ok {
				return t
			}
		case c == '/' && x.peek(1) == '*':
			x.blockComment()
		default:
			return x.token(c)
		}
	}
}

// directiveMark begins a comment that sets a launch.
const directiveMark = "idgen:"

// lineComment skips a comment, or makes a Directive of it whose text is what follows the mark.
func (x *lexer) lineComment() (Token, bool) {
	t := Token{Kind: Directive, Pos: x.pos(), First: x.first, Spaced: x.spaced}
	from := x.at
	for x.at < len(x.text) && x.text[x.at] != '\n' {
		x.step()
	}
	x.spaced = true
	text := strings.TrimLeft(x.text[from:x.at], "/ \t")
	rest, ok := strings.CutPrefix(text, directiveMark)
	if !ok || !t.First {
		return t, false
	}
	t.Text = strings.TrimSpace(rest)
	t.Pos.Column += strings.Index(x.text[from:x.at], t.Text)
	return t, true
}

func (x *lexer) blockComment() {
	p := x.pos()
	x.step()
	x.step()
	for !(x.peek(0) == '*' && x.peek(1) == '/') {
		if x.at >= len(x.text) {
			x.errs.Add(diag.Errorf(p, "SYNTAX", "the comment is not closed"))
			return
		}
		x.step()
	}
	x.step()
	x.step()
	x.spaced = true
}

// token is a token that begins with c.
func (x *lexer) token(c byte) Token {
	t := Token{Pos: x.pos(), Spaced: x.spaced, First: x.first}
	x.spaced, x.first = false, false
	from, line := x.at, x.line
	switch {
	case isLetter(c):
		x.word()
		t.Kind = Ident
		if q := x.peek(0); (q == '"' || q == '\'') && isPrefix(x.clean(from, line)) {
			if raw := x.clean(from, line); q == '"' && strings.HasSuffix(raw, "R") {
				x.rawString(t.Pos)
				t.Kind = String
			} else {
				t.Kind = x.quoted(q)
			}
		}
	case isDigit(c) || c == '.' && isDigit(x.peek(1)):
		x.number()
		t.Kind = Number
	case c == '"' || c == '\'':
		t.Kind = x.quoted(c)
	default:
		if n := x.punct(); n > 0 {
			for range n {
				x.step()
			}
			t.Kind = Punct
			break
		}
		_, n := utf8.DecodeRuneInString(x.text[x.at:])
		x.at += max(n, 1)
		t.Kind = Other
	}
	t.Text = x.clean(from, line)
	return t
}

// clean is the text from an offset to here without splices.
func (x *lexer) clean(from, line int) string {
	text := x.text[from:x.at]
	if line == x.line {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\\\r\n", ""), "\\\n", "")
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}

// IsName reports whether a text is an identifier.
func IsName(text string) bool {
	for i := range len(text) {
		if !isLetter(text[i]) && (i == 0 || !isDigit(text[i])) {
			return false
		}
	}
	return text != ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isPrefix(word string) bool {
	switch word {
	case "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

func (x *lexer) word() {
	for c := x.peek(0); isLetter(c) || isDigit(c); c = x.peek(0) {
		x.step()
	}
}

func (x *lexer) number() {
	for {
		switch c := x.peek(0); {
		case (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (x.peek(1) == '+' || x.peek(1) == '-'):
			x.step()
			x.step()
		case isLetter(c) || isDigit(c) || c == '.':
			x.step()
		case c == '\'' && (isDigit(x.peek(1)) || isLetter(x.peek(1))):
			x.step()
		default:
			return
		}
	}
}

// quoted takes a string or a character.
func (x *lexer) quoted(q byte) Kind {
	x.step()
	for c := x.peek(0); c != q; c = x.peek(0) {
		if c == '\n' || x.at >= len(x.text) {
			// An apostrophe in text that a condition leaves out is nothing wrong: the user of the token says so.
			return Other
		}
		if c == '\\' {
			x.step()
			if x.at >= len(x.text) {
				return Other
			}
		}
		x.step()
	}
	x.step()
	if q == '"' {
		return String
	}
	return Char
}

// rawString takes "delimiter(text)delimiter".
func (x *lexer) rawString(p diag.Pos) {
	open := strings.IndexByte(x.text[x.at:], '(')
	if open < 0 || open > 17 {
		x.errs.Add(diag.Errorf(p, "SYNTAX", "the raw string has no opening parenthesis"))
		x.at = len(x.text)
		return
	}
	end := ")" + x.text[x.at+1:x.at+open] + `"`
	n := strings.Index(x.text[x.at+open:], end)
	if n < 0 {
		x.errs.Add(diag.Errorf(p, "SYNTAX", "the raw string is not closed"))
		x.at = len(x.text)
		return
	}
	to := x.at + open + n + len(end)
	x.line += strings.Count(x.text[x.at:to], "\n")
	if i := strings.LastIndexByte(x.text[x.at:to], '\n'); i >= 0 {
		x.start = x.at + i + 1
	}
	x.at = to
}

// puncts are the punctuators of more than one character, longest first. None begins with > but those that are
// no brackets: >> and >= are read as > and what follows.
var puncts = [...]string{"<<=", "...", "->*", "<=>", "<<", "<=", "->", "++", "--", "&&", "||", "==", "!=", "+=", "-=",
	"*=", "/=", "%=", "&=", "|=", "^=", "::", "##", ".*"}

// punct is the length of the punctuator here, 0 for none.
func (x *lexer) punct() int {
	var ahead [3]byte
	for i := range ahead {
		ahead[i] = x.peek(i)
	}
	for _, p := range puncts {
		if string(ahead[:len(p)]) == p {
			return len(p)
		}
	}
	if strings.IndexByte("{}[]()<>;:,.?~!+-*/%&|^=#@\\", ahead[0]) >= 0 && ahead[0] != '@' && ahead[0] != '\\' {
		return 1
	}
	return 0
}
