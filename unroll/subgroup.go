package unroll

import (
	"math/bits"
	"strings"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

// subGroup executes a function of the work items of a warp. A shuffle is one
// instruction that reads other lanes' registers. Reductions and scans are
// written as devices without instructions for them compute them: a butterfly of
// log2(warp size) steps of a shuffle and the operation, and for scans a select
// that keeps the first lanes as they are.
func (r *resolver) subGroup(in *lower.Instr) {
	args := r.operands(in.Args)
	v := r.exchanged(in, args)
	if v == nil {
		v = r.newValue(in.Type)
	}
	deps := r.depsOfAll(args)
	v.level = r.level // which lanes take part depends on where it stands
	typ := in.Type.String()
	step := func(op string, deps []trace.NodeID) []trace.NodeID {
		if r.silent > 0 {
			return deps
		}
		return r.produce(trace.Node{Op: op, Type: typ, Pos: in.Pos}, deps, nil)
	}
	verb, operation, _ := strings.Cut(in.Fn, "_")
	switch verb {
	case "all", "any", "ballot":
		v.deps = step("vote", deps)
	case "reduce", "scan":
		kind, name, isScan := strings.Cut(operation, "_")
		if !isScan {
			name = kind
		}
		if kind == "exclusive" {
			deps = step("shuffle", deps)
		}
		for range bits.Len(uint(r.opt.WarpSize - 1)) {
			deps = step(name+"."+typ, trace.Union(deps, step("shuffle", deps)))
			if isScan {
				deps = step("select."+typ, deps)
			}
		}
		v.deps = deps
	default:
		v.deps = step("shuffle", deps)
	}
	v.form = symbol(v)
	r.set(in.Dsts[0], v)
}

// exchanged evaluates a shuffle whose operands are known in every active lane,
// and a vote; nil = not known.
func (r *resolver) exchanged(in *lower.Instr, args []*value) *value {
	r.decided(args...)
	for _, a := range args {
		if !a.isKnown(r.mask) {
			return nil
		}
	}
	lanes := r.newLanes()
	known := laneMask(0)
	yes, _ := args[0].trueLanes(r.mask)
	for m := r.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(uint64(m))
		from := l
		switch in.Fn {
		case "all":
			lanes[l], known = arithmetic.FromBool(yes == r.mask), known|1<<l
			continue
		case "any":
			lanes[l], known = arithmetic.FromBool(yes != 0), known|1<<l
			continue
		case "broadcast_first":
			from = bits.TrailingZeros64(uint64(r.mask))
		case "shuffle", "broadcast":
			from = int(args[1].at(l) % maxLanes)
		case "shuffle_xor":
			from = l ^ int(args[1].at(l)%maxLanes)
		case "shuffle_up":
			from = l - int(args[1].at(l)%maxLanes)
		case "shuffle_down":
			from = l + int(args[1].at(l)%maxLanes)
		default:
			return nil
		}
		if from >= 0 && from < len(lanes) && r.mask>>from&1 != 0 {
			lanes[l], known = args[0].at(from), known|1<<l
		}
	}
	v := r.newValue(in.Type)
	v.lanes, v.known = lanes, known
	for _, a := range args {
		v.from |= a.from
	}
	r.compact(v)
	return v
}
