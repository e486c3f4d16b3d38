package idg

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"gpupipe/internal/diag"
)

// Codes of the errors that reading a graph can give.
const (
	CodeRead    = "IDG_READ"    // the input could not be read
	CodeSyntax  = "IDG_SYNTAX"  // not JSON, or a value of the wrong type
	CodeVersion = "IDG_VERSION" // not an IDG document, or of another version
	CodeBroken  = "IDG_BROKEN"  // JSON of the right shape that is not a valid graph
	CodeLimit   = "IDG_LIMIT"   // larger than the reader's limits
)

const (
	windowSize = 64 << 10 // bytes of input held at once
	maxString  = 64 << 20 // bytes of one string
	maxNesting = 200      // of JSON values within a value that is skipped
)

// lexer is a pull reader of JSON text. It holds a window of the input and keeps
// count of lines, so that memory does not grow with the input and every error
// has a position. The first error sticks: from then on every method returns
// a zero value and every loop ends.
//
// It is written by hand for its positions and its speed, but encoding/json replaces
// escapes; what it accepts is JSON, which a fuzz test checks against encoding/json.
type lexer struct {
	r    io.Reader
	name string // of the input, for positions
	err  *diag.Error

	buf     []byte // the window; unread bytes are buf[at:end]
	at, end int
	eof     bool
	base    int64 // offset of buf[0] in the input

	line      int   // of buf[at], from 1
	lineStart int64 // offset of that line's first byte

	scratch []byte // a string with escapes, as it stands
}

func newLexer(r io.Reader, name string) lexer {
	return lexer{r: r, name: name, buf: make([]byte, windowSize), line: 1}
}

// pos is the position of the next unread byte. Columns count bytes.
func (l *lexer) pos() Pos {
	return Pos{File: l.name, Line: l.line, Column: int(l.base+int64(l.at)-l.lineStart) + 1}
}

// fail records the first error.
func (l *lexer) fail(p Pos, code, format string, args ...any) {
	if l.err == nil {
		l.err = diag.Errorf(p, code, format, args...)
	}
}

// fill reads more input behind the unread bytes. It reports whether there is
// any more.
func (l *lexer) fill() bool {
	if l.eof || l.err != nil {
		return false
	}
	if l.at > 0 {
		copy(l.buf, l.buf[l.at:l.end])
		l.base += int64(l.at)
		l.end -= l.at
		l.at = 0
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if err != nil {
			l.eof = true
			if !errors.Is(err, io.EOF) {
				l.fail(l.pos(), CodeRead, "cannot read: %v", err)
				return false
			}
		}
		if n > 0 || l.eof {
			return n > 0
		}
	}
	l.fail(l.pos(), CodeRead, "cannot read: %v", io.ErrNoProgress)
	return false
}

// peek skips white space and returns the next byte, 0 at the end of the input
// or after an error.
func (l *lexer) peek() byte {
	for l.err == nil {
		for l.at < l.end {
			switch c := l.buf[l.at]; c {
			case '\n':
				l.at++
				l.line++
				l.lineStart = l.base + int64(l.at)
			case ' ', '\t', '\r':
				l.at++
			default:
				return c
			}
		}
		if !l.fill() {
			break
		}
	}
	return 0
}

// byte returns the next byte as it is, 0 at the end of the input.
func (l *lexer) byte() byte {
	if l.at == l.end && !l.fill() {
		return 0
	}
	return l.buf[l.at]
}

// unexpected records that something else was wanted here.
func (l *lexer) unexpected(want string) {
	if l.at == l.end && !l.fill() {
		l.fail(l.pos(), CodeSyntax, "the input ends where %s is expected", want)
		return
	}
	c, _ := utf8.DecodeRune(l.buf[l.at:l.end])
	l.fail(l.pos(), CodeSyntax, "%q where %s is expected", c, want)
}

// open consumes the bracket that begins a value.
func (l *lexer) open(bracket byte, what string) bool {
	if l.peek() != bracket || l.err != nil {
		l.unexpected(what)
		return false
	}
	l.at++
	return true
}

// more moves to the next of the members or elements of a value; done is how
// many were read. It consumes the comma or the closing bracket.
func (l *lexer) more(done int, bracket byte) bool {
	c := l.peek()
	switch {
	case l.err != nil:
		return false
	case c == bracket:
		l.at++
		return false
	case done == 0:
		return true
	case c != ',':
		l.unexpected("',' or '" + string(bracket) + "'")
		return false
	}
	l.at++
	if l.peek() == bracket {
		l.unexpected("a value")
	}
	return l.err == nil
}

// keyed reads an object and calls value for each known key, with the value next to be read.
func (l *lexer) keyed(what string, keys []string, value func(key string)) {
	l.members(what, func(key []byte) int { return indexOf(keys, key) }, func(k int) string { return keys[k] },
		func(k int) { value(keys[k]) })
}

// members reads an object of at most 64 known keys, of which index gives the number and name the text. Unknown keys
// are skipped, a known key may stand once.
func (l *lexer) members(what string, index func([]byte) int, name func(int) string, read func(int)) {
	if !l.open('{', what) {
		return
	}
	var seen uint64
	for n := 0; l.more(n, '}'); n++ {
		at := l.pos()
		k := index(l.quoted("a key"))
		if l.peek() != ':' {
			l.unexpected("':'")
			return
		}
		l.at++
		switch {
		case k < 0:
			l.skip(0)
		case seen>>k&1 != 0:
			l.fail(at, CodeBroken, "%s has %q twice", what, name(k))
		default:
			seen |= 1 << k
			read(k)
		}
	}
}

func indexOf(keys []string, key []byte) int {
	for i, k := range keys {
		if string(key) == k {
			return i
		}
	}
	return -1
}

// startOf is the position of the next value.
func (l *lexer) startOf() Pos {
	l.peek()
	return l.pos()
}

// array reads an array and calls element for each of its elements.
func (l *lexer) array(what string, element func(i int)) {
	if !l.open('[', what) {
		return
	}
	for n := 0; l.more(n, ']'); n++ {
		element(n)
	}
}

// quoted reads a string. The bytes are valid until the next call of any method;
// what is not UTF-8 is replaced by U+FFFD.
func (l *lexer) quoted(what string) []byte {
	if !l.open('"', what) {
		return nil
	}
	l.scratch = append(l.scratch[:0], '"')
	for {
		i := l.at
		for i < l.end && l.buf[i] != '"' && l.buf[i] != '\\' && l.buf[i] >= ' ' {
			i++
		}
		span := l.buf[l.at:i]
		if i < l.end && l.buf[i] == '"' && len(l.scratch) == 1 {
			l.at = i + 1
			return valid(span)
		}
		l.scratch = append(l.scratch, span...)
		l.at = i
		if len(l.scratch) > maxString {
			l.fail(l.pos(), CodeLimit, "a string of more than %d bytes", maxString)
			return nil
		}
		switch c := l.byte(); {
		case l.at == l.end:
			l.unexpected("the end of a string")
		case c == '"':
			l.copy(`"`, "")
			return l.unescaped()
		case c == '\\':
			l.escape()
		case c < ' ':
			l.unexpected("a character of a string")
		}
		if l.err != nil {
			return nil
		}
	}
}

// valid returns b with every byte that is not UTF-8 replaced.
func valid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return []byte(string([]rune(string(b))))
}

// unescaped is the text of the string that was copied to the scratch bytes.
func (l *lexer) unescaped() []byte {
	var s string
	if err := json.Unmarshal(l.scratch, &s); err != nil {
		l.fail(l.pos(), CodeSyntax, "%v", err)
	}
	return []byte(s)
}

// escape copies an escape sequence.
func (l *lexer) escape() {
	l.copy(`\`, "")
	if l.copy(`"\/bfnrtu`, "an escape") == 'u' {
		for range 4 {
			l.copy("0123456789abcdefABCDEF", "a hexadecimal digit")
		}
	}
}

// copy reads one of some bytes onto the scratch bytes.
func (l *lexer) copy(of, want string) byte {
	c := l.byte()
	if strings.IndexByte(of, c) < 0 {
		l.unexpected(want)
		return 0
	}
	l.at++
	l.scratch = append(l.scratch, c)
	return c
}

// integer reads a whole number from lo to hi. Fractions and exponents are
// refused even where their value is whole.
func (l *lexer) integer(what string, lo, hi int64) int64 {
	first := l.peek()
	negative := first == '-'
	if negative {
		l.at++
		first = l.byte()
	}
	var n uint64
	digits, huge := 0, false
	for c := first; c >= '0' && c <= '9'; c = l.byte() {
		d := uint64(c - '0')
		huge = huge || n > (1<<63-1-d)/10
		n = n*10 + d
		digits++
		l.at++
	}
	v := int64(n)
	if negative {
		v = -v
	}
	c := l.byte()
	if digits > 0 && (first != '0' || digits == 1) && c != '.' && c != 'e' && c != 'E' && !huge && v >= lo && v <= hi {
		return v
	}
	start := l.pos()
	start.Column -= digits
	if negative {
		start.Column--
	}
	switch {
	case digits == 0:
		l.unexpected(what)
	case first == '0' && digits > 1:
		l.fail(start, CodeSyntax, "%s begins with a superfluous 0", what)
	case c == '.' || c == 'e' || c == 'E':
		l.fail(start, CodeSyntax, "%s must be a whole number", what)
	case huge:
		l.fail(start, CodeBroken, "%s must be %d to %d, not a number of %d digits", what, lo, hi, digits)
	default:
		l.fail(start, CodeBroken, "%s must be %d to %d, not %d", what, lo, hi, v)
	}
	return 0
}

// boolean reads true or false.
func (l *lexer) boolean(what string) bool {
	if l.peek() == 't' {
		l.word("true", what)
		return l.err == nil
	}
	l.word("false", what)
	return false
}

// word consumes a literal.
func (l *lexer) word(w, what string) {
	for i := range len(w) {
		if l.byte() != w[i] {
			l.unexpected(what)
			return
		}
		l.at++
	}
}

// skip reads past a value of any type.
func (l *lexer) skip(depth int) {
	if depth > maxNesting {
		l.fail(l.pos(), CodeLimit, "more than %d nested values", maxNesting)
		return
	}
	const what = "a value"
	switch c := l.peek(); {
	case c == '{':
		l.at++
		for n := 0; l.more(n, '}'); n++ {
			l.quoted("a key")
			if l.peek() != ':' {
				l.unexpected("':'")
				return
			}
			l.at++
			l.skip(depth + 1)
		}
	case c == '[':
		l.at++
		for n := 0; l.more(n, ']'); n++ {
			l.skip(depth + 1)
		}
	case c == '"':
		l.quoted(what)
	case c == 't':
		l.word("true", what)
	case c == 'f':
		l.word("false", what)
	case c == 'n':
		l.word("null", what)
	default:
		l.number(what)
	}
}

// number reads past a number of any form.
func (l *lexer) number(what string) {
	if l.byte() == '-' {
		l.at++
	}
	if l.byte() == '0' {
		l.at++
	} else {
		l.digits(what)
	}
	if l.byte() == '.' {
		l.at++
		l.digits("a digit")
	}
	if c := l.byte(); c == 'e' || c == 'E' {
		l.at++
		if c := l.byte(); c == '+' || c == '-' {
			l.at++
		}
		l.digits("a digit")
	}
}

func (l *lexer) digits(what string) {
	n := 0
	for ; l.byte() >= '0' && l.byte() <= '9'; l.at++ {
		n++
	}
	if n == 0 {
		l.unexpected(what)
	}
}
