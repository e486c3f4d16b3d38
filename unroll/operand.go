package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// constantOperand executes a load of constant memory that leaves no instruction:
// NVIDIA's machine code names a word of constant memory as an operand of the
// instruction that uses it (c[bank][offset]; J18 section 3.5 measures such
// operands), where the compiler knows the place. Options.MachineCode asks for it:
// in PTX the load is an instruction.
func (r *resolver) constantOperand(in *lower.Instr, p *value) bool {
	if !r.opt.SASS() || in.Volatile || p.root == 0 || !p.form.isConst() ||
		len(in.Dsts) != 1 || in.Type.Size() != 4 || r.k.Object(p.root).Space != idg.SpaceConstant {
		return false
	}
	key := r.loadKey(in, p)
	e, ok := r.numbering.find(key)
	if !ok {
		e.v = r.newValue(in.Type)
		e.v.from = fromMemory
		e.v.form = symbol(e.v)
		r.readTable(e.v, in, p, 0)
		r.numbering.put(r.loadKey(in, p), entry{v: e.v}, 0, 0, false)
	}
	r.set(in.Dsts[0], e.v)
	return true
}
