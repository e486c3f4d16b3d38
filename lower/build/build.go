// Package build makes the IR of a kernel: SSA of the structured tree that package lower gives, in which
// variables are assigned. The values of variables at the end of branches and around loops become results and
// parameters (Brandis and Mössenböck, Single-Pass Generation of Static Single-Assignment Form for Structured
// Languages, 1994); those that nobody reads are dropped afterwards.
package build

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Build makes the IR of a kernel. It changes nothing in k.
func Build(k *lower.Kernel) *ir.Func {
	f := ir.NewFunc(k.Name, k.Pos, slices.Clone(k.Params), slices.Clone(k.Objects))
	f.Accuracy, f.GroupSize = k.Accuracy, k.GroupSize
	b := &builder{k: k, f: f, cur: make([]*ir.Value, len(k.Regs)), targets: map[lower.Label]*target{}}
	for i, p := range k.Params {
		b.cur[p.Reg-1] = f.Args[i]
	}
	b.into(f.Body, func() {
		b.stmts(k.Body)
		b.jump(lower.OpYield, nil, nil, k.Pos)
	})
	f.Sweep(func(*ir.Instr) bool { return true })
	return f
}

// builder walks the tree once; cur is what each register holds there.
type builder struct {
	k       *lower.Kernel
	f       *ir.Func
	block   *ir.Block
	cur     []*ir.Value // by Reg - 1; nil: not assigned
	changed []change    // assignments to variables since Build began, for going back
	targets map[lower.Label]*target
	header  *[]*ir.Instr // gets what is built of the test or the step of a loop
}

// change is an assignment that may be taken back.
type change struct {
	reg lower.Reg
	old *ir.Value
}

// target is what a label means while the statement that has it is built.
type target struct {
	leave *ir.Instr   // OpLoop or OpRegion
	vars  []lower.Reg // that its results are for
	next  *target     // Continue: the region around a loop's body, nil: the loop itself
}

// into builds at the end of a block.
func (b *builder) into(block *ir.Block, build func()) {
	around := b.block
	b.block = block
	build()
	b.block = around
}

// set assigns a register.
func (b *builder) set(r lower.Reg, v *ir.Value) {
	b.changed = append(b.changed, change{r, b.cur[r-1]})
	b.cur[r-1] = v
}

// back takes back all assignments since a mark and returns what the registers that were assigned held.
func (b *builder) back(mark int) map[lower.Reg]*ir.Value {
	held := map[lower.Reg]*ir.Value{}
	for i := len(b.changed) - 1; i >= mark; i-- {
		c := b.changed[i]
		if _, ok := held[c.reg]; !ok {
			held[c.reg] = b.cur[c.reg-1]
		}
		b.cur[c.reg-1] = c.old
	}
	b.changed = b.changed[:mark]
	return held
}

// value is what a register holds.
func (b *builder) value(r lower.Reg) *ir.Value {
	if v := b.cur[r-1]; v != nil {
		return v
	}
	return b.f.Undef(b.k.Reg(r).Type)
}

// values are those of several registers.
func (b *builder) values(regs []lower.Reg) []*ir.Value {
	out := make([]*ir.Value, len(regs))
	for i, r := range regs {
		out[i] = b.value(r)
	}
	return out
}

// operand is the value of an operand of the tree.
func (b *builder) operand(o lower.Operand) *ir.Value {
	switch o.Kind {
	case lower.OperandReg:
		return b.value(o.Reg)
	case lower.OperandObject:
		return b.f.Address(o.Object)
	}
	return b.f.Constant(o.Type, o.Bits)
}

// assigned lists the variables that statements assign, in order.
func (b *builder) assigned(blocks ...lower.Block) []lower.Reg {
	seen := map[lower.Reg]bool{}
	var out []lower.Reg
	for _, block := range blocks {
		lower.Walk(block, func(s lower.Stmt) {
			if in, ok := s.(*lower.Instr); ok {
				for _, d := range in.Dsts {
					if b.k.Reg(d).Var && !seen[d] {
						seen[d] = true
						out = append(out, d)
					}
				}
			}
		})
	}
	slices.Sort(out)
	return out
}

// stmts builds statements. What stands behind a jump is not reached.
func (b *builder) stmts(list lower.Block) {
	for _, s := range list {
		if ended(b.block) {
			return
		}
		switch s := s.(type) {
		case *lower.Instr:
			b.instr(s)
		case *lower.If:
			b.branch(s)
		case *lower.Loop:
			b.loop(s)
		case *lower.Switch:
			b.choose(s)
		case *lower.Region:
			b.region(s.Label, s.Pos, s.Name, b.assigned(s.Body), func() { b.stmts(s.Body) })
		case *lower.Leave:
			t := b.targets[s.Label]
			b.jump(lower.OpLeave, t.leave, b.values(t.vars), s.Pos).Kind = s.Kind
			return
		case *lower.Continue:
			t := b.targets[s.Label]
			if t.next != nil {
				b.jump(lower.OpLeave, t.next.leave, b.values(t.next.vars), s.Pos).Kind = "continue"
				return
			}
			b.jump(lower.OpContinue, t.leave, b.values(t.vars), s.Pos)
			return
		}
	}
}

// instr builds one operation. A Mov only gives a value another name.
func (b *builder) instr(s *lower.Instr) {
	if s.Op == lower.Mov {
		b.set(s.Dsts[0], b.operand(s.Args[0]))
		return
	}
	in := &ir.Instr{Op: s.Op, Type: s.Type, From: s.From, Fn: s.Fn, Dim: s.Dim, Scale: s.Scale, Element: s.Element,
		Space: s.Space, Align: s.Align, Whole: int32(s.Whole), Offset: int32(s.Offset), Volatile: s.Volatile,
		Subscript: s.Subscript, Component: int32(s.Component), Pos: s.Pos}
	for _, a := range s.Args {
		in.Args = append(in.Args, b.operand(a))
	}
	b.block.Append(in)
	if b.header != nil {
		*b.header = append(*b.header, in)
	}
	for _, d := range s.Dsts {
		info := b.k.Reg(d)
		b.set(d, b.f.AddResult(in, info.Type, info.Name))
	}
}

// jump ends the current block, unless a jump ended it before.
func (b *builder) jump(op lower.Op, to *ir.Instr, args []*ir.Value, pos ir.Pos) *ir.Instr {
	in := &ir.Instr{Op: op, Target: to, Args: args, Pos: pos}
	if last := b.block.Last(); last != nil && last.IsTerminator() {
		return in
	}
	return b.block.Append(in)
}

// control appends a control operation.
func (b *builder) control(op lower.Op, pos ir.Pos) *ir.Instr {
	return b.block.Append(&ir.Instr{Op: op, Pos: pos})
}

// results gives a control operation a result for each variable, which hold them from now on.
func (b *builder) results(in *ir.Instr, vars []lower.Reg) {
	for _, r := range vars {
		info := b.k.Reg(r)
		b.set(r, b.f.AddResult(in, info.Type, info.Name))
	}
}

// branch builds an if: variables that a side assigns are its results.
func (b *builder) branch(s *lower.If) {
	in := b.control(lower.OpIf, s.Pos)
	in.Args, in.Source, in.Kind = []*ir.Value{b.operand(s.Cond)}, int(s.ID), s.Kind
	b.sides(in, []lower.Block{s.Then, s.Else})
}

// sides builds the blocks of an if or switch. Only variables assigned in one that reaches its end are results.
func (b *builder) sides(in *ir.Instr, list []lower.Block) {
	held := make([]map[lower.Reg]*ir.Value, len(list))
	var vars []lower.Reg
	for i, side := range list {
		mark := len(b.changed)
		b.into(in.NewBlock(), func() { b.stmts(side) })
		held[i] = b.back(mark)
		if ended(in.Blocks[i]) {
			continue
		}
		for r := range held[i] {
			if b.k.Reg(r).Var {
				vars = append(vars, r)
			}
		}
	}
	slices.Sort(vars)
	vars = slices.Compact(vars)
	for i, side := range in.Blocks {
		if ended(side) {
			continue
		}
		args := make([]*ir.Value, len(vars))
		for j, r := range vars {
			if v, ok := held[i][r]; ok {
				args[j] = v
			} else {
				args[j] = b.value(r)
			}
		}
		b.into(side, func() { b.jump(lower.OpYield, nil, args, in.Pos) })
	}
	b.results(in, vars)
}

// ended reports whether a block ends in a jump.
func ended(b *ir.Block) bool { return b.Last() != nil && b.Last().IsTerminator() }

// region builds what a jump to a label leaves early.
func (b *builder) region(label lower.Label, pos ir.Pos, name string, vars []lower.Reg, build func()) {
	in := b.control(lower.OpRegion, pos)
	in.Fn = name
	if label != 0 {
		b.targets[label] = &target{leave: in, vars: vars}
	}
	b.inside(in, vars, build)
}

// inside builds the block of a region of which the results are variables.
func (b *builder) inside(in *ir.Instr, vars []lower.Reg, build func()) {
	mark := len(b.changed)
	b.into(in.NewBlock(), func() {
		build()
		b.jump(lower.OpYield, nil, b.values(vars), in.Pos)
	})
	b.back(mark)
	b.results(in, vars)
}
