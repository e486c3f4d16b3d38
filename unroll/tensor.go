package unroll

import (
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// matMul executes a matrix instruction of the tensor cores, which gives contents that are not
// known.
func (r *resolver) matMul(in *lower.Instr) {
	deps := r.depsOfAll(r.operands(in.Args))
	if r.silent == 0 {
		deps = r.produce(trace.Node{Op: matrixFamily(in.Type).String() + "." + in.Fn + "." + in.Type.String(),
			Pos: in.Pos}, deps, nil)
	}
	for _, d := range in.Dsts {
		v := r.newValue(r.k.Reg(d).Type)
		v.level, v.deps = r.level, deps
		v.form = symbol(v)
		r.set(d, v)
	}
}

// matrixFamily is the machine's matrix instruction by the type of the sum.
func matrixFamily(sum lower.Type) isa.Verb {
	switch sum {
	case lower.F64:
		return isa.DMMA
	case lower.S32:
		return isa.IMMA
	}
	return isa.HMMA
}

// bytesOfRow are those of a row of a matrix that LDSM loads.
const bytesOfRow = 16

// matrixRow finds the address of what a lane reads of the rows whose addresses the lanes give (LDSM). It is
// no instruction.
func (r *resolver) matrixRow(in *lower.Instr) {
	p := r.operand(in.Args[0])
	v := *p
	r.nextID++
	v.id, v.drift = r.nextID, nil
	share := bytesOfRow * in.Dim / 4 // of a lane
	row := func(l int) int { return l * share / bytesOfRow }
	v.known, v.lanes = 0, r.newLanes()
	for l := range v.lanes {
		if from := row(l); p.known>>from&1 != 0 && r.warpMask>>l&1 != 0 {
			v.lanes[l] = p.at(from) + uint64(l*share%bytesOfRow)
			v.known |= 1 << l
		}
	}
	for _, proof := range r.proofs {
		proof.exchanged(&v, p, row)
	}
	r.set(in.Dsts[0], &v)
}
