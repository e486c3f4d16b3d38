package embedded

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// piece is a part of a text that is source: bytes start to end.
type piece struct {
	start, end int
	escapes    bool // of C: \n, \"
	name       string
}

// kernelFiles are the endings of files that are mostly source themselves.
var kernelFiles = []string{".cl", ".cu", ".cuh", ".hip"}

var (
	// kernelWord begins a kernel.
	kernelWord = regexp.MustCompile(`\b(__kernel|__global__|kernel\s+void)\b`)
	// sourceWord tells that a string is part of a kernel's source.
	sourceWord = regexp.MustCompile(
		`\b(__kernel|__global__|__device__|kernel\s+void)\b|\b(typedef|inline)\b[^;{]*[;{]|(?m:^\s*#\s*define\b)`)
)

// Source returns the kernels' source in the strings of a file, at the same places; from is the byte at which it begins.
// found is false, and the text itself returned, if the file is not a program that holds source in strings.
func Source(name, text string) (source string, from int, found bool) {
	if !hasKernel(text) && !hasRawString(text) {
		return text, 0, false
	}
	s := scan(text, path.Ext(name) == ".py")
	pieces := append(s.strings, s.calls(!slices.Contains(kernelFiles, path.Ext(name)))...)
	kernels := false
	var chosen []piece
	for _, p := range pieces {
		content := text[p.start:p.end]
		kernels = kernels || kernelWord.MatchString(content)
		if sourceWord.MatchString(content) || p.name != "" {
			chosen = append(chosen, p)
		}
	}
	outside := s.outside(chosen)
	switch {
	case hasKernel(string(outside)):
		return text, 0, false
	case !kernels && (len(s.strings) == 0 || !s.wrapped()):
		return text, 0, false
	case !kernels:
		chosen = s.strings
	}
	out := blank(text)
	from = len(text)
	for _, p := range chosen {
		from = min(from, p.start)
		copy(out[p.start:p.end], text[p.start:p.end])
		switch {
		case p.escapes:
			unescape(out[p.start:p.end])
		case p.name != "":
			lineBreaks(out[p.start:p.end])
		}
	}
	return string(out), from, true
}

// hasKernel reports whether a text has the first word of a kernel; it looks from the first line on that may have one.
func hasKernel(text string) bool {
	at := strings.Index(text, "kernel")
	if n := strings.Index(text, "__global__"); n >= 0 && (at < 0 || n < at) {
		at = n
	}
	return at >= 0 && kernelWord.MatchString(text[strings.LastIndexByte(text[:at], '\n')+1:])
}

// hasRawString reports whether a text may have a raw string, R"(...)".
func hasRawString(text string) bool {
	for i := 0; ; i++ {
		n := strings.Index(text[i:], `R"`)
		if n < 0 {
			return false
		}
		if i += n; i == 0 || !wordByte(text[i-1]) {
			return true
		}
	}
}

// blank is a text of blanks with the lines of another.
func blank(text string) []byte {
	out := []byte(text)
	for i, c := range out {
		if c != '\n' && c != '\r' {
			out[i] = ' '
		}
	}
	return out
}

// unescape puts what the escapes of a string stand for in their place; line breaks, which are those of the text, are
// blanks. So are the quotes of its pieces, which stand on lines of their own.
func unescape(b []byte) {
	inside := true
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			inside = !inside
			b[i] = ' '
		case !inside && b[i] != '\n' && b[i] != '\r':
			b[i] = ' '
		case inside && b[i] == '\\' && i+1 < len(b):
			b[i] = ' '
			switch b[i+1] {
			case 'n', 't', 'r':
				b[i+1] = ' '
			}
			i++
		}
	}
}

// lineBreaks makes blanks of the \n before directives in the argument of a macro.
func lineBreaks(b []byte) {
	for i := 0; i+1 < len(b); i++ {
		if b[i] == '\\' && b[i+1] == 'n' {
			b[i], b[i+1] = ' ', ' '
		}
	}
}
