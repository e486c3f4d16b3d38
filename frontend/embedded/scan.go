package embedded

import (
	"bytes"
	"regexp"
	"strings"
)

// scanned is a text with its strings and comments told from the rest.
type scanned struct {
	text    string
	code    []byte  // the text, blank where there are strings and comments
	strings []piece // their contents
}

// scan finds the strings of a text, of Python or of C.
func scan(text string, python bool) *scanned {
	s := &scanned{text: text, code: []byte(text)}
	for i := 0; i < len(text); {
		i = s.token(i, python)
	}
	s.join()
	return s
}

// token reads what begins at byte i and returns where it ends.
func (s *scanned) token(i int, python bool) int {
	rest := s.text[i:]
	switch {
	case python && rest[0] == '#', !python && strings.HasPrefix(rest, "//"):
		return s.hide(i, i+until(rest, "\n"))
	case !python && strings.HasPrefix(rest, "/*"):
		return s.hide(i, i+2+past(rest[2:], "*/"))
	case python && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		n := until(rest[3:], rest[:3])
		s.strings = append(s.strings, piece{start: i + 3, end: i + 3 + n})
		return s.hide(i, min(i+6+n, len(s.text)))
	case !python && strings.HasPrefix(rest, `R"`) && (i == 0 || !wordByte(s.text[i-1])):
		if open := strings.IndexByte(rest, '('); open > 1 && open < 20 &&
			!strings.ContainsAny(rest[2:open], " )\\\"\n") {
			n := until(rest[open+1:], ")"+rest[2:open]+`"`)
			s.strings = append(s.strings, piece{start: i + open + 1, end: i + open + 1 + n})
			return s.hide(i, min(i+open+1+n+open, len(s.text)))
		}
	case rest[0] == '\'' && i > 0 && !python && wordByte(s.text[i-1]): // 1'000
	case rest[0] == '"', rest[0] == '\'':
		return s.quoted(i)
	}
	return i + 1
}

// quoted reads a string or character that ends on its line.
func (s *scanned) quoted(i int) int {
	for k := i + 1; k < len(s.text); k++ {
		switch s.text[k] {
		case '\\':
			k++
		case '\n':
			return i + 1
		case s.text[i]:
			if s.text[i] == '"' {
				s.strings = append(s.strings, piece{start: i + 1, end: k, escapes: true})
			}
			return s.hide(i, k+1)
		}
	}
	return i + 1
}

// join makes one string of those with nothing between them.
func (s *scanned) join() {
	var joined []piece
	for _, p := range s.strings {
		if n := len(joined); n > 0 && p.escapes && joined[n-1].escapes &&
			len(bytes.Trim(s.code[joined[n-1].end+1:p.start-1], " \t\r\n\\")) == 0 {
			joined[n-1].end = p.end
			continue
		}
		joined = append(joined, p)
	}
	s.strings = joined
}

func (s *scanned) hide(from, to int) int {
	to = min(to, len(s.code))
	for i := from; i < to; i++ {
		if c := s.code[i]; c != '\n' && c != '\r' {
			s.code[i] = ' '
		}
	}
	return to
}

// wrapped reports whether a raw string is all that a file has.
func (s *scanned) wrapped() bool {
	for _, p := range s.strings {
		if p.escapes {
			return false
		}
	}
	return len(strings.Trim(string(s.code), " \t\r\n;")) == 0
}

var (
	macroCall = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)
	// kernelCall is a call whose first argument begins with a kernel.
	kernelCall = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(\s*(?:__kernel|kernel\s+void)\b`)
	// stringizing is a macro that makes a string of its arguments.
	stringizing = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)]*\)[^\n]*[^#]#[ \t]*\w`)
	// stringName is how such macros are called where another file defines them.
	stringName = regexp.MustCompile(`(?i)^\w*(stringi[fz]|to_?str|multiline)\w*$`)
)

// stringizes reports whether a line may define a macro that makes strings: most files have none, and need no search.
func stringizes(text string) bool {
	for rest := text; ; {
		i := strings.IndexByte(rest, '#')
		if i < 0 {
			return false
		}
		if strings.Contains(rest[strings.LastIndexByte(rest[:i], '\n')+1:i], ")") {
			return true
		}
		rest = rest[i+1:]
	}
}

// namesString reports whether a macro in the code may be called as those are that make strings.
func namesString(code []byte) bool {
	code = bytes.ToLower(code)
	for _, word := range []string{"stringi", "tostr", "to_str", "multiline"} {
		if bytes.Contains(code, []byte(word)) {
			return true
		}
	}
	return false
}

// calls are the arguments of macros that make strings of them and have source among them. In a program of another
// language than the kernels' no other call has a kernel as its argument.
func (s *scanned) calls(program bool) (pieces []piece) {
	makes := map[string]bool{}
	if program {
		for _, m := range kernelCall.FindAllSubmatch(s.code, -1) {
			makes[string(m[1])] = true
		}
	}
	if stringizes(s.text) {
		for _, m := range stringizing.FindAllStringSubmatch(s.text, -1) {
			makes[m[1]] = true
		}
	}
	if len(makes) == 0 && !namesString(s.code) {
		return nil
	}
	for at := 0; at < len(s.code); {
		m := macroCall.FindSubmatchIndex(s.code[at:])
		if m == nil {
			break
		}
		name, open := string(s.code[at+m[2]:at+m[3]]), at+m[1]
		if (makes[name] || stringName.MatchString(name)) && !directive(s.code, at+m[2]) {
			if closing := s.closing(open); sourceWord.Match(s.code[open:closing]) {
				pieces = append(pieces, piece{start: open, end: closing, name: name})
				open = closing
			}
		}
		at = open
	}
	return pieces
}

// closing is the byte of the ) that belongs to the ( before byte i.
func (s *scanned) closing(i int) int {
	for depth := 1; i < len(s.code); i++ {
		switch s.code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.code)
}

// directive reports whether byte i is on a line that begins with #.
func directive(code []byte, i int) bool {
	return bytes.HasPrefix(bytes.TrimSpace(code[bytes.LastIndexByte(code[:i], '\n')+1:i]), []byte("#"))
}

// outside is the code less some pieces.
func (s *scanned) outside(pieces []piece) []byte {
	rest := &scanned{text: s.text, code: append([]byte(nil), s.code...)}
	for _, p := range pieces {
		rest.hide(p.start, p.end)
	}
	return rest.code
}

func until(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i
	}
	return len(s)
}

func past(s, end string) int { return min(until(s, end)+len(end), len(s)) }

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
