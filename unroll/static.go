package unroll

import (
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// static is what all warps of a kernel have in common: its structure, and what the resolution of
// one leaves to that of the next.
type static struct {
	*structure.Kernel
	k *lower.Kernel

	transactions bool // copies of blocks, for which barriers wait
	tensors      tensors
	roles        *roles // of warps with different programs; nil: all wait for their own copies

	contexts contexts // of all warps
	spares   spares
	spent    spent

	branchColumns map[diag.Pos]int      // by line: of its branch, or severalColumns
	lines         []string              // of the kernel's file
	refused       map[lower.LoopID]bool // loops of which no iterations are skipped
}

func analyse(k *lower.Kernel) *static {
	s := &static{Kernel: structure.Of(k), k: k, refused: map[lower.LoopID]bool{}}
	lower.Walk(k.Body, func(st lower.Stmt) {
		if in, ok := st.(*lower.Instr); ok && in.Op == lower.BulkCopy && in.Fn == "load" {
			s.transactions = true
		}
	})
	return s
}
