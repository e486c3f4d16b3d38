package kernels

import (
	"regexp"
	"strconv"
	"strings"
)

// header is the comment above a kernel, taken apart.
type header struct {
	summary string   // first sentence
	source  string   // text after "Source:"
	golden  []int    // numbers after "Golden:"
	launch  []string // KEY=VALUE fields of the launch directives, in their order
}

// definition matches the first line of a kernel's definition as the files of
// this package write it; the group is the kernel's name.
var definition = regexp.MustCompile(`^(?:__kernel|__global__) void (\w+)\(`)

// headerOf returns the header of a kernel: the line comments that end directly
// above its definition. It is empty if text does not define the kernel.
func headerOf(text, function string) header {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		m := definition.FindStringSubmatch(line)
		if m == nil || m[1] != function {
			continue
		}
		first := i
		for first > 0 && strings.HasPrefix(lines[first-1], "//") {
			first--
		}
		return parseHeader(lines[first:i])
	}
	return header{}
}

// parseHeader takes the comment lines of a header apart.
func parseHeader(lines []string) header {
	var h header
	var prose []string
	for _, line := range lines {
		line = strings.TrimSpace(strings.TrimPrefix(line, "//"))
		switch label, rest, _ := strings.Cut(line, ":"); label {
		case "idgen":
			h.launch = append(h.launch, strings.Fields(rest)...)
		case "Source":
			h.source = strings.TrimSuffix(strings.TrimSpace(rest), ".")
		case "Golden":
			h.golden = numbers(rest)
		default:
			prose = append(prose, line)
		}
	}
	h.summary = firstSentence(strings.Join(prose, " "))
	return h
}

// numbers returns the numbers of a list such as "1, 13."; what is not a number is
// left out.
func numbers(list string) []int {
	var ns []int
	for _, field := range strings.Split(strings.TrimSuffix(list, "."), ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(field)); err == nil {
			ns = append(ns, n)
		}
	}
	return ns
}

// firstSentence returns text up to the first full stop that ends a sentence: one
// followed by a blank or by nothing.
func firstSentence(text string) string {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}
