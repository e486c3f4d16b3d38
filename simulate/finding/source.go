package finding

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gpupipe/idg"
)

// place is what one place of the source executes: an operator, or a call of a function that is a sequence of
// instructions.
type place struct {
	pos    idg.Pos
	word   string // there: a name, or the character of an operator; "" if the graph does not hold the source
	instrs []*idg.Instr
}

// places are those of the executed instructions, in the order of the graph.
func (r *Run) places() []*place {
	at := map[idg.Pos]*place{}
	var out []*place
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		p := at[in.Pos]
		if p == nil {
			p = &place{pos: in.Pos, word: r.word(in.Pos)}
			at[in.Pos] = p
			out = append(out, p)
		}
		p.instrs = append(p.instrs, in)
	}
	return out
}

// in picks the instructions of places.
func in(list []*place) func(*idg.Instr) bool {
	return func(x *idg.Instr) bool {
		return slices.ContainsFunc(list, func(p *place) bool { return p.pos == x.Pos })
	}
}

// line is the source line of a position, "" if the graph does not hold it.
func (r *Run) line(pos idg.Pos) string {
	if r.lines == nil {
		r.lines = strings.Split(r.Graph.Source.Text, "\n")
	}
	if pos.File != r.Graph.Source.File || pos.Line < 1 || pos.Line > len(r.lines) {
		return ""
	}
	return r.lines[pos.Line-1]
}

// lines are the numbers of the lines that positions are in, each once, in order.
func lines(at []idg.Pos) string {
	var numbers []int
	for _, p := range at {
		numbers = append(numbers, p.Line)
	}
	slices.Sort(numbers)
	var out []string
	for _, n := range slices.Compact(numbers) {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// several are the proof with the lines that it is of, if they are more than one.
func several(proof string, at []idg.Pos) string {
	if text := lines(at); strings.Contains(text, ",") {
		return proof + "; lines " + text
	}
	return proof
}

// and joins names: "a, b and c".
func and(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// called is how the kernel's language calls something: OpenCL, or CUDA and HIP.
func (r *Run) called(openCL, cuda string) string {
	if r.Graph.Source.Dialect == "opencl" {
		return openCL
	}
	return cuda
}

// subscripts are those of an array in a line, without blanks.
func (r *Run) subscripts(pos idg.Pos, array string) (list []string) {
	text := strings.Join(strings.Fields(r.line(pos)), "")
	for {
		_, rest, found := strings.Cut(text, array+"[")
		if !found {
			return list
		}
		depth, end := 1, 0
		for end < len(rest) && (depth > 0 || rest[end] == '[') { // all dimensions
			switch rest[end] {
			case '[':
				depth++
			case ']':
				depth--
			}
			end++
		}
		list, text = append(list, rest[:end]), rest[end:]
	}
}

// word is the name or operator at a position of the source.
func (r *Run) word(pos idg.Pos) string {
	text := r.line(pos)
	if pos.Column < 1 || pos.Column > len(text) {
		return ""
	}
	text = text[pos.Column-1:]
	end := strings.IndexFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		return text
	}
	if end == 0 {
		_, end = utf8.DecodeRuneInString(text)
	}
	return text[:end]
}

// has reports whether a place executes an op with one of the prefixes.
func (p *place) has(prefixes ...string) bool {
	for _, in := range p.instrs {
		for _, x := range prefixes {
			if strings.HasPrefix(in.Op, x) {
				return true
			}
		}
	}
	return false
}
