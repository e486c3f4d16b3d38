package unroll

import (
	"fmt"
	"strings"
	"unicode"

	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// adviseValues is how a user tells what a text of the source depends on and is not known:
// scalar arguments, and what is loaded from buffers.
func (r *resolver) adviseValues(text string) []string {
	arguments, named := r.adviseArguments(text)
	if named && !strings.ContainsAny(text, "[*") && !strings.Contains(text, "->") {
		return []string{arguments}
	}
	return []string{arguments, "--contents NAME=FILE if it is loaded from a buffer"}
}

// adviseArguments tells the scalar arguments without a value that a text names,
// "--arg n=VALUE"; if it names none, because it follows from them by variables, any of those
// without one. It is empty if no argument lacks a value.
func (r *resolver) adviseArguments(text string) (advice string, named bool) {
	words := identifiers(text)
	var these, lacking []string
	for _, p := range r.k.Params {
		if _, given := r.opt.Args[p.Name]; given || p.Type == lower.Ptr {
			continue
		}
		lacking = append(lacking, p.Name)
		if words[p.Name] {
			these = append(these, "--arg "+p.Name+"=VALUE")
		}
	}
	switch {
	case len(these) > 0:
		return strings.Join(these, " "), true
	case len(lacking) > 0:
		return fmt.Sprintf("--arg NAME=VALUE (without one: %s)", strings.Join(lacking, ", ")), false
	}
	return "", false
}

// identifiers are the names in a text of C, members of structs with what they are members of.
func identifiers(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		words[w] = true
	}
	return words
}

// sourceLine is the line of the kernel's file at a position; empty in other files.
func (r *resolver) sourceLine(p diag.Pos) string {
	if p.File != r.opt.Source.File || p.Line < 1 {
		return ""
	}
	if r.st.lines == nil {
		r.st.lines = strings.Split(r.opt.Source.Text, "\n")
	}
	if p.Line > len(r.st.lines) {
		return ""
	}
	return r.st.lines[p.Line-1]
}

// oneOf is advice of several ways, of which empty ones do not apply.
func oneOf(ways ...string) string {
	var apply []string
	for _, w := range ways {
		if w != "" {
			apply = append(apply, w)
		}
	}
	last := len(apply) - 1
	if last < 1 {
		return "give " + strings.Join(apply, "")
	}
	return "give " + strings.Join(apply[:last], ", ") + ", or " + apply[last]
}
