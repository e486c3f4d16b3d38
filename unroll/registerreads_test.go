package unroll_test

import (
	"io/fs"
	"math"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/tools"
	"gpupipe/kernels"
	"gpupipe/unroll"
)

// mostReads is how many words the operands of an instruction of fixed latency have at most.
func mostReads(op string, level unroll.Level) int {
	verb, types, _ := strings.Cut(op, ".")
	typ := types[strings.LastIndexByte(types, '.')+1:]
	words := 1
	if strings.HasSuffix(typ, "64") || typ == "ptr" {
		words = 2
	}
	switch verb {
	case "cvt", "mov", "neg", "not", "abs":
		return words
	case "mad_sat", "mad_hi", "clamp", "bitselect":
		return 3 * words
	case "fma", "mad":
		if strings.HasPrefix(types, "wide.") {
			return 4 // the sum has 64 bits
		}
		return 3 * words
	case "select": // by a predicate; at -O0 by all that is compared, if that is in a subscript
		if level == unroll.O0 {
			return math.MaxInt
		}
	}
	return 2 * words
}

// TestRegisterReads: no instruction reads more registers than it has operands, whoever wrote them in
// which lanes.
func TestRegisterReads(t *testing.T) {
	check := func(name string, g *idg.Graph, level unroll.Level) {
		for _, p := range g.Programs() {
			for s, n := range g.RegisterReads(p) {
				if in := g.Instr(p.StaticInstr(idg.StaticID(s))); int(n) > mostReads(in.Op, level) {
					t.Errorf("%s: %s at %v reads %d words, its operands have %d", name, in.Op, in.Pos, n,
						mostReads(in.Op, level))
					return
				}
			}
		}
	}
	for _, entry := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), entry.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range lowerSource(t, entry.File, string(text), entry.Defines...) {
			opt := unroll.Options{
				Local: [3]int64{16, 8, 1}, Groups: [3]int64{4, 4, 1}, Target: unroll.Target{Level: unroll.O2},
				MaxInstructions: 1 << 16,
			}
			if res, err := unroll.Resolve(k, opt); err == nil {
				check(entry.Name, res.Graph, opt.Level)
			}
		}
	}
	seeds := uint64(tools.Cases(200, 10))
	for seed := range seeds {
		k := lowerKernel(t, generateKernel(seed))
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			opt := unroll.Options{Local: [3]int64{32, 1, 1}, Groups: [3]int64{2, 1, 1},
				Target: unroll.Target{Level: level}}
			if seed%2 == 0 { // else branches are not known
				opt.Args = map[string]unroll.ArgValue{"n": {Int: 11}, "m": {Int: 77}, "q": {Int: 12345678901}}
			}
			if res, err := unroll.Resolve(k, opt); err == nil {
				check(generateKernel(seed), res.Graph, level)
			}
		}
	}
}

// TestDivergedRegister: a sum in half the lanes reads what one in all lanes does, and waits for the
// last sum only; behind the loop both halves are one operand.
func TestDivergedRegister(t *testing.T) {
	const text = `kernel void k(global float *p, const global float *q, int w) {
    float v = q[get_local_id(0)];
    if ((get_local_id(0) & 15) < 8) {
        for (int k = 0; k < w; k++) v = v * v + q[k];
    }
    p[get_local_id(0)] = v * v;
}`
	g := resolve(t, lowerKernel(t, text), unroll.Options{
		Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		Target: unroll.Target{Level: unroll.O2, Compiler: unroll.NVCC},
		Args:   map[string]unroll.ArgValue{"w": {Int: 200}},
	}).Graph
	p := g.Programs()[0]
	f := flat(p)
	reads := g.RegisterReads(p)
	sums := 0
	for v := range idg.NodeID(f.Len()) {
		in := g.Instr(f.Instr(v))
		from, kinds := f.Preds(v)
		count := map[idg.EdgeKind]int{}
		for i, u := range from {
			if !g.Instr(f.Instr(u)).IsGate() {
				count[kinds[i]]++
			}
		}
		want := map[string][2]int{"fma.f32": {2, 0}, "mul.f32": {1, 1}}[in.Op]
		if want != [2]int{} && [2]int{count[idg.Data], count[idg.Control]} != want {
			t.Errorf("%s depends on %v (%v), want %d operands, %d earlier writers", in.Op, from, kinds,
				want[0], want[1])
		}
		if in.Op == "fma.f32" {
			sums++
		}
	}
	for s, n := range reads {
		if op := g.Instr(p.StaticInstr(idg.StaticID(s))).Op; op == "fma.f32" && n > 2 || op == "mul.f32" && n > 1 {
			t.Errorf("%s reads %d words", op, n)
		}
	}
	if sums != 200 {
		t.Errorf("%d multiply-adds, want 200", sums)
	}
}
