package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// words is how many words of 32 bits a memory access of machine code has, from its suffixes: LDG.E.128.
func (o *op) words() int {
	for part := range strings.SplitSeq(o.name, ".") {
		switch part {
		case "64":
			return 2
		case "128":
			return 4
		}
	}
	return 1
}

// lanes is how many elements PTX's vector suffix says.
func (o *op) lanes() int {
	for part := range strings.SplitSeq(o.name, ".") {
		if n, err := strconv.Atoi(strings.TrimPrefix(part, "v")); err == nil && strings.HasPrefix(part, "v") {
			return n
		}
	}
	return 1
}

// mark is a comment at a loop's head: what tells the copies of its body.
type mark struct {
	line int
	what string // "ld.global"
	per  int    // of one iteration of the source
}

var markComment = regexp.MustCompile(`// loop: ([\w.]+)(?:/(\d+))?`)

// marksOf are the marks of a kernel, those of outer loops first.
func marksOf(s *Source) (list []mark) {
	text := s.Text()
	number, inside := 0, false
	for line := range strings.Lines(text) {
		number++
		if strings.Contains(line, "__global__") {
			inside = strings.Contains(line, " "+s.Kernel+"(")
		}
		m := markComment.FindStringSubmatch(line)
		if !inside || m == nil || strings.HasPrefix(line, "//") {
			continue
		}
		k := mark{line: number, what: m[1], per: 1}
		if m[2] != "" {
			k.per, _ = strconv.Atoi(m[2])
		}
		list = append(list, k)
	}
	return list
}

// counter says how often an instruction has what a mark names.
type counter func(o *op, what string) int

var ptxMarks = map[string]*regexp.Regexp{
	"ld.global": regexp.MustCompile(`^ld\.(volatile\.)?global`),
	"st.global": regexp.MustCompile(`^st\.(volatile\.)?global`),
	"ld.shared": regexp.MustCompile(`^ld\.(volatile\.)?shared`),
	"fma":       regexp.MustCompile(`^(fma\.rn|mul|mul\.rn)\.f32`),
	"shfl":      regexp.MustCompile(`^shfl`), "atom": regexp.MustCompile(`^(atom|red)\.`),
	"bar": regexp.MustCompile(`^bar`),
	"xor": regexp.MustCompile(`^xor\.b32`),
}

func countPTX(o *op, what string) int {
	if ptxMarks[what].MatchString(o.name) {
		return o.lanes()
	}
	return 0
}

var sassMarks = map[string]*regexp.Regexp{
	"ld.global": regexp.MustCompile(`^LDG?(\.|$)`), "st.global": regexp.MustCompile(`^STG?(\.|$)`),
	"ld.shared": regexp.MustCompile(`^LDS(\.|$)`), "fma": regexp.MustCompile(`^F(FMA|MUL)(\.|$)`),
	"shfl": regexp.MustCompile(`^SHFL`), "atom": regexp.MustCompile(`^(ATOM|RED)`), "bar": regexp.MustCompile(`^BAR`),
	"xor": regexp.MustCompile(`^LOP3`),
}

func countSASS(o *op, what string) int {
	if sassMarks[what].MatchString(o.name) {
		return o.words()
	}
	return 0
}

var irMarks = map[string]*regexp.Regexp{
	// not what libdevice has of its own: it was not compiled from C, whose accesses have a type
	"ld.global": regexp.MustCompile(`^load .*!tbaa`), "st.global": regexp.MustCompile(`^store .*!tbaa`),
	"ld.shared": regexp.MustCompile(`^load .*addrspace\(3\)`), "fma": regexp.MustCompile(`^(fmul |call .*@llvm\.fma)`),
	"shfl": regexp.MustCompile(`^call .*(shfl|bpermute)`), "atom": regexp.MustCompile(`^(atomicrmw|call .*atomic)`),
	"bar": regexp.MustCompile(`^call .*barrier`), "xor": regexp.MustCompile(`^xor `),
}

var (
	irElsewhere = regexp.MustCompile(`addrspace\([345]\)`)
	irVector    = regexp.MustCompile(`<(\d+) x`)
)

func countIR(o *op, what string) int {
	text := o.name + " " + o.operands
	if !irMarks[what].MatchString(text) || strings.HasSuffix(what, ".global") && irElsewhere.MatchString(text) {
		return 0
	}
	if m := irVector.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 1
}

// unknown is what a table has for a decision that the code does not show.
const unknown = -1

// decisions tells from code how many copies of the bodies of one loop or a nest of two an iteration has: 0 where
// no loop is left. The marks of a nest are of different operations.
func (f *flow) decisions(marks []mark, count counter) []int {
	loops := f.loops()
	own := make([][]int, len(loops)) // by loop: of each mark, without inner loops
	total := make([]int, len(marks))
	for l := range loops {
		own[l] = make([]int, len(marks))
	}
	for i := range f.ops {
		innermost := -1
		for l := range loops {
			if loops[l].body[i] {
				innermost = l // inner loops stand behind outer ones
			}
		}
		for m := range marks {
			n := count(&f.ops[i], marks[m].what)
			total[m] += n
			if innermost >= 0 {
				own[innermost][m] += n
			}
		}
	}
	out := make([]int, len(marks))
	for m := range marks {
		if total[m] == 0 {
			out[m] = unknown
			continue
		}
		for l := range loops {
			around := false // the loop is one around the mark's
			for outer := range m {
				around = around || own[l][outer] > 0
			}
			// Where the inner loop may have no trip, the outer one may be there once more, without it.
			if n := own[l][m]; n > 0 && !around && (m+1 == len(marks) || f.has(&loops[l], marks[m+1].what, count)) {
				out[m] = max(out[m], (n+marks[m].per/2)/marks[m].per)
			}
		}
	}
	return out
}

// has reports whether there is an operation in a loop.
func (f *flow) has(l *span, what string, count counter) bool {
	for i := range f.ops {
		if l.body[i] && count(&f.ops[i], what) > 0 {
			return true
		}
	}
	return false
}

// copiesText writes a decision as the tables have it.
func copiesText(n int) string {
	switch n {
	case unknown:
		return "-"
	case 0:
		return "whole"
	case 1:
		return "rolled"
	}
	return fmt.Sprint(n)
}

// parseCopies reads that.
func parseCopies(text string) (int, error) {
	switch text {
	case "-":
		return unknown, nil
	case "whole":
		return 0, nil
	case "rolled":
		return 1, nil
	}
	return strconv.Atoi(text)
}
