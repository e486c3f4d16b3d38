package cxx

import (
	"slices"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/tokens"
)

// scanTemplates finds the templates, structs and constants that a source
// declares, and the template arguments that its host code uses.
func (w *writer) scanTemplates() {
	for name, place := range w.set.Types { // tokens of an earlier text
		if place.src == w.File {
			delete(w.set.Types, name)
		}
	}
	w.scanMacros()
	w.scanMethods()
	w.EachItem(func(i, end int, _ string) {
		switch {
		case w.Is(i, "template"):
			w.scanTemplate(i, end)
		default:
			w.scanConstants(i, end)
			w.scanStruct(i, end)
			h := w.Head(i, end)
			if h.IsFunction && w.Mark(i, h.Body, "__device__") != "" {
				if _, known := w.set.Types[h.Name]; !known {
					w.set.Types[h.Name] = typePlace{w.File, end}
				}
			}
			if h.IsFunction && w.hoisted {
				w.scanMemberFunction(i, end, h)
			}
			if h.IsFunction && w.Has(i, h.Body, "constexpr") {
				w.scanConstantFunction(i, end, h)
			}
		}
	})
	w.EachItem(func(i, end int, _ string) { w.scanHost(i, end) })
}

// scanMemberFunction notes that what needs a struct has to stand behind the function from token i to token end, which was a
// member of it.
func (w *writer) scanMemberFunction(i, end int, h Head) {
	this := w.Find(i, h.Body, This)
	of := w.At(w.Prev(w.Prev(this)))
	if place, ok := w.set.Types[of]; ok && this < h.Body && place.src == w.File {
		w.set.Types[of] = typePlace{w.File, max(end, place.end)}
	}
}

// scanMacros notes object-like macros: their values may be template arguments,
// and some stand for __global__.
func (w *writer) scanMacros() {
	c := conditions{writer: w}
	w.hidden = make([]bool, len(w.Tokens))
	for i, t := range w.Tokens {
		w.hidden[i] = len(c.stack) > 0 && c.hidden()
		if t.InDirective && w.Is(i, "#") && (i == 0 || !w.Tokens[i-1].InDirective) && i+1 < len(w.Tokens) {
			c.directive(i+1, w.LineEnd(i))
		}
		if w.hidden[i] {
			continue
		}
		if !t.InDirective || !w.Is(i, "#") || !w.Is(i+1, "define") || i+2 >= len(w.Tokens) || w.KindOf(i+2) != tokens.Ident {
			continue
		}
		end := w.LineEnd(i)
		if name := w.At(i + 2); !w.set.macros[name] {
			w.set.macros[name] = true
			w.defined = append(w.defined, name)
		}
		w.all.Words.Define(w.List, i+2, end)
		if k := i + 3; k < end && (w.At(k) != "(" || w.Tokens[k].Start > w.Tokens[i+2].End) {
			w.constant(w.At(i+2), w.Words(k, end))
		}
	}
}

// constant notes what a name stands for; two meanings are none.
func (w *writer) constant(name string, words []string) {
	if old, ok := w.set.Consts[name]; ok && !slices.Equal(old, words) {
		words = nil
	}
	w.set.Consts[name] = words
}

// scanConstants notes const int N = 4; at file scope.
func (w *writer) scanConstants(i, end int) {
	if w.hoisted || !w.Has(i, end, "const", "constexpr") {
		return
	}
	w.constantsOf(i, end, w.constant)
}

// constantsOf finds NAME = VALUE in a declaration of constants.
func (w *writer) constantsOf(i, end int, note func(string, []string)) {
	for k := i; k < end; k++ {
		if w.Shape.Parent[k] != w.Shape.Parent[i] {
			continue
		}
		name := w.Prev(k)
		if c := w.Shape.Closing(k); c > 0 && w.parenthesisedValue(k) && name >= i {
			note(w.At(name), w.Words(k, c+1))
			continue
		}
		if !w.Is(k, "=") {
			continue
		}
		stop := k + 1
		for stop < end && !(w.Shape.Parent[stop] == w.Shape.Parent[i] && (w.Is(stop, ",") || w.Is(stop, ";"))) {
			stop++
		}
		if name >= i && w.KindOf(name) == tokens.Ident {
			note(w.At(name), w.Words(k+1, stop))
		}
	}
}

// parenthesisedValue reports whether the ( at token k holds the value of a constant, as in
// "const int n(16);", and not a function's parameters.
func (w *writer) parenthesisedValue(k int) bool {
	c, first := w.Shape.Closing(k), w.Next(k)
	if !w.Is(k, "(") || c <= first || w.KindOf(w.Prev(k)) != tokens.Ident || !w.Is(w.Next(c), ";") && !w.Is(w.Next(c), ",") {
		return false
	}
	return w.KindOf(first) == tokens.Number || w.Is(first, "(") || w.set.Consts[w.At(first)] != nil
}

// constantInParentheses reports whether what starts at token i and seems to be a function is a constant.
func (w *writer) constantInParentheses(i int, h Head) bool {
	k := w.Find(i, h.Body, "(")
	return w.Has(i, k, "const") && w.parenthesisedValue(k)
}

// scanStruct notes where a struct of the user's is complete.
func (w *writer) scanStruct(i, end int) {
	tag := w.Find(i, end, "struct", "class", "union", "enum", "typedef", "using")
	if tag == end || w.hidden[i] {
		return
	}
	if open := w.Find(tag, end, "{"); w.Is(tag, "enum") && open < end {
		w.scanEnumerators(open)
	}
	w.scanAlias(w.List.Words(i, end))
	for k := i; k < end; k++ {
		if w.KindOf(k) == tokens.Ident && w.Shape.Parent[k] == w.Shape.Parent[i] && !w.Tokens[k].InDirective {
			if n := w.At(w.Next(k)); n == "{" || n == ";" || n == ":" || n == "=" {
				w.set.Types[w.At(k)] = typePlace{w.File, end}
			}
		}
	}
}

// scanEnumerators notes the constants of the enumeration whose { is token open.
func (w *writer) scanEnumerators(open int) {
	for k := w.Next(open); k < w.Shape.Closing(open); k = w.Next(k) {
		if prev := w.Prev(k); int(w.Shape.Parent[k]) == open && w.KindOf(k) == tokens.Ident && (prev == open || w.Is(prev, ",")) {
			w.set.enumerators[w.At(k)] = true
		}
	}
}

// scanAlias notes a typedef of a type that has a plain name, or of a pointer to a function.
func (w *writer) scanAlias(words []string) {
	n := len(words)
	if star := slices.Index(words, "*"); n > 3 && star > 1 && star+2 < n && words[star-1] == "(" && words[star+2] == ")" {
		if words[0] == "typedef" && tokens.IsIdentifier(words[star+1]) {
			w.set.functionTypes[words[star+1]] = true // typedef float (*op)(float);
		}
		return
	}
	if open := slices.Index(words, "("); n > 4 && words[0] == "using" && words[2] == "=" && open > 3 && open+2 < n && words[open+1] == "*" && words[open+2] == ")" {
		w.set.functionTypes[words[1]] = true // using op = float (*)(float);
		return
	}
	name, target := "", []string(nil)
	switch {
	case n > 3 && words[0] == "typedef":
		name, target = words[n-2], words[1:n-2]
	case n > 4 && words[0] == "using" && words[2] == "=":
		name, target = words[1], words[3:n-1]
	}
	for _, t := range target {
		if !tokens.IsIdentifier(t) || t == "struct" || t == "const" {
			return
		}
	}
	if name != "" && name != tokens.JoinWords(target) {
		w.set.Aliases[name] = target
	}
}

// scanTemplate registers the template from token i to token end.
func (w *writer) scanTemplate(i, end int) {
	open := w.Next(i)
	if !w.Is(open, "<") {
		if !w.hoisted {
			w.explicitInstantiation(i, end)
		}
		return
	}
	words, closing, rest, ok := w.AnglesWith(open, true)
	if !ok || rest > 0 {
		return
	}
	t := &Template{src: w.File, text: w.current, start: i, end: end, body: w.Next(closing)}
	t.Params, t.Problem = templateParams(words)
	for i, p := range t.Params {
		t.Params[i].isFunction = p.isFunction || w.set.functionTypes[p.of]
	}
	head := w.Head(t.body, end)
	limit := w.Find(t.body, end, "(", "{", ";", "=")
	tag := w.Find(t.body, limit, "struct", "class", "union")
	switch {
	case w.Is(t.body, "using"):
		w.scanAliasTemplate(t.body, end, words)
		return
	case w.Is(t.body, "template") || w.Is(t.body, "friend"):
		return
	case tag < limit && w.structName(tag) > 0:
		t.Kind, t.nameTok = templateStruct, w.structName(tag)
	case w.variableName(t.body, limit) > 0:
		t.Kind, t.nameTok = templateVariable, w.variableName(t.body, limit)
	case w.Mark(t.body, head.Body, "__global__") != "":
		t.Kind = templateKernel
	case w.Mark(t.body, head.Body, "__device__") != "" || w.Has(t.body, head.Body, "constexpr"):
		t.Kind = TemplateFunction
	default:
		t.Kind = templateHost
	}
	if t.Kind != templateStruct && t.Kind != templateVariable {
		if t.nameTok = w.functionName(t.body, end); t.nameTok < 0 {
			return
		}
	}
	t.Name = w.At(t.nameTok)
	n := w.Next(t.nameTok)
	if w.Is(n, "<") {
		w.specialisation(t, n)
		return
	}
	if w.Is(w.Prev(t.nameTok), "::") || t.Name == "operator" {
		return // a member's definition outside of its class
	}
	if w.hoisted && !hoistedName(t.Name) {
		return // left for the rewriter to report, or of the host's
	}
	w.set.ByName[t.Name] = append(w.set.ByName[t.Name], t)
	w.own[i] = t
	if t.Kind == templateStruct {
		w.set.Types[t.Name] = typePlace{w.File, end}
	}
}

// structName is the token of the name behind struct, or -1.
func (w *writer) structName(tag int) int {
	k := w.Next(tag)
	for k < len(w.Tokens) && AttributeWord(w.At(k)) {
		c := w.Shape.Closing(w.Next(k))
		if c < 0 {
			return -1
		}
		k = w.Next(c)
	}
	if k < len(w.Tokens) && w.KindOf(k) == tokens.Ident {
		return k
	}
	return -1
}

// variableName is the token of the name of a variable of device code, or of a constant, that
// tokens i to limit declare, where its value or the declaration's end is; -1 for anything else.
func (w *writer) variableName(i, limit int) int {
	if limit >= len(w.Tokens) || !w.Is(limit, "=") && !w.Is(limit, ";") && !w.Is(limit, "{") ||
		w.Mark(i, limit, "__device__", "__constant__", "__shared__") == "" && !w.Has(i, limit, "constexpr", "const") {
		return -1
	}
	k := w.Prev(limit)
	for w.Is(k, "]") { // of an array
		k = w.Prev(w.Shape.Closing(k))
	}
	if p := w.Prev(k); k <= i || w.KindOf(k) != tokens.Ident || p < i || w.Is(p, "::") || AttributeWord(w.At(k)) {
		return -1
	}
	return k
}

// functionName is the token of a function's name, or -1; it may be followed
// by template arguments.
func (w *writer) functionName(i, end int) int {
	if i >= len(w.Tokens) {
		return -1
	}
	outer := w.Shape.Parent[i]
	for k := i; k < end; k++ {
		if w.Tokens[k].InDirective || w.Shape.Parent[k] != outer {
			continue
		}
		switch {
		case w.Is(k, "{") || w.Is(k, ";"):
			return -1
		case w.Is(k, "operator"):
			return k
		case w.Is(k, "("):
			p := w.Prev(k)
			if w.Is(p, ">") { // f<int>(
				for p > i && !w.Is(p, "<") {
					p = w.Prev(p)
				}
				p = w.Prev(p)
			}
			if p >= i && w.KindOf(p) == tokens.Ident && !AttributeWord(w.At(p)) && w.all.Words.Marks[w.At(p)] == "" {
				return p
			}
			if c := w.Shape.Closing(k); c > 0 {
				k = c
			}
		}
	}
	return -1
}

// specialisation notes template <> f<int>, which replaces a copy. The < of its
// arguments is token n.
func (w *writer) specialisation(t *Template, n int) {
	words, _, _, ok := w.AngleWords(n)
	if !ok {
		return
	}
	primary := w.set.Find(t.Name)
	if best := w.set.taking(t.Name, len(tokens.SplitWords(words))); best != nil {
		primary = best
	}
	switch {
	case primary == nil:
	case len(t.Params) > 0:
		w.partialSpecialisation(primary, t, n)
	default:
		if args, full := w.arguments(primary, words, nil); full {
			name := w.set.Request(t.Name, args).Name
			w.set.specialised[name] = true
			w.specialEnd[name] = t.end
			w.special[t.start] = t
			if t.Kind == templateKernel {
				w.set.launches = append(w.set.launches, launch{name: t.Name, words: words, src: w.File, from: t.start, at: t.start})
			}
		}
	}
}

// explicitInstantiation reads template void k<float>(float *);
func (w *writer) explicitInstantiation(i, end int) {
	for k := i; k < end; k++ {
		if n := w.Next(k); w.KindOf(k) == tokens.Ident && w.Is(n, "<") && len(w.set.ByName[w.At(k)]) > 0 {
			if words, _, _, ok := w.AngleWords(n); ok {
				w.set.launches = append(w.set.launches, launch{name: w.At(k), words: words, src: w.File, from: i, at: k})
			}
			return
		}
	}
}

// templateParams reads the words between < and > of a template. problem says
// what keeps it from being written out.
func templateParams(words []string) (params []Param, problem string) {
	for _, part := range tokens.SplitWords(words) {
		var p Param
		if eq := slices.Index(part, "="); eq >= 0 {
			p.Preset = part[eq+1:]
			part = part[:eq]
		}
		switch {
		case slices.Contains(part, "..."):
			problem = "it takes any number of arguments"
		case len(part) == 0:
			continue
		}
		p.isTemplate = len(part) > 0 && part[0] == "template"
		p.IsType = len(part) > 0 && (part[0] == "typename" || part[0] == "class")
		p.of = part[0]
		p.isBool = len(part) > 0 && part[0] == "bool"
		if n := len(part); n > 1 && tokens.IsIdentifier(part[n-1]) {
			p.Name = part[n-1]
		}
		if open := slices.Index(part, "("); open >= 0 && !p.isTemplate && open+3 < len(part) && part[open+1] == "*" && tokens.IsIdentifier(part[open+2]) {
			p.Name, p.isFunction = part[open+2], true // float (*op)(float)
		}
		params = append(params, p)
	}
	return params, problem
}

// scanHost finds the template arguments in host code.
func (w *writer) scanHost(i, end int) {
	if w.Is(i, "template") && !w.Is(w.Next(i), "<") {
		return
	}
	h := w.Head(i, end)
	host := w.own[i]
	if w.Is(i, "template") && host == nil {
		return
	}
	if w.Mark(i, h.Body, "__global__", "__device__") != "" || host != nil && host.Kind != templateHost {
		return
	}
	if host == nil && h.IsFunction && !w.Has(i, h.Body, "constexpr") {
		w.host[i] = end
	}
	if w.hoisted {
		return
	}
	w.hostParams = map[string]bool{}
	if host != nil {
		for _, p := range host.Params {
			w.hostParams[p.Name] = p.IsType
		}
	}
	for k := i; k < end; k++ {
		if w.KindOf(k) != tokens.Ident || w.Tokens[k].InDirective || host != nil && k == host.nameTok {
			continue
		}
		list := w.set.ByName[w.At(k)]
		if len(list) == 0 {
			continue
		}
		n := w.Next(k)
		var words []string
		if w.Is(n, "<") {
			given, closing, rest, ok := w.AngleWords(n)
			if !ok {
				continue
			}
			words = given
			if n = w.Next(closing); rest > 0 {
				n = len(w.Tokens)
			}
		}
		open := n
		if list[0].Kind == templateKernel {
			open = w.launchArguments(n)
		}
		u := launch{name: w.At(k), words: words, host: host, src: w.File, from: i, at: k}
		if w.Is(open, "(") {
			u.types = w.hostArgumentTypes(i, open)
		}
		if words == nil && u.types == nil {
			continue
		}
		switch list[0].Kind {
		case templateKernel:
			w.set.launches = append(w.set.launches, u)
		case templateHost:
			w.set.hostCalls = append(w.set.hostCalls, u)
		}
	}
}

// scanConstantFunction notes the constexpr function between tokens i and end.
func (w *writer) scanConstantFunction(i, end int, h Head) {
	name := w.functionName(i, end)
	if name < 0 || h.Body >= end || !w.Is(h.Body, "{") {
		return
	}
	open := w.Next(name)
	f := constexpr.NewFunction(w.Words(i, end), w.Words(open+1, w.Shape.Closing(open)), w.Words(h.Body+1, w.Shape.Closing(h.Body)))
	if f == nil {
		return
	}
	if old, known := w.set.functions[w.At(name)]; known && !f.Equal(old) {
		f = nil // an overload
	}
	w.set.functions[w.At(name)] = f
}
