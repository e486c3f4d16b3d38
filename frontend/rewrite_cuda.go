package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// cudaWords are the names, of all files so far, that decide how CUDA code is
// read: macros that stand for __global__ and its like, and type names.
type cudaWords struct {
	marks map[string]string // macro: the keyword that it stands for
	types map[string]bool
}

func newCUDAWords() cudaWords {
	w := cudaWords{map[string]string{}, map[string]bool{}}
	for _, k := range []string{"__global__", "__device__", "__constant__", "__shared__", "__managed__"} {
		w.marks[k] = k
	}
	for _, k := range cudaScalarNames {
		w.types[k] = true
	}
	return w
}

// cudaScalarNames may stand before a parenthesis as a conversion.
var cudaScalarNames = strings.Fields(`bool char short int long float double unsigned size_t half __half
	int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t uchar ushort uint ulong`)

// define notes a macro, its name at token n: one whose text holds __global__
// marks kernels, and so on.
func (w *cudaWords) define(l *tokens.List, n, end int) {
	for _, best := range []string{"__global__", "__device__", "__constant__", "__shared__", "__managed__"} {
		for k := n + 1; k < end; k++ {
			if w.marks[l.At(k)] == best {
				w.marks[l.At(n)] = best
				return
			}
		}
	}
	if end == n+2 && w.types[l.At(n+1)] { // #define real float
		w.types[l.At(n)] = true
	}
}

// mark returns the first of the keywords that one of tokens i to j is or
// stands for.
func (r *rewriter) mark(i, j int, keywords ...string) string {
	for ; i < j; i++ {
		if r.KindOf(i) == tokens.Ident && !r.Tokens[i].InDirective {
			if k := r.l.words.marks[r.At(i)]; slices.Contains(keywords, k) {
				return k
			}
		}
	}
	return ""
}

// has reports whether one of tokens i to j is one of words.
func (r *rewriter) has(i, j int, words ...string) bool {
	return r.find(i, j, words...) < j
}

// find returns the first of tokens i to j that is one of words, or j.
func (r *rewriter) find(i, j int, words ...string) int {
	for i = max(i, 0); i < min(j, len(r.Tokens)); i++ {
		if r.KindOf(i) != tokens.String && !r.Tokens[i].InDirective && slices.Contains(words, r.At(i)) {
			return i
		}
	}
	return j
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
			end := r.itemEnd(i)
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

// itemEnd returns the end of the item that starts at token i: behind the body
// of a function, or behind the semicolon.
func (r *rewriter) itemEnd(i int) int {
	outer := r.Shape.Parent[i]
	callOf := r.l.words.marks[r.At(i)] != "" && r.At(i)[0] != '_' && r.Is(r.Next(i), "(")
	for k := i; k < len(r.Tokens); k++ {
		if r.Tokens[k].InDirective || r.KindOf(k) != tokens.Punct {
			continue
		}
		switch r.At(k) {
		case "(", "[":
			c := r.Shape.Closing(k)
			if c < 0 {
				continue
			}
			k = c
			if n := r.Next(c); callOf && n < len(r.Tokens) && r.KindOf(n) == tokens.Ident {
				return c + 1 // a macro that makes a kernel, without a semicolon
			}
			callOf = false
		case "{":
			c := r.Shape.Closing(k)
			if c < 0 {
				continue
			}
			if r.Shape.Kinds[k] == tokens.Block {
				return c + 1
			}
			k = c
		case "}":
			if r.Shape.Parent[k] == outer {
				return k + 1
			}
		case ";":
			if r.Shape.Parent[k] == outer {
				return k + 1
			}
		}
	}
	return len(r.Tokens)
}

// itemHead is what the start of an item says about it.
type itemHead struct {
	body       int // the { of a function, or end
	isFunction bool
	name       string
}

func (r *rewriter) head(i, end int) itemHead {
	h := itemHead{body: end}
	if i >= len(r.Tokens) {
		return h
	}
	outer := r.Shape.Parent[i]
	for k := i; k < end; k++ {
		if r.Tokens[k].InDirective || r.Shape.Parent[k] != outer {
			continue
		}
		switch r.At(k) {
		case "=":
			if !h.isFunction {
				return h
			}
		case "(":
			if p := r.Prev(k); p >= i && !h.isFunction && r.KindOf(p) == tokens.Ident && !attributeWord(r.At(p)) {
				h.isFunction = true
				h.name = r.At(p)
			} else if o := r.Prev(p); !h.isFunction && o >= i && (r.Is(o, "operator") || r.Is(r.Prev(o), "operator")) {
				h.isFunction = true
				h.name = "operator" + r.At(p)
			}
		case "{":
			if r.Shape.Kinds[k] == tokens.Block {
				h.body = k
				return h
			}
		}
	}
	return h
}

// attributeWord reports whether a parenthesis behind the word is not that of a
// function's parameters.
func attributeWord(s string) bool {
	switch s {
	case "__launch_bounds__", "__align__", "__attribute__", "alignas", "decltype", "__declspec", "noexcept", "__maxnreg__", "__cluster_dims__":
		return true
	}
	return false
}

// item decides what becomes of the item from token i to token end.
func (r *rewriter) item(i, end int) {
	h := r.head(i, end)
	device := r.mark(i, h.body, "__global__", "__device__")
	switch {
	case r.Is(i, "template"):
		r.template(i, end, h, device)
	case r.Is(i, "using"):
		r.using(i, end)
	case h.isFunction && device != "":
		it := r.addItem(i, end, h)
		if k := r.find(i, h.body, "operator"); k < h.body {
			it.reject(unsupportedAt(r.tokPos(k), "an overloaded operator is", "call a function instead"))
		} else if k := r.memberOf(i, h); k >= 0 {
			it.reject(unsupportedAt(r.tokPos(k), "a member function is", "make it a function of the object's address"))
		}
	case h.isFunction && h.body < end && r.has(i, h.body, "constexpr"):
		r.addItem(i, end, h) // device code may call it
	case h.isFunction:
		r.blank(i, end)
	default:
		r.declaration(i, end)
	}
}

func unsupportedAt(pos Pos, construct, advice string) *diag.Error {
	return diag.Errorf(pos, codeUnsupported, "%s not supported", construct).WithNote("%s", advice)
}

// memberOf returns the :: of a function's qualified name, or -1.
func (r *rewriter) memberOf(i int, h itemHead) int {
	for k := i; k < h.body; k++ {
		if r.Is(k, h.name) && r.Is(r.Next(k), "(") {
			if p := r.Prev(k); r.Is(p, "::") && !r.l.templates.namespaces[r.At(r.Prev(p))] {
				return p
			}
			return -1
		}
	}
	return -1
}

func (r *rewriter) addItem(i, end int, h itemHead) *item {
	it := &item{id: len(r.l.items), src: r.File, start: i, end: end, name: h.name, function: h.isFunction,
		kernel: h.isFunction && r.mark(i, h.body, "__global__") != ""}
	r.l.items = append(r.l.items, it)
	r.l.itemsOf[r.File] = append(r.l.itemsOf[r.File], it)
	return it
}

// template rejects templates of device code and blanks those of host code.
func (r *rewriter) template(i, end int, h itemHead, device string) {
	if device == "" && r.mark(i, end, "__global__", "__device__") == "" {
		r.blank(i, end)
		return
	}
	it := r.addItem(i, end, h)
	what := "a template is"
	switch {
	case it.kernel:
		what = "a template kernel is"
	case r.has(i, h.body, "struct", "class"):
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
