package isel

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower/ir"
)

// Updates of one word by all lanes are made one: a lane that is elected by a vote updates it with the number of lanes
// times the operand, or with its sum, minimum or maximum over them, which REDUX finds (NVIDIA, CUDA Pro Tip:
// Optimized Filtering with Warp-Aggregated Atomics, 2014: the compiler does so; machine code of nvcc 11.8 for compute
// capability 7.0 and 9.0). In local memory those that add 1 are counted by the memory itself.

// reductions are the modes of REDUX by read-modify-write.
var reductions = map[string]string{"ADD": "SUM", "MIN": "MIN", "MAX": "MAX", "MIN.S32": "MIN.S32", "MAX.S32": "MAX.S32",
	"AND": "AND", "OR": "OR", "XOR": "XOR"}

// aggregate emits a read-modify-write of one word by all lanes as one update, if the compiler does.
func (a *sass) aggregate(in *ir.Instr, what string, unused bool, o Operand, m *Mem, values []Operand) bool {
	mode := reductions[what]
	if mode == "" || len(values) != 1 || !a.t.Has("bssy") || in.Type.Size() != 4 || !a.flow.Uniform(in.Args[0]) {
		return false
	}
	uniform := len(in.Args) < 2 || a.flow.Uniform(in.Args[1])
	if uniform && what != "ADD" || !uniform && !(unused && a.t.Has("async copies")) {
		return false
	}
	active, leader, lane, p := a.temp(Vector, 1), a.temp(Vector, 1), a.temp(Vector, 1), a.temp(Predicate, 1)
	a.emit("VOTE.ANY", active, nil, always)
	a.emit("S2R", lane, nil, special("SR_LANEID"))
	a.emit("FLO.U32", leader, nil, active.read())
	a.emit("ISETP.EQ.U32.AND", dest{}, []Reg{p.reg}, lane.read(), leader.read(), always)
	total := a.temp(Vector, 1)
	times := func(n, d dest) {
		if v := values[0]; v.Kind != Immediate || v.Bits != 1 {
			a.emit("IMAD", d, nil, n.read(), v, zero)
			return
		}
		a.transfer(d, n.read())
	}
	if uniform {
		n := a.temp(Vector, 1)
		a.emit("POPC", n, nil, active.read())
		times(n, total)
	} else {
		u := a.temp(Uniform, 1)
		a.emit("REDUX."+mode, u, nil, values[0])
		a.transfer(total, u.read())
	}
	d, op := dest{}, "ATOMS."
	if !unused {
		d = a.temp(Vector, 1)
	}
	if m.Space != idg.SpaceLocal {
		op = a.updating(unused)
		what += ".STRONG.GPU"
	}
	x := a.access(op+what, d, nil, m, o, total.read())
	x.Class = isa.Parse(x.Class).With(isa.Combined).String()
	x.Guard = Guard{Reg: p.reg}
	if unused {
		return true
	}
	first, below, n, rank := a.temp(Vector, 1), a.temp(Vector, 1), a.temp(Vector, 1), a.temp(Vector, 1)
	a.want[in.Result().ID] |= 3
	a.emit("SHFL.IDX", first, nil, d.read(), leader.read(), field(0x1f))
	a.emit("S2R", below, nil, special("SR_LTMASK"))
	mask := a.temp(Vector, 1)
	a.emit("LOP3.LUT", mask, nil, below.read(), active.read(), zero)
	a.emit("POPC", n, nil, mask.read())
	times(n, rank)
	a.emit("IADD3", a.dest(in.Result()), nil, first.read(), rank.read(), zero)
	return true
}

// updating is the mnemonic of updates of device memory.
func (a *sass) updating(unused bool) string {
	switch {
	case unused && a.t.Has("clusters"):
		return "REDG.E."
	case unused:
		return "RED.E."
	case a.t.Has("bssy"):
		return "ATOMG.E."
	}
	return "ATOM.E."
}
