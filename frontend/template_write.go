package frontend

import (
	"strings"

	"gpupipe/internal/diag"
)

// writer writes the templates of one source out.
type writer struct {
	*rewriter
	set     *templateSet
	own     map[int]*template // by first token
	special map[int]*template // explicit specialisations, by first token
	host    map[int]int       // end of the host functions, by first token
	out     *originText
	done    int // offset up to which the text has been copied or left out
	changed bool
	at0     int      // token of the use being replaced
	hidden  []bool   // by token: left out by an #if
	defined []string // macros that this source has added
	// hostParams are the type parameters of the host template being scanned.
	hostParams map[string]bool
}

// substitution replaces template parameters by words.
type substitution map[string][]string

// writeOut replaces a source's text by one without templates, and that by one
// whose structs have no member functions.
func (l *loader) writeOut(s *source) *diag.Error {
	if err := l.separateNames(s); err != nil {
		return err
	}
	w := &writer{rewriter: &rewriter{source: s, l: l, dead: make([]bool, len(s.toks))}, set: l.templates,
		own: map[int]*template{}, special: map[int]*template{}, host: map[int]int{}}
	s.scanned, s.scannedOrigins = s.lexed, s.origins
	w.scanMacros() // decides what headers declare
	w.loadIncludes()
	for _, name := range w.defined { // the second time, an include guard must hold
		delete(w.set.macros, name)
	}
	w.defined = nil
	w.scanTemplates()
	for range maxWrites { // copying finds uses of templates that stand above
		before := w.set.count
		w.changed = false
		w.out, w.done = &originText{}, 0
		w.emit()
		if w.set.count == before {
			break
		}
	}
	if w.changed {
		if err := l.relex(s, w.out); err != nil {
			return err
		}
	}
	return l.writeMembers(s)
}

// relex makes t the text of s.
func (l *loader) relex(s *source, t *originText) *diag.Error {
	text := t.b.String()
	before := len(s.toks)
	lexed, _, err := lex(text, l.cfg.Dialect)
	if err != nil {
		return at(err, Pos{File: s.name})
	}
	s.lexed, s.origins = lexed, t.segs
	if l.tokens += len(lexed.toks) - before; l.tokens > maxTokens {
		return at(limitf("the program has more than %d tokens when its templates are written out", maxTokens), Pos{File: s.name})
	}
	shape, tok, err := shapeOf(lexed)
	if err != nil {
		return at(err, s.logicalPos(int(lexed.toks[tok].start)))
	}
	s.shape = shape
	return nil
}

// loadIncludes prepares the headers first: their templates are used here.
func (w *writer) loadIncludes() {
	for i, t := range w.toks {
		if !t.inDir || !w.is(i, "#") || !w.is(i+1, "include") || i+2 >= len(w.toks) {
			continue
		}
		rest := w.rest(i+1, w.lineEnd(i))
		name, system := "", false
		switch {
		case rest != "" && rest[0] == '"' && w.closedLiteral(i+2):
			name = strings.Trim(w.at(i+2), `"`)
		case rest != "" && rest[0] == '<':
			name, _, _ = strings.Cut(rest[1:], ">")
			system = true
		}
		if name != "" {
			// An error is kept for the moment when the #include is executed.
			_, _ = w.l.find(&includeRequest{from: w.source, off: int(t.start), name: name, system: system})
		}
	}
}

// emit writes the whole source out.
func (w *writer) emit() {
	late := map[int][]*instance{} // copies whose arguments are declared below the template
	lateOf := map[*instance]*template{}
	for i := 0; i < len(w.toks); i++ {
		for _, inst := range late[i] {
			w.flush(i)
			w.copyInstance(lateOf[inst], inst)
			w.skip(i)
		}
		switch t := w.own[i]; {
		case w.special[i] != nil:
			t := w.special[i]
			w.flush(i)
			w.skip(t.body)
			w.changed = true
			w.copyTokens(t.body, t.end, nil, nil)
			i = t.end - 1
		case t != nil && t.problem == "" && t.kind != templateHost:
			w.flush(i)
			w.changed = true
			w.declareInstances(t)
			for _, inst := range w.set.requests[t.name] {
				if len(inst.args) != len(t.params) || w.set.specialised[inst.name] {
					continue
				}
				if place := w.placeOf(t, inst); place > t.end {
					late[place] = append(late[place], inst)
					lateOf[inst] = t
					continue
				}
				w.copyInstance(t, inst)
			}
			w.skip(t.end)
			w.set.passed[t] = true
			i = t.end - 1
		case w.host[i] > 0:
			w.flush(w.host[i])
			i = w.host[i] - 1
		case w.opensTemplate(i): // left for the rewriter to report, or of the host's
			end := w.itemEnd(i)
			w.flush(end)
			i = end - 1
		case w.instantiates(i):
			w.flush(i)
			w.changed = true
			end := w.itemEnd(i)
			w.skip(end)
			i = end - 1
		default:
			w.copyTokens(i, i+1, nil, nil)
			if end := w.tokenAt(w.done); w.done > int(w.toks[i].end) {
				i = end - 1
			}
		}
	}
	for _, list := range late[len(w.toks)] {
		w.flush(len(w.toks))
		w.copyInstance(lateOf[list], list)
		w.skip(len(w.toks))
	}
	w.flush(len(w.toks))
}

// opensTemplate reports whether token i starts a template declaration.
func (w *writer) opensTemplate(i int) bool {
	return w.is(i, "template") && !w.toks[i].inDir && w.is(w.next(i), "<") && w.shape.kindAt(i) != scopeStruct && !w.shape.inBody(i)
}

// instantiates reports whether token i starts an explicit instantiation.
func (w *writer) instantiates(i int) bool {
	return w.is(i, "template") && !w.toks[i].inDir && w.shape.kindAt(i) != scopeStruct && !w.shape.inBody(i) && !w.is(w.next(i), "<") && !w.is(w.prev(i), "::") && !w.is(w.prev(i), "friend")
}

// placeOf is the token before which a copy is written: the template's own
// place, or behind the struct of this file that is its argument.
func (w *writer) placeOf(t *template, inst *instance) int {
	place := t.end
	for _, a := range inst.args {
		for _, word := range strings.Fields(a) {
			if i := w.set.mangled[word]; i != nil {
				word = i.template
			}
			if p, ok := w.set.types[word]; ok && p.src == w.source {
				place = max(place, p.end)
			}
		}
	}
	return place
}

// flush copies what is left of the text before token i.
func (w *writer) flush(i int) {
	to := len(w.text)
	if i < len(w.toks) {
		to = int(w.toks[i].start)
	}
	if to > w.done {
		w.out.copy(w.source, w.done, to)
		w.done = to
	}
}

// skip leaves the text before token i out.
func (w *writer) skip(i int) {
	w.done = len(w.text)
	if i < len(w.toks) {
		w.done = int(w.toks[i].start)
	}
}

// copyInstance writes one copy of a template.
func (w *writer) copyInstance(t *template, inst *instance) {
	w.set.emitted[inst.name] = true
	w.copyPart(t, inst, t.end)
	w.out.insert("\n", w.source, int(w.toks[t.end-1].start))
}

// copyPart writes a copy up to token end.
func (w *writer) copyPart(t *template, inst *instance, end int) {
	sub := substitution{}
	for i, p := range t.params {
		words := strings.Fields(inst.args[i])
		if !p.isType && len(words) > 1 || !p.isType && strings.HasPrefix(inst.args[i], "-") {
			words = append(append([]string{"("}, words...), ")")
		}
		if p.name != "" {
			sub[p.name] = words
		}
	}
	done := w.done
	start := w.directivesBefore(t.body)
	if start < t.body {
		w.out.insert("\n", w.source, int(w.toks[start].start))
	}
	w.skip(start)
	w.copyTokens(start, end, sub, &selfName{t, inst.name})
	w.done = done
}

// directivesBefore is the first token of the directives that stand between token i and the
// token before it, as an #if around __device__ behind a template's parameters; i without any.
func (w *writer) directivesBefore(i int) int {
	first := i
	for k := i - 1; k > w.prev(i); k-- {
		if w.toks[k].inDir {
			first = k
		}
	}
	return first
}

// declareInstances writes the prototypes of a function template's copies, which
// may call each other in any order.
func (w *writer) declareInstances(t *template) {
	body := w.head(t.body, t.end).body
	if t.kind != templateFunction || body == t.end || len(w.set.requests[t.name]) < 2 {
		return
	}
	for _, inst := range w.set.requests[t.name] {
		if len(inst.args) != len(t.params) || w.placeOf(t, inst) > t.end {
			continue
		}
		w.copyPart(t, inst, body)
		w.out.insert(";", w.source, int(w.toks[t.start].start))
	}
}

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
	if !w.is(open, "(") || closing < 0 {
		return k
	}
	cond, ok := evalWords(w.substitute(w.words(open+1, closing), sub), w.l.constantWords, 0)
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
	n := w.next(k)
	if p := w.prev(k); w.is(p, ".") || w.is(p, "->") {
		return "", -1
	}
	if words, ok := sub[name]; ok {
		return joinWords(words), k
	}
	if self != nil && (k == self.nameTok || self.kind == templateStruct && name == self.template.name && !w.is(n, "<")) {
		return self.name, k
	}
	if !w.is(n, "<") || w.toks[k].inDir {
		return "", -1
	}
	t := w.set.find(name)
	if t == nil {
		return "", -1
	}
	words, end, rest, ok := w.angleWords(n)
	if !ok {
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
