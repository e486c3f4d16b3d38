package inlineptx

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Instruction is an instruction of an assembly template: "@!p ld.global.v2.f32 {%0, %1}, [%2+8]".
type Instruction struct {
	Op       string   // with its suffixes
	Words    []string // op at its dots
	Operands []string // "%0", "{%0, %1}", "[%2+8]", "p|q", "16"
	Guard    string   // the predicate of @p, empty if there is none
	Negated  bool     // @!p
	Scope    int      // number of the block { } that it stands in
}

// Has reports whether one of the suffixes is among the instruction's.
func (in *Instruction) Has(suffixes ...string) bool {
	for _, w := range in.Words[1:] {
		for _, s := range suffixes {
			if w == s {
				return true
			}
		}
	}
	return false
}

// Last is the last suffix but n, empty if there are not so many.
func (in *Instruction) Last(n int) string {
	if k := len(in.Words) - 1 - n; k > 0 {
		return in.Words[k]
	}
	return ""
}

// Registers are registers that a template declares: .reg .b32 a, b<4>.
type Registers struct {
	Type  string // "b32"
	Names []string
	Scope int
}

// Template is the text of an assembly statement, taken apart.
type Template struct {
	Registers []Registers
	Code      []Instruction
	Labels    map[string]int // which instruction comes behind a label
	Parents   []int          // of the blocks, by number; block 0 is the whole, its own parent
}

var (
	comment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	guardOf = regexp.MustCompile(`^@(!?)\s*([%\w$\[\]]+)\s+`)
	labelOf = regexp.MustCompile(`^([$\w%]+)\s*:(?:[^:]|$)`)
	family  = regexp.MustCompile(`^(.+)<(\d+)>$`)
)

// maxRegisterFamily bounds how many registers one name<N> declares.
const maxRegisterFamily = 256

// Parse takes the text of a template apart (PTX ISA, Syntax).
func Parse(text string) (*Template, error) {
	t := &Template{Parents: []int{0}, Labels: map[string]int{}}
	text = comment.ReplaceAllString(text, " ")
	text = strings.ReplaceAll(text, "%=", "") // a number that makes labels unique
	scope := 0
	for {
		text = strings.TrimLeft(text, " \t\r\n;")
		switch {
		case text == "":
			return t, nil
		case text[0] == '{':
			t.Parents = append(t.Parents, scope)
			scope = len(t.Parents) - 1
			text = text[1:]
			continue
		case text[0] == '}':
			scope = t.Parents[scope]
			text = text[1:]
			continue
		}
		if m := labelOf.FindStringSubmatch(text); m != nil {
			t.Labels[m[1]] = len(t.Code)
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
func (t *Template) statement(s string, scope int) error {
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
	in := Instruction{Scope: scope}
	if m := guardOf.FindStringSubmatch(s); m != nil {
		in.Guard, in.Negated = m[2], m[1] == "!"
		s = s[len(m[0]):]
	}
	end := strings.IndexAny(s, " \t\r\n{[%") // the operands of "ldmatrix.x4{%0, %1}, [%2]" need no blank
	if end < 0 {
		end = len(s)
	}
	in.Op = s[:end]
	in.Words = strings.Split(in.Op, ".")
	in.Operands = SplitOperands(s[end:])
	t.Code = append(t.Code, in)
	return nil
}

// declaration reads .reg .type name, name<4>.
func (t *Template) declaration(s string, scope int) error {
	words := strings.Fields(strings.TrimPrefix(s, ".reg"))
	if len(words) < 2 || words[0][0] != '.' {
		return fmt.Errorf("the declaration %q in inline PTX is", s)
	}
	r := Registers{Type: words[0][1:], Scope: scope}
	for _, name := range strings.Split(strings.Join(words[1:], ""), ",") {
		m := family.FindStringSubmatch(name)
		if m == nil {
			r.Names = append(r.Names, name)
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil || n > maxRegisterFamily {
			return fmt.Errorf("the declaration %q in inline PTX is", s)
		}
		for i := range n {
			r.Names = append(r.Names, m[1]+strconv.Itoa(i))
		}
	}
	t.Registers = append(t.Registers, r)
	return nil
}

// SplitOperands splits at the commas that stand in no brackets.
func SplitOperands(s string) (list []string) {
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

// Elements are the operands in braces, or the only one.
func Elements(operand string) []string {
	if body, ok := strings.CutPrefix(operand, "{"); ok {
		return SplitOperands(strings.TrimSuffix(body, "}"))
	}
	return []string{operand}
}
