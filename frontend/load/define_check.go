package load

import (
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// checkDefines warns of a -D that changes nothing: the source defines the macro itself,
// as compilers say, too, or has no such word but one that is spelt alike. Whoever varies
// a parameter would take the same result of all its values for a finding.
func (p *Parsed) checkDefines() {
	for _, d := range p.l.cfg.Defines {
		head, value, given := strings.Cut(d, "=")
		name, _, _ := strings.Cut(head, "(")
		if !given {
			value = "1"
		}
		if m := p.AST.Macros[name]; m != nil {
			var words []string
			for _, t := range m.ReplacementList() {
				words = append(words, t.SrcStr())
			}
			text := strings.Join(words, " ")
			if pos := p.Pos(m); pos.File != nameCommandLine && pos.IsValid() && text != strings.Join(tokens.WordsOf(value), " ") {
				p.Warnings.Add(diag.Warningf(pos, codeDefine, "-D %s is overridden: the source defines %s as %s", d, name, text).
					WithNote("put #ifndef %s and #endif around the definition", name))
				continue
			}
		}
		if hint := p.unknownWord(name); hint != "" {
			p.Warnings.Add(diag.Warningf(diag.Pos{File: p.l.cfg.File}, codeDefine, "-D %s: the source has no %s", d, name).WithNote("%s", hint))
		}
	}
}

// unknownWord says which of the source's macros, or words that a #if asks for, may be
// meant by a name that occurs nowhere in it; empty if it does, or none without a -D of its
// own is like it.
func (p *Parsed) unknownWord(name string) string {
	var known []string
	for _, s := range p.l.Files {
		if s.Name == nameCommandLine || s.Written == nil {
			continue
		}
		for i := range s.Written.Tokens {
			switch word := s.Written.At(i); {
			case word == name:
				return ""
			case s.Written.Tokens[i].Kind == tokens.Ident && (s.Written.Tokens[i].InDirective || word == strings.ToUpper(word)):
				known = append(known, word)
			}
		}
	}
	for _, d := range p.l.cfg.Defines { // tile_y beside tile_x is no mistake
		other, _, _ := strings.Cut(d, "=")
		known = slices.DeleteFunc(known, func(word string) bool { return word == other })
	}
	return spelling.DidYouMean(name, known)
}
