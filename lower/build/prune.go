package build

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// prune drops the results of control operations and the parameters of loops that no operation reads, directly
// or by way of others that are read.
func prune(f *ir.Func) {
	p := pruner{live: make([]bool, f.NumValues()), exits: map[*ir.Instr][]*ir.Instr{}}
	f.Body.Walk(func(in *ir.Instr) {
		switch {
		case in.Op == lower.OpYield && in.Parent.Owner != nil:
			p.exits[in.Parent.Owner] = append(p.exits[in.Parent.Owner], in)
		case in.Op == lower.OpLeave:
			p.exits[in.Target] = append(p.exits[in.Target], in)
		}
	})
	continues := map[*ir.Instr][]*ir.Instr{}
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpContinue {
			continues[in.Target] = append(continues[in.Target], in)
		}
		if in.IsTerminator() || in.Op == lower.OpLoop {
			return
		}
		for _, a := range in.Args {
			p.mark(a)
		}
	})
	for len(p.work) > 0 {
		v := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		switch {
		case v.Kind == ir.BlockArg:
			p.mark(v.Def.Args[v.Index])
			for _, c := range continues[v.Def] {
				p.mark(c.Args[v.Index])
			}
		case v.Kind == ir.Result && len(v.Def.Blocks) > 0:
			for _, e := range p.exits[v.Def] {
				p.mark(e.Args[v.Index])
			}
		}
	}
	p.drop(f, continues)
}

type pruner struct {
	live  []bool // by ID
	work  []*ir.Value
	exits map[*ir.Instr][]*ir.Instr // yields and leaves that give results
}

func (p *pruner) mark(v *ir.Value) {
	if !p.live[v.ID] {
		p.live[v.ID] = true
		p.work = append(p.work, v)
	}
}

// drop removes what is not live, and the operands that it got.
func (p *pruner) drop(f *ir.Func, continues map[*ir.Instr][]*ir.Instr) {
	f.Body.Walk(func(in *ir.Instr) {
		if len(in.Blocks) == 0 {
			return
		}
		keep := p.kept(in.Results)
		in.Results = pick(in.Results, keep)
		for _, e := range p.exits[in] {
			e.Args = pick(e.Args, keep)
		}
		if in.Op == lower.OpLoop {
			body := in.Blocks[0]
			keep := p.kept(body.Params)
			body.Params = pick(body.Params, keep)
			in.Args = pick(in.Args, keep)
			for _, c := range continues[in] {
				c.Args = pick(c.Args, keep)
			}
		}
	})
}

// kept says which of some values are live, and numbers those anew.
func (p *pruner) kept(list []*ir.Value) []bool {
	keep, n := make([]bool, len(list)), 0
	for i, v := range list {
		if keep[i] = p.live[v.ID]; keep[i] {
			v.Index = n
			n++
		}
	}
	return keep
}

func pick(list []*ir.Value, keep []bool) []*ir.Value {
	out := list[:0:0]
	for i, v := range list {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}
