package source

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// File is one file of the user's: its text as written, its rewritten form
// and what is needed to find the way back from the one to the other.
type File struct {
	ID    int
	Name  string      // for positions
	Path  string      // inside the file system, for #include
	Err   *diag.Error // why it cannot be read
	Lines []int       // offset of each line's start in the text as written
	Marks []LineMark
	*tokens.List
	Shape *tokens.Shape
	// Written is the text as the user wrote it; List differs from it where
	// templates and member functions have been written out, as origins tells.
	Written *tokens.List
	origins []origin
	// Scanned and scannedOrigins are the text in which templates were found: that
	// of the user's with clashing names told apart.
	Scanned        *tokens.List
	scannedOrigins []origin

	Includes map[*File]int // headers of its text, and of theirs
	Edits    []Edit        // what rewriting asks for
	Out      string        // rewritten
	segments []segment
	outLines []int // offset of each line's start in Out
}

// LineMark is a #line directive: what follows has other names and numbers.
type LineMark struct {
	After  int    // the directive's own line
	File   string // "" = unchanged
	Line   int    // number of the line after the directive
	Active bool   // seen by the preprocessor
}

// LineStarts returns the offset of the start of every line.
func LineStarts(text string) []int {
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

// LogicalPos is the position of an offset in the logical text.
func (s *File) LogicalPos(off int) diag.Pos {
	src, at := s.writtenAt(off)
	return src.SourcePos(src.Written.Splices.Source(at))
}

// ScannedPos is the position of token i of the text that templates were found in.
func (s *File) ScannedPos(i int) diag.Pos {
	src, at := originIn(s, s.scannedOrigins, int(s.Scanned.Tokens[i].Start))
	return src.SourcePos(src.Written.Splices.Source(at))
}

// SourcePos is the position of an offset in the text as written, seen through
// #line. Columns count bytes, as compilers do.
func (s *File) SourcePos(off int) diag.Pos {
	i, exact := slices.BinarySearch(s.Lines, off)
	if !exact {
		i--
	}
	p := diag.Pos{File: s.Name, Line: i + 1, Column: off - s.Lines[i] + 1}
	// The last active mark before the line counts, and of those that name a file
	// the last: preprocessed texts have thousands.
	n, _ := slices.BinarySearchFunc(s.Marks, p.Line, func(m LineMark, line int) int { return cmp.Compare(m.After, line) })
	number, renumbered := p.Line, false
	for _, m := range slices.Backward(s.Marks[:n]) {
		if !m.Active {
			continue
		}
		if !renumbered {
			number, renumbered = m.Line+p.Line-m.After-1, true
		}
		if m.File != "" {
			p.File = m.File
			break
		}
	}
	p.Line = number
	return p
}

// TokenAt returns the index of the token that holds the logical offset, or
// else of the first one after it.
func (s *File) TokenAt(off int) int {
	i, _ := slices.BinarySearchFunc(s.Tokens, off, func(t tokens.Token, off int) int { return cmp.Compare(int(t.End), off+1) })
	return i
}
