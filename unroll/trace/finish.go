package trace

// passes finish a recorded trace, in this order.
var passes = []struct {
	name   string // for tests and messages
	why    string
	always bool // also where the code is not optimised
	run    func(*Trace, []bool)
}{
	{"drop overwritten", "a store that another overwrites before anything reads it is not in optimised code", false,
		dropOverwritten},
	{"sweep", "instructions whose result nobody uses are not in optimised code", false, sweep},
	{"contract", "a multiplication used by one addition becomes a multiply-add (P19 counts fmadd at -O0 too)",
		true, contract},
	{"narrow", "64-bit arithmetic of which only the low 32 bits are used is done in 32 bits", false, narrow},
	{"scalar unit", "what is the same in all lanes takes a unit of its own (only where asked for)", false, scalarUnit},
	{"combine", "machine instructions have up to three operands (only where asked for)", false, combine},
	{"balance", "integer instructions are multiply-adds where these units have less to do (only where asked for)",
		false, balance},
	{"halve", "integers of 64 bits are two registers, and take two instructions (only where asked for)", false, halve},
	{"pair", "two instructions of a warp are issued at once (only where asked for)", false, pair},
	{"widen stores", "compilers make one store of those to parts of a vector, LLVM for AMD's GPUs of adjacent ones",
		false, widenDeviceStores},
	{"pack pairs", "one instruction computes two numbers of single precision (only where asked for)", false, packPairs},
	{"widen device", "and adjacent loads, of which pairs know where each value is (only where asked for)", false,
		widenDeviceLoads},
	{"widen", "machine code has adjacent loads of local memory as one, and adjacent stores (only where asked for)",
		false, widen},
}

// Finish runs the passes, of code that the compiler optimises all of them, and returns which nodes stay.
func (t *Trace) Finish() []bool {
	live := make([]bool, t.length)
	for i := range live {
		live[i] = true
	}
	for _, p := range passes {
		if t.Optimises() || p.always {
			p.run(t, live)
		}
	}
	return live
}

// sweep keeps roots and what they depend on.
func sweep(t *Trace, live []bool) {
	clear(live)
	for i := t.length - 1; i >= 0; i-- {
		n := t.at(i)
		if n.flags&Root != 0 {
			live[i] = true
		}
		if live[i] {
			for _, d := range t.deps(n) {
				live[d-1] = true
			}
		}
	}
}

// contract turns an addition or subtraction with a product that nobody else
// uses into one multiply-add.
func contract(t *Trace, live []bool) {
	uses := make([]uint32, t.length)
	for i := range t.length {
		if live[i] {
			for _, d := range t.deps(t.at(i)) {
				uses[d-1]++
			}
		}
	}
	var rest []NodeID
	for i := range t.length {
		n := t.at(i)
		if !live[i] || n.x|n.y == 0 || t.kinds.of(n.kind).contraction != IsAddSub ||
			!t.contracts(t.kinds.of(n.kind).is.Type) {
			continue
		}
		for _, m := range [2]NodeID{n.operand(n.x), n.operand(n.y)} {
			if m == 0 || uses[m-1] != 1 || !live[m-1] {
				continue
			}
			mul := t.node(m)
			sum, product := t.kinds.of(n.kind), t.kinds.of(mul.kind)
			if product.contraction != IsMul || product.is.Type != sum.is.Type || product.is.Marks != sum.is.Marks {
				continue
			}
			rest = rest[:0]
			for _, d := range t.dataSet(n) {
				if d.Node() != m {
					rest = append(rest, d)
				}
			}
			for _, d := range t.deps(mul) {
				uses[d-1]-- // the product's use becomes the multiply-add's
			}
			merged := Union(rest, t.dataSet(mul))
			for _, d := range merged {
				uses[d.Node()-1]++
			}
			for _, d := range rest {
				uses[d.Node()-1]--
			}
			fused := t.kinds.fused(n.kind)
			t.change(n, func(c *content) { c.kind, c.deps = fused, merged })
			live[m-1] = false
			break
		}
	}
}

// narrow turns 64-bit integer operations into 32-bit ones where every user takes
// the low half only (OpenCL's work-item functions are 64 bits wide, but most
// kernels assign them to an int).
func narrow(t *Trace, live []bool) {
	wide := make([]bool, t.length) // somebody needs all 64 bits
	for i := t.length - 1; i >= 0; i-- {
		n := t.at(i)
		if !live[i] {
			continue
		}
		k := t.kinds.of(n.kind)
		if n.flags&Root != 0 {
			wide[i] = true // the increment of a 64-bit address, used or not
		}
		if !wide[i] && k.narrow != 0 {
			t.change(n, func(c *content) { c.kind = k.narrow })
			k = t.kinds.of(k.narrow)
		}
		if k.needsWide {
			for _, d := range t.deps(n) {
				wide[d-1] = true
			}
		}
	}
}
