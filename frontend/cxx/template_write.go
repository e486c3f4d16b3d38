package cxx

import (
	"strings"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// writer writes the templates of one source out.
type writer struct {
	*Reader
	all     *Program
	set     *Set
	current *source.File      // the text that templates are found in
	own     map[int]*Template // by first token
	special map[int]*Template // explicit specialisations, by first token
	host    map[int]int       // end of the host functions, by first token
	// specialEnd is the end of an explicit specialisation, by the name of the copy that it is.
	specialEnd map[string]int
	out        *source.Text
	done       int // offset up to which the text has been copied or left out
	changed    bool
	at0        int      // token of the use being replaced
	hidden     []bool   // by token: left out by an #if
	defined    []string // macros that this source has added
	// hostParams are the type parameters of the host template being scanned.
	hostParams map[string]bool
	// hoisted: the templates of the text are those that members of structs were; the others
	// have been written out.
	hoisted    bool
	includedAt map[*source.File]int // the token of the #include that brings a header in
	// declaredTo is the token before which hoisted templates have been declared.
	declaredTo int
	// held are the parameters of the member template being copied, of which nothing is known yet.
	held map[string]bool
}

// newWriter prepares to write out the templates of a source's current text.
func (all *Program) newWriter(s *source.File) *writer {
	return &writer{Reader: all.Reader(s), all: all, set: all.Templates, current: s.Snapshot(),
		own: map[int]*Template{}, special: map[int]*Template{}, host: map[int]int{}, specialEnd: map[string]int{}}
}

// Substitution replaces template parameters by words.
type Substitution map[string][]string

// WriteOut replaces a source's text by one without templates, and that by one
// whose structs have no member functions.
func (all *Program) WriteOut(s *source.File) *diag.Error {
	if err := all.separateNames(s); err != nil {
		return err
	}
	if err := all.expandPacks(s); err != nil {
		return err
	}
	w := all.newWriter(s)
	s.KeepScanned()
	w.scanMacros() // decides what headers declare
	w.loadIncludes()
	for {
		w.forgetMacros()
		w.scanTemplates()
		for range maxWrites { // copying finds uses of templates that stand above
			before := w.set.Count
			w.changed = false
			w.out, w.done, w.declaredTo = &source.Text{}, 0, 0
			w.emit()
			if w.set.Count == before {
				break
			}
		}
		if w.changed {
			if err := all.relex(s, w.out); err != nil {
				return err
			}
		}
		templates, err := all.writeMembers(s)
		if err != nil || !templates || w.hoisted {
			return err
		}
		again := all.newWriter(s)
		again.hoisted, again.defined = true, w.defined
		again.forgetMacros()
		again.scanMacros()
		again.loadIncludes()
		w = again
	}
}

// forgetMacros forgets the macros that this source has added, so that its include guard holds when it is read again.
func (w *writer) forgetMacros() {
	for _, name := range w.defined {
		delete(w.set.macros, name)
	}
	w.defined = nil
}

// relex makes t the text of s.
func (all *Program) relex(s *source.File, t *source.Text) *diag.Error {
	text := t.String()
	before := len(s.Tokens)
	list, _, err := tokens.Lex(text, true)
	if err != nil {
		return err.At(diag.Pos{File: s.Name})
	}
	s.Become(t, list)
	if all.Tokens += len(list.Tokens) - before; all.Tokens > tokens.MaxTokens {
		return tokens.Limitf("the program has more than %d tokens when its templates are written out", tokens.MaxTokens).At(diag.Pos{File: s.Name})
	}
	shape, tok, err := tokens.ShapeOf(list)
	if err != nil {
		return err.At(s.LogicalPos(int(list.Tokens[tok].Start)))
	}
	s.Shape = shape
	return nil
}

// loadIncludes prepares the headers first: their templates are used here. Those that a condition leaves out are not
// read; it may ask for macros of the headers before it, but not for those that this source defines below it.
func (w *writer) loadIncludes() {
	w.includedAt = map[*source.File]int{}
	for _, name := range w.defined {
		delete(w.set.macros, name)
	}
	defer func() {
		for _, name := range w.defined {
			w.set.macros[name] = true
		}
	}()
	c := conditions{writer: w}
	for i, t := range w.Tokens {
		if !t.InDirective || !w.Is(i, "#") || i > 0 && w.Tokens[i-1].InDirective || i+2 >= len(w.Tokens) {
			continue
		}
		c.directive(i+1, w.LineEnd(i))
		if c.hidden() {
			continue
		}
		if w.Is(i+1, "define") {
			w.set.macros[w.At(i+2)] = true
		}
		if !w.Is(i+1, "include") {
			continue
		}
		rest := w.Rest(i+1, w.LineEnd(i))
		name, system := "", false
		switch {
		case rest != "" && rest[0] == '"' && w.ClosedLiteral(i+2):
			name = strings.Trim(w.At(i+2), `"`)
		case rest != "" && rest[0] == '<':
			name, _, _ = strings.Cut(rest[1:], ">")
			system = true
		}
		if name != "" {
			w.noteInclude(w.all.Header(w.File, int(t.Start), name, system), i)
		}
	}
	w.File.Includes = w.includedAt
}

// lateCopy is a copy of a template that is not written where this stands.
type lateCopy struct {
	of   *Template
	inst *Instance
}

// emit writes the whole source out.
func (w *writer) emit() {
	late := map[int][]lateCopy{} // copies whose arguments are declared below the template
	foreign := w.foreignInstances()
	for i := 0; i < len(w.Tokens); i++ {
		for _, c := range late[i] {
			w.flush(i)
			w.copyInstance(c.of, c.inst)
			w.skip(i)
		}
		w.copyForeign(i, foreign[i])
		switch t := w.own[i]; {
		case w.special[i] != nil:
			t := w.special[i]
			w.flush(i)
			w.skip(t.body)
			w.changed = true
			w.copyTokens(t.body, t.end, nil, nil)
			i = t.end - 1
		case t != nil && t.Problem == "" && t.Kind != templateHost:
			w.flush(i)
			w.changed = true
			if w.hoisted {
				w.declareRun(t)
			} else if len(w.set.Requests[t.Name]) > 1 {
				w.declareInstances(t)
			}
			for _, inst := range w.set.inOrderOfNeed(t) {
				if !w.all.writes(t, inst) || w.isForeign(inst) {
					continue
				}
				if place := w.placeOf(t, inst); place > t.end {
					late[place] = append(late[place], lateCopy{t, inst})
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
			end := w.ItemEnd(i)
			w.flush(end)
			i = end - 1
		case w.instantiates(i):
			w.flush(i)
			w.changed = true
			end := w.ItemEnd(i)
			w.skip(end)
			i = end - 1
		default:
			w.copyTokens(i, i+1, nil, nil)
			if end := w.TokenAt(w.done); w.done > int(w.Tokens[i].End) {
				i = end - 1
			}
		}
	}
	for _, c := range late[len(w.Tokens)] {
		w.flush(len(w.Tokens))
		w.copyInstance(c.of, c.inst)
		w.skip(len(w.Tokens))
	}
	w.copyForeign(len(w.Tokens), foreign[len(w.Tokens)])
	w.flush(len(w.Tokens))
}

// opensTemplate reports whether token i starts a template declaration.
func (w *writer) opensTemplate(i int) bool {
	return w.Is(i, "template") && !w.Tokens[i].InDirective && w.Is(w.Next(i), "<") && w.Shape.KindAt(i) != tokens.Struct && !w.Shape.InBody(i)
}

// instantiates reports whether token i starts an explicit instantiation.
func (w *writer) instantiates(i int) bool {
	return w.Is(i, "template") && !w.Tokens[i].InDirective && w.Shape.KindAt(i) != tokens.Struct && !w.Shape.InBody(i) && !w.Is(w.Next(i), "<") && !w.Is(w.Prev(i), "::") && !w.Is(w.Prev(i), "friend")
}

// placeOf is the token before which a copy is written: the template's own
// place, or behind the struct of this file that is its argument.
func (w *writer) placeOf(t *Template, inst *Instance) int {
	place := t.end
	for _, a := range inst.Args {
		for _, word := range strings.Fields(a) {
			if i := w.set.Mangled[word]; i != nil && w.set.Types[word].src == nil {
				word = i.Template
			}
			if p, ok := w.set.Types[word]; ok && p.src == w.File {
				place = max(place, p.end)
			}
		}
	}
	for _, need := range w.set.allNeeds(inst) {
		place = max(place, w.specialEnd[need.Name])
	}
	return place
}

// flush copies what is left of the text before token i.
func (w *writer) flush(i int) {
	to := len(w.Text)
	if i < len(w.Tokens) {
		to = int(w.Tokens[i].Start)
	}
	if to > w.done {
		w.out.Copy(w.File, w.done, to)
		w.done = to
	}
}

// skip leaves the text before token i out.
func (w *writer) skip(i int) {
	w.done = len(w.Text)
	if i < len(w.Tokens) {
		w.done = int(w.Tokens[i].Start)
	}
}

// copyInstance writes one copy of a template.
func (w *writer) copyInstance(t *Template, inst *Instance) {
	w.set.emitted[inst.Name] = true
	outer := w.set.copying
	w.set.copying = inst
	w.copyPart(t, inst, t.end)
	w.set.copying = outer
	w.out.Insert("\n", w.File, int(w.Tokens[t.end-1].Start))
}

// copyPart writes a copy up to token end.
func (w *writer) copyPart(t *Template, inst *Instance, end int) {
	sub := Substitution{}
	args := w.all.argumentsFor(t, inst)
	for i, p := range t.Params {
		words := strings.Fields(args[i])
		if !p.IsType && len(words) > 1 || !p.IsType && strings.HasPrefix(args[i], "-") {
			words = append(append([]string{"("}, words...), ")")
		}
		if p.Name != "" {
			sub[p.Name] = words
		}
	}
	done := w.done
	start := w.directivesBefore(t.body)
	if start < t.body {
		w.out.Insert("\n", w.File, int(w.Tokens[start].Start))
	}
	w.skip(start)
	w.copyTokens(start, end, sub, &selfName{t, inst.Name})
	w.done = done
}

// directivesBefore is the first token of the directives that stand between token i and the
// token before it, as an #if around __device__ behind a template's parameters; i without any.
func (w *writer) directivesBefore(i int) int {
	first := i
	for k := i - 1; k > w.Prev(i); k-- {
		if w.Tokens[k].InDirective {
			first = k
		}
	}
	return first
}

// declareInstances writes the prototypes of a function template's copies, which
// may call each other in any order.
func (w *writer) declareInstances(t *Template) {
	body := w.Head(t.body, t.end).Body
	if t.Kind != TemplateFunction || body == t.end {
		return
	}
	for _, inst := range w.set.Requests[t.Name] {
		if len(inst.Args) == len(t.Params) && w.placeOf(t, inst) == t.end && !w.isForeign(inst) {
			w.declareInstance(t, inst, body)
		}
	}
}

// declareInstance writes the prototype of a copy, which is what stands before its body.
func (w *writer) declareInstance(t *Template, inst *Instance, body int) {
	w.copyPart(t, inst, body)
	w.out.Insert(";", w.File, int(w.Tokens[t.start].Start))
}

// declareRun declares the copies of what were the templates of one struct, which stand one behind the
// other, before the first of them.
func (w *writer) declareRun(t *Template) {
	if t.start < w.declaredTo {
		return
	}
	for of := t; of != nil; of = w.own[w.Next(of.end-1)] {
		w.declareInstances(of)
		w.declaredTo = of.end
	}
}
