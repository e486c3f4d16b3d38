package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// A CUDA file mixes host code, full C++, with device code. Only the latter has
// to parse: the file is cut into its file-scope items; host functions and
// variables are blanked out, and each device function or declaration that turns
// out not to be C is left out alone.

// item is a device function or a declaration at file scope of a CUDA file.
type item struct {
	id         int
	src        *source
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

// itemAt returns the item that token i belongs to, or nil.
func (s *source) itemAt(i int) *item {
	n, ok := slices.BinarySearchFunc(s.items, i, func(it *item, i int) int { return cmp.Compare(it.start, i) })
	if !ok {
		n--
	}
	if n < 0 || i >= s.items[n].end {
		return nil
	}
	return s.items[n]
}

// settle makes the rewritten text of a source: its edits, less those in
// rejected items, which are blanked out.
func (l *loader) settle(s *source) {
	edits := slices.Clone(s.edits)
	for _, it := range s.items {
		if it.err == nil {
			continue
		}
		from, to := s.toks[it.start].start, s.toks[it.end-1].end
		edits = slices.DeleteFunc(edits, func(e edit) bool {
			if e.start < from || e.end > to {
				return false
			}
			return !s.outlives(s.tokenAt(int(e.start)))
		})
		edits = append(edits, edit{from, from, editBefore, fmt.Sprintf("\n#pragma %s %d\n", pragmaReject, it.id)})
		for i := it.start; i < it.end; i++ {
			if t := s.toks[i]; t.kind != tokNewline && !s.outlives(i) {
				edits = append(edits, edit{t.start, t.end, editReplace, ""})
			}
		}
	}
	s.apply(edits)
}

// outlives reports whether token i stays when the code around it is blanked
// out: it belongs to a directive, but not to a #pragma.
func (l *lexed) outlives(i int) bool {
	return i < len(l.toks) && l.toks[i].inDir && !l.toks[i].pragma
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
func (w *cudaWords) define(l *lexed, n, end int) {
	for _, best := range []string{"__global__", "__device__", "__constant__", "__shared__", "__managed__"} {
		for k := n + 1; k < end; k++ {
			if w.marks[l.at(k)] == best {
				w.marks[l.at(n)] = best
				return
			}
		}
	}
	if end == n+2 && w.types[l.at(n+1)] { // #define real float
		w.types[l.at(n)] = true
	}
}

// mark returns the first of the keywords that one of tokens i to j is or
// stands for.
func (r *rewriter) mark(i, j int, keywords ...string) string {
	for ; i < j; i++ {
		if r.kindOf(i) == tokIdent && !r.toks[i].inDir {
			if k := r.l.words.marks[r.at(i)]; slices.Contains(keywords, k) {
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
	for i = max(i, 0); i < min(j, len(r.toks)); i++ {
		if r.kindOf(i) != tokString && !r.toks[i].inDir && slices.Contains(words, r.at(i)) {
			return i
		}
	}
	return j
}

// items cuts the file and sorts host code out.
func (r *rewriter) items() {
	n := len(r.toks)
	for i := r.next(-1); i < n; i = r.next(i - 1) {
		switch s := r.at(i); {
		case s == ";" || s == "}":
			i++
		case s == "namespace" || s == "inline" && r.is(r.next(i), "namespace"):
			i = r.namespace(i)
		case s == "extern" && r.next(i) < n && r.kindOf(r.next(i)) == tokString:
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
	for j < len(r.toks) && !r.is(j, "{") && !r.is(j, ";") {
		j++
	}
	return r.flatten(i, j)
}

// externC takes extern "C" out, and the braces behind it.
func (r *rewriter) externC(i int) int {
	j := r.next(i)
	if k := r.next(j); r.is(k, "{") {
		return r.flatten(i, k)
	}
	r.blank(i, j+1)
	return j + 1
}

func (r *rewriter) flatten(i, j int) int {
	j = min(j, len(r.toks)-1)
	if c := r.shape.closing(j); r.is(j, "{") && c >= 0 {
		r.blank(c, c+1)
	}
	r.blank(i, j+1)
	return j + 1
}

// itemEnd returns the end of the item that starts at token i: behind the body
// of a function, or behind the semicolon.
func (r *rewriter) itemEnd(i int) int {
	outer := r.shape.parent[i]
	callOf := r.l.words.marks[r.at(i)] != "" && r.at(i)[0] != '_' && r.is(r.next(i), "(")
	for k := i; k < len(r.toks); k++ {
		if r.toks[k].inDir || r.kindOf(k) != tokPunct {
			continue
		}
		switch r.at(k) {
		case "(", "[":
			c := r.shape.closing(k)
			if c < 0 {
				continue
			}
			k = c
			if n := r.next(c); callOf && n < len(r.toks) && r.kindOf(n) == tokIdent {
				return c + 1 // a macro that makes a kernel, without a semicolon
			}
			callOf = false
		case "{":
			c := r.shape.closing(k)
			if c < 0 {
				continue
			}
			if r.shape.kinds[k] == scopeBlock {
				return c + 1
			}
			k = c
		case "}":
			if r.shape.parent[k] == outer {
				return k + 1
			}
		case ";":
			if r.shape.parent[k] == outer {
				return k + 1
			}
		}
	}
	return len(r.toks)
}

// itemHead is what the start of an item says about it.
type itemHead struct {
	body       int // the { of a function, or end
	isFunction bool
	name       string
}

func (r *rewriter) head(i, end int) itemHead {
	h := itemHead{body: end}
	if i >= len(r.toks) {
		return h
	}
	outer := r.shape.parent[i]
	for k := i; k < end; k++ {
		if r.toks[k].inDir || r.shape.parent[k] != outer {
			continue
		}
		switch r.at(k) {
		case "=":
			if !h.isFunction {
				return h
			}
		case "(":
			if p := r.prev(k); p >= i && !h.isFunction && r.kindOf(p) == tokIdent && !attributeWord(r.at(p)) {
				h.isFunction = true
				h.name = r.at(p)
			} else if o := r.prev(p); !h.isFunction && o >= i && (r.is(o, "operator") || r.is(r.prev(o), "operator")) {
				h.isFunction = true
				h.name = "operator" + r.at(p)
			}
		case "{":
			if r.shape.kinds[k] == scopeBlock {
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
	case r.is(i, "template"):
		r.template(i, end, h, device)
	case r.is(i, "using"):
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
		if r.is(k, h.name) && r.is(r.next(k), "(") {
			if p := r.prev(k); r.is(p, "::") && !r.l.templates.namespaces[r.at(r.prev(p))] {
				return p
			}
			return -1
		}
	}
	return -1
}

func (r *rewriter) addItem(i, end int, h itemHead) *item {
	it := &item{id: len(r.l.items), src: r.source, start: i, end: end, name: h.name, function: h.isFunction,
		kernel: h.isFunction && r.mark(i, h.body, "__global__") != ""}
	r.l.items = append(r.l.items, it)
	r.source.items = append(r.source.items, it)
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
		return cmp.Or(cmp.Compare(a.src.id, b.src.id), cmp.Compare(a.start, b.start))
	})
	return s
}
