package crosscheck

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

// feed is the C that cc gets, with the place of each of its words.
type feed struct {
	b      strings.Builder
	starts []int // of words in the C, ascending
	places []diag.Pos
	types  map[string]bool
	names  map[string]bool // of variables: no address spaces
}

// Names that stand for what C has no word for.
const (
	wordUnroll   = "kl_pragma_unroll"
	wordNoUnroll = "kl_pragma_nounroll"
	wordNothing  = "kl_nothing"
	wordEnd      = "kl_end"
	qualifier    = "_Nonnull"
)

// accessWords qualify images; cc reads them as as many qualifiers behind those of the address spaces.
var accessWords = []string{"read_only", "write_only", "read_write"}

// readable makes the C of a program. isType tells the language's own types, names those that variables have.
func readable(tokens []preprocess.Token, isType func(string) bool, names map[string]bool) *feed {
	f := &feed{types: map[string]bool{}, names: names, places: make([]diag.Pos, 0, len(tokens)+64),
		starts: make([]int, 0, len(tokens)+64)}
	for i := range tokens {
		if t := &tokens[i]; t.Kind == preprocess.Ident && !f.types[t.Text] && !cKeyword[t.Text] && isType(t.Text) {
			f.types[t.Text] = true
			f.word("typedef int "+t.Text+";", diag.Pos{})
		}
	}
	f.word("int __predefined_declarator;", diag.Pos{})
	depth := 0
	for i := 0; i < len(tokens); i++ {
		t := &tokens[i]
		switch {
		case t.Kind == preprocess.EOF || t.Kind == preprocess.Directive:
		case t.Kind == preprocess.Pragma:
			if depth > 0 {
				f.pragma(t, tokens[i+1:])
			}
		case t.Is("__attribute__") || t.Is("__attribute"):
			end := closing(tokens, i+1)
			f.attribute(tokens[i+1:end], tokens[min(end+1, len(tokens)):], t.Pos)
			i = end
		case t.Is(">") && i+1 < len(tokens) && !tokens[i+1].Spaced && !tokens[i+1].First && follows(&tokens[i+1]):
			i += f.greater(tokens[i:])
		default:
			if t.Is("{") {
				depth++
			} else if t.Is("}") {
				depth--
			}
			f.token(t)
		}
	}
	f.word("int "+wordEnd+";", diag.Pos{})
	return f
}

func follows(t *preprocess.Token) bool { return t.Is(">") || t.Is("=") }

// greater writes >>, >= and >>=, which the preprocessor leaves apart, as one word; the result counts the tokens taken
// beyond the first.
func (f *feed) greater(tokens []preprocess.Token) int {
	text, n := ">", 1
	for n < len(tokens) && n < 3 && !tokens[n].Spaced && !tokens[n].First && follows(&tokens[n]) &&
		!strings.HasSuffix(text, "=") {
		text += tokens[n].Text
		n++
	}
	f.word(text, tokens[0].Pos)
	return n - 1
}

// cKeyword are types that C itself has.
var cKeyword = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true, "float": true,
	"double": true, "signed": true, "unsigned": true, "_Bool": true, "__int128": true}

// wordsOfLine are written on a line: cc takes a third less time than for a word on each.
const wordsOfLine = 32

func (f *feed) word(text string, at diag.Pos) {
	f.starts = append(f.starts, f.b.Len())
	f.places = append(f.places, at)
	f.b.WriteString(text)
	if len(f.starts)%wordsOfLine == 0 {
		f.b.WriteByte('\n')
	} else {
		f.b.WriteByte(' ')
	}
}

// place is where what stands at an offset in the C stands in the user's text.
func (f *feed) place(offset int) diag.Pos {
	i, found := slices.BinarySearch(f.starts, offset)
	if !found {
		i--
	}
	if i < 0 {
		return diag.Pos{}
	}
	return f.places[i]
}

// token writes one, words of OpenCL C as qualifiers of C.
func (f *feed) token(t *preprocess.Token) {
	if t.Kind != preprocess.Ident {
		f.word(t.Text, t.Pos)
		return
	}
	bare := strings.TrimPrefix(t.Text, "__")
	if bare == t.Text && f.names[bare] {
		f.word(t.Text, t.Pos)
		return
	}
	switch bare {
	case "kernel", "extension__":
		return
	case "bool":
		f.word("_Bool", t.Pos)
		return
	case "restrict", "restrict__", "const", "const__", "volatile", "volatile__", "inline", "inline__":
		if bare == t.Text || !strings.HasSuffix(bare, "__") && !strings.HasPrefix(t.Text, "__") {
			break
		}
		f.word(strings.TrimSuffix(bare, "__"), t.Pos)
		return
	}
	if n := slices.Index(spaceNames, bare); n > 0 {
		f.word(strings.TrimSpace(strings.Repeat(qualifier+" ", n)), t.Pos)
		return
	}
	if n := slices.Index(accessWords, bare); n >= 0 {
		f.word(strings.TrimSpace(strings.Repeat(qualifier+" ", (n+1)*len(spaceNames))), t.Pos)
		return
	}
	f.word(t.Text, t.Pos)
}

// pragma writes a hint for a loop as a label in front of it.
func (f *feed) pragma(t *preprocess.Token, behind []preprocess.Token) {
	args := t.Args
	is := func(i int, word string) bool { return i < len(args) && args[i].Is(word) }
	switch {
	case is(0, "nounroll"):
		f.label(wordNoUnroll, nil, t.Pos, behind)
	case is(0, "unroll"):
		f.label(wordUnroll, args[1:], t.Pos, behind)
	case is(0, "GCC") && is(1, "unroll"):
		f.label(wordUnroll, args[2:], t.Pos, behind)
	case is(0, "clang") && is(1, "loop"):
		for i := 2; i+2 < len(args); {
			end := closing(args, i+1)
			value := args[i+2 : end]
			switch {
			case is(i, "unroll_count"):
				f.label(wordUnroll, value, t.Pos, behind)
			case is(i, "unroll") && value[0].Is("disable"):
				f.label(wordNoUnroll, nil, t.Pos, behind)
			case is(i, "unroll"):
				f.label(wordUnroll, nil, t.Pos, behind)
			}
			i = end + 1
		}
	}
}

// attribute writes opencl_unroll_hint, the only one that a body needs, as a label; no other changes what is read.
func (f *feed) attribute(args, behind []preprocess.Token, at diag.Pos) {
	for i := range args {
		if strings.Trim(args[i].Text, "_") != "opencl_unroll_hint" {
			continue
		}
		var factor []preprocess.Token
		if i+1 < len(args) && args[i+1].Is("(") {
			factor = args[i+2 : min(len(args), closing(args, i+1))]
		}
		f.label(wordUnroll, factor, at, behind)
	}
}

// label writes "case word(args):" and, where no statement follows that a label may stand before, a statement.
func (f *feed) label(word string, args []preprocess.Token, at diag.Pos, behind []preprocess.Token) {
	next := 0
	for next < len(behind) && (behind[next].Kind == preprocess.Pragma || behind[next].Kind == preprocess.Directive) {
		next++
	}
	if next < len(behind) && behind[next].Is("else") {
		return
	}
	f.word("case "+word+"(", at)
	for i := range args {
		f.token(&args[i])
	}
	f.word("):", at)
	if next == len(behind) || !beginsLoop(&behind[next]) {
		f.word(wordNothing+";", at)
	}
}

func beginsLoop(t *preprocess.Token) bool {
	return slices.ContainsFunc([]string{"for", "while", "do", "__attribute__", "case", "default", ";"}, t.Is)
}

// closing is the index of the parenthesis that closes the one at open, or the last token.
func closing(tokens []preprocess.Token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		if tokens[i].Is("(") {
			depth++
		} else if tokens[i].Is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}
