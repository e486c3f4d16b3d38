package kernels_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// instruction is one instruction of a listing.
type instruction struct {
	op       string   // with its suffixes, such as "ld.global.f32"
	operands []string // "%r1", "[%rd2+4]", "{%f1, %f2}", "7"; of a call all its text
	guard    string   // the predicate register of @%p1, empty if there is none
	negated  bool     // @!%p1
}

// block is a basic block: instructions and the numbers of the blocks that may
// come next, a branch's target first.
type block struct {
	code []instruction
	next []int
}

// ptxKernel is the control flow graph of one entry; block 0 is its start.
type ptxKernel struct {
	name   string
	params []string // names in order, as in "ld.param.u32 %r1, [name]"
	blocks []block
}

var (
	labelAt   = regexp.MustCompile(`^\s*([$\w]+):`)
	guardAt   = regexp.MustCompile(`^@(!?)(%\w+)\s+`)
	comment   = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	parameter = regexp.MustCompile(`\.param[^,()]*?(\w+)(?:\[\d+\])?\s*(?:,|$)`)
)

// parse returns the kernel of that name in a listing, by its plain or its
// mangled C++ name.
func parse(listing, kernel string) (*ptxKernel, error) {
	listing = comment.ReplaceAllString(listing, "")
	// CUDA's C++ names are mangled: length, name, parameter types.
	entry := regexp.MustCompile(fmt.Sprintf(`\.entry ((?:_Z%d%s\w*|%[2]s))\s*\(`, len(kernel),
		regexp.QuoteMeta(kernel)))
	at := entry.FindStringSubmatchIndex(listing)
	if at == nil {
		return nil, fmt.Errorf("no entry %s in the PTX", kernel)
	}
	k := &ptxKernel{name: listing[at[2]:at[3]]}
	params, rest, _ := strings.Cut(listing[at[1]:], "\n)")
	if first, after, ok := strings.Cut(listing[at[1]:], ")"); ok && !strings.Contains(first, ".param") {
		params, rest = first, after // no parameters
	}
	for _, m := range parameter.FindAllStringSubmatch(params, -1) {
		k.params = append(k.params, m[1])
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
func (k *ptxKernel) parseBody(body string) error {
	labels := map[string]int{}
	fresh := true // the next instruction starts a block
	for _, text := range strings.Split(body, ";") {
		text = strings.TrimSpace(text)
		for {
			text = strings.TrimLeft(text, " \t\n{}") // call sequences stand in braces
			m := labelAt.FindStringSubmatch(text)
			if m == nil {
				break
			}
			k.blocks = append(k.blocks, block{})
			labels[m[1]] = len(k.blocks) - 1
			fresh = false
			text = text[len(m[0]):]
		}
		if text == "" || text[0] == '.' { // a declaration
			continue
		}
		if fresh {
			k.blocks = append(k.blocks, block{})
		}
		b := &k.blocks[len(k.blocks)-1]
		in := parseInstruction(text)
		b.code = append(b.code, in)
		fresh = in.branches() || in.op == "ret"
	}
	for i := range k.blocks {
		b := &k.blocks[i]
		var last instruction
		if len(b.code) > 0 {
			last = b.code[len(b.code)-1]
		}
		if last.branches() {
			target, ok := labels[strings.Join(last.operands, "")]
			if !ok {
				return fmt.Errorf("branch to unknown label %q", last.operands)
			}
			b.next = append(b.next, target)
		}
		if last.op != "ret" && (!last.branches() || last.guard != "") && i+1 < len(k.blocks) {
			b.next = append(b.next, i+1)
		}
	}
	return nil
}

// parseInstruction reads "@%p1 op a, {b, c}, [d+4]".
func parseInstruction(text string) instruction {
	var in instruction
	if m := guardAt.FindStringSubmatch(text); m != nil {
		in.guard, in.negated = m[2], m[1] == "!"
		text = text[len(m[0]):]
	}
	op, rest, _ := strings.Cut(text, " ")
	if o, r, ok := strings.Cut(text, "\t"); ok && len(o) < len(op) {
		op, rest = o, r
	}
	in.op = strings.TrimSpace(op)
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(in.op, "call") {
		in.operands = []string{rest}
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
				in.operands = append(in.operands, strings.TrimSpace(rest[start:i]))
				start = i + 1
			}
		}
	}
	if start < len(rest) {
		in.operands = append(in.operands, strings.TrimSpace(rest[start:]))
	}
	return in
}

// branches reports whether the instruction is a branch.
func (in *instruction) branches() bool { return strings.HasPrefix(in.op, "bra") }

var calleeName = regexp.MustCompile(`^(?:\([^)]*\)\s*,)?\s*([\w$.]+)`)

// callee is the name of the function that a call calls, empty for any other
// instruction.
func (in *instruction) callee() string {
	if !strings.HasPrefix(in.op, "call") {
		return ""
	}
	if m := calleeName.FindStringSubmatch(in.operands[0]); m != nil {
		return m[1]
	}
	return ""
}

// all returns the numbers of all blocks.
func (k *ptxKernel) all() []int {
	var blocks []int
	for i := range k.blocks {
		blocks = append(blocks, i)
	}
	return blocks
}

// loops returns the loops among some blocks of the graph, each as its blocks in
// ascending order: the sets of blocks that reach each other. A loop inside
// another is found among the outer one's blocks without its first.
func (k *ptxKernel) loops(among []int) [][]int {
	reach := map[[2]int]bool{}
	for _, from := range among {
		pending := []int{from}
		for len(pending) > 0 {
			b := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			for _, n := range k.blocks[b].next {
				if slices.Contains(among, n) && !reach[[2]int{from, n}] {
					reach[[2]int{from, n}] = true
					pending = append(pending, n)
				}
			}
		}
	}
	var loops [][]int
	seen := map[int]bool{}
	for _, a := range among {
		if seen[a] || !reach[[2]int{a, a}] {
			continue
		}
		var loop []int
		for _, b := range among {
			if reach[[2]int{a, b}] && reach[[2]int{b, a}] {
				loop = append(loop, b)
				seen[b] = true
			}
		}
		loops = append(loops, loop)
	}
	return loops
}
