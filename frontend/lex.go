package frontend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gpupipe/internal/diag"
)

// tokKind is the kind of a raw preprocessing token.
type tokKind uint8

// The kinds. White space and comments are no tokens: they are what lies
// between two of them.
const (
	tokIdent tokKind = iota + 1
	tokNumber
	tokString // string or character literal, with its prefix
	tokPunct
	tokNewline
)

// token is a raw preprocessing token: text[start:end] of the logical text.
type token struct {
	kind   tokKind
	inDir  bool // part of a directive line, from # to the newline
	pragma bool // and this is a #pragma
	start  int32
	end    int32
}

// lexed is a source text as tokens, before preprocessing.
type lexed struct {
	text   string // logical text: continuation lines joined
	splice splices
	toks   []token
	// comments are the line comments that stand alone on their line.
	comments []comment
	// after and before hold next and prev of every token.
	after, before []int32
}

// comment is a "//" comment with nothing before it on its line.
type comment struct{ start, end int32 }

// at returns the text of token i, or "" out of range.
func (l *lexed) at(i int) string {
	if i < 0 || i >= len(l.toks) {
		return ""
	}
	t := l.toks[i]
	return l.text[t.start:t.end]
}

// is reports whether token i is the punctuator or word s.
func (l *lexed) is(i int, s string) bool {
	return i >= 0 && i < len(l.toks) && l.toks[i].kind != tokString && l.at(i) == s
}

// kindOf is the kind of token i, 0 if there is no such token.
func (l *lexed) kindOf(i int) tokKind {
	if i < 0 || i >= len(l.toks) {
		return 0
	}
	return l.toks[i].kind
}

// next returns the index of the first token after i that is neither a newline
// nor in a directive; len(toks) if there is none.
func (l *lexed) next(i int) int {
	if i+1 >= len(l.toks) {
		return len(l.toks)
	}
	return int(l.after[i+1])
}

// prev is next backwards; -1 if there is none.
func (l *lexed) prev(i int) int {
	if i <= 0 {
		return -1
	}
	return int(l.before[min(i, len(l.toks))])
}

// link fills after and before: long runs of directives must not make the
// passes, which look around every token, slow.
func (l *lexed) link() {
	n := len(l.toks)
	l.after = make([]int32, n)
	l.before = make([]int32, n+1)
	last := int32(-1)
	for i, t := range l.toks {
		l.before[i] = last
		if t.kind != tokNewline && !t.inDir {
			last = int32(i)
		}
	}
	l.before[n] = last
	last = int32(n)
	for i := n - 1; i >= 0; i-- {
		if t := l.toks[i]; t.kind != tokNewline && !t.inDir {
			last = int32(i)
		}
		l.after[i] = last
	}
}

// sameLine returns i+1 if that token is on i's logical line, else len(toks).
func (l *lexed) sameLine(i int) int {
	if i+1 < len(l.toks) && l.kindOf(i+1) != tokNewline {
		return i + 1
	}
	return len(l.toks)
}

// splices maps offsets of the logical text to the source text: a backslash at
// the end of a line joins it with the next one (C99 5.1.1.2, phase 2). The
// joined newlines reappear after the logical line, so that lines keep their
// number.
type splices []splice

// splice says that from logical offset at on, the source offset is delta more.
type splice struct{ at, delta int }

func (s splices) source(off int) int {
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
func join(src string) (string, splices) {
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
		s       splices
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
// ">>>" (CUDA's launch) and "::" are no C: the rewriter wants to see them.
var (
	threeWay = []string{"<<<", ">>>", "...", "<<=", ">>=", "->*"}
	twoWay   = []string{"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"}
)

func isIdentByte(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// lexer is the state of lex.
type lexer struct {
	lexed
	i      int // offset
	pragma bool
	fresh  bool // nothing but blanks and block comments on this line so far
	inDir  bool
	digits bool // ' separates digits (CUDA, which is C++)
}

// lex splits a text into tokens, up to one more than maxTokens. The error, of what no later stage could
// report as well, has its offset in the source text.
func lex(src string, d Dialect) (*lexed, int, *diag.Error) {
	l := &lexer{fresh: true, digits: d == CUDA}
	l.text, l.splice = join(src)
	for l.i < len(l.text) && len(l.toks) <= maxTokens {
		if at, err := l.token(); err != nil {
			return nil, l.splice.source(at), err
		}
	}
	l.link()
	return &l.lexed, 0, nil
}

func (l *lexer) add(k tokKind, start int) {
	if n := len(l.toks); l.inDir && n > 0 && l.text[start:l.i] == "pragma" && l.is(n-1, "#") && (n == 1 || !l.toks[n-2].inDir) {
		l.pragma = true
		l.toks[n-1].pragma = true
	}
	l.toks = append(l.toks, token{k, l.inDir, l.pragma, int32(start), int32(l.i)})
	l.fresh = false
}

// token scans one token, comment or blank.
func (l *lexer) token() (int, *diag.Error) {
	t, start := l.text, l.i
	switch c := t[start]; {
	case c == '\n':
		l.i++
		l.inDir, l.pragma = false, false
		l.add(tokNewline, start)
		l.fresh = true
	case isBlank(c):
		l.i++
	case strings.HasPrefix(t[start:], "//"):
		n := strings.IndexByte(t[start:], '\n')
		if n < 0 {
			n = len(t) - start
		}
		l.i += n
		if l.fresh {
			l.comments = append(l.comments, comment{int32(start), int32(l.i)})
		}
	case strings.HasPrefix(t[start:], "/*"):
		n := strings.Index(t[start+2:], "*/")
		if n < 0 {
			return start, diag.Errorf(Pos{}, codeSyntax, "comment is not closed").WithNote("add */ where it ends")
		}
		l.i += n + 4
	case c == '"' || c == '\'':
		return l.literal(start)
	case c >= '0' && c <= '9' || c == '.' && start+1 < len(t) && t[start+1] >= '0' && t[start+1] <= '9':
		l.number()
		l.add(tokNumber, start)
	case isIdentByte(c) || c >= utf8.RuneSelf:
		return l.identifier(start)
	case c == '#' && l.fresh:
		l.i++
		l.inDir = true
		l.add(tokPunct, start)
	default:
		l.i += punctLen(t[start:])
		l.add(tokPunct, start)
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
	t, q := l.text, l.text[l.i]
	for l.i++; l.i < len(t) && t[l.i] != q && t[l.i] != '\n'; l.i++ {
		if t[l.i] == '\\' && l.i+1 < len(t) && t[l.i+1] != '\n' {
			l.i++
		}
	}
	if l.i < len(t) && t[l.i] == q {
		l.i++
	}
	l.add(tokString, start)
	return 0, nil
}

// number scans a preprocessing number (C99 6.4.8).
func (l *lexer) number() {
	t := l.text
	for l.i++; l.i < len(t); l.i++ {
		switch c, before := t[l.i], t[l.i-1]|0x20; {
		case isIdentByte(c) || c == '.':
		case (c == '+' || c == '-') && (before == 'e' || before == 'p'):
		case c == '\'' && l.digits && l.i+1 < len(t) && isIdentByte(t[l.i+1]):
		default:
			return
		}
	}
}

// identifier scans an identifier or the literal that it is a prefix of. A
// character that no token starts with becomes a punctuator.
func (l *lexer) identifier(start int) (int, *diag.Error) {
	t := l.text
	for l.i < len(t) {
		if c := t[l.i]; c < utf8.RuneSelf {
			if !isIdentByte(c) {
				break
			}
			l.i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[l.i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if l.i == start {
				l.i += n
				l.add(tokPunct, start)
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
	l.add(tokIdent, start)
	return 0, nil
}
