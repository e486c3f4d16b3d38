package cxx

import (
	"strings"

	"gpupipe/frontend/tokens"
)

// The tokens of a template are copied with arguments for its parameters and with the names of copies
// for the templates that they use.

// selfName is the name of the copy that a template's own name stands for.
type selfName struct {
	*Template
	name string
}

// copyTokens copies tokens i to j with parameters replaced and template names
// with arguments turned into those of their copies.
func (w *writer) copyTokens(i, j int, sub Substitution, self *selfName) {
	for k := i; k < j; k++ {
		t := w.Tokens[k]
		if r := sub[w.At(k)]; t.InDirective && len(r) > 0 && w.temporaryMacro(k, j) {
			w.flush(k)
			w.out.Insert(tokens.JoinWords(r), w.File, int(t.Start))
			w.done, w.changed = int(t.End), true
			continue
		}
		if t.Kind != tokens.Ident || t.InDirective && !t.Pragma {
			w.out.Copy(w.File, w.done, int(t.End))
			w.done = int(t.End)
			continue
		}
		if w.memberTemplate(k) {
			if end := w.holdTemplate(k, sub, self); end > k {
				k = end - 1
				continue
			}
		}
		if end := w.constantIf(k, sub, self); end > k {
			k = end - 1
			continue
		}
		text, end := w.word(k, sub, self)
		if end < 0 {
			w.out.Copy(w.File, w.done, int(t.End))
			w.done = int(t.End)
			continue
		}
		w.out.Copy(w.File, w.done, int(t.Start))
		w.out.Insert(text, w.File, int(t.Start))
		w.done = int(w.Tokens[end].End)
		w.changed = true
		k = end
	}
}

// temporaryMacro reports whether token k stands in the definition of a macro that an #undef above token j ends, so
// that each copy of a template can have its own.
func (w *writer) temporaryMacro(k, j int) bool {
	start := k
	for start > 0 && w.Tokens[start-1].InDirective && w.Tokens[start-1].Kind != tokens.Newline {
		start--
	}
	if !w.Is(start, "#") || !w.Is(start+1, "define") || k <= start+2 {
		return false
	}
	for i := k; i+2 < j; i++ {
		if w.Tokens[i].InDirective && w.Is(i, "#") && w.Is(i+1, "undef") && w.Is(i+2, w.At(start+2)) {
			return true
		}
	}
	return false
}

// constantIf writes the side of "if constexpr" at token k that is taken and
// returns the end of the statement; k if its condition is not known. The other
// side may use template arguments that do not exist.
func (w *writer) constantIf(k int, sub Substitution, self *selfName) int {
	if !w.Is(k, "if") || !w.Is(w.Next(k), "constexpr") {
		return k
	}
	open := w.Next(w.Next(k))
	closing := w.Shape.Closing(open)
	if !w.Is(open, "(") || closing < 0 || w.holds(w.Words(open, closing)) {
		return k
	}
	cond, ok := w.all.evalConstant(w.substitute(w.Words(open+1, closing), sub))
	if !ok {
		return k
	}
	then := w.Next(closing)
	thenEnd := w.StatementEnd(then)
	end := thenEnd
	els, elseEnd := -1, -1
	if w.Is(w.Next(thenEnd-1), "else") {
		els = w.Next(w.Next(thenEnd - 1))
		elseEnd = w.StatementEnd(els)
		end = elseEnd
	}
	if thenEnd <= then || els >= 0 && elseEnd <= els || !w.wholeConditions(k, then) || !w.wholeConditions(then, thenEnd) || !w.wholeConditions(thenEnd, end) {
		return k
	}
	w.flush(k)
	w.changed = true
	switch {
	case cond != 0:
		w.skip(then)
		w.copyTokens(then, thenEnd, sub, self)
	case els >= 0:
		w.skip(els)
		w.copyTokens(els, elseEnd, sub, self)
	default:
		w.out.Insert(";", w.File, int(w.Tokens[k].Start))
	}
	w.done = int(w.Tokens[end-1].End)
	return end
}

// wholeConditions reports whether every #if among tokens i to j ends there, and no other does.
func (w *writer) wholeConditions(i, j int) bool {
	depth := 0
	for ; i < j; i++ {
		if !w.Tokens[i].InDirective || !w.Is(i, "#") {
			continue
		}
		switch w.At(i + 1) {
		case "if", "ifdef", "ifndef":
			depth++
		case "else", "elif":
			if depth == 0 {
				return false
			}
		case "endif":
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// StatementEnd is the token behind the statement that starts at token i; i if
// it cannot be told.
func (w *Reader) StatementEnd(i int) int {
	if i >= len(w.Tokens) {
		return i
	}
	behind := func(open int) int { // the statement behind a parenthesis
		if c := w.Shape.Closing(open); w.Is(open, "(") && c > 0 {
			return w.Next(c)
		}
		return len(w.Tokens)
	}
	switch w.At(i) {
	case "{":
		return max(i, w.Shape.Closing(i)+1)
	case "if":
		open := w.Next(i)
		if w.Is(open, "constexpr") {
			open = w.Next(open)
		}
		end := w.StatementEnd(behind(open))
		if e := w.Next(end - 1); w.Is(e, "else") {
			return w.StatementEnd(w.Next(e))
		}
		return end
	case "for", "while", "switch":
		return w.StatementEnd(behind(w.Next(i)))
	}
	for k := i; k < len(w.Tokens); k++ {
		if w.Is(k, ";") && w.Shape.Parent[k] == w.Shape.Parent[i] && !w.Tokens[k].InDirective {
			return k + 1
		}
	}
	return i
}

// word is what the word at token k becomes and the last token that it replaces;
// -1: it stays.
func (w *writer) word(k int, sub Substitution, self *selfName) (string, int) {
	name := w.At(k)
	n, p := w.Next(k), w.Prev(k)
	isMember := w.Is(p, ".") || w.Is(p, "->")
	if name == "template" && (isMember || w.Is(p, "::")) { // s.template f<int>(x)
		if text, end := w.methodUse(n, sub); end >= 0 {
			return text, end
		}
		return w.At(n), n
	}
	if isMember {
		return w.methodUse(k, sub)
	}
	if words, ok := sub[name]; ok && (len(words) != 1 || !w.Is(n, "<") || w.set.Find(words[0]) == nil) {
		return tokens.JoinWords(words), k
	} else if ok { // a parameter that is a template
		name = words[0]
	}
	if self != nil && (k == self.nameTok || self.Kind == templateStruct && name == self.Template.Name && !w.Is(n, "<")) {
		if self.pattern != nil && k == self.nameTok {
			if _, end, _, ok := w.AngleWords(n); ok {
				return self.name, end
			}
		}
		return self.name, k
	}
	if !w.Is(n, "<") || w.Tokens[k].InDirective {
		return "", -1
	}
	t := w.set.Find(name)
	if t == nil && w.set.aliasTemplates[name] != nil {
		if words, end, rest, ok := w.AngleWords(n); ok && !w.holds(words) {
			w.at0 = k
			w.all.local = func(name string) ([]string, bool) { return w.localConstant(name, k, sub) }
			defer func() { w.all.local = nil }()
			whole := append(append([]string{name, "<"}, words...), ">")
			return tokens.JoinWords(w.substitute(w.all.ExpandAliases(whole), sub)) + strings.Repeat(">", rest), end
		}
	}
	if t == nil {
		if text, end := w.madeType(k, sub); end >= 0 {
			return text, end
		}
		return w.methodUse(k, sub)
	}
	words, end, rest, ok := w.AngleWords(n)
	if !ok || w.holds(words) {
		return "", -1
	}
	w.at0 = k
	text, ok := w.use(t, words, sub)
	if !ok {
		return "", -1
	}
	return text + strings.Repeat(">", rest), end
}

// use is the name for a template with arguments.
func (w *writer) use(t *Template, words []string, sub Substitution) (string, bool) {
	if w.set.Count >= MaxInstances || t.Problem != "" {
		return "", false
	}
	w.all.local = func(name string) ([]string, bool) { return w.localConstant(name, w.at0, sub) }
	defer func() { w.all.local = nil }()
	if best := w.set.taking(t.Name, len(tokens.SplitWords(words))); best != nil {
		t = best
	}
	args, full := w.arguments(t, words, sub)
	switch {
	case full && w.isComputed(t):
		return w.computedValue(t, args), true
	case full:
		return w.set.Request(t.Name, args).Name, true
	case t.Kind == templateStruct || args == nil:
		return "", false
	}
	name := mangle(t.Name+"__some", args)
	w.set.partial[name] = partialCall{t.Name, args}
	return name, true
}

// taking returns the template of a name that fits a number of arguments best.
func (s *Set) taking(name string, n int) *Template {
	for _, t := range s.ByName[name] {
		if t.Kind != templateHost && len(t.Params) >= n && t.Problem == "" {
			return t
		}
	}
	return nil
}

// maxAliases bounds chains of typedefs.
const maxAliases = 8

func (w *writer) substitute(words []string, sub Substitution) []string {
	return w.all.Substitute(words, sub)
}
