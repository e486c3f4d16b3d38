package ptx

import (
	"fmt"
	"regexp"
	"strings"
)

// Instruction is one instruction of a listing.
type Instruction struct {
	Op       string   // with its suffixes, such as "ld.global.f32"
	Operands []string // "%r1", "[%rd2+4]", "{%f1, %f2}", "7"; of a call all its text
	Guard    string   // the predicate register of @%p1, empty if there is none
	Negated  bool     // @!%p1
}

// Block is a basic block: instructions and the numbers of the blocks that may
// come next, a branch's target first.
type Block struct {
	Code []Instruction
	Next []int
}

// Kernel is the control flow graph of one entry; block 0 is its start.
type Kernel struct {
	Name   string
	Params []string // names in order, as in "ld.param.u32 %r1, [name]"
	Blocks []Block
}

var (
	label     = regexp.MustCompile(`^\s*([$\w]+):`)
	guard     = regexp.MustCompile(`^@(!?)(%\w+)\s+`)
	comment   = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	parameter = regexp.MustCompile(`\.param[^,()]*?(\w+)(?:\[\d+\])?\s*(?:,|$)`)
)

// Parse returns the kernel of that name in a listing, by its plain or its
// mangled C++ name.
func Parse(listing, kernel string) (*Kernel, error) {
	listing = comment.ReplaceAllString(listing, "")
	// CUDA's C++ names are mangled: length, name, parameter types.
	entry := regexp.MustCompile(fmt.Sprintf(`\.entry ((?:_Z%d%s\w*|%[2]s))\s*\(`, len(kernel),
		regexp.QuoteMeta(kernel)))
	at := entry.FindStringSubmatchIndex(listing)
	if at == nil {
		return nil, fmt.Errorf("no entry %s in the PTX", kernel)
	}
	k := &Kernel{Name: listing[at[2]:at[3]]}
	params, rest, _ := strings.Cut(listing[at[1]:], "\n)")
	if first, after, ok := strings.Cut(listing[at[1]:], ")"); ok && !strings.Contains(first, ".param") {
		params, rest = first, after // no parameters
	}
	for _, m := range parameter.FindAllStringSubmatch(params, -1) {
		k.Params = append(k.Params, m[1])
	}
	_, body, ok := strings.Cut(rest, "{")
	if !ok {
		return nil, fmt.Errorf("entry %s has no body", kernel)
	}
	body, _, _ = strings.Cut(body, "\n}")
	if err := k.parseBody(body); err != nil {
		return nil, fmt.Errorf("entry %s: %w", kernel, err)
	}
	return k, nil
}

// parseBody fills the blocks from the text between the entry's braces.
func (k *Kernel) parseBody(body string) error {
	labels := map[string]int{}
	fresh := true // the next instruction starts a block
	for _, text := range strings.Split(body, ";") {
		text = strings.TrimSpace(text)
		for {
			text = strings.TrimLeft(text, " \t\n{}") // call sequences stand in braces
			m := label.FindStringSubmatch(text)
			if m == nil {
				break
			}
			k.Blocks = append(k.Blocks, Block{})
			labels[m[1]] = len(k.Blocks) - 1
			fresh = false
			text = text[len(m[0]):]
		}
		if text == "" || text[0] == '.' { // a declaration
			continue
		}
		if fresh {
			k.Blocks = append(k.Blocks, Block{})
		}
		b := &k.Blocks[len(k.Blocks)-1]
		in := parseInstruction(text)
		b.Code = append(b.Code, in)
		fresh = in.Branches() || in.Op == "ret"
	}
	for i := range k.Blocks {
		b := &k.Blocks[i]
		var last Instruction
		if len(b.Code) > 0 {
			last = b.Code[len(b.Code)-1]
		}
		if last.Branches() {
			target, ok := labels[strings.Join(last.Operands, "")]
			if !ok {
				return fmt.Errorf("branch to unknown label %q", last.Operands)
			}
			b.Next = append(b.Next, target)
		}
		if last.Op != "ret" && (!last.Branches() || last.Guard != "") && i+1 < len(k.Blocks) {
			b.Next = append(b.Next, i+1)
		}
	}
	return nil
}

// parseInstruction reads "@%p1 op a, {b, c}, [d+4]".
func parseInstruction(text string) Instruction {
	var in Instruction
	if m := guard.FindStringSubmatch(text); m != nil {
		in.Guard, in.Negated = m[2], m[1] == "!"
		text = text[len(m[0]):]
	}
	op, rest, _ := strings.Cut(text, " ")
	if o, r, ok := strings.Cut(text, "\t"); ok && len(o) < len(op) {
		op, rest = o, r
	}
	in.Op = strings.TrimSpace(op)
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(in.Op, "call") {
		in.Operands = []string{rest}
		return in
	}
	depth, start := 0, 0
	for i, c := range rest {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				in.Operands = append(in.Operands, strings.TrimSpace(rest[start:i]))
				start = i + 1
			}
		}
	}
	if start < len(rest) {
		in.Operands = append(in.Operands, strings.TrimSpace(rest[start:]))
	}
	return in
}

// Branches reports whether the instruction is a branch.
func (in *Instruction) Branches() bool { return strings.HasPrefix(in.Op, "bra") }

var callee = regexp.MustCompile(`^(?:\([^)]*\)\s*,)?\s*([\w$.]+)`)

// Callee is the name of the function that a call calls, empty for any other
// instruction.
func (in *Instruction) Callee() string {
	if !strings.HasPrefix(in.Op, "call") {
		return ""
	}
	if m := callee.FindStringSubmatch(in.Operands[0]); m != nil {
		return m[1]
	}
	return ""
}

// Parts splits an op at its dots.
func (in *Instruction) Parts() []string { return strings.Split(in.Op, ".") }
