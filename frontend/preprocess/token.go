package preprocess

import "gpupipe/internal/diag"

// Kind is what a token is.
type Kind uint8

// The kinds of tokens. The zero value is invalid.
const (
	Ident     Kind = iota + 1 // names and keywords
	Number                    // C's preprocessing numbers
	Char                      // 'a', with its prefix
	String                    // "a", with its prefix; raw ones as written
	Punct                     // operators and punctuators; > is always single
	Pragma                    // #pragma or _Pragma: Args is its text in tokens, expanded
	Directive                 // a comment "idgen: ..." for launches: Args is what follows the colon, expanded
	Other                     // a character that begins no token
	EOF
)

// Token is a preprocessing token in its place.
type Token struct {
	Kind    Kind
	Spaced  bool  // white space stands before it
	First   bool  // it is the first on its line
	painted bool  // the name of a macro that was being expanded: it is never expanded again
	Pack    uint8 // of struct, class and union: what #pragma pack allows a member as alignment, 0 = all
	Text    string
	Pos     diag.Pos   // in the user's text; of what a macro expands to, where the macro is used
	From    *Expansion // nil for what stands in a file as it is
	Args    []Token    // of Pragma and Directive
}

// Expansion is one use of a macro.
type Expansion struct {
	Macro string
	Pos   diag.Pos   // of the name
	Outer *Expansion // that it stands in
}

// Is reports whether the token is a punctuator or a name with the given text.
func (t *Token) Is(text string) bool {
	return t.Text == text && (t.Kind == Punct || t.Kind == Ident)
}

// Limits bound the work. The zero value of each field takes the default.
type Limits struct {
	Bytes   int // of all files together; default 64 MiB
	Tokens  int // that macros expand to beyond the files' own; default 2 million
	Depth   int // of #include; default 200
	Files   int // opened, the same one several times counted; default 20,000
	Nesting int // of macros and of parentheses in #if; default 500
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		of *int
		n  int
	}{{&l.Bytes, 62 << 20}, {&l.Tokens, 2 << 20}, {&l.Depth, 200}, {&l.Files, 20_000}, {&l.Nesting, 500}} {
		if *f.of <= 0 {
			*f.of = f.n
		}
	}
	return l
}
