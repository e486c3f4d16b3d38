package lower

// The passes over a built kernel, in order.
var passes = []struct {
	name string
	run  func(*Kernel)
}{
	{"trim", trimKernel},       // a return, break or continue at the end of what it leaves is not a statement
	{"promote", promoteMemory}, // private objects that only known addresses lead into become variables
	{"speculate", speculate},   // short sides of ?:, && and || that read such variables are not branches
	{"number", numberControl},  // LoopIDs and BranchIDs in textual order, which building does not follow
	{"renumber", renumber},     // registers in order of appearance, unused ones dropped
}

// Finish runs the passes over the kernel that package translate has built.
func Finish(k *Kernel) {
	for _, p := range passes {
		p.run(k)
	}
	Walk(k.Body, func(st Stmt) {
		if in, ok := st.(*Instr); ok && (in.Op == Shl || in.Op == Shr) && len(in.Args) == 2 &&
			in.Args[1].Kind == OperandConst && in.Args[1].Bits >= uint64(8*in.Type.Size()) {
			k.Shifts = append(k.Shifts, in)
		}
	})
}
