package syntax

import (
	"slices"
	"sync"

	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

// Language is what the parser reads.
type Language uint8

// The languages. The zero value is invalid.
const (
	OpenCL Language = iota + 1 // OpenCL C 1.2 to 3.0, which is C99 with vectors
	CUDA                       // CUDA C++17, and HIP
)

// Options say how to parse.
type Options struct {
	Language Language
	// IsType reports whether a name that no declaration introduces is a type, as float4 is; nil = none is.
	IsType func(name string) bool
	// Prefix is the tree of what the tokens begin with, where they are the same for many programs.
	Prefix *Prefix
}

// Prefix is the tree of tokens in front of programs, which share it: nobody changes it, but that each body is parsed
// when the first one asks.
type Prefix struct {
	decls  []Decl
	scope  *scope
	tokens int
}

// ParsePrefix makes the tree of whole declarations.
func ParsePrefix(tokens []preprocess.Token, o Options) *Prefix {
	p := newParser(append(slices.Clip(tokens), preprocess.Token{Kind: preprocess.EOF}), 0, o)
	p.scope, p.shared = newScope(nil), &sync.Mutex{}
	return &Prefix{p.declarations(placeFile), p.scope, len(tokens)}
}

// Parse makes the tree of a program. What does not parse loses its own declaration, which is a BadDecl then.
// Bodies of functions are parsed by Body.Parse.
func Parse(tokens []preprocess.Token, o Options) *File {
	before := o.Prefix
	if before == nil {
		before = &Prefix{scope: newScope(nil)}
	}
	p := newParser(tokens, before.tokens, o)
	p.scope = before.scope.clone(map[*scope]*scope{})
	return &File{Decls: append(slices.Clip(before.decls), p.declarations(placeFile)...), Launches: p.directive}
}

// parser reads tokens from i on.
type parser struct {
	Options
	tokens []preprocess.Token
	match  []int32 // by index of an opening bracket that of the closing one, -1 where there is none; 0 for other tokens
	i      int
	scope  *scope
	depth  int
	bad    *diag.Error // of the first statement that does not parse
	trying int         // nested trials: what does not parse in one ends it
	tries  *int        // tokens that may still be read on trial, which bounds how often one is read
	// noGreater: > ends a list of template arguments and is not an operator.
	noGreater bool
	launchEnd int         // index of the >>> that ends the configuration of a launch; 0 = none is read
	directive []Directive // seen since the last kernel
	templated bool        // what is declared is a template
	class     string      // name of the class whose members are parsed: constructors are called so
	shared    *sync.Mutex // of the bodies of a Prefix
}

// deepest bounds how deep expressions, statements and declarators are nested.
const deepest = 1000

// newParser reads tokens from one on.
func newParser(tokens []preprocess.Token, from int, o Options) *parser {
	if o.IsType == nil {
		o.IsType = func(string) bool { return false }
	}
	p := &parser{Options: o, tokens: tokens, i: from, match: make([]int32, len(tokens)), tries: new(int)}
	*p.tries = 1<<20 + 20*len(tokens)
	var open []int
	for i := from; i < len(tokens); i++ {
		t := &tokens[i]
		if t.Kind != preprocess.Punct || len(t.Text) != 1 {
			continue
		}
		switch t.Text[0] {
		case '(', '[', '{':
			p.match[i] = -1
			open = append(open, i)
		case ')', ']', '}':
			want := opening[t.Text[0]]
			for n := len(open) - 1; n >= 0; n-- { // a bracket inside that is not closed is somebody else's error
				if tokens[open[n]].Text == want {
					p.match[open[n]] = int32(i)
					open = open[:n]
					break
				}
				if want == "(" && tokens[open[n]].Text == "{" {
					break // a parenthesis closes none outside of its braces
				}
			}
		}
	}
	return p
}

var opening = map[byte]string{')': "(", ']': "[", '}': "{"}

// bail ends the parsing of a declaration; it never leaves the package.
type bail struct{ err *diag.Error }

func (p *parser) fail(at Pos, format string, args ...any) {
	panic(bail{diag.Errorf(at, "SYNTAX", format, args...)})
}

func (p *parser) unsupported(at Pos, what, instead string) {
	panic(bail{diag.Errorf(at, "UNSUPPORTED", "%s not supported", what).WithNote("%s", instead)})
}

// try parses something and goes back where that fails.
func (p *parser) try(f func() bool) (ok bool) {
	i, depth, noGreater, scope, class, templated := p.i, p.depth, p.noGreater, p.scope, p.class, p.templated
	if *p.tries < 0 {
		p.fail(p.pos(), "too much of the file can be read in several ways")
	}
	p.trying++
	defer func() {
		p.trying--
		if x := recover(); x != nil {
			if _, mine := x.(bail); !mine {
				panic(x)
			}
			ok = false
		}
		*p.tries -= 1 + max(0, p.i-i)
		if !ok {
			p.i, p.depth, p.noGreater, p.scope, p.class, p.templated = i, depth, noGreater, scope, class, templated
		}
	}()
	return f()
}

// deeper counts nesting; the result undoes it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > deepest {
		p.fail(p.pos(), "nested more than %d deep", deepest)
	}
	return func() { p.depth-- }
}

var endToken = preprocess.Token{Kind: preprocess.EOF}

func (p *parser) at(n int) *preprocess.Token {
	if p.i+n < len(p.tokens) {
		return &p.tokens[p.i+n]
	}
	if len(p.tokens) > 0 {
		return &p.tokens[len(p.tokens)-1]
	}
	return &endToken
}

func (p *parser) peek() *preprocess.Token { return p.at(0) }

func (p *parser) pos() Pos { return p.peek().Pos }

func (p *parser) is(text string) bool { return p.peek().Is(text) }

// take steps over a token with the given text.
func (p *parser) take(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expect(text, where string) Pos {
	at := p.pos()
	if !p.take(text) {
		p.fail(at, "%s is expected %s, not %s", text, where, p.spelled())
	}
	return at
}

// separated reads what commas separate, up to a closing bracket, which is left.
func (p *parser) separated(end string, one func()) {
	for !p.is(end) {
		one()
		if !p.take(",") {
			return
		}
	}
}

// inAngles begins to read what template arguments enclose, or where that is not so what another bracket does; the
// result goes back.
func (p *parser) inAngles(yes bool) (leave func()) {
	outer := p.noGreater
	p.noGreater = yes
	return func() { p.noGreater = outer }
}

// spelled names the next token in a message.
func (p *parser) spelled() string {
	if t := p.peek(); t.Kind != preprocess.EOF {
		return t.Text
	}
	return "the end of the file"
}

// closing is the index of the bracket that closes the one at an index.
func (p *parser) closing(i int) int {
	if p.match[i] < 0 {
		p.fail(p.tokens[i].Pos, "%s is not closed", p.tokens[i].Text)
	}
	return int(p.match[i])
}

// ident is the next name.
func (p *parser) ident(what string) (string, Pos) {
	t := p.peek()
	if t.Kind != preprocess.Ident || keywords[t.Text] && p.isKeyword(t.Text) {
		p.fail(t.Pos, "the name of %s is expected, not %s", what, p.spelled())
	}
	p.i++
	return t.Text, t.Pos
}

// adjacent reports whether the token n from here stands directly behind the one before it.
func (p *parser) adjacent(n int) bool { return !p.at(n).Spaced && !p.at(n).First }

// isName reports whether the token n from here is a name and no keyword.
func (p *parser) isName(n int) bool {
	t := p.at(n)
	return t.Kind == preprocess.Ident && !(keywords[t.Text] && p.isKeyword(t.Text)) && !p.startsRequires(n)
}

// isKeyword reports whether a word of keywords is one in this language.
func (p *parser) isKeyword(word string) bool { return p.Language == CUDA || !cxxOnly[word] }

// IsKeyword reports whether a word is a keyword of C or C++.
func IsKeyword(word string) bool { return keywords[word] }

var keywords = words(`alignas alignof asm auto bool break case catch char class const const_cast constexpr continue
	decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if
	inline int long mutable namespace new noexcept nullptr operator private protected public register
	reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this
	thread_local throw true try typedef typeid typename union unsigned using virtual void volatile while and bitor or
	xor compl bitand and_eq or_eq xor_eq not not_eq __restrict __restrict__ __const __volatile__ __inline __inline__
	__signed__ __attribute__ __attribute __asm __asm__ __typeof__ __typeof typeof _Bool _Static_assert _Alignas
	_Alignof __alignof__ __alignof __extension__ __int128`)

// cxxOnly are keywords of C++ that are names in C.
var cxxOnly = words(`alignas alignof catch class const_cast constexpr decltype delete dynamic_cast explicit export
	false friend mutable namespace new noexcept nullptr operator private protected public reinterpret_cast
	static_assert static_cast template this thread_local throw true try typeid typename using virtual bool and bitor
	or xor compl bitand and_eq or_eq xor_eq not not_eq`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	from := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] > ' ' {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 {
			set[text[from:i]] = true
			from = -1
		}
	}
	return set
}
