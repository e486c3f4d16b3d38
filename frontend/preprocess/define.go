package preprocess

import (
	"slices"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// checkDefines warns of a -D that changes nothing: the source defines the macro itself, or has no such word but one
// that is spelt alike. Whoever varies a parameter would take the same result of all its values for a finding.
func (p *Preprocessor) checkDefines() {
	var words, missing map[string]bool // of the source; those that a macro may have are true
	for _, d := range p.cfg.Defines {
		head, value, given := strings.Cut(d, "=")
		name, _, _ := strings.Cut(head, "(")
		if !given {
			value = "1"
		}
		if m := p.macros[name]; m != nil && m.builtin == nil && m.pos.File != commandLine &&
			spell(m.body) != spell(lexAll(value)) {
			p.out.Warnings.Add(diag.Warningf(m.pos, "DEFINE", "-D %s is overridden: the source defines %s as %s", d,
				name, spell(m.body)).
				WithNote("put #ifndef %s and #endif around the definition", name))
			continue
		}
		if words == nil {
			words, missing = p.words()
		}
		if !missing[name] {
			continue
		}
		if hint := spelling.DidYouMean(name, p.likeMacros(words)); hint != "" {
			p.out.Warnings.Add(diag.Warningf(diag.Pos{File: p.cfg.File}, "DEFINE", "-D %s: the source has no %s", d,
				name).WithNote("%s", hint))
		}
	}
}

// words are those of the files, with whether they are in a directive or in capital letters, up to where each macro of a
// -D has been found, and those macros that have not.
func (p *Preprocessor) words() (words, missing map[string]bool) {
	words, missing = map[string]bool{}, map[string]bool{}
	for _, d := range p.cfg.Defines {
		head, _, _ := strings.Cut(d, "=")
		name, _, _ := strings.Cut(head, "(")
		missing[name] = true
	}
	for name, text := range p.out.Files {
		if diag.IsLibrary(name) {
			continue
		}
		directive := false
		x := newLexer("", text, new(diag.List))
		for t := x.next(); t.Kind != EOF && len(missing) > 0; t = x.next() {
			if t.First {
				directive = t.Is("#")
			}
			if t.Kind == Ident {
				words[t.Text] = words[t.Text] || directive || t.Text == strings.ToUpper(t.Text)
				delete(missing, t.Text)
			}
		}
	}
	return words, missing
}

// likeMacros are the words that may be meant by another one: no -D of its own, as tile_y beside tile_x has.
func (p *Preprocessor) likeMacros(words map[string]bool) (names []string) {
	for name, may := range words {
		if may && !slices.ContainsFunc(p.cfg.Defines, func(d string) bool {
			return d == name ||
				strings.HasPrefix(d, name+"=")
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// lexAll cuts a text into tokens, without the ends of its lines.
func lexAll(text string) (list []Token) {
	var errs diag.List
	x := newLexer("", text, &errs)
	for t := x.next(); t.Kind != EOF; t = x.next() {
		if t.Kind != newline {
			list = append(list, t)
		}
	}
	return list
}

// spell writes tokens with blanks between them.
func spell(list []Token) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.Text
	}
	return strings.Join(words, " ")
}

// keepsMacro executes #pragma push_macro("NAME") and pop_macro("NAME"); false of another pragma.
func (p *Preprocessor) keepsMacro(line []Token) bool {
	if len(line) != 4 || !line[0].Is("push_macro") && !line[0].Is("pop_macro") || line[2].Kind != String {
		return false
	}
	name := strings.Trim(line[2].Text, `"`)
	kept := p.kept[name]
	switch n := len(kept); {
	case line[0].Is("push_macro"):
		p.kept[name] = append(kept, p.macros[name])
	case n > 0:
		p.kept[name] = kept[:n-1]
		if delete(p.macros, name); kept[n-1] != nil {
			p.macros[name] = kept[n-1]
		}
	}
	return true
}
