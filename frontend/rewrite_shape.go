package frontend

import "gpupipe/internal/diag"

// scopeKind is what a bracket opens, or file scope.
type scopeKind uint8

// The scope kinds. The zero value is file scope.
const (
	scopeFile   scopeKind = iota
	scopeParen            // ( or [
	scopeBlock            // { of statements
	scopeStruct           // { of struct, union, enum or class members
	scopeInit             // { of an initialiser
	scopeFlat             // { of a namespace or extern "C": file scope goes on inside
)

// shape is the bracket structure of a text. Both branches of an #if may hold
// the opening half of what is closed after the #endif: every branch starts from
// what was open at the #if, and the last one's state goes on.
type shape struct {
	match  []int32     // of a bracket: its other half, or -1
	parent []int32     // the innermost open bracket around the token, or -1
	kinds  []scopeKind // of an opening bracket: what it opens
	body   []bool      // inside of a function's braces
	// open are the brackets never closed, outermost first.
	open []int32
	// ended are brackets that something around them has ended, so that a forgotten
	// one is noticed in one function only: parentheses and square brackets by the }
	// of a block around them, all by the keyword __kernel, which no function has
	// inside.
	ended []int32
	// restarts are the tokens __kernel that have ended something.
	restarts []int32
}

// kindAt is the kind of scope that token i stands in.
func (s *shape) kindAt(i int) scopeKind {
	if i >= len(s.parent) || s.parent[i] < 0 {
		return scopeFile
	}
	return s.kinds[s.parent[i]]
}

// closing returns the index of the bracket that closes token i, or -1.
func (s *shape) closing(i int) int {
	if i < 0 || i >= len(s.match) {
		return -1
	}
	return int(s.match[i])
}

// inBody reports whether token i stands among or inside statements.
func (s *shape) inBody(i int) bool {
	return i < len(s.body) && s.body[i]
}

// shaper is the state of shapeOf.
type shaper struct {
	*lexed
	shape
	stack []int32
	saved [][]int32 // the stack at each open #if
}

// shapeOf finds the brackets of a text. It fails, at the returned token, where
// the nesting exceeds what the parser's recursion can take.
func shapeOf(l *lexed) (*shape, int, *diag.Error) {
	s := &shaper{lexed: l}
	s.match = make([]int32, len(l.toks))
	s.parent = make([]int32, len(l.toks))
	s.kinds = make([]scopeKind, len(l.toks))
	s.body = make([]bool, len(l.toks))
	for i := range l.toks {
		s.match[i] = -1
		s.parent[i] = -1
		if n := len(s.stack); n > 0 {
			o := s.stack[n-1]
			s.parent[i] = o
			s.body[i] = s.body[o] || s.kinds[o] == scopeBlock
		}
		t := l.toks[i]
		if t.inDir {
			if l.at(i) == "#" && (i == 0 || !l.toks[i-1].inDir) {
				s.conditional(l.at(l.sameLine(i)))
				if len(s.saved) > maxConditions {
					return nil, i, limitf("#if nested more than %d deep", maxConditions)
				}
			}
			continue
		}
		if t.kind == tokIdent && s.body[i] && l.at(i) == "__kernel" {
			s.restart(i)
		}
		if t.kind != tokPunct || t.end != t.start+1 {
			continue
		}
		switch l.text[t.start] {
		case '(', '[':
			s.push(i, scopeParen)
		case '{':
			s.push(i, s.braceKind(i))
		case ')', ']', '}':
			s.pop(i)
		}
		if len(s.stack) > maxBrackets {
			return nil, i, limitf("brackets nested more than %d deep", maxBrackets)
		}
	}
	s.open = s.stack
	return &s.shape, 0, nil
}

func (s *shaper) push(i int, k scopeKind) {
	s.stack = append(s.stack, int32(i))
	s.kinds[i] = k
}

func (s *shaper) pop(i int) {
	n := len(s.stack)
	if n == 0 {
		return
	}
	if s.at(i) == "}" {
		for k := n - 1; k >= 0; k-- {
			if s.at(int(s.stack[k])) == "{" {
				s.ended = append(s.ended, s.stack[k+1:]...)
				n = k + 1
				s.stack = s.stack[:n]
				break
			}
		}
	}
	o := s.stack[n-1]
	if pair := s.text[s.toks[o].start:s.toks[o].start+1] + s.at(i); pair != "()" && pair != "[]" && pair != "{}" {
		return // unbalanced: the parser says so
	}
	s.stack = s.stack[:n-1]
	s.match[o], s.match[i] = int32(i), o
	s.parent[i], s.body[i] = s.parent[o], s.body[o]
}

// restart ends everything that is open at the __kernel at token i.
func (s *shaper) restart(i int) {
	s.ended = append(s.ended, s.stack...)
	s.restarts = append(s.restarts, int32(i))
	s.stack = s.stack[:0:0]
	s.parent[i], s.body[i] = -1, false
}

// conditional handles #if and its kin.
func (s *shaper) conditional(verb string) {
	n := len(s.saved)
	switch verb {
	case "if", "ifdef", "ifndef":
		s.saved = append(s.saved, append([]int32(nil), s.stack...))
	case "else", "elif", "elifdef", "elifndef":
		if n > 0 {
			s.stack = append(s.stack[:0:0], s.saved[n-1]...)
		}
	case "endif":
		if n > 0 {
			s.saved = s.saved[:n-1]
		}
	}
}

// braceKind tells what the { at i opens, from the tokens before it.
func (s *shaper) braceKind(i int) scopeKind {
	outer := scopeFile
	if n := len(s.stack); n > 0 {
		outer = s.kinds[s.stack[n-1]]
	}
	p := s.prev(i)
	switch s.at(p) {
	case "=", ",", "(", "[", "return":
		return scopeInit
	case "{":
		if outer == scopeInit {
			return scopeInit
		}
		return scopeBlock
	case ")", "else", "do", ":", ";", "}":
		return scopeBlock
	}
	// A name before the brace: look for the keyword that says what is named,
	// at most as far as a declaration's head reaches.
	for n := 0; p >= 0 && n < 24; n, p = n+1, s.prev(p) {
		switch s.at(p) {
		case "struct", "union", "enum", "class":
			return scopeStruct
		case "namespace":
			return scopeFlat
		case "extern":
			return scopeFlat
		case ";", "{", "}":
			return scopeBlock
		}
	}
	return scopeBlock
}
