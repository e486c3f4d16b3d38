package kernels_test

import (
	"slices"
	"strings"
	"testing"
)

// parsePTX returns the kernel of that name in a PTX listing made by clang.
func parsePTX(t *testing.T, listing, kernel string) *ptxKernel {
	t.Helper()
	k, err := parse(listing, kernel)
	if err != nil {
		t.Fatal(err)
	}
	return k
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
func (k *ptxKernel) count(blocks []int) map[string]int {
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
func (k *ptxKernel) countOp(prefix string) int {
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
