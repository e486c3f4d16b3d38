package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// combines reports whether nvcc's last stage makes one update of those of a warp's lanes: of
// 32-bit integers in device memory, at an address that it knows to be the same in all lanes
// (machine code of nvcc 11.8 for sm_70 and sm_80), not at one that merely is in this launch.
func (r *resolver) combines(in *lower.Instr, space idg.Space) bool {
	return r.opt.Optimises() && !r.opt.AMDGPU() && space == idg.SpaceGlobal && (in.Type == lower.S32 ||
		in.Type == lower.U32) &&
		slices.Contains([]string{"add", "sub", "min", "max", "and", "or", "xor"}, in.Fn) &&
		r.st.Meetings().Broadcast[in]
}
