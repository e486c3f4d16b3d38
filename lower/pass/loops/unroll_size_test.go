package loops

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// TestSizes: an instruction counts as the profile says of its kind, 1 where it says nothing; what is part of others
// counts nothing.
func TestSizes(t *testing.T) {
	costs := profile.UnrollCosts{Product: 2, WideProduct: 3, WideInteger: 4, Double: 5, IntegerQuotient: 6,
		FloatQuotient: 7, FloatExtreme: 8, Extreme: 9, Absolute: 10, Calls: map[string]int64{"sin": 11}}
	x, eight, five := &ir.Value{Kind: ir.Result}, constant(lower.S32, 8), constant(lower.S32, 5)
	unsigned := constant(lower.U32, 8)
	for _, c := range []struct {
		name string
		in   ir.Instr
		want int64 // of costs
	}{
		{"sum", ir.Instr{Op: lower.Add, Type: lower.S32}, 1},
		{"long sum", ir.Instr{Op: lower.Add, Type: lower.S64}, 4},
		{"long or", ir.Instr{Op: lower.Or, Type: lower.U64}, 4},
		{"float sum", ir.Instr{Op: lower.Sub, Type: lower.F32}, 1},
		{"double sum", ir.Instr{Op: lower.Sub, Type: lower.F64}, 5},
		{"long shift", ir.Instr{Op: lower.Shl, Type: lower.S64}, 1},
		{"product", ir.Instr{Op: lower.Mul, Type: lower.S32}, 2},
		{"product by 5", ir.Instr{Op: lower.Mul, Type: lower.S32, Args: []*ir.Value{x, five}}, 2},
		{"product by 8", ir.Instr{Op: lower.Mul, Type: lower.S32, Args: []*ir.Value{x, eight}}, 1},
		{"long product", ir.Instr{Op: lower.Mul, Type: lower.U64}, 3},
		{"float product", ir.Instr{Op: lower.Mul, Type: lower.F32}, 1},
		{"double product", ir.Instr{Op: lower.Mul, Type: lower.F64}, 5},
		{"quotient", ir.Instr{Op: lower.Div, Type: lower.S32}, 6},
		{"quotient by 8", ir.Instr{Op: lower.Div, Type: lower.S32, Args: []*ir.Value{x, eight}}, 6},
		{"unsigned quotient by 8", ir.Instr{Op: lower.Div, Type: lower.U32, Args: []*ir.Value{x, unsigned}}, 1},
		{"unsigned remainder by 8", ir.Instr{Op: lower.Rem, Type: lower.U32, Args: []*ir.Value{x, unsigned}}, 1},
		{"remainder", ir.Instr{Op: lower.Rem, Type: lower.U64}, 6},
		{"float quotient", ir.Instr{Op: lower.Div, Type: lower.F32}, 7},
		{"fmin", ir.Instr{Op: lower.Min, Type: lower.F32}, 8},
		{"max", ir.Instr{Op: lower.Max, Type: lower.S32}, 9},
		{"abs", ir.Instr{Op: lower.Abs, Type: lower.S32}, 10},
		{"fabs", ir.Instr{Op: lower.Abs, Type: lower.F32}, 1},
		{"minus", ir.Instr{Op: lower.Neg, Type: lower.F64}, 1},
		{"sin", ir.Instr{Op: lower.Call, Type: lower.F32, Fn: "sin"}, 11},
		{"cos", ir.Instr{Op: lower.Call, Type: lower.F32, Fn: "cos"}, 1},
		{"load", ir.Instr{Op: lower.Load, Type: lower.F64}, 1},
		{"bits", ir.Instr{Op: lower.Bitcast, Type: lower.F32}, 0},
		{"copy", ir.Instr{Op: lower.Mov, Type: lower.S64}, 0},
	} {
		if c.in.Args == nil {
			c.in.Args = []*ir.Value{x, x}
		}
		c.in.Results = []*ir.Value{{Kind: ir.Result}}
		for _, named := range []bool{true, false} {
			z, want := &sizer{costs: &profile.UnrollCosts{}, out: &loopSize{}}, min(c.want, 1)
			if named {
				z.costs, want = &costs, c.want
			}
			if got := z.instr(&c.in); got != want {
				t.Errorf("%s counts %d, want %d (costs named: %t)", c.name, got, want, named)
			}
		}
	}
}

func constant(t lower.Type, n int64) *ir.Value {
	return &ir.Value{Kind: ir.Const, Type: t, Bits: lower.ConstInt(t, n).Bits}
}

// TestFusedProducts: a product that only feeds one sum of floating numbers is free where the profile says so.
func TestFusedProducts(t *testing.T) {
	for _, c := range []struct {
		typ  lower.Type
		op   lower.Op // that reads the product
		uses int
		want int64
	}{
		{lower.F32, lower.Add, 1, 0}, {lower.F32, lower.Sub, 1, 0}, {lower.F64, lower.Add, 1, 0},
		{lower.F32, lower.Add, 2, 1}, {lower.F32, lower.Mul, 1, 1}, {lower.S32, lower.Add, 1, 1},
	} {
		product, x := &ir.Value{Kind: ir.Result}, &ir.Value{Kind: ir.Result}
		in := &ir.Instr{Op: lower.Mul, Type: c.typ, Args: []*ir.Value{x, x}, Results: []*ir.Value{product}}
		for _, fuses := range []bool{true, false} {
			z := &sizer{costs: &profile.UnrollCosts{Fuses: fuses}, out: &loopSize{},
				user: map[*ir.Value]*ir.Instr{product: {Op: c.op, Type: c.typ}},
				uses: map[*ir.Value]int{product: c.uses}}
			want := c.want
			if !fuses {
				want = 1
			}
			if got := z.product(in); got != want {
				t.Errorf("%v: %v of %d: %d, want %d (fuses: %t)", c.typ, c.op, c.uses, got, want, fuses)
			}
		}
	}
}

// TestNear: an index is extended to the width of addresses only where these are wider.
func TestNear(t *testing.T) {
	f := &ir.Func{Objects: []ir.Object{{Space: idg.SpaceLocal}, {Space: idg.SpaceGlobal}}}
	z := &sizer{l: &counted{analyser: &analyser{f: f}}, costs: &profile.UnrollCosts{Near: []string{"local"}}}
	for id, want := range map[ir.ObjectID]bool{1: true, 2: false} {
		p := &ir.Value{Kind: ir.Address, Object: id}
		row := &ir.Value{Kind: ir.Result, Def: &ir.Instr{Op: lower.PtrAdd, Args: []*ir.Value{p}}}
		if z.near(p) != want || z.near(row) != want {
			t.Errorf("object %d: near %t and %t, want %t", id, z.near(p), z.near(row), want)
		}
	}
}
