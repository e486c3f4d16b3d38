package load

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// A CUDA file mixes host code, full C++, with device code. Only the latter has
// to parse: the file is cut into its file-scope items; host functions and
// variables are blanked out, and each device function or declaration that turns
// out not to be C is left out alone.

// item is a device function or a declaration at file scope of a CUDA file.
type item struct {
	id         int
	src        *source.File
	start, end int // tokens, end exclusive
	name       string
	function   bool // else a declaration
	kernel     bool
	err        *diag.Error // why it is left out
	feature    string      // what makes a struct a class that is left out, as in "inheritance is"
}

// reject leaves an item out, for the first reason given.
func (it *item) reject(e *diag.Error) {
	if it.err == nil {
		it.err = e
	}
}

// itemAt returns the item that token i of a source belongs to, or nil.
func (l *loader) itemAt(s *source.File, i int) *item {
	items := l.itemsOf[s]
	n, ok := slices.BinarySearchFunc(items, i, func(it *item, i int) int { return cmp.Compare(it.start, i) })
	if !ok {
		n--
	}
	if n < 0 || i >= items[n].end {
		return nil
	}
	return items[n]
}

func (r *rewriter) itemAt(i int) *item { return r.l.itemAt(r.File, i) }

// settle makes the rewritten text of a source: its edits, less those in
// rejected items, which are blanked out.
func (l *loader) settle(s *source.File) {
	edits := slices.Clone(s.Edits)
	for _, it := range l.itemsOf[s] {
		if it.err == nil {
			continue
		}
		from, to := s.Tokens[it.start].Start, s.Tokens[it.end-1].End
		edits = slices.DeleteFunc(edits, func(e source.Edit) bool {
			if e.Start < from || e.End > to {
				return false
			}
			return !s.Outlives(s.TokenAt(int(e.Start)))
		})
		edits = append(edits, source.Edit{Start: from, End: from, Order: source.Before, Text: fmt.Sprintf("\n#pragma %s %d\n", pragmaReject, it.id)})
		for i := it.start; i < it.end; i++ {
			if t := s.Tokens[i]; t.Kind != tokens.Newline && !s.Outlives(i) {
				edits = append(edits, source.Edit{Start: t.Start, End: t.End, Order: source.Replace, Text: ""})
			}
		}
	}
	s.Apply(edits)
}

// items cuts the file and sorts host code out.
func (r *rewriter) items() {
	n := len(r.Tokens)
	for i := r.Next(-1); i < n; i = r.Next(i - 1) {
		switch s := r.At(i); {
		case s == ";" || s == "}":
			i++
		case s == "namespace" || s == "inline" && r.Is(r.Next(i), "namespace"):
			i = r.namespace(i)
		case s == "extern" && r.Next(i) < n && r.KindOf(r.Next(i)) == tokens.String:
			i = r.externC(i)
		default:
			end := r.ItemEnd(i)
			r.item(i, end)
			i = end
		}
	}
}

// namespace takes "namespace N {" or "namespace A = B;" out; what the braces
// hold stays, at file scope.
func (r *rewriter) namespace(i int) int {
	j := i
	for j < len(r.Tokens) && !r.Is(j, "{") && !r.Is(j, ";") {
		j++
	}
	return r.flatten(i, j)
}

// externC takes extern "C" out, and the braces behind it.
func (r *rewriter) externC(i int) int {
	j := r.Next(i)
	if k := r.Next(j); r.Is(k, "{") {
		return r.flatten(i, k)
	}
	r.blank(i, j+1)
	return j + 1
}

func (r *rewriter) flatten(i, j int) int {
	j = min(j, len(r.Tokens)-1)
	if c := r.Shape.Closing(j); r.Is(j, "{") && c >= 0 {
		r.blank(c, c+1)
	}
	r.blank(i, j+1)
	return j + 1
}

// item decides what becomes of the item from token i to token end.
func (r *rewriter) item(i, end int) {
	h := r.Head(i, end)
	device := r.Mark(i, h.Body, "__global__", "__device__")
	switch {
	case r.Is(i, "template"):
		r.template(i, end, h, device)
	case r.Is(i, "using"):
		r.using(i, end)
	case h.IsFunction && device != "":
		it := r.addItem(i, end, h)
		if k := r.Find(i, h.Body, "operator"); k < h.Body {
			it.reject(unsupportedAt(r.tokPos(k), "an overloaded operator is", "call a function instead"))
		} else if k := r.memberOf(i, h); k >= 0 {
			it.reject(unsupportedAt(r.tokPos(k), "a member function is", "make it a function of the object's address"))
		}
	case h.IsFunction && h.Body < end && r.Has(i, h.Body, "constexpr"):
		r.addItem(i, end, h) // device code may call it
	case h.IsFunction:
		r.blank(i, end)
	default:
		r.declaration(i, end)
	}
}

func unsupportedAt(pos diag.Pos, construct, advice string) *diag.Error {
	return diag.Errorf(pos, CodeUnsupported, "%s not supported", construct).WithNote("%s", advice)
}

// memberOf returns the :: of a function's qualified name, or -1.
func (r *rewriter) memberOf(i int, h cxx.Head) int {
	for k := i; k < h.Body; k++ {
		if r.Is(k, h.Name) && r.Is(r.Next(k), "(") {
			if p := r.Prev(k); r.Is(p, "::") && !r.l.Templates.Namespaces[r.At(r.Prev(p))] {
				return p
			}
			return -1
		}
	}
	return -1
}

func (r *rewriter) addItem(i, end int, h cxx.Head) *item {
	it := &item{id: len(r.l.items), src: r.File, start: i, end: end, name: h.Name, function: h.IsFunction,
		kernel: h.IsFunction && r.Mark(i, h.Body, "__global__") != ""}
	r.l.items = append(r.l.items, it)
	r.l.itemsOf[r.File] = append(r.l.itemsOf[r.File], it)
	return it
}

// template rejects templates of device code and blanks those of host code.
func (r *rewriter) template(i, end int, h cxx.Head, device string) {
	if device == "" && r.Mark(i, end, "__global__", "__device__") == "" {
		r.blank(i, end)
		return
	}
	it := r.addItem(i, end, h)
	what := "a template is"
	switch {
	case it.kernel:
		what = "a template kernel is"
	case r.Has(i, h.Body, "struct", "class"):
		what = "a template class is"
	case it.function:
		what = "a template function is"
	}
	it.reject(unsupportedAt(r.tokPos(i), what, "write it out for the types and numbers wanted: typedef float T; or #define N 16 in place of the template's parameters"))
}

// sortItems puts items in source order, file by file.
func sortItems(items []*item) []*item {
	s := slices.Clone(items)
	slices.SortStableFunc(s, func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.src.ID, b.src.ID), cmp.Compare(a.start, b.start))
	})
	return s
}
