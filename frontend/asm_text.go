package frontend

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ptxInstruction is an instruction of an assembly template: "@!p ld.global.v2.f32 {%0, %1}, [%2+8]".
type ptxInstruction struct {
	op       string   // with its suffixes
	words    []string // op at its dots
	operands []string // "%0", "{%0, %1}", "[%2+8]", "p|q", "16"
	guard    string   // the predicate of @p, empty if there is none
	negated  bool     // @!p
	scope    int      // number of the block { } that it stands in
}

// has reports whether one of the suffixes is among the instruction's.
func (in *ptxInstruction) has(suffixes ...string) bool {
	for _, w := range in.words[1:] {
		for _, s := range suffixes {
			if w == s {
				return true
			}
		}
	}
	return false
}

// last is the last suffix but n, empty if there are not so many.
func (in *ptxInstruction) last(n int) string {
	if k := len(in.words) - 1 - n; k > 0 {
		return in.words[k]
	}
	return ""
}

// ptxRegisters are registers that a template declares: .reg .b32 a, b<4>.
type ptxRegisters struct {
	typ   string // "b32"
	names []string
	scope int
}

// ptxTemplate is the text of an assembly statement, taken apart.
type ptxTemplate struct {
	registers []ptxRegisters
	code      []ptxInstruction
	labels    map[string]int // which instruction comes behind a label
	parents   []int          // of the blocks, by number; block 0 is the whole, its own parent
}

var (
	ptxComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	ptxGuard   = regexp.MustCompile(`^@(!?)\s*([%\w$\[\]]+)\s+`)
	ptxLabel   = regexp.MustCompile(`^([$\w%]+)\s*:(?:[^:]|$)`)
	ptxFamily  = regexp.MustCompile(`^(.+)<(\d+)>$`)
)

// maxRegisterFamily bounds how many registers one name<N> declares.
const maxRegisterFamily = 256

// parseTemplate takes the text of a template apart (PTX ISA, Syntax).
func parseTemplate(text string) (*ptxTemplate, error) {
	t := &ptxTemplate{parents: []int{0}, labels: map[string]int{}}
	text = ptxComment.ReplaceAllString(text, " ")
	text = strings.ReplaceAll(text, "%=", "") // a number that makes labels unique
	scope := 0
	for {
		text = strings.TrimLeft(text, " \t\r\n;")
		switch {
		case text == "":
			return t, nil
		case text[0] == '{':
			t.parents = append(t.parents, scope)
			scope = len(t.parents) - 1
			text = text[1:]
			continue
		case text[0] == '}':
			scope = t.parents[scope]
			text = text[1:]
			continue
		}
		if m := ptxLabel.FindStringSubmatch(text); m != nil {
			t.labels[m[1]] = len(t.code)
			text = text[strings.IndexByte(text, ':')+1:]
			continue
		}
		statement, rest, _ := strings.Cut(text, ";")
		text = rest
		if err := t.statement(strings.TrimSpace(statement), scope); err != nil {
			return nil, err
		}
	}
}

// statement reads a declaration or an instruction.
func (t *ptxTemplate) statement(s string, scope int) error {
	switch {
	case s == "":
		return nil
	case strings.HasPrefix(s, ".reg"):
		return t.declaration(s, scope)
	case strings.HasPrefix(s, ".pragma"):
		return nil
	case s[0] == '.':
		return fmt.Errorf("the declaration %q in inline PTX is", s)
	}
	in := ptxInstruction{scope: scope}
	if m := ptxGuard.FindStringSubmatch(s); m != nil {
		in.guard, in.negated = m[2], m[1] == "!"
		s = s[len(m[0]):]
	}
	end := strings.IndexAny(s, " \t\r\n")
	if end < 0 {
		end = len(s)
	}
	in.op = s[:end]
	in.words = strings.Split(in.op, ".")
	in.operands = splitOperands(s[end:])
	t.code = append(t.code, in)
	return nil
}

// declaration reads .reg .type name, name<4>.
func (t *ptxTemplate) declaration(s string, scope int) error {
	words := strings.Fields(strings.TrimPrefix(s, ".reg"))
	if len(words) < 2 || words[0][0] != '.' {
		return fmt.Errorf("the declaration %q in inline PTX is", s)
	}
	r := ptxRegisters{typ: words[0][1:], scope: scope}
	for _, name := range strings.Split(strings.Join(words[1:], ""), ",") {
		m := ptxFamily.FindStringSubmatch(name)
		if m == nil {
			r.names = append(r.names, name)
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil || n > maxRegisterFamily {
			return fmt.Errorf("the declaration %q in inline PTX is", s)
		}
		for i := range n {
			r.names = append(r.names, m[1]+strconv.Itoa(i))
		}
	}
	t.registers = append(t.registers, r)
	return nil
}

// splitOperands splits at the commas that stand in no brackets.
func splitOperands(s string) (list []string) {
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" || len(list) > 0 {
		list = append(list, last)
	}
	return list
}

// elementsOf are the operands in braces, or the only one.
func elementsOf(operand string) []string {
	if body, ok := strings.CutPrefix(operand, "{"); ok {
		return splitOperands(strings.TrimSuffix(body, "}"))
	}
	return []string{operand}
}
