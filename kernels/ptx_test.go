package kernels_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ptxInstruction is one instruction of a PTX listing.
type ptxInstruction struct {
	op          string // with its suffixes, such as "ld.global.f32"
	operands    string
	conditional bool // under a predicate
}

// ptxBlock is a basic block: instructions and the blocks that may come next.
type ptxBlock struct {
	code []ptxInstruction
	next []int
}

// ptxKernel is the control flow graph of one PTX entry; block 0 is its start.
type ptxKernel struct{ blocks []ptxBlock }

var (
	ptxLabel = regexp.MustCompile(`^(\$?\w+):`)
	ptxCode  = regexp.MustCompile(`^(@!?%p\d+\s+)?([a-z][\w.:]*)\s*([^;]*);?$`)
)

// parsePTX returns the kernel of that name in a PTX listing made by clang. A
// call, which PTX spells over several lines in braces, is one instruction "call".
func parsePTX(t *testing.T, listing, kernel string) ptxKernel {
	t.Helper()
	// CUDA's C++ names are mangled: length, name, parameter types.
	mangled := fmt.Sprintf(`(?:_Z%d%s\w*|%[2]s)`, len(kernel), kernel)
	start := regexp.MustCompile(`\.entry ` + mangled + `\(`).FindStringIndex(listing)
	if start == nil {
		t.Fatalf("no entry %s in the PTX", kernel)
	}
	body, _, _ := strings.Cut(listing[start[1]:], "\n}")
	_, body, _ = strings.Cut(body, "\n{")

	var blocks []ptxBlock
	labels := map[string]int{}
	fresh := true // the next instruction starts a block
	block := func() {
		if fresh {
			blocks = append(blocks, ptxBlock{})
			fresh = false
		}
	}
	for _, line := range strings.Split(body, "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		if m := ptxLabel.FindStringSubmatch(line); m != nil {
			fresh = true
			block()
			labels[m[1]] = len(blocks) - 1
			continue
		}
		m := ptxCode.FindStringSubmatch(line)
		if m == nil {
			continue // a declaration, a brace or a call's argument list
		}
		block()
		b := &blocks[len(blocks)-1]
		b.code = append(b.code, ptxInstruction{op: m[2], operands: m[3], conditional: m[1] != ""})
		fresh = strings.HasPrefix(m[2], "bra") || m[2] == "ret"
	}
	for i := range blocks {
		b := &blocks[i]
		last := ptxInstruction{}
		if len(b.code) > 0 {
			last = b.code[len(b.code)-1]
		}
		branches := strings.HasPrefix(last.op, "bra")
		if branches {
			target, ok := labels[last.operands]
			if !ok {
				t.Fatalf("%s: branch to unknown label %q", kernel, last.operands)
			}
			b.next = append(b.next, target)
		}
		if last.op != "ret" && (!branches || last.conditional) && i+1 < len(blocks) {
			b.next = append(b.next, i+1)
		}
	}
	return ptxKernel{blocks}
}

// all returns the numbers of all blocks.
func (k ptxKernel) all() []int {
	var blocks []int
	for i := range k.blocks {
		blocks = append(blocks, i)
	}
	return blocks
}

// loops returns the loops among some blocks of the graph, each as its blocks in
// ascending order: the sets of blocks that reach each other. A loop inside
// another is found among the outer one's blocks without its first.
func (k ptxKernel) loops(among []int) [][]int {
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

// ptxClasses are the instruction classes of unroll_matmul.tsv that clang's PTX
// can contain.
var ptxClasses = []string{"ld.global", "ld.shared", "st.shared", "fma", "iadd", "imad", "imul",
	"logic/shift", "setp", "bra", "bar", "mov"}

// ptxClass returns the class an instruction is counted in, or "" for none.
func ptxClass(op string) string {
	parts := strings.Split(op, ".")
	float := slices.ContainsFunc(parts, func(p string) bool { return p == "f32" || p == "f64" })
	switch name := parts[0]; name {
	case "ld", "st":
		return name + "." + parts[1]
	case "fma", "setp", "bra", "bar", "mov":
		return name
	case "add", "sub":
		if !float {
			return "iadd"
		}
	case "mad":
		return "imad"
	case "mul":
		if !float {
			return "imul"
		}
	case "and", "or", "xor", "not", "shl", "shr":
		return "logic/shift"
	}
	return ""
}

// count returns the number of instructions in some blocks, in all (key "") and
// by class.
func (k ptxKernel) count(blocks []int) map[string]int {
	counts := map[string]int{}
	for _, b := range blocks {
		for _, in := range k.blocks[b].code {
			counts[""]++
			if c := ptxClass(in.op); c != "" {
				counts[c]++
			}
		}
	}
	return counts
}

// countOp returns the number of instructions whose op starts with a prefix.
func (k ptxKernel) countOp(prefix string) int {
	n := 0
	for _, b := range k.blocks {
		for _, in := range b.code {
			if strings.HasPrefix(in.op, prefix) {
				n++
			}
		}
	}
	return n
}
