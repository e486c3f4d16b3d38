package tokens

import "gpupipe/internal/diag"

// Scope is what a bracket opens, or file scope.
type Scope uint8

// The scope kinds. The zero value is file scope.
const (
	File   Scope = iota
	Paren        // ( or [
	Block        // { of statements
	Struct       // { of struct, union, enum or class members
	Init         // { of an initialiser
	Flat         // { of a namespace or extern "C": file scope goes on inside
)

// Shape is the bracket structure of a text. Both branches of an #if may hold
// the opening half of what is closed after the #endif: every branch starts from
// what was open at the #if, and the last one's state goes on.
type Shape struct {
	Match  []int32 // of a bracket: its other half, or -1
	Parent []int32 // the innermost open bracket around the token, or -1
	Kinds  []Scope // of an opening bracket: what it opens
	Body   []bool  // inside of a function's braces
	// Open are the brackets never closed, outermost first.
	Open []int32
	// Ended are brackets that something around them has ended, so that a forgotten
	// one is noticed in one function only: parentheses and square brackets by the }
	// of a block around them, all by the keyword __kernel, which no function has
	// inside.
	Ended []int32
	// Restarts are the tokens __kernel that have ended something.
	Restarts []int32
}

// KindAt is the kind of scope that token i stands in.
func (s *Shape) KindAt(i int) Scope {
	if i >= len(s.Parent) || s.Parent[i] < 0 {
		return File
	}
	return s.Kinds[s.Parent[i]]
}

// Closing returns the index of the bracket that closes token i, or -1.
func (s *Shape) Closing(i int) int {
	if i < 0 || i >= len(s.Match) {
		return -1
	}
	return int(s.Match[i])
}

// InBody reports whether token i stands among or inside statements.
func (s *Shape) InBody(i int) bool {
	return i < len(s.Body) && s.Body[i]
}

// shaper is the state of ShapeOf.
type shaper struct {
	*List
	Shape
	stack []int32
	saved [][]int32 // the stack at each open #if
}

// ShapeOf finds the brackets of a text. It fails, at the returned token, where
// the nesting exceeds what the parser's recursion can take.
func ShapeOf(l *List) (*Shape, int, *diag.Error) {
	s := &shaper{List: l}
	s.Match = make([]int32, len(l.Tokens))
	s.Parent = make([]int32, len(l.Tokens))
	s.Kinds = make([]Scope, len(l.Tokens))
	s.Body = make([]bool, len(l.Tokens))
	for i := range l.Tokens {
		s.Match[i] = -1
		s.Parent[i] = -1
		if n := len(s.stack); n > 0 {
			o := s.stack[n-1]
			s.Parent[i] = o
			s.Body[i] = s.Body[o] || s.Kinds[o] == Block
		}
		t := l.Tokens[i]
		if t.InDirective {
			if l.At(i) == "#" && (i == 0 || !l.Tokens[i-1].InDirective) {
				s.conditional(l.At(l.SameLine(i)))
				if len(s.saved) > maxConditions {
					return nil, i, Limitf("#if nested more than %d deep", maxConditions)
				}
			}
			continue
		}
		if t.Kind == Ident && s.Body[i] && l.At(i) == "__kernel" {
			s.restart(i)
		}
		if t.Kind != Punct || t.End != t.Start+1 {
			continue
		}
		switch l.Text[t.Start] {
		case '(', '[':
			s.push(i, Paren)
		case '{':
			s.push(i, s.braceKind(i))
		case ')', ']', '}':
			s.pop(i)
		}
		if len(s.stack) > MaxBrackets {
			return nil, i, Limitf("brackets nested more than %d deep", MaxBrackets)
		}
	}
	s.Open = s.stack
	return &s.Shape, 0, nil
}

func (s *shaper) push(i int, k Scope) {
	s.stack = append(s.stack, int32(i))
	s.Kinds[i] = k
}

func (s *shaper) pop(i int) {
	n := len(s.stack)
	if n == 0 {
		return
	}
	if s.At(i) == "}" {
		for k := n - 1; k >= 0; k-- {
			if s.At(int(s.stack[k])) == "{" {
				s.Ended = append(s.Ended, s.stack[k+1:]...)
				n = k + 1
				s.stack = s.stack[:n]
				break
			}
		}
	}
	o := s.stack[n-1]
	if pair := s.Text[s.Tokens[o].Start:s.Tokens[o].Start+1] + s.At(i); pair != "()" && pair != "[]" && pair != "{}" {
		return // unbalanced: the parser says so
	}
	s.stack = s.stack[:n-1]
	s.Match[o], s.Match[i] = int32(i), o
	s.Parent[i], s.Body[i] = s.Parent[o], s.Body[o]
}

// restart ends everything that is open at the __kernel at token i.
func (s *shaper) restart(i int) {
	s.Ended = append(s.Ended, s.stack...)
	s.Restarts = append(s.Restarts, int32(i))
	s.stack = s.stack[:0:0]
	s.Parent[i], s.Body[i] = -1, false
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
func (s *shaper) braceKind(i int) Scope {
	outer := File
	if n := len(s.stack); n > 0 {
		outer = s.Kinds[s.stack[n-1]]
	}
	p := s.Prev(i)
	switch s.At(p) {
	case "=", ",", "(", "[", "return":
		return Init
	case "{":
		if outer == Init {
			return Init
		}
		return Block
	case ")", "else", "do", ":", ";", "}":
		return Block
	}
	// A name before the brace: look for the keyword that says what is named,
	// at most as far as a declaration's head reaches.
	for n := 0; p >= 0 && n < 24; n, p = n+1, s.Prev(p) {
		switch s.At(p) {
		case "struct", "union", "enum", "class":
			return Struct
		case "namespace":
			return Flat
		case "extern":
			return Flat
		case ";", "{", "}":
			return Block
		}
	}
	return Block
}
