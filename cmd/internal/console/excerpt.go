package console

import (
	"bufio"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"gpupipe/internal/diag"
)

// AddSource says what a file holds that diagnostics point into and that cannot be read by its name.
func (c *Console) AddSource(file, text string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[file] = text
}

// maxExcerpt bounds a line of source below a diagnostic, in characters.
const maxExcerpt = DefaultWidth - 4

// excerpt is the source line of a position and a caret below its column, as lines; empty if the line is not known.
func (c *Console) excerpt(p diag.Pos) string {
	if !p.IsValid() {
		return ""
	}
	line := strings.TrimRight(c.sourceLine(p), " \t\r\n")
	column := p.Column - 1
	if line == "" || column > len(line) {
		return ""
	}
	if column < 0 {
		return "    " + clipped(line, 0) + "\n"
	}
	before := line[:column]
	from := 0
	if utf8.RuneCountInString(line) > maxExcerpt {
		for utf8.RuneCountInString(before[from:]) > maxExcerpt/2 {
			_, n := utf8.DecodeRuneInString(before[from:])
			from += n
		}
	}
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before[from:])
	return "    " + clipped(line, from) + "\n    " + blank + "^\n"
}

// clipped is a line from an offset on, of at most maxExcerpt characters.
func clipped(line string, from int) string {
	runes := []rune(line[from:])
	return string(runes[:min(len(runes), maxExcerpt)])
}

// sourceLine is the line of a position: of a text that was added, else of the file.
func (c *Console) sourceLine(p diag.Pos) string {
	if text, ok := c.sources[p.File]; ok {
		return lineOf(strings.NewReader(text), p.Line)
	}
	info, err := os.Stat(p.File)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(p.File)
	if err != nil {
		return ""
	}
	defer f.Close()
	return lineOf(f, p.Line)
}

// maxLine bounds what is read of a line.
const maxLine = 1 << 12

// lineOf reads the n-th line, its beginning if it is long; empty if there is none.
func lineOf(r io.Reader, n int) string {
	b := bufio.NewReaderSize(r, maxLine)
	for {
		line, more, err := b.ReadLine()
		if err != nil {
			return ""
		}
		if n == 1 {
			return string(line)
		}
		if !more {
			n--
		}
	}
}
