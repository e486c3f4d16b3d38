package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gpupipe/internal/diag"
)

// Kind is the kind of a raw preprocessing token.
type Kind uint8

// The kinds. White space and comments are no tokens: they are what lies
// between two of them.
const (
	Ident Kind = iota + 1
	Number
	String // string or character literal, with its prefix
	Punct
	Newline
)

// Token is a raw preprocessing token: Text[Start:End] of the logical text.
type Token struct {
	Kind        Kind
	InDirective bool // part of a directive line, from # to the newline
	Pragma      bool // and this is a #pragma
	Start       int32
	End         int32
}

// List is a source text as tokens, before preprocessing.
type List struct {
	Text    string // logical text: continuation lines joined
	Splices Splices
	Tokens  []Token
	// Comments are the line comments that stand alone on their line.
	Comments []Comment
	// after and before hold Next and Prev of every token.
	after, before []int32
}

// Comment is a "//" comment with nothing before it on its line.
type Comment struct{ Start, End int32 }

// At returns the text of token i, or "" out of range.
func (l *List) At(i int) string {
	if i < 0 || i >= len(l.Tokens) {
		return ""
	}
	t := l.Tokens[i]
	return l.Text[t.Start:t.End]
}

// Is reports whether token i is the punctuator or word s.
func (l *List) Is(i int, s string) bool {
	return i >= 0 && i < len(l.Tokens) && l.Tokens[i].Kind != String && l.At(i) == s
}

// KindOf is the kind of token i, 0 if there is no such token.
func (l *List) KindOf(i int) Kind {
	if i < 0 || i >= len(l.Tokens) {
		return 0
	}
	return l.Tokens[i].Kind
}

// Next returns the index of the first token after i that is neither a newline
// nor in a directive; len(Tokens) if there is none.
func (l *List) Next(i int) int {
	if i+1 >= len(l.Tokens) {
		return len(l.Tokens)
	}
	return int(l.after[i+1])
}

// Prev is Next backwards; -1 if there is none.
func (l *List) Prev(i int) int {
	if i <= 0 {
		return -1
	}
	return int(l.before[min(i, len(l.Tokens))])
}

// Link fills after and before: long runs of directives must not make the
// passes, which look around every token, slow.
func (l *List) Link() {
	n := len(l.Tokens)
	l.after = make([]int32, n)
	l.before = make([]int32, n+1)
	last := int32(-1)
	for i, t := range l.Tokens {
		l.before[i] = last
		if t.Kind != Newline && !t.InDirective {
			last = int32(i)
		}
	}
	l.before[n] = last
	last = int32(n)
	for i := n - 1; i >= 0; i-- {
		if t := l.Tokens[i]; t.Kind != Newline && !t.InDirective {
			last = int32(i)
		}
		l.after[i] = last
	}
}

// SameLine returns i+1 if that token is on i's logical line, else len(Tokens).
func (l *List) SameLine(i int) int {
	if i+1 < len(l.Tokens) && l.KindOf(i+1) != Newline {
		return i + 1
	}
	return len(l.Tokens)
}

// Splices maps offsets of the logical text to the source text: a backslash at
// the end of a line joins it with the next one (C99 5.1.1.2, phase 2). The
// joined newlines reappear after the logical line, so that lines keep their
// number.
type Splices []splice

// splice says that from logical offset at on, the source offset is delta more.
type splice struct{ at, delta int }

func (s Splices) Source(off int) int {
	lo, hi := 0, len(s)
	for lo < hi {
		if m := (lo + hi) / 2; s[m].at <= off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == 0 {
		return off
	}
	return off + s[lo-1].delta
}

// join does phase 2. Blanks between the backslash and the line's end are
// ignored, as gcc and clang do; so is a byte order mark.
func join(src string) (string, Splices) {
	const bom = "\ufeff"
	skip := 0
	if strings.HasPrefix(src, bom) {
		skip = len(bom)
	}
	if skip == 0 && strings.IndexByte(src, '\\') < 0 {
		return src, nil
	}
	var (
		b       strings.Builder
		s       Splices
		pending int
	)
	mark := func(i int) { s = append(s, splice{b.Len(), i - b.Len()}) }
	b.Grow(len(src))
	if skip > 0 {
		mark(skip)
	}
	for i := skip; i < len(src); {
		switch src[i] {
		case '\\':
			j := i + 1
			for j < len(src) && (src[j] == ' ' || src[j] == '\t' || src[j] == '\r') {
				j++
			}
			if j < len(src) && src[j] == '\n' || j == len(src) && j > i+1 || i+1 == len(src) {
				pending++
				i = min(j+1, len(src))
				mark(i)
				continue
			}
		case '\n':
			b.WriteByte('\n')
			i++
			for ; pending > 0; pending-- {
				b.WriteByte('\n')
				mark(i)
			}
			continue
		}
		b.WriteByte(src[i])
		i++
	}
	return b.String(), s
}

// threeWay and twoWay are the punctuators longer than a character. "<<<" and
// ">>>" (CUDA's launch) and "::" are no C: who rewrites CUDA wants to see them.
var (
	threeWay = []string{"<<<", ">>>", "...", "<<=", ">>=", "->*"}
	twoWay   = []string{"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"}
)

// IsIdentByte reports whether c may stand in a name.
func IsIdentByte(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// IsBlank reports whether c is white space within a line.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// lexer is the state of Lex.
type lexer struct {
	List
	i      int // offset
	pragma bool
	fresh  bool // nothing but blanks and block comments on this line so far
	inDir  bool
	digits bool // ' separates digits (C++)
}

// Lex splits a text into tokens, up to one more than maxTokens; in C++ ' separates digits. The error, of
// what no later stage could report as well, has its offset in the source text.
func Lex(src string, cxx bool) (*List, int, *diag.Error) {
	l := &lexer{fresh: true, digits: cxx}
	l.Text, l.Splices = join(src)
	for l.i < len(l.Text) && len(l.Tokens) <= MaxTokens {
		if at, err := l.token(); err != nil {
			return nil, l.Splices.Source(at), err
		}
	}
	l.Link()
	return &l.List, 0, nil
}

func (l *lexer) add(k Kind, start int) {
	if n := len(l.Tokens); l.inDir && n > 0 && l.Text[start:l.i] == "pragma" && l.Is(n-1, "#") && (n == 1 || !l.Tokens[n-2].InDirective) {
		l.pragma = true
		l.Tokens[n-1].Pragma = true
	}
	l.Tokens = append(l.Tokens, Token{k, l.inDir, l.pragma, int32(start), int32(l.i)})
	l.fresh = false
}

// token scans one token, comment or blank.
func (l *lexer) token() (int, *diag.Error) {
	t, start := l.Text, l.i
	switch c := t[start]; {
	case c == '\n':
		l.i++
		l.inDir, l.pragma = false, false
		l.add(Newline, start)
		l.fresh = true
	case IsBlank(c):
		l.i++
	case strings.HasPrefix(t[start:], "//"):
		n := strings.IndexByte(t[start:], '\n')
		if n < 0 {
			n = len(t) - start
		}
		l.i += n
		if l.fresh {
			l.Comments = append(l.Comments, Comment{int32(start), int32(l.i)})
		}
	case strings.HasPrefix(t[start:], "/*"):
		n := strings.Index(t[start+2:], "*/")
		if n < 0 {
			return start, diag.Errorf(diag.Pos{}, CodeSyntax, "comment is not closed").WithNote("add */ where it ends")
		}
		l.i += n + 4
	case c == '"' || c == '\'':
		return l.literal(start)
	case c >= '0' && c <= '9' || c == '.' && start+1 < len(t) && t[start+1] >= '0' && t[start+1] <= '9':
		l.number()
		l.add(Number, start)
	case IsIdentByte(c) || c >= utf8.RuneSelf:
		return l.identifier(start)
	case c == '#' && l.fresh:
		l.i++
		l.inDir = true
		l.add(Punct, start)
	default:
		l.i += punctLen(t[start:])
		l.add(Punct, start)
	}
	return 0, nil
}

func punctLen(s string) int {
	for _, p := range threeWay {
		if strings.HasPrefix(s, p) {
			return 3
		}
	}
	for _, p := range twoWay {
		if strings.HasPrefix(s, p) {
			return 2
		}
	}
	return 1
}

// literal scans a string or character literal; start may be at its prefix.
// What is not closed on its line is left to the preprocessor to report, as it
// may stand where nothing is compiled (an apostrophe in an #error, say).
func (l *lexer) literal(start int) (int, *diag.Error) {
	t, q := l.Text, l.Text[l.i]
	for l.i++; l.i < len(t) && t[l.i] != q && t[l.i] != '\n'; l.i++ {
		if t[l.i] == '\\' && l.i+1 < len(t) && t[l.i+1] != '\n' {
			l.i++
		}
	}
	if l.i < len(t) && t[l.i] == q {
		l.i++
	}
	l.add(String, start)
	return 0, nil
}

// number scans a preprocessing number (C99 6.4.8).
func (l *lexer) number() {
	t := l.Text
	for l.i++; l.i < len(t); l.i++ {
		switch c, before := t[l.i], t[l.i-1]|0x20; {
		case IsIdentByte(c) || c == '.':
		case (c == '+' || c == '-') && (before == 'e' || before == 'p'):
		case c == '\'' && l.digits && l.i+1 < len(t) && IsIdentByte(t[l.i+1]):
		default:
			return
		}
	}
}

// identifier scans an identifier or the literal that it is a prefix of. A
// character that no token starts with becomes a punctuator.
func (l *lexer) identifier(start int) (int, *diag.Error) {
	t := l.Text
	for l.i < len(t) {
		if c := t[l.i]; c < utf8.RuneSelf {
			if !IsIdentByte(c) {
				break
			}
			l.i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[l.i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if l.i == start {
				l.i += n
				l.add(Punct, start)
				return 0, nil
			}
			break
		}
		l.i += n
	}
	if l.i < len(t) && (t[l.i] == '"' || t[l.i] == '\'') {
		switch t[start:l.i] {
		case "L", "u8", "u", "U":
			return l.literal(start)
		}
	}
	l.add(Ident, start)
	return 0, nil
}

func (l *List) ClosedLiteral(i int) bool {
	s := l.At(i)
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

// Outlives reports whether token i stays when the code around it is blanked
// out: it belongs to a directive, but not to a #pragma.
func (l *List) Outlives(i int) bool {
	return i < len(l.Tokens) && l.Tokens[i].InDirective && !l.Tokens[i].Pragma
}
