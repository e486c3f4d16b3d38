package frontend

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// source is one file of the user's: its text as written, its rewritten form
// and what is needed to find the way back from the one to the other.
type source struct {
	id    int
	name  string      // for positions
	path  string      // inside the file system, for #include
	err   *diag.Error // why it cannot be read
	lines []int       // offset of each line's start in the text as written
	marks []lineMark
	*tokens.List
	shape *tokens.Shape
	// written is the text as the user wrote it; List differs from it where
	// templates and member functions have been written out, which origins tells.
	written *tokens.List
	origins []originSegment
	// scanned and scannedOrigins are the text in which templates were found: that
	// of the user's with clashing names told apart.
	scanned        *tokens.List
	scannedOrigins []originSegment

	includes map[*source]int // headers of its text, and of theirs
	items    []*item         // in source order (OpenCL: only those left out)
	edits    []edit          // what rewriting asks for
	out      string          // rewritten
	segments []segment
	outLines []int // offset of each line's start in out
}

// lineMark is a #line directive: what follows has other names and numbers.
type lineMark struct {
	after  int    // the directive's own line
	file   string // "" = unchanged
	line   int    // number of the line after the directive
	active bool   // seen by the preprocessor
}

// segment says where a piece of the rewritten text comes from: from the logical
// text at from on, character by character if copied, else all of it from there.
type segment struct {
	out    int
	from   int
	copied bool
}

// lineStarts returns the offset of the start of every line.
func lineStarts(text string) []int {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// logicalOffset returns the offset in the logical text of an offset in the
// rewritten one.
func (s *source) logicalOffset(out int) int {
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

// outPos is the position of an offset in the rewritten text.
func (s *source) outPos(out int) Pos { return s.logicalPos(s.logicalOffset(out)) }

// logicalPos is the position of an offset in the logical text.
func (s *source) logicalPos(off int) Pos {
	src, at := s.origin(off)
	return src.sourcePos(src.written.Splices.Source(at))
}

// scannedPos is the position of token i of the text that templates were found in.
func (s *source) scannedPos(i int) Pos {
	src, at := originIn(s, s.scannedOrigins, int(s.scanned.Tokens[i].Start))
	return src.sourcePos(src.written.Splices.Source(at))
}

// sourcePos is the position of an offset in the text as written, seen through
// #line. Columns count bytes, as compilers do.
func (s *source) sourcePos(off int) Pos {
	i, exact := slices.BinarySearch(s.lines, off)
	if !exact {
		i--
	}
	p := Pos{File: s.name, Line: i + 1, Column: off - s.lines[i] + 1}
	// The last active mark before the line counts, and of those that name a file
	// the last: preprocessed texts have thousands.
	n, _ := slices.BinarySearchFunc(s.marks, p.Line, func(m lineMark, line int) int { return cmp.Compare(m.after, line) })
	number, renumbered := p.Line, false
	for _, m := range slices.Backward(s.marks[:n]) {
		if !m.active {
			continue
		}
		if !renumbered {
			number, renumbered = m.line+p.Line-m.after-1, true
		}
		if m.file != "" {
			p.File = m.file
			break
		}
	}
	p.Line = number
	return p
}

// outOffset returns the offset in the rewritten text of a line and column there.
func (s *source) outOffset(line, column int) int {
	if line < 1 || line > len(s.outLines) {
		return len(s.out)
	}
	return min(s.outLines[line-1]+max(column, 1)-1, len(s.out))
}

// tokenAt returns the index of the token that holds the logical offset, or
// else of the first one after it.
func (s *source) tokenAt(off int) int {
	i, _ := slices.BinarySearchFunc(s.Tokens, off, func(t tokens.Token, off int) int { return cmp.Compare(int(t.End), off+1) })
	return i
}

// edit replaces text[start:end] of the logical text. Edits at one place stand
// in this order: what goes behind a token, what goes before one, what replaces.
type edit struct {
	start, end int32
	order      editOrder
	text       string
}

type editOrder uint8

const (
	editBehind editOrder = iota + 1
	editBefore
	editReplace
)

// apply makes the rewritten text. Edits must not overlap, but the same range
// may be replaced twice: the first one counts.
func (s *source) apply(edits []edit) {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.order, b.order))
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
		if int(e.start) < done {
			continue
		}
		add(done, s.Text[done:e.start], true)
		add(int(e.start), e.text, false)
		done = int(e.end)
	}
	add(done, s.Text[done:], true)
	// Two newlines keep a backslash in the last line from running into the end
	// of the file, where cc's scanner would hang.
	add(len(s.Text), "\n\n", false)
	s.out = b.String()
	s.outLines = lineStarts(s.out)
}
