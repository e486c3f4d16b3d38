package load

import (
	"cmp"
	"slices"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// A syntax error in an OpenCL file costs the function that it lies in: that is
// left out, as CUDA's items are, and the file is parsed again. Functions are
// looked for only then. An error where a function begins is the fault of what
// stands before it, and costs the file.

// drop leaves out the item that the last syntax error e lies in, and reports
// whether parsing again can help.
func (l *loader) drop(e error) bool {
	if l.errSource == nil {
		return false
	}
	tok := l.errSource.TokenAt(l.errOffset)
	it := l.itemAt(l.errSource, tok)
	if it == nil && l.cfg.Dialect == source.OpenCL {
		it = l.functionAround(l.errSource, tok)
	}
	d, ok := e.(*diag.Error)
	if it == nil || it.err != nil || !ok || d.Code != tokens.CodeSyntax {
		return false
	}
	it.reject(d)
	l.settle(it.src)
	return true
}

// functionAround makes an item of the function definition that token tok of an
// OpenCL source lies in, behind its first token; nil if there is none.
func (l *loader) functionAround(s *source.File, tok int) *item {
	start := -1 // of the declaration at file scope; -1: the next token is
	for i := s.Next(-1); i < len(s.Tokens); i = s.Next(i) {
		if start < 0 {
			start = i
		}
		if start >= tok {
			return nil
		}
		switch {
		case s.Is(i, ";") || s.Is(i, "}"):
			start = -1
		case s.Is(i, "(") || s.Is(i, "["):
			if c := s.Shape.Closing(i); c > i {
				i = c
			}
		case s.Is(i, "{"):
			c := s.Shape.Closing(i)
			if s.Shape.Kinds[i] != tokens.Block {
				i = max(i, c)
				continue
			}
			if c < i { // not closed: up to the next kernel
				c = len(s.Tokens) - 1
				if n, _ := slices.BinarySearch(s.Shape.Restarts, int32(i)); n < len(s.Shape.Restarts) {
					c = int(s.Shape.Restarts[n]) - 1
				}
			}
			if tok > c {
				i, start = c, -1
				continue
			}
			r := &rewriter{Reader: l.Reader(s), l: l}
			h := r.Head(start, c+1)
			if !h.IsFunction {
				return nil
			}
			it := &item{id: len(l.items), src: s, start: start, end: c + 1, name: h.Name, function: true, kernel: l.marksKernel(s, start, h.Body)}
			l.items = append(l.items, it)
			n, _ := slices.BinarySearchFunc(l.itemsOf[s], start, func(it *item, i int) int { return cmp.Compare(it.start, i) })
			l.itemsOf[s] = slices.Insert(l.itemsOf[s], n, it)
			return it
		}
	}
	return nil
}

// marksKernel reports whether one of tokens i to j of a function's head says
// that it is a kernel, or is a macro whose text does.
func (l *loader) marksKernel(s *source.File, i, j int) bool {
	for ; i < j; i++ {
		if s.KindOf(i) != tokens.Ident || s.Tokens[i].InDirective {
			continue
		}
		if kernelKeyword(s.At(i)) || l.macroOfKernel(s.At(i)) {
			return true
		}
	}
	return false
}

func kernelKeyword(word string) bool { return word == "kernel" || word == "__kernel" }

// macroOfKernel reports whether some source defines a macro of that name whose
// text makes a function a kernel.
func (l *loader) macroOfKernel(name string) bool {
	for _, s := range l.Files {
		if s.List == nil {
			continue
		}
		for i := range s.Tokens {
			if !s.Tokens[i].InDirective || !s.Is(i, "define") || !s.Is(i+1, name) {
				continue
			}
			for k := i + 2; k < len(s.Tokens) && s.Tokens[k].InDirective && s.KindOf(k) != tokens.Newline; k++ {
				if kernelKeyword(s.At(k)) {
					return true
				}
			}
		}
	}
	return false
}
