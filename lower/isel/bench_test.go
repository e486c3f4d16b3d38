package isel_test

import (
	"fmt"
	"testing"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel"
	"gpupipe/lower/machine"
)

// long is a kernel with a straight body of n multiply-adds, loads and stores in a loop.
func long(n int) *ir.Func {
	f := ir.NewFunc("long", ir.Pos{}, []ir.Param{{Name: "a", Type: lower.Ptr, Object: 1}, {Name: "n", Type: lower.S32}},
		[]ir.Object{{Name: "a", Space: idg.SpaceGlobal, Elem: lower.F32}})
	loop := f.Body.Append(&ir.Instr{Op: lower.OpLoop, Args: []*ir.Value{f.Int(lower.S32, 0)}, Loop: &ir.LoopInfo{}})
	b := loop.NewBlock()
	i := f.AddParam(loop, lower.S32, "i")
	var last *ir.Value
	for k := range n / 5 {
		p := b.Append(&ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S32, Scale: 4,
			Args: []*ir.Value{f.Args[0], i}})
		pv := f.AddResult(p, lower.Ptr, "")
		q := b.Append(&ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 4, Args: []*ir.Value{pv,
			f.Int(lower.S64, int64(k))}})
		qv := f.AddResult(q, lower.Ptr, "")
		l := b.Append(&ir.Instr{Op: lower.Load, Type: lower.F32, Space: idg.SpaceGlobal, Align: 4,
			Args: []*ir.Value{qv}})
		lv := f.AddResult(l, lower.F32, "")
		if last == nil {
			last = lv
		}
		m := b.Append(&ir.Instr{Op: lower.Fma, Type: lower.F32, Args: []*ir.Value{lv, last, lv}})
		last = f.AddResult(m, lower.F32, "")
		b.Append(&ir.Instr{Op: lower.Store, Type: lower.F32, Space: idg.SpaceGlobal, Align: 4, Args: []*ir.Value{qv,
			last}})
	}
	next := b.Append(&ir.Instr{Op: lower.Add, Type: lower.S32, Args: []*ir.Value{i, f.Int(lower.S32, 1)}})
	nv := f.AddResult(next, lower.S32, "")
	c := b.Append(&ir.Instr{Op: lower.Lt, Type: lower.S32, Args: []*ir.Value{nv, f.Args[1]}})
	cv := f.AddResult(c, lower.Pred, "")
	branch := b.Append(&ir.Instr{Op: lower.OpIf, Args: []*ir.Value{cv}})
	branch.NewBlock().Append(&ir.Instr{Op: lower.OpContinue, Target: loop, Args: []*ir.Value{nv}})
	branch.NewBlock().Append(&ir.Instr{Op: lower.OpYield})
	b.Append(&ir.Instr{Op: lower.OpLeave, Target: loop})
	f.Body.Append(&ir.Instr{Op: lower.OpYield})
	return f
}

func BenchmarkSelect(b *testing.B) {
	for _, target := range []string{"sm_90", "gfx90a"} {
		g, err := machine.LookupTarget(target)
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/n=%d", target, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					f := long(n)
					b.StartTimer()
					if _, err := isel.Select(f, g, &machine.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
