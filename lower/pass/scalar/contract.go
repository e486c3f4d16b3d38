package scalar

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// Contract makes an fma of a product and a sum or difference of it, where the profile's language allows that.
// With LLVM both are in one block, and the product may have other uses, for which it stays: DAGCombiner,
// visitFADDForFMACombine, with enableAggressiveFMAFusion, as NVPTXTargetLowering and SITargetLowering answer it; nvcc
// and ptxas leave a product alone that something else than sums needs (ContractWhole), and look for sums also in
// blocks that only follow it. Of two products LLVM takes the one with
// fewer uses, nvcc the first. What names its rounding is
// rounded by itself (PTX ISA, mul and add). A negated operand is free on both
// vendors' GPUs.
func Contract(f *ir.Func, c *profile.Context) {
	if c.Profile.Contract == "" {
		return
	}
	k := contractor{f: f, rule: c.Profile.Contract, uses: f.Uses(), blocks: map[*ir.Instr]int{}, around: []int{-1}}
	if k.rule == profile.ContractFast {
		f.Body.Rewrite(k.logarithm)
	}
	k.number(f.Body, 0, c.Profile.ContractWhole)
	if c.Profile.ContractWhole {
		k.needed = make([]bool, f.NumValues())
		f.Body.Walk(k.need)
	}
	f.Body.Rewrite(k.instr)
	f.Body.Walk(twice)
	DCE(f, c)
}

type contractor struct {
	f      *ir.Func
	rule   profile.Contraction
	uses   []int
	needed []bool            // by ID: products that something else than sums reads; nil: that does not matter
	blocks map[*ir.Instr]int // the basic block of each product and sum
	around []int             // the block that is the only way into each one, -1: none
}

// number finds the basic blocks of a block that begins with block at; extended: those with one way in follow the one
// before.
func (k *contractor) number(b *ir.Block, at int, extended bool) {
	next := func(before int) int {
		k.around = append(k.around, before)
		return len(k.around) - 1
	}
	for _, in := range b.Instrs {
		if in.Type.IsFloat() && (in.Op == lower.Add || in.Op == lower.Sub || in.Op == lower.Mul) {
			k.blocks[in] = at
		}
		for _, inner := range in.Blocks {
			way := -1
			if extended && in.Op != lower.OpLoop {
				way = at
			}
			k.number(inner, next(way), extended)
		}
		if in.Nests() {
			at = next(-1)
		}
	}
}

// reaches reports whether a sum is where a product may be contracted into it.
func (k *contractor) reaches(product, sum *ir.Instr) bool {
	for b := k.blocks[sum]; b >= 0; b = k.around[b] {
		if b == k.blocks[product] {
			return true
		}
	}
	return false
}

// need notes the products that an instruction reads and cannot be contracted into. Twice a number is x + x for nvcc
// 11.8 and 13 wherever a difference reads it (PTX and machine code of both).
func (k *contractor) need(in *ir.Instr) {
	sum := in.Op == lower.Add || in.Op == lower.Sub
	for _, a := range in.Args {
		if a.DefOp() != lower.Mul {
			continue
		}
		if !sum || in.Op == lower.Sub && isFloat(a.Def.Args[1], 2) || !k.reaches(a.Def, in) {
			k.needed[a.ID] = true
		}
	}
}

// logarithmScales are the logarithms of 2 by what gives the logarithm of the same base at reduced accuracy.
var logarithmScales = map[string]float64{"native_log": math.Ln2, "native_log10": math.Ln2 / math.Ln10}

// logarithm makes a fast logarithm the binary one and a product, which a sum may take (libdevice's __nv_fast_logf and
// __nv_fast_log10f).
func (k *contractor) logarithm(out *ir.Block, in *ir.Instr) *ir.Instr {
	scale, ok := logarithmScales[in.Fn]
	if !ok || in.Op != lower.Call || in.Type != lower.F32 {
		return in
	}
	value := k.f.Emit(out, &ir.Instr{Op: in.Op, Fn: "native_log2", Type: in.Type, Args: in.Args, Pos: in.Pos,
		Component: in.Component})
	in.Op, in.Fn = lower.Mul, ""
	in.Args = []*ir.Value{value, k.f.Constant(in.Type, lower.ConstFloat(in.Type, scale).Bits)}
	return in
}

// twice makes twice a number its sum with itself (DAGCombiner's visitFMUL).
func twice(in *ir.Instr) {
	if in.Op == lower.Mul && in.Type.IsFloat() && isFloat(in.Args[1], 2) {
		in.Op, in.Args[1] = lower.Add, in.Args[0]
	}
}

// instr contracts one instruction.
func (k *contractor) instr(out *ir.Block, in *ir.Instr) *ir.Instr {
	if in.Op != lower.Add && in.Op != lower.Sub || !in.Type.IsFloat() || in.Moded() {
		return in
	}
	x, y := in.Args[0], in.Args[1]
	a, b := k.product(x, in), k.product(y, in)
	if a != nil && b != nil && k.needed == nil && k.uses[x.ID] > k.uses[y.ID] {
		a = nil
	}
	var factors []*ir.Value
	var sum *ir.Value
	switch {
	case a != nil:
		factors, sum = a.Args, y
		if in.Op == lower.Sub {
			sum = k.negate(out, in, y)
		}
		k.uses[x.ID]--
	case b != nil:
		factors, sum = b.Args, x
		if in.Op == lower.Sub {
			factors = []*ir.Value{k.negate(out, in, factors[0]), factors[1]}
		}
		k.uses[y.ID]--
	default:
		return in
	}
	in.Op, in.Args = lower.Fma, []*ir.Value{factors[0], factors[1], sum}
	return in
}

// product is the multiplication that gives a value, nil where it is none or the language forbids to round it
// with what is added.
func (k *contractor) product(v *ir.Value, in *ir.Instr) *ir.Instr {
	if v.DefOp() != lower.Mul || v.Def.Type != in.Type || v.Def.Moded() || !k.reaches(v.Def, in) ||
		k.rule == profile.ContractExpression && v.Name != "" ||
		k.needed != nil && int(v.ID) < len(k.needed) && k.needed[v.ID] {
		return nil
	}
	return v.Def
}

// negate appends the negation of a value.
func (k *contractor) negate(out *ir.Block, in *ir.Instr, v *ir.Value) *ir.Value {
	if v.DefOp() == lower.Neg {
		return v.Def.Args[0]
	}
	if v.IsConst() {
		return k.f.Constant(v.Type, lower.ConstFloat(v.Type, -v.Operand().Float()).Bits)
	}
	r := k.f.Emit(out, &ir.Instr{Op: lower.Neg, Type: in.Type, Args: []*ir.Value{v}, Pos: in.Pos,
		Component: in.Component})
	for int(r.ID) >= len(k.uses) {
		k.uses = append(k.uses, 0)
	}
	k.uses[r.ID] = 1
	return r
}
