package cxx

import (
	"fmt"
	"slices"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Templates with a parameter pack become templates without one, for each number of elements that may be asked for,
// before anything else is done with templates: their numbers of parameters tell them apart, as those of overloads do.
//
//	template <typename... A> T sum(A... a) { return (a + ...); }
//	template <typename A__0, typename A__1> T sum(A__0 a__0, A__1 a__1) { return ((a__0) + (a__1)); }
//
// pack_expand.go writes the copies. Those without elements are left out where another template of the name has as many
// parameters: it is meant to end a recursion.

// Bounds of the copies for numbers of elements of which no call is seen, and for those of templates of few tokens, which
// are often made for any number of unused arguments.
const (
	maxElements      = 8
	maxSmallElements = 48
	smallTemplate    = 30
	mostElements     = 64
	maxPackTokens    = 20_000 // tokens of all copies
)

// pack is a template with a parameter pack, tokens start to end.
type pack struct {
	start, body, end int
	name             string
	fixed            int             // parameters that are no pack
	elements         []int           // how many a copy has
	names            map[string]bool // of the pack, and of the function's parameters that it makes
}

// packWriter writes templates with packs out in one source.
type packWriter struct {
	*writer
	found map[int]*pack // by first token
}

// expandPacks replaces a source's text by one whose templates of device code have no packs.
func (all *Program) expandPacks(s *source.File) *diag.Error {
	w := &packWriter{writer: &writer{Reader: all.Reader(s), all: all, set: all.Templates, current: s, out: &source.Text{}}, found: map[int]*pack{}}
	for i := range w.Tokens {
		if w.Is(i, "...") && !w.Tokens[i].InDirective && !w.Shape.InBody(i) {
			w.findPack(i)
		}
	}
	if len(w.found) == 0 {
		return nil
	}
	w.copyPacked(0, len(w.Tokens), nil)
	w.flush(len(w.Tokens))
	return all.relex(s, w.out)
}

// findPack notes the template of which the ... at token e makes a parameter a pack.
func (w *packWriter) findPack(e int) {
	i := e
	for depth := 0; ; {
		i = w.Prev(i)
		if i < 0 || w.Is(i, ";") || w.Is(i, "{") || w.Is(i, "}") || w.Is(i, "(") {
			return
		}
		if w.Is(i, ">") {
			depth++
		} else if w.Is(i, "<") {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	start := w.Prev(i)
	if p := w.Prev(start); !w.Is(start, "template") || w.found[start] != nil || w.Is(p, "<") || w.Is(p, ",") {
		return
	}
	words, closing, rest, ok := w.AnglesWith(i, true)
	if !ok || rest > 0 {
		return
	}
	p := &pack{start: start, body: w.Next(closing), end: w.ItemEnd(w.Next(closing)), names: map[string]bool{}}
	for _, part := range tokens.SplitWords(words) {
		at := slices.Index(part, "...")
		switch {
		case at < 0:
			p.fixed++
		case len(p.names) > 0 || slices.Contains(part, "template") || slices.Contains(part, "<"):
			return // of several packs or of templates
		case at+1 < len(part):
			p.names[part[at+1]] = true
		default:
			p.names[""] = true
		}
	}
	if w.ofDevice(p) {
		w.parameterPacks(p)
		if p.elements = w.elements(p); len(p.elements) > 0 {
			w.found[start] = p
		}
	}
}

// ofDevice reports whether a template is of device code, and finds its name. Those of classes' members are, where they
// are marked so.
func (w *packWriter) ofDevice(p *pack) bool {
	limit := w.Find(p.body, p.end, "(", "{", ";", "=")
	h := w.Head(p.body, p.end)
	switch tag := w.Find(p.body, limit, "struct", "class", "union"); {
	case w.Is(p.body, "using") || w.Is(p.body, "friend") || w.Is(p.body, "template"):
		return false
	case tag < limit && w.structName(tag) > 0:
		p.name = w.At(w.structName(tag))
		return w.Mark(p.body, p.end, "__device__") != "" || w.Has(p.body, p.end, "constexpr") || w.Is(w.Next(w.structName(tag)), ";")
	case w.variableName(p.body, limit) > 0:
		p.name = w.At(w.variableName(p.body, limit))
		return true
	}
	name := w.functionName(p.body, p.end)
	if name < 0 {
		return false
	}
	p.name = w.At(name)
	return w.Mark(p.body, h.Body, "__global__", "__device__") != "" || w.Has(p.body, h.Body, "constexpr")
}

// parameterPacks finds the function's parameters that the pack makes: A... a.
func (w *packWriter) parameterPacks(p *pack) {
	for k := p.body; k < p.end; k++ {
		if n := w.Next(k); w.Is(k, "...") && !w.Tokens[k].InDirective && n < p.end && w.KindOf(n) == tokens.Ident && w.names(w.segment(k), k, p.names) {
			p.names[w.At(n)] = true
		}
	}
}

// names reports whether one of tokens i to j is a name of a pack.
func (w *packWriter) names(i, j int, pack map[string]bool) bool {
	for ; i < j; i++ {
		if pack[w.At(i)] && w.KindOf(i) == tokens.Ident {
			return true
		}
	}
	return false
}

// segment is the first token of the element of a list that the ... at token e ends.
func (w *packWriter) segment(e int) int {
	first, depth := e, 0
	for k := w.Prev(e); k >= 0 && k > int(w.Shape.Parent[e]); k = w.Prev(k) {
		if w.Shape.Parent[k] != w.Shape.Parent[e] {
			continue
		}
		switch w.At(k) {
		case ")", "]", "}":
			if w.Is(k, "}") && w.Shape.KindAt(k) == tokens.Block {
				return first
			}
			k = int(w.Shape.Match[k])
			if k < 0 {
				return first
			}
		case ">":
			depth++
		case "<":
			if depth == 0 {
				return first
			}
			depth--
		case ",", ";", "{", ":":
			if depth == 0 {
				return first
			}
		}
		first = k
	}
	return first
}

// elements are the numbers of elements that copies of a template are made for.
func (w *packWriter) elements(p *pack) (list []int) {
	calls := w.callsOf(p)
	if w.Mark(p.body, w.Head(p.body, p.end).Body, "__global__") != "" {
		if len(calls) == 0 {
			return nil
		}
		return []int{slices.Max(calls)} // one kernel: that of the launches
	}
	most := min(maxElements, maxPackTokens/(p.end-p.start))
	if p.end-p.start <= smallTemplate {
		most = maxSmallElements
	}
	for n := range most + 1 {
		list = append(list, n)
	}
	for _, n := range calls {
		for k := most + 1; k <= n; k++ {
			if !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	if w.endsElsewhere(p) {
		list = list[1:]
	}
	return list
}

// callsOf are the numbers of elements with which a function is called in the files so far.
func (w *packWriter) callsOf(p *pack) (list []int) {
	open := w.Find(p.body, p.end, "(")
	parameters := 0
	if c := w.Shape.Closing(open); c > w.Next(open) {
		parameters = len(tokens.SplitWords(w.Words(open+1, c))) - 1
	}
	for k := range w.Tokens {
		n := w.Next(k)
		if !w.Is(k, p.name) || k >= p.start && k < p.end || w.Tokens[k].InDirective {
			continue
		}
		if w.Is(n, "<") {
			if _, end, rest, ok := w.AngleWords(n); ok && rest == 0 {
				n = w.Next(end)
			}
		}
		if args := w.launchArguments(n); args > 0 {
			n = args
		}
		if c := w.Shape.Closing(n); w.Is(n, "(") && c > n {
			if given := len(tokens.SplitWords(w.Words(n+1, c))) - parameters; given >= 0 && given <= mostElements {
				list = append(list, given)
			}
		}
	}
	return list
}

// endsElsewhere reports whether another template of the same name has the parameters that a pack without elements leaves.
func (w *packWriter) endsElsewhere(p *pack) bool {
	for i := range w.Tokens {
		if !w.Is(i, "template") || !w.Is(w.Next(i), "<") || i == p.start {
			continue
		}
		words, closing, rest, ok := w.AnglesWith(w.Next(i), true)
		if !ok || rest > 0 || len(tokens.SplitWords(words)) != p.fixed || p.fixed == 0 || slices.Contains(words, "...") {
			continue
		}
		if body := w.Next(closing); w.Has(body, w.Find(body, w.ItemEnd(body), "(", "{", ";", "="), p.name) {
			return true
		}
	}
	return false
}

// elementName is what the n-th element of a pack is called.
func elementName(name string, n int) string {
	return fmt.Sprintf("%s__%d", name, n)
}
