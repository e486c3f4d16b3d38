package irtest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// scanner reads the words of one line after the other.
type scanner struct {
	lines []string
	line  int    // number of the current one, from 1
	text  string // of it
	at    int    // byte in text
	file  string // of positions that name none
}

// problem unwinds Parse.
type problem struct{ error }

func (s *scanner) fail(format string, args ...any) {
	panic(problem{fmt.Errorf("%d:%d: %s", s.line, s.at+1, fmt.Sprintf(format, args...))})
}

// nextLine goes to the next line that has something but a comment; false: there is none.
func (s *scanner) nextLine() bool {
	for s.line < len(s.lines) {
		s.text, s.at = s.lines[s.line], 0
		s.line++
		if !s.ended() {
			return true
		}
	}
	return false
}

// ended skips blanks and reports whether nothing but a comment follows in the line.
func (s *scanner) ended() bool {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
	return s.at == len(s.text) || s.text[s.at] == ';'
}

// end reads the position at the end of the line.
func (s *scanner) end() ir.Pos {
	if !s.ended() {
		s.fail("unexpected %q", s.text[s.at:])
	}
	if s.at == len(s.text) {
		return ir.Pos{}
	}
	text := strings.TrimSpace(s.text[s.at+1:])
	rest, column, ok := cutLast(text)
	c, err := strconv.Atoi(column)
	if !ok || err != nil {
		return ir.Pos{} // another comment
	}
	pos := ir.Pos{File: s.file, Column: c}
	if file, line, named := cutLast(rest); named {
		pos.File, rest = file, line
	}
	if pos.Line, err = strconv.Atoi(rest); err != nil {
		return ir.Pos{}
	}
	return pos
}

// cutLast cuts a text at its last colon.
func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+1:], true
}

// has reads a sign if it is next.
func (s *scanner) has(sign string) bool {
	if s.ended() || !strings.HasPrefix(s.text[s.at:], sign) {
		return false
	}
	s.at += len(sign)
	return true
}

// must reads a sign.
func (s *scanner) must(sign string) {
	if !s.has(sign) {
		s.fail("want %q", sign)
	}
}

// peek is the word of letters, digits and "_" that is next.
func (s *scanner) peek() string {
	if s.ended() {
		return ""
	}
	i := s.at
	for i < len(s.text) && (s.text[i] == '_' || '0' <= s.text[i] && s.text[i] <= '9' || 'a' <= s.text[i] &&
		s.text[i] <= 'z' || 'A' <= s.text[i] && s.text[i] <= 'Z') {
		i++
	}
	return s.text[s.at:i]
}

// whole is the word that is next, if it is not the beginning of a name ("at.x").
func (s *scanner) whole() string {
	w := s.peek()
	if r, _ := utf8.DecodeRuneInString(s.text[s.at+len(w):]); r == '#' || ir.InName(r) {
		return ""
	}
	return w
}

// keyword reads a word if it is next.
func (s *scanner) keyword(word string) bool {
	if s.whole() != word {
		return false
	}
	s.at += len(word)
	return true
}

// quoted reads a text in quotes.
func (s *scanner) quoted() string {
	if s.ended() {
		s.fail("want a text in quotes")
	}
	q, err := strconv.QuotedPrefix(s.text[s.at:])
	if err != nil || q[0] != '"' {
		s.fail("want a text in quotes")
	}
	text, _ := strconv.Unquote(q)
	s.at += len(q)
	return text
}

// startsName reports whether a name without quotes is next.
func (s *scanner) startsName() bool {
	if s.ended() {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.at:])
	return ir.StartsName(r)
}

// name reads a name, in quotes or not.
func (s *scanner) name() string {
	if !s.startsName() {
		if !s.ended() && s.text[s.at] == '"' {
			return s.quoted()
		}
		s.fail("want a name")
	}
	from := s.at
	for s.at < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.at:])
		if !ir.InName(r) {
			break
		}
		s.at += n
	}
	return s.text[from:s.at]
}

// numbered reads a name and the number that tells it from others of the name.
func (s *scanner) numbered() (base, full string) {
	base = s.name()
	full = base
	if s.at < len(s.text) && s.text[s.at] == '#' {
		s.at++
		full += "#" + s.digits()
	}
	return base, full
}

// digits reads a number without a sign as it is written.
func (s *scanner) digits() string {
	from := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	if from == s.at {
		s.fail("want a number")
	}
	return s.text[from:s.at]
}

// int reads a number.
func (s *scanner) int() int64 {
	s.ended()
	from := s.at
	if s.at < len(s.text) && s.text[s.at] == '-' {
		s.at++
	}
	s.digits()
	n, err := strconv.ParseInt(s.text[from:s.at], 10, 64)
	if err != nil {
		s.fail("%v", err)
	}
	return n
}

// small is int for what is an int.
func (s *scanner) small() int {
	n := s.int()
	if n != int64(int32(n)) {
		s.fail("%d is too large", n)
	}
	return int(n)
}

// word reads Fn or a kind.
func (s *scanner) word() string {
	if s.at < len(s.text) && s.text[s.at] == '"' {
		return s.quoted()
	}
	from := s.at
	for s.at < len(s.text) && ir.InWord(s.text[s.at]) {
		s.at++
	}
	if from == s.at {
		s.fail("want a word")
	}
	return s.text[from:s.at]
}

// typesByName and opsByName are what the text calls them.
var (
	typesByName = map[string]ir.Type{}
	opsByName   = map[string]ir.Op{}
)

func init() {
	for t := lower.Pred; t <= lower.Ptr; t++ {
		typesByName[t.String()] = t
	}
	for o := ir.Op(1); o.String() != "invalid"; o++ {
		opsByName[o.String()] = o
	}
}

// typ reads a type.
func (s *scanner) typ() ir.Type {
	w := s.peek()
	t := typesByName[w]
	if t == 0 {
		s.fail("want a type")
	}
	s.at += len(w)
	return t
}

// space reads an address space.
func (s *scanner) space() ir.Space {
	w := s.peek()
	sp := isa.SpaceNamed(w)
	if sp == 0 {
		s.fail("want an address space")
	}
	s.at += len(w)
	return sp
}
