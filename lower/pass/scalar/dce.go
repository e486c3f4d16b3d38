package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// DCE removes what has no effect and what nobody reads: aggressive dead code elimination (LLVM's ADCE). A loop without
// effects is removed even if it may not end (C11, 6.8.5, 6; LLVM's LoopDeletion), but not one that nothing leaves:
// nothing behind it is executed.
func DCE(f *ir.Func, _ *profile.Context) { f.Sweep(hasEffect) }

// hasEffect reports whether an instruction does something besides giving results.
func hasEffect(in *ir.Instr) bool {
	switch {
	case ir.Pure(in), in.Op == lower.ImageLoad, in.Op == lower.MatMul, in.Op == lower.MatrixRow, in.Nests(),
		in.IsTerminator():
		return false
	case in.Op == lower.Load:
		return in.Volatile
	case in.Op == lower.SubGroup:
		return false // LLVM's intrinsics for them are marked inaccessible memory only and removed where unread
	}
	return true
}
