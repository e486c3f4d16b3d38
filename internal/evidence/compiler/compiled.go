package main

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/compile"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/unroll/walk"
)

// compileSource compiles a source's kernel. A panic is an error, so that the other kernels are compared.
func compileSource(s *Source, t Target) (r *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	p, err := program(s, t)
	if err != nil {
		return nil, err
	}
	fn, err := p.Choose(s.Kernel)
	if err != nil {
		return nil, err
	}
	k, err := translate.Kernel(p.Unit, fn)
	if err != nil {
		return nil, err
	}
	rules, err := profile.Lookup(t.Profile)
	if err != nil {
		return nil, err
	}
	r = &Result{Registers: -1, Scalars: -1, SpillStores: -1, SpillLoads: -1, SpillBytes: -1, Shared: -1}
	if t.Arch == "ptx" { // of which only decisions are compared
		f := build.Build(k)
		if err := pass.Run(f, &profile.Context{Profile: rules, Virtual: true}, "", nil); err != nil {
			return nil, err
		}
		r.decisions(f.Body)
		return r, nil
	}
	target, err := machine.LookupTarget(t.Arch)
	if err != nil {
		return nil, err
	}
	o := &compile.Options{Target: target, Profile: rules, Level: 2,
		Machine: machine.Options{MaxThreads: int(fn.MaxWorkItems), MinGroups: int(fn.MinResident),
			LocalBytes: rules.LocalBytes, VIADD: rules.VIADD, Library: rules.Library, Hoist: rules.Hoist}}
	if w := fn.WorkGroupSize; o.Machine.MaxThreads == 0 && w[0] > 0 {
		o.Machine.MaxThreads = int(w[0] * max(w[1], 1) * max(w[2], 1))
	}
	if o.Machine.MaxThreads == 0 && target.ISA == "gcn" {
		o.Machine.MaxThreads = int(fn.ClangGroup(p.Source.Dialect))
	}
	f, err := compile.IR(k, o, "")
	if err != nil {
		return nil, err
	}
	r.decisions(f.Body)
	code, err := compile.Generate(f, target, &o.Machine)
	if err != nil {
		return r, err
	}
	r.code(code)
	if s.Set != "h100" {
		return r, nil
	}
	return r, r.execute(p, fn, code)
}

// execute counts what the launch executes.
func (r *Result) execute(p *generate.Program, fn *ast.Function, code *machine.Code) error {
	k, err := p.Prepare(fn)
	if err != nil {
		return err
	}
	o, err := k.Options.WithDefaults()
	if err != nil {
		return err
	}
	n, err := walk.Count(code, o)
	if err != nil {
		return err
	}
	r.Executed = &Counts{}
	for i, in := range n.Instrs {
		if c := ClassOf(in.Op, ""); c != 0 {
			r.Executed[c] += n.Times[i]
		}
	}
	return nil
}

// decisions reads the loops that are left.
func (r *Result) decisions(b *ir.Block) {
	for _, in := range b.Instrs {
		if in.Op == lower.OpLoop && in.Loop != nil {
			d := LoopDecision{Line: in.Pos.Line, Copies: int64(max(1, in.Loop.Copies)), Why: in.Loop.Decision,
				Lines: map[int]bool{}}
			in.Blocks[0].Walk(func(x *ir.Instr) { d.Lines[x.Pos.Line] = true })
			r.Loops = append(r.Loops, d)
		}
		for _, inner := range in.Blocks {
			r.decisions(inner)
		}
	}
}

// code reads machine code.
func (r *Result) code(c *machine.Code) {
	u := &c.Resources
	r.Registers, r.Scalars, r.SpillBytes, r.Shared = int64(u.Registers), int64(u.UniformRegisters), u.SpillBytes,
		u.LocalBytes
	r.SpillStores, r.SpillLoads, r.Static = 0, 0, &Counts{}
	r.block(c.Body)
	for _, routine := range c.Routines {
		for i, op := range routine.Ops {
			if k := ClassOf(op, ""); k != 0 {
				r.Static[k] += int64(routine.Counts[i])
			}
		}
	}
}

func (r *Result) block(b *machine.Block) {
	if b == nil {
		return
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			r.instruction(n)
		case *machine.If:
			r.instruction(n.Branch, n.Skip, n.Enter, n.Leave)
			r.block(n.Then)
			r.block(n.Else)
		case *machine.Loop:
			r.instruction(n.Enter, n.Leave)
			r.block(n.Body)
		case *machine.Region:
			r.instruction(n.Enter, n.Leave)
			r.block(n.Body)
		case *machine.Jump:
			r.instruction(n.Branch)
		}
	}
}

// instruction counts instructions; nil ones are none.
func (r *Result) instruction(list ...*machine.Instr) {
	for _, in := range list {
		if in == nil {
			continue
		}
		if c := ClassOf(in.Op, ""); c != 0 {
			r.Static[c]++
		}
		if in.Spill && in.Mem != nil {
			if in.Mem.Store {
				r.SpillStores += in.Mem.Bytes
			} else {
				r.SpillLoads += in.Mem.Bytes
			}
		}
	}
}
