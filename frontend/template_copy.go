package frontend

import "strings"

// The tokens of a template are copied with arguments for its parameters and with the names of copies
// for the templates that they use.

// selfName is the name of the copy that a template's own name stands for.
type selfName struct {
	*template
	name string
}

// copyTokens copies tokens i to j with parameters replaced and template names
// with arguments turned into those of their copies.
func (w *writer) copyTokens(i, j int, sub substitution, self *selfName) {
	for k := i; k < j; k++ {
		t := w.toks[k]
		if t.kind != tokIdent || t.inDir && !t.pragma {
			w.out.copy(w.source, w.done, int(t.end))
			w.done = int(t.end)
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
			w.out.copy(w.source, w.done, int(t.end))
			w.done = int(t.end)
			continue
		}
		w.out.copy(w.source, w.done, int(t.start))
		w.out.insert(text, w.source, int(t.start))
		w.done = int(w.toks[end].end)
		w.changed = true
		k = end
	}
}

// constantIf writes the side of "if constexpr" at token k that is taken and
// returns the end of the statement; k if its condition is not known. The other
// side may use template arguments that do not exist.
func (w *writer) constantIf(k int, sub substitution, self *selfName) int {
	if !w.is(k, "if") || !w.is(w.next(k), "constexpr") {
		return k
	}
	open := w.next(w.next(k))
	closing := w.shape.closing(open)
	if !w.is(open, "(") || closing < 0 || w.holds(w.words(open, closing)) {
		return k
	}
	cond, ok := w.l.evalConstant(w.substitute(w.words(open+1, closing), sub))
	if !ok {
		return k
	}
	then := w.next(closing)
	thenEnd := w.statementEnd(then)
	end := thenEnd
	els, elseEnd := -1, -1
	if w.is(w.next(thenEnd-1), "else") {
		els = w.next(w.next(thenEnd - 1))
		elseEnd = w.statementEnd(els)
		end = elseEnd
	}
	if thenEnd <= then || els >= 0 && elseEnd <= els {
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
		w.out.insert(";", w.source, int(w.toks[k].start))
	}
	w.done = int(w.toks[end-1].end)
	return end
}

// statementEnd is the token behind the statement that starts at token i; i if
// it cannot be told.
func (w *writer) statementEnd(i int) int {
	if i >= len(w.toks) {
		return i
	}
	behind := func(open int) int { // the statement behind a parenthesis
		if c := w.shape.closing(open); w.is(open, "(") && c > 0 {
			return w.next(c)
		}
		return len(w.toks)
	}
	switch w.at(i) {
	case "{":
		return max(i, w.shape.closing(i)+1)
	case "if":
		open := w.next(i)
		if w.is(open, "constexpr") {
			open = w.next(open)
		}
		end := w.statementEnd(behind(open))
		if e := w.next(end - 1); w.is(e, "else") {
			return w.statementEnd(w.next(e))
		}
		return end
	case "for", "while", "switch":
		return w.statementEnd(behind(w.next(i)))
	}
	for k := i; k < len(w.toks); k++ {
		if w.is(k, ";") && w.shape.parent[k] == w.shape.parent[i] && !w.toks[k].inDir {
			return k + 1
		}
	}
	return i
}

// word is what the word at token k becomes and the last token that it replaces;
// -1: it stays.
func (w *writer) word(k int, sub substitution, self *selfName) (string, int) {
	name := w.at(k)
	n, p := w.next(k), w.prev(k)
	isMember := w.is(p, ".") || w.is(p, "->")
	if name == "template" && (isMember || w.is(p, "::")) { // s.template f<int>(x)
		if text, end := w.methodUse(n, sub); end >= 0 {
			return text, end
		}
		return w.at(n), n
	}
	if isMember {
		return w.methodUse(k, sub)
	}
	if words, ok := sub[name]; ok && (len(words) != 1 || !w.is(n, "<") || w.set.find(words[0]) == nil) {
		return joinWords(words), k
	} else if ok { // a parameter that is a template
		name = words[0]
	}
	if self != nil && (k == self.nameTok || self.kind == templateStruct && name == self.template.name && !w.is(n, "<")) {
		if self.pattern != nil && k == self.nameTok {
			if _, end, _, ok := w.angleWords(n); ok {
				return self.name, end
			}
		}
		return self.name, k
	}
	if !w.is(n, "<") || w.toks[k].inDir {
		return "", -1
	}
	t := w.set.find(name)
	if t == nil {
		if text, end := w.madeType(k, sub); end >= 0 {
			return text, end
		}
		return w.methodUse(k, sub)
	}
	words, end, rest, ok := w.angleWords(n)
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
func (w *writer) use(t *template, words []string, sub substitution) (string, bool) {
	if w.set.count >= maxInstances || t.problem != "" {
		return "", false
	}
	w.l.local = func(name string) ([]string, bool) { return w.localConstant(name, w.at0, sub) }
	defer func() { w.l.local = nil }()
	if best := w.set.taking(t.name, len(splitWords(words))); best != nil {
		t = best
	}
	args, full := w.arguments(t, words, sub)
	switch {
	case full && w.isComputed(t):
		return w.computedValue(t, args), true
	case full:
		return w.set.request(t.name, args).name, true
	case t.kind == templateStruct || args == nil:
		return "", false
	}
	name := mangle(t.name+"__some", args)
	w.set.partial[name] = partialCall{t.name, args}
	return name, true
}

// taking returns the template of a name that fits a number of arguments best.
func (s *templateSet) taking(name string, n int) *template {
	for _, t := range s.byName[name] {
		if t.kind != templateHost && len(t.params) >= n && t.problem == "" {
			return t
		}
	}
	return nil
}

// maxAliases bounds chains of typedefs.
const maxAliases = 8

func (w *writer) substitute(words []string, sub substitution) []string {
	return w.l.substitute(words, sub)
}
