package frontend

import (
	"cmp"
	"slices"
	"strings"
)

// originText is a text put together from pieces of sources and inserted words,
// with the way back to where each piece was written. C++ templates and member
// functions are written out into such a text before it is rewritten into C.
type originText struct {
	b    strings.Builder
	segs []originSegment
}

// originSegment says where a piece of the text from out on was written: in src
// at the offset from of its text as written (continuation lines joined),
// character by character if copied, else all of it there.
type originSegment struct {
	out    int
	src    *source
	from   int
	copied bool
}

// insert adds text that stands for what src has at offset off of its current
// text.
func (t *originText) insert(text string, src *source, off int) {
	if text == "" {
		return
	}
	w, at := src.origin(off)
	t.add(text, originSegment{src: w, from: at})
}

// copy adds text[from:to] of src's current text.
func (t *originText) copy(src *source, from, to int) {
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
		t.add(src.Text[from:from+n], originSegment{src: w, from: at, copied: copied})
		from += n
	}
}

func (t *originText) add(text string, s originSegment) {
	s.out = t.b.Len()
	t.segs = append(t.segs, s)
	t.b.WriteString(text)
}

// snapshot is s with the text that it has now, whatever is written out of it later.
func (s *source) snapshot() *source {
	c := *s
	if c.origins == nil {
		c.origins = []originSegment{{src: s, copied: true}}
	}
	return &c
}

// originIndex is the segment that holds offset off of the current text.
func (s *source) originIndex(off int) int { return indexOf(s.origins, off) }

func indexOf(segs []originSegment, off int) int {
	i, exact := slices.BinarySearchFunc(segs, off, func(g originSegment, off int) int { return cmp.Compare(g.out, off) })
	if !exact {
		i--
	}
	return max(i, 0)
}

// origin returns where offset off of the current text was written.
func (s *source) origin(off int) (src *source, at int) {
	if s.origins == nil {
		return s, off
	}
	if s.Splices != nil {
		off = s.Splices.Source(off)
	}
	return originIn(s, s.origins, off)
}

// originIn is origin for a text with the given pieces.
func originIn(s *source, segs []originSegment, off int) (src *source, at int) {
	if segs == nil {
		return s, off
	}
	g := segs[indexOf(segs, off)]
	if g.copied {
		return g.src, g.from + off - g.out
	}
	return g.src, g.from
}
