package unroll

import (
	"math"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/routine"
	"gpupipe/unroll/trace"
)

// routines are those of the compiler of machine code, nil where it is not known.
func (r *resolver) routines() routine.Table {
	switch {
	case r.opt.SASS():
		return routine.NVCC
	case r.opt.Merges() && r.opt.AMDGPU():
		return routine.AMD
	}
	return nil
}

// expandFunction records the routine of a floating-point operation. It returns the producers of
// the result, nil where it is one instruction or the routine is not known.
func (r *resolver) expandFunction(in *lower.Instr, args []*value) []trace.NodeID {
	all := r.routines()
	if all == nil || !in.Type.IsFloat() || in.Op != lower.Call && in.Op != lower.Div || r.opt.Measures(opName(in)) {
		return nil
	}
	name, typ := opName(in), in.Type.String()
	if in.Op == lower.Div {
		exact := r.k.Accuracy == lower.Rounded || in.Type != lower.F32
		switch x, y := args[0], args[1]; {
		case x.konst && arithmetic.ToFloat(in.Type, x.u) == 1:
			name, args = routine.Reciprocal+typ, args[1:]
			if z := r.roots[y.id]; z != nil && !exact {
				name, args = routine.InverseRoot+typ, []*value{z} // 1 / sqrt(z)
			}
		case y.konst && hasInverse(arithmetic.ToFloat(in.Type, y.u)):
			return r.produce(trace.Node{Op: "mul." + typ, Pos: in.Pos, Contraction: trace.IsMul}, r.depsOf(x), nil)
		case y.konst:
			name, args = routine.ByConstant+typ, args[:1]
		case x.konst:
			name, args = routine.OfConstant+typ, args[1:]
		}
	}
	known, ok := all.Find(r.k.Accuracy, name)
	if !ok {
		return nil
	}
	return r.runRoutine(name, known, in, args)
}

// hasInverse reports whether 1/f is exact: of powers of two.
func hasInverse(f float64) bool {
	fraction, _ := math.Frexp(f)
	return math.Abs(fraction) == 0.5
}

// noteRoot remembers of what a value is the square root: where quotients need not be exact,
// 1 over it is one operation.
func (r *resolver) noteRoot(v *value, in *lower.Instr, args []*value) {
	if in.Op != lower.Call || in.Fn != "sqrt" && in.Fn != "native_sqrt" || in.Type != lower.F32 ||
		r.k.Accuracy == lower.Rounded || r.routines() == nil {
		return
	}
	if r.roots == nil {
		r.roots = map[valueID]*value{}
	}
	r.roots[v.id] = args[0]
}

// runRoutine records the steps of a routine and returns the producers of its result.
func (r *resolver) runRoutine(name string, known routine.Routine, in *lower.Instr, args []*value) []trace.NodeID {
	operands := make([]*value, len(routine.Arguments), len(routine.Arguments)+len(known.Steps))
	copy(operands, args)
	for i := range known.Steps {
		s := &known.Steps[i]
		var of []*value
		for _, n := range s.Args {
			of = append(of, operands[n])
		}
		n := trace.Node{Op: s.Op, Pos: in.Pos, Contraction: trace.IsStep}
		switch {
		case s.Op == routine.Branch && len(of) > 0:
			n.Flags = trace.Root | trace.Gate
		case s.Op == routine.Branch:
			n.Flags = trace.Root
		case len(known.Results) == 1 && known.Results[0] == len(operands) && (s.Op == "mul.f32" || s.Op == "mul.f64"):
			n.Contraction = trace.IsMul // the sum that it is added to becomes a multiply-add
		}
		operands = append(operands, r.routineStep(name, i, n, known.Branches, of))
	}
	var deps []trace.NodeID
	for _, n := range known.Results {
		deps = trace.Merge(deps, r.depsOf(operands[n]))
	}
	return deps
}

// routineStep records an instruction of a routine, unless the routine has no branches and it has
// been recorded for these operands.
func (r *resolver) routineStep(name string, i int, n trace.Node, always bool, args []*value) *value {
	key := func() []byte {
		k := append(append(append(r.numbering.key[:0], 'r', byte(i)), name...), 0)
		for _, a := range args {
			k = a.appendKey(k)
		}
		r.numbering.key = k
		return k
	}
	if !always {
		if e, ok := r.numbering.find(key()); ok {
			return e.v
		}
	}
	v := r.newValue(lower.F32)
	for _, a := range args {
		v.level = max(v.level, a.level)
		v.from |= a.from
	}
	if always || len(args) == 0 {
		v.level = r.level // constants are put into registers where they are needed
	}
	v.deps = r.produce(n, r.depsOfAll(args), nil)
	v.form = symbol(v)
	if !always {
		r.numbering.put(key(), entry{v: v}, v.level, r.level, true)
	}
	return v
}
