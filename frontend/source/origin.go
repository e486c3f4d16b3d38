package source

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
)

// Text is a text put together from pieces of sources and inserted words,
// with the way back to where each piece was written. C++ templates and member
// functions are written out into such a text before it is rewritten into C.
type Text struct {
	b       strings.Builder
	origins []origin
}

// origin says where a piece of the text from out on was written: in src
// at the offset from of its text as written (continuation lines joined),
// character by character if copied, else all of it there.
type origin struct {
	out    int
	src    *File
	from   int
	copied bool
}

// Insert adds text that stands for what src has at offset off of its current
// text.
func (t *Text) Insert(text string, src *File, off int) {
	if text == "" {
		return
	}
	w, at := src.writtenAt(off)
	t.add(text, origin{src: w, from: at})
}

// Copy adds text[from:to] of src's current text.
func (t *Text) Copy(src *File, from, to int) {
	for from < to {
		w, at, n := src, from, to-from
		copied := true
		if src.origins != nil {
			g := src.originIndex(from)
			end := to
			if g+1 < len(src.origins) {
				end = min(to, src.origins[g+1].out)
			}
			n = end - from
			s := src.origins[g]
			w, at, copied = s.src, s.from, s.copied
			if copied {
				at += from - s.out
			}
		}
		t.add(src.Text[from:from+n], origin{src: w, from: at, copied: copied})
		from += n
	}
}

func (t *Text) add(text string, s origin) {
	s.out = t.b.Len()
	t.origins = append(t.origins, s)
	t.b.WriteString(text)
}

// String is the text.
func (t *Text) String() string { return t.b.String() }

// Become makes t, cut into tokens, the text of s.
func (s *File) Become(t *Text, list *tokens.List) { s.List, s.origins = list, t.origins }

// KeepScanned remembers the present text as the one that templates are found in.
func (s *File) KeepScanned() { s.Scanned, s.scannedOrigins = s.List, s.origins }

// Snapshot is s with the text that it has now, whatever is written out of it later.
func (s *File) Snapshot() *File {
	c := *s
	if c.origins == nil {
		c.origins = []origin{{src: s, copied: true}}
	}
	return &c
}

// originIndex is the segment that holds offset off of the current text.
func (s *File) originIndex(off int) int { return indexOf(s.origins, off) }

func indexOf(segs []origin, off int) int {
	i, exact := slices.BinarySearchFunc(segs, off, func(g origin, off int) int { return cmp.Compare(g.out, off) })
	if !exact {
		i--
	}
	return max(i, 0)
}

// writtenAt returns where offset off of the current text was written.
func (s *File) writtenAt(off int) (src *File, at int) {
	if s.origins == nil {
		return s, off
	}
	if s.Splices != nil {
		off = s.Splices.Source(off)
	}
	return originIn(s, s.origins, off)
}

// originIn is writtenAt for a text with the given pieces.
func originIn(s *File, segs []origin, off int) (src *File, at int) {
	if segs == nil {
		return s, off
	}
	g := segs[indexOf(segs, off)]
	if g.copied {
		return g.src, g.from + off - g.out
	}
	return g.src, g.from
}
