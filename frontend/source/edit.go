package source

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// Edit replaces Text[Start:End] of the logical text. Edits at one place stand
// in this order: what goes behind a token, what goes before one, what replaces.
type Edit struct {
	Start, End int32
	Order      Order
	Text       string
}

// Order is what an edit does at its place.
type Order uint8

// The orders.
const (
	Behind Order = iota + 1
	Before
	Replace
)

// segment says where a piece of the rewritten text comes from: from the logical
// text at from on, character by character if copied, else all of it from there.
type segment struct {
	out    int
	from   int
	copied bool
}

// Apply makes the rewritten text. Edits must not overlap, but the same range
// may be replaced twice: the first one counts.
func (s *File) Apply(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Order, b.Order))
	})
	var b strings.Builder
	b.Grow(len(s.Text) + 64)
	s.segments = s.segments[:0]
	add := func(from int, text string, copied bool) {
		if text != "" {
			s.segments = append(s.segments, segment{b.Len(), from, copied})
			b.WriteString(text)
		}
	}
	done := 0
	for _, e := range edits {
		if int(e.Start) < done {
			continue
		}
		add(done, s.Text[done:e.Start], true)
		add(int(e.Start), e.Text, false)
		done = int(e.End)
	}
	add(done, s.Text[done:], true)
	// Two newlines keep a backslash in the last line from running into the end
	// of the file, where cc's scanner would hang.
	add(len(s.Text), "\n\n", false)
	s.Out = b.String()
	s.outLines = LineStarts(s.Out)
}

// LogicalOffset returns the offset in the logical text of an offset in the
// rewritten one.
func (s *File) LogicalOffset(out int) int {
	i, exact := slices.BinarySearchFunc(s.segments, out, func(g segment, out int) int { return cmp.Compare(g.out, out) })
	if !exact {
		i--
	}
	if i < 0 {
		return 0
	}
	// Empty segments share an offset: the last one holds the text.
	for i+1 < len(s.segments) && s.segments[i+1].out == s.segments[i].out {
		i++
	}
	if g := s.segments[i]; g.copied {
		return g.from + out - g.out
	} else {
		return g.from
	}
}

// OutPos is the position of an offset in the rewritten text.
func (s *File) OutPos(out int) diag.Pos { return s.LogicalPos(s.LogicalOffset(out)) }

// OutOffset returns the offset in the rewritten text of a line and column there.
func (s *File) OutOffset(line, column int) int {
	if line < 1 || line > len(s.outLines) {
		return len(s.Out)
	}
	return min(s.outLines[line-1]+max(column, 1)-1, len(s.Out))
}
