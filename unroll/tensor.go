package unroll

import "gpupipe/lower"

// matMul executes a matrix instruction of the tensor cores, which gives contents that are not
// known.
func (r *resolver) matMul(in *lower.Instr) {
	deps := r.depsOfAll(r.operands(in.Args))
	if r.silent == 0 {
		deps = r.produce(node{op: matrixFamily(in.Type) + "." + in.Fn + "." + in.Type.String(), pos: in.Pos}, deps, nil)
	}
	for _, d := range in.Dsts {
		v := r.newValue(in.Type)
		v.level, v.deps = r.level, deps
		v.form = symbol(v)
		r.set(d, v)
	}
}

// matrixFamily is the machine's name of matrix instructions by the type of the sum.
func matrixFamily(sum lower.Type) string {
	switch sum {
	case lower.F64:
		return "dmma"
	case lower.S32:
		return "imma"
	}
	return "hmma"
}
