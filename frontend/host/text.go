package host

import (
	"slices"

	"gpupipe/internal/diag"
)

// Text is a file with what it includes as the preprocessor leaves it: macros expanded, every #if
// decided, no directive and no newline in it.
type Text struct {
	File   string // of the user's, of which positions are told by their lines alone
	Tokens []Token
	Items  []Item
}

// Token is a word, a literal or a mark of a text. Other tokens are named by their index in
// Text.Tokens; -1 is none.
type Token struct {
	Kind TokenKind
	Text string
	Pos  diag.Pos // to the line
	// Match is the other half of a bracket ( ) [ ] { }.
	Match int32
	// Angle is, of a < that can open the arguments or parameters of a template, the > or >> that
	// closes them and nothing else.
	Angle int32
	// Outer is the innermost open bracket around the token.
	Outer int32
	// Scope is what a { opens, and Within what the bracket opens that the token stands in.
	Scope, Within Scope
	// InBody says that the token stands in a function's braces.
	InBody bool
	// Attribute marks a word behind which a parenthesis holds no parameters: alignas.
	Attribute bool
}

// TokenKind is what a token is.
type TokenKind uint8

// The kinds of tokens. The zero value is none of them.
const (
	Word    TokenKind = iota + 1 // an identifier or keyword
	Number                       // as it is spelled
	Literal                      // of a string or a character
	Mark                         // an operator or bracket
)

// Scope is what a brace opens, as far as it matters here.
type Scope uint8

// The scopes. The zero value is any other bracket, or none.
const (
	Block   Scope = iota + 1 // of statements
	Members                  // of a struct, class, union or enum
)

// Item is a declaration at file scope, namespaces and extern "C" included.
type Item struct {
	Start, End int  // tokens, End exclusive
	Function   bool // it is a function with its body
}

// at is how token i is spelled, empty where there is none.
func (t *Text) at(i int) string {
	if i < 0 || i >= len(t.Tokens) {
		return ""
	}
	return t.Tokens[i].Text
}

// is reports whether token i is the word or mark s.
func (t *Text) is(i int, s string) bool {
	return i >= 0 && i < len(t.Tokens) && t.Tokens[i].Kind != Literal && t.Tokens[i].Text == s
}

// kindOf is the kind of token i, 0 where there is none.
func (t *Text) kindOf(i int) TokenKind {
	if i < 0 || i >= len(t.Tokens) {
		return 0
	}
	return t.Tokens[i].Kind
}

// closing is the bracket that closes token i, or opens it; -1 where there is none.
func (t *Text) closing(i int) int {
	if i < 0 || i >= len(t.Tokens) {
		return -1
	}
	return int(t.Tokens[i].Match)
}

// closingAngle is the token that closes the template arguments which the < at token i opens; -1
// where it opens none.
func (t *Text) closingAngle(i int) int {
	if i < 0 || i >= len(t.Tokens) {
		return -1
	}
	return int(t.Tokens[i].Angle)
}

// outer is the innermost open bracket around token i, or -1.
func (t *Text) outer(i int) int { return int(t.Tokens[i].Outer) }

// find is the first of tokens i to j that is one of words, or j.
func (t *Text) find(i, j int, words ...string) int {
	for i = max(i, 0); i < min(j, len(t.Tokens)); i++ {
		if t.Tokens[i].Kind != Literal && slices.Contains(words, t.Tokens[i].Text) {
			return i
		}
	}
	return j
}

// has reports whether one of tokens i to j is one of words.
func (t *Text) has(i, j int, words ...string) bool { return t.find(i, j, words...) < j }

// pos is where token i was written, to the line.
func (t *Text) pos(i int) diag.Pos {
	if i < 0 || i >= len(t.Tokens) {
		return diag.Pos{}
	}
	return t.Tokens[i].Pos
}

// argumentWords are tokens i to j of a template's arguments, as words: a >> that closes two lists
// is two of them, and what of it stands at j belongs to the arguments too.
func (t *Text) argumentWords(i, j int) (words []string) {
	brackets, angles := 0, 0
	for ; i < j; i++ {
		switch {
		case t.is(i, "(") || t.is(i, "["):
			brackets++
		case t.is(i, ")") || t.is(i, "]"):
			brackets--
		case brackets > 0:
		case t.is(i, "<"):
			angles++
		case t.is(i, ">"):
			angles--
		case t.is(i, ">>"):
			words = append(words, ">", ">")
			angles -= 2
			continue
		}
		words = append(words, t.at(i))
	}
	if angles > 0 {
		words = append(words, slices.Repeat([]string{">"}, angles)...)
	}
	return words
}
