package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// IfConvert removes short branches (LLVM's SimplifyCFG): what both sides begin with stands in front of them
// (HoistThenElseCodeToIf), a branch to the same place as one before is one branch of both conditions
// (FoldBranchToCommonDest), one whose condition is known on one way is taken there (FoldCondBranchOnPHI), and where
// little is left both sides are executed and their values chosen (FoldTwoEntryPHINode, SpeculativelyExecuteBB). The
// machine's own predication is package machine's.
func IfConvert(f *ir.Func, c *profile.Context) { ifConvert(f, c, false) }

// IfConvertLate is IfConvert, and what both sides end with follows them (SinkCommonCodeFromPredecessors, which LLVM
// does behind the passes over loops).
func IfConvertLate(f *ir.Func, c *profile.Context) { ifConvert(f, c, true) }

func ifConvert(f *ir.Func, c *profile.Context, late bool) {
	k := &converter{f: f, rule: c.Profile.Speculate, late: late, uses: f.Uses()}
	k.block(f.Body)
	k.repl.Apply(f.Body)
	DCE(f, c)
}

type converter struct {
	f    *ir.Func
	rule profile.Speculation
	late bool
	repl ir.Replacements
	uses []int
}

func (k *converter) block(b *ir.Block) {
	out := b.Anew()
	for _, in := range b.Instrs {
		k.repl.Operands(in)
		for _, inner := range in.Blocks {
			k.block(inner)
		}
		if in.Op != lower.OpIf {
			out.Append(in)
			continue
		}
		if !k.thread(out, in) {
			k.branch(out, in)
		}
	}
	b.Take(out)
}

// branch appends what becomes of an if.
func (k *converter) branch(out *ir.Block, in *ir.Instr) {
	k.merge(out, in)
	if !ir.Yields(in.Blocks[0]) || !ir.Yields(in.Blocks[1]) {
		k.mergeExits(out, in)
		out.Append(in)
		return
	}
	k.hoist(out, in)
	var behind []*ir.Instr
	if k.late && !k.returns(in) {
		behind = k.sink(in)
	}
	rule := k.rule
	if len(behind) > 0 && rule.Late > 0 {
		rule.Each = rule.Late
	}
	if k.cheap(in, &rule) {
		k.choose(out, in)
	} else {
		out.Append(in)
	}
	for _, s := range slices.Backward(behind) {
		k.repl.Operands(s)
		out.Append(s)
	}
}

// cheap reports whether a rule lets both sides of an if be executed.
func (k *converter) cheap(in *ir.Instr, rule *profile.Speculation) bool {
	a, okA := speculated(in.Blocks[0].Instrs)
	b, okB := speculated(in.Blocks[1].Instrs)
	if !okA || !okB {
		return false
	}
	switch {
	case k.returns(in):
		return (a == 0 || b == 0) && a+b <= rule.Any && !floats(in)
	case a == 0 || b == 0:
		return rule.OneSide(a+b, len(in.Results))
	}
	return rule.BothSides(a, b, len(in.Results))
}

// returns reports whether both sides of an if end where those of the one around it do, as those of a chain of returns:
// LLVM has one place with more than two ways in there, to which FoldTwoEntryPHINode does not apply.
func (k *converter) returns(in *ir.Instr) bool {
	around := in.Parent.Owner
	if k.rule.Any == 0 || in.Kind != "return" || around == nil || around.Kind != "return" {
		return false
	}
	list := in.Parent.Instrs
	return len(list) > 1 && list[len(list)-2] == in && ir.Yields(in.Parent) &&
		slices.Equal(in.Results, in.Parent.Last().Args)
}

// floats reports whether a side of an if computes with floating numbers.
func floats(in *ir.Instr) bool {
	for _, b := range in.Blocks {
		for _, x := range b.Instrs {
			if x.Type.IsFloat() {
				return true
			}
		}
	}
	return false
}

// speculated counts the operations of a side, of which the last instruction is its yield. Loads, divisions and
// functions are not executed in vain.
func speculated(list []*ir.Instr) (n int, ok bool) {
	for _, in := range list[:len(list)-1] {
		switch {
		case !ir.Pure(in), in.Op == lower.Call, in.Op == lower.Div, in.Op == lower.Rem,
			in.Type.IsFloat() && (in.Op == lower.Min || in.Op == lower.Max || in.Op == lower.Abs || in.Op == lower.Fma):
			return 0, false
		case in.Op != lower.Bitcast:
			n++
		}
	}
	return n, true
}

// choose appends both sides of an if and the selects of its results.
func (k *converter) choose(out *ir.Block, in *ir.Instr) {
	k.selects(in)
	for _, b := range in.Blocks {
		for _, j := range b.Instrs[:len(b.Instrs)-1] {
			out.Append(j)
		}
	}
	a, b := in.Blocks[0].Last(), in.Blocks[1].Last()
	for i, r := range in.Results {
		k.repl.Put(r, k.selectOf(out, in, k.repl.Find(a.Args[i]), k.repl.Find(b.Args[i])))
	}
}

// selects notes that a branch of the source is none any more.
func (k *converter) selects(in *ir.Instr) {
	if in.Source == 0 {
		return
	}
	if k.f.Selects == nil {
		k.f.Selects = map[int]bool{}
	}
	k.f.Selects[in.Source] = true
}

// selectOf appends the choice between two values by the condition of an if.
func (k *converter) selectOf(out *ir.Block, in *ir.Instr, a, b *ir.Value) *ir.Value {
	if a == b || b.Kind == ir.Undef {
		return a
	}
	if a.Kind == ir.Undef {
		return b
	}
	c := in.Args[0]
	add := func(op ir.Op, args ...*ir.Value) *ir.Value {
		s := &ir.Instr{Op: op, Type: a.Type, Args: args, Pos: in.Pos}
		out.Append(s)
		return k.f.AddResult(s, a.Type, "")
	}
	if a.Type == lower.Pred {
		switch {
		case ir.IsInt(a, 1) && ir.IsInt(b, 0):
			return c
		case ir.IsInt(b, 0):
			return add(lower.And, c, a)
		case ir.IsInt(a, 1):
			return add(lower.Or, c, b)
		case ir.IsInt(a, 0):
			return add(lower.And, add(lower.Not, c), b)
		case ir.IsInt(b, 1):
			return add(lower.Or, add(lower.Not, c), a)
		}
	}
	return add(lower.Select, c, a, b)
}

// hoist moves the instructions that both sides begin with in front of an if.
func (k *converter) hoist(out *ir.Block, in *ir.Instr) {
	a, b := in.Blocks[0], in.Blocks[1]
	n := 0
	for n < len(a.Instrs)-1 && n < len(b.Instrs)-1 {
		x, y := a.Instrs[n], b.Instrs[n]
		k.repl.Operands(x)
		k.repl.Operands(y)
		if !sameOperation(x, y) || !slices.Equal(x.Args, y.Args) {
			break
		}
		out.Append(x)
		for i, r := range y.Results {
			k.repl.Put(r, x.Results[i])
		}
		n++
	}
	if n == 0 {
		return
	}
	for _, s := range in.Blocks {
		s.Instrs = s.Instrs[n:]
		for _, j := range s.Instrs {
			k.repl.Operands(j)
		}
	}
}

// sameOperation reports whether two instructions do the same with their operands.
func sameOperation(x, y *ir.Instr) bool {
	return x.Op == y.Op && x.Type == y.Type && x.From == y.From && x.Fn == y.Fn && x.Dim == y.Dim &&
		x.Scale == y.Scale &&
		x.Space == y.Space && x.Align == y.Align && x.Whole == y.Whole && x.Offset == y.Offset &&
		x.Volatile == y.Volatile && len(x.Args) == len(y.Args) && len(x.Results) == len(y.Results) &&
		!x.Nests() && !x.IsTerminator() && sameTypes(x.Args, y.Args)
}

// sameTypes reports whether values have the same types.
func sameTypes(x, y []*ir.Value) bool {
	return slices.EqualFunc(x, y, func(a, b *ir.Value) bool { return a.Type == b.Type })
}
