package pass

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Contraction says when a product that is added may be rounded once (C's FP_CONTRACT).
type Contraction string

// The rules. The zero value is never.
const (
	ContractFast       Contraction = "fast"       // anywhere: nvcc -fmad=true, clang -ffp-contract=fast
	ContractExpression Contraction = "expression" // within an expression: clang -ffp-contract=on
)

// Contract makes an fma of a product and a sum or difference of it, where the profile's language allows that.
// With LLVM the product may have other uses, for which it stays: DAGCombiner, visitFADDForFMACombine, with
// enableAggressiveFMAFusion, as NVPTXTargetLowering and SITargetLowering answer it; nvcc and ptxas leave a product
// alone that something else than sums needs (ContractWhole). Of two products the one with fewer uses is taken. A
// negated operand is free on both vendors' GPUs.
func Contract(f *ir.Func, c *Context) {
	if c.Profile.Contract == "" {
		return
	}
	k := contractor{f: f, rule: c.Profile.Contract, uses: f.Uses()}
	if c.Profile.ContractWhole {
		k.needed = make([]bool, f.NumValues())
		f.Body.Walk(k.need)
	}
	f.Body.Rewrite(k.instr)
	DCE(f, c)
}

type contractor struct {
	f      *ir.Func
	rule   Contraction
	uses   []int
	needed []bool // by ID: products that something else than sums reads; nil: that does not matter
}

// need notes the products that an instruction reads and is no sum.
func (k *contractor) need(in *ir.Instr) {
	if in.Op == lower.Add || in.Op == lower.Sub {
		return
	}
	for _, a := range in.Args {
		k.needed[a.ID] = true
	}
}

func (k *contractor) instr(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
	if in.Op != lower.Add && in.Op != lower.Sub || !in.Type.IsFloat() {
		return append(out, in)
	}
	x, y := in.Args[0], in.Args[1]
	a, b := k.product(x, in.Type), k.product(y, in.Type)
	if a != nil && b != nil && k.uses[x.ID] > k.uses[y.ID] {
		a = nil
	}
	var factors []*ir.Value
	var sum *ir.Value
	switch {
	case a != nil:
		factors, sum = a.Args, y
		if in.Op == lower.Sub {
			out, sum = k.negate(out, in, y)
		}
		k.uses[x.ID]--
	case b != nil:
		factors, sum = b.Args, x
		if in.Op == lower.Sub {
			var minus *ir.Value
			out, minus = k.negate(out, in, factors[0])
			factors = []*ir.Value{minus, factors[1]}
		}
		k.uses[y.ID]--
	default:
		return append(out, in)
	}
	fma := *in
	fma.Op, fma.Args = lower.Fma, []*ir.Value{factors[0], factors[1], sum}
	*in = fma
	return append(out, in)
}

// product is the multiplication that gives a value, nil where it is none or the language forbids to round it
// with what is added.
func (k *contractor) product(v *ir.Value, t ir.Type) *ir.Instr {
	if v.DefOp() != lower.Mul || v.Def.Type != t || k.rule == ContractExpression && v.Name != "" ||
		k.needed != nil && int(v.ID) < len(k.needed) && k.needed[v.ID] {
		return nil
	}
	return v.Def
}

// negate appends the negation of a value.
func (k *contractor) negate(out []*ir.Instr, in *ir.Instr, v *ir.Value) ([]*ir.Instr, *ir.Value) {
	if v.DefOp() == lower.Neg {
		return out, v.Def.Args[0]
	}
	if v.IsConst() {
		return out, k.f.Constant(v.Type, lower.ConstFloat(v.Type, -v.Operand().Float()).Bits)
	}
	neg := &ir.Instr{Op: lower.Neg, Type: in.Type, Args: []*ir.Value{v}, Pos: in.Pos, Component: in.Component}
	r := k.f.AddResult(neg, in.Type, "")
	for int(r.ID) >= len(k.uses) {
		k.uses = append(k.uses, 0)
	}
	k.uses[r.ID] = 1
	return append(out, neg), r
}
