package amdgcn

import "strings"

// Unit is what executes an instruction. The zero value is none.
type Unit uint8

// The units of a compute unit, as AMD's documents of its architectures name them.
const (
	Vector       Unit = iota + 1 // arithmetic, comparisons and moves of lanes
	Packed                       // the vector units, with two numbers of single precision in each lane
	Scalar                       // of what is the same in all lanes
	ScalarMemory                 // loads through the scalar cache
	VectorMemory                 // device memory, also of private arrays
	LocalMemory
	Branch // branches and the end
	Barrier
	Wait // for memory, and for caches to forget; hints and dead cycles
	Units
)

func (u Unit) String() string {
	return [...]string{"none", "vector", "packed", "scalar", "scalar-memory", "vector-memory", "local", "branch",
		"barrier", "wait"}[u]
}

// Unit tells where an instruction goes.
func (in *Instruction) Unit() Unit {
	op := in.Op
	prefix := func(list ...string) bool {
		for _, p := range list {
			if strings.HasPrefix(op, p) {
				return true
			}
		}
		return false
	}
	switch {
	case prefix("v_pk_") && strings.HasSuffix(op, "32"):
		return Packed
	case prefix("v_"):
		return Vector
	case prefix("buffer_gl0_inv", "buffer_gl1_inv", "buffer_wbl2", "buffer_wbinvl1", "buffer_invl2"):
		return Wait
	case prefix("global_", "flat_", "buffer_", "scratch_", "image_"):
		return VectorMemory
	case prefix("ds_"):
		return LocalMemory
	case op == "s_barrier":
		return Barrier
	case prefix("s_load_", "s_buffer_load_", "s_dcache_", "s_memtime"):
		return ScalarMemory
	case prefix("s_waitcnt", "s_nop", "s_inst_prefetch", "s_sleep", "s_clause", "s_delay_alu", "s_setprio",
		"s_code_end"):
		return Wait
	case prefix("s_cbranch_", "s_branch", "s_endpgm", "s_setpc", "s_swappc"):
		return Branch
	}
	return Scalar
}
