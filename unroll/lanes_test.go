package unroll

import (
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// TestIntegerLanes holds the evaluation of all lanes at once against that of one
// lane at a time.
func TestIntegerLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	r := &resolver{st: &static{}, opt: Options{Target: Target{WarpSize: 32}}, warpMask: 1<<32 - 1}
	evaluated := 0
	for range 4000 {
		in := &lower.Instr{Op: lower.Op(1 + rng.IntN(int(lower.Bitcast))),
			Type: lower.Type(1 + rng.IntN(int(lower.Ptr))), From: lower.Type(1 + rng.IntN(int(lower.Ptr)))}
		operand := in.Type
		if in.Op == lower.Convert || in.Op == lower.Bitcast {
			operand = in.From
		}
		var args []*value
		for range 1 + rng.IntN(2) {
			v := &value{typ: operand, u: arithmetic.Canon(operand, rng.Uint64())}
			if rng.IntN(3) > 0 {
				v.lanes = make([]uint64, 32)
				for l := range v.lanes {
					v.lanes[l] = arithmetic.Canon(operand, rng.Uint64()>>rng.IntN(64))
				}
			}
			args = append(args, v)
		}
		if in.Op == lower.Shl && len(args) == 2 {
			args[1].typ = lower.S32
		}
		out := r.newLanes()
		if !r.integerLanes(in, args, out) {
			continue
		}
		evaluated++
		for l, got := range out {
			if in.Op == lower.Bitcast && in.Type.Size() != in.From.Size() {
				continue // which lane does not evaluate
			}
			want, ok := r.lane(in, args, l)
			if !ok || got != want {
				t.Fatalf("%v.%v from %v, lane %d: %#x, want %#x (%v)", in.Op, in.Type, in.From, l, got, want, ok)
			}
		}
	}
	if evaluated < 500 {
		t.Errorf("only %d operations were evaluated", evaluated)
	}
}

// TestCompact: equal lanes are stored once, and their room is used again.
func TestCompact(t *testing.T) {
	r := &resolver{st: &static{}, opt: Options{Target: Target{WarpSize: 4}}}
	v := &value{known: 0b0110, lanes: r.newLanes()}
	copy(v.lanes, []uint64{1, 7, 7, 2})
	used := r.vectors.used
	r.compact(v)
	if v.lanes != nil || v.u != 7 || r.vectors.used != used-4 {
		t.Errorf("lanes %v, contents %d, %d used", v.lanes, v.u, r.vectors.used)
	}
	a, b := &value{known: 0b1111, lanes: r.newLanes()}, r.newLanes()
	copy(a.lanes, []uint64{3, 3, 3, 3})
	copy(b, []uint64{5, 6, 7, 8})
	r.compact(a) // not the last: its room stays
	c := r.newLanes()
	c[0] = 9
	if b[0] != 5 || a.u != 3 {
		t.Errorf("other lanes are overwritten: %v, %d", b, a.u)
	}
}
