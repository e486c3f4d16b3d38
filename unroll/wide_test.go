package unroll_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestWideLoads: which loads of local memory become one, and which do not.
func TestWideLoads(t *testing.T) {
	for _, c := range []struct {
		name, declare, body string
		want                []string // width x lanes' stride of each load of local memory
	}{
		{"four neighbours", "local float s[256];", "a[x] = s[4*x] + s[4*x+1] + s[4*x+2] + s[4*x+3];",
			[]string{"16/16"}},
		{"any order", "local float s[256];", "a[x] = s[4*x+3] + s[4*x+1] + s[4*x] + s[4*x+2];", []string{"16/16"}},
		{"two neighbours", "local float s[256];", "a[x] = s[4*x] + s[4*x+1];", []string{"8/16"}},
		{"two across a boundary", "local float s[256];", "a[x] = s[4*x+1] + s[4*x+2];", []string{"4/16", "4/16"}},
		{"three of four", "local float s[256];", "a[x] = s[4*x+1] + s[4*x+2] + s[4*x+3];", []string{"16/16"}},
		{"unaligned rows", "local float s[256];", "a[x] = s[3*x] + s[3*x+1];", []string{"4/12", "4/12"}},
		{"two doubles", "local double s[128];", "a[x] = s[2*x] + s[2*x+1];", []string{"16/16"}},
		{"shorts", "local short s[128];", "a[x] = s[2*x] + s[2*x+1];", []string{"2/4", "2/4"}},
		{"behind an odd array", "local float o[3], s[256]; o[0] = 1;", "a[x] = s[4*x] + s[4*x+1];",
			[]string{"4/16", "4/16"}},
		{"a write between", "local float s[256];", "float f = s[4*x]; s[x+64] = 1; a[x] = f + s[4*x+1];",
			[]string{"4/16", "4/16"}},
		{"a barrier between", "local float s[256];", "float f = s[4*x]; barrier(1); a[x] = f + s[4*x+1];",
			[]string{"4/16", "4/16"}},
		{"volatile", "local float s[256];", "volatile local float *v = s; a[x] = v[4*x] + v[4*x+1];",
			[]string{"4/16", "4/16"}},
		{"an argument", "", "a[x] = p[4*x] + p[4*x+1];", []string{"4/16", "4/16"}},
		{"a loop from a constant", "local float s[256];", "float f = 0;\n#pragma unroll 4\n" +
			"for (int i = 0; i < 8; i++) f += s[i];\na[x] = f;", slices.Repeat([]string{"8/0"}, 4)},
		{"a loop from a work item's id", "local float s[256];", "float f = 0;\n#pragma unroll 4\n" +
			"for (int i = x; i < x + 8; i++) f += s[i];\na[x] = f;", slices.Repeat([]string{"4/4"}, 8)},
		{"a loop from a multiple of it", "local float s[256];", "float f = 0;\n#pragma unroll 4\n" +
			"for (int i = 4*x; i < 4*x + 8; i++) f += s[i];\na[x] = f;", slices.Repeat([]string{"4/16"}, 8)},
		{"global memory", "", "a[x] = a[4*x+64] + a[4*x+65];", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *a, local float *p) { int x = get_local_id(0); "+c.declare+
				" "+c.body+" }")
			opt := unroll.Options{Local: [3]int64{32}, Target: unroll.Target{MachineCode: true}}
			res := resolve(t, k, opt)
			if got := localLoads(res.Graph); !slices.Equal(got, c.want) {
				t.Errorf("loads %q, want %q", got, c.want)
			}
			wide := slices.ContainsFunc(c.want, func(s string) bool {
				return strings.HasPrefix(s, "16/") && c.name != "two doubles" || s == "8/16" || s == "8/0"
			})
			noted := slices.ContainsFunc(res.Graph.Notes, func(n idg.Note) bool { return n.Code == "WIDE-LOAD" })
			if c.name != "two doubles" && noted != wide {
				t.Errorf("noted: %v, want %v", noted, wide)
			}
			for _, other := range []unroll.Options{{Target: unroll.Target{Compiler: unroll.NoCompiler}},
				{Target: unroll.Target{Level: unroll.O0}}} {
				other.Local = opt.Local
				plain := localLoads(resolve(t, k, other).Graph)
				other.MachineCode = true
				if got := localLoads(resolve(t, k, other).Graph); !slices.Equal(got, plain) {
					t.Errorf("%v at %v: loads %q, want %q", other.Compiler, other.Level, got, plain)
				}
			}
		})
	}
}

// localLoads lists the loads of local memory of warp 0 as width/stride.
func localLoads(g *idg.Graph) []string {
	var list []string
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		panic(err)
	}
	for v := range p.Len() {
		in := g.Instr(p.Instr(idg.NodeID(v)))
		if in.Op != "ld.local" {
			continue
		}
		a := g.Access(in.Access)
		list = append(list, fmt.Sprintf("%d/%d", a.Width, a.Offsets[1]-a.Offsets[0]))
	}
	return list
}

// TestMachineCodeOfAnyKernel: in generated kernels, machine code has at most fewer
// accesses of local memory and fewer integer instructions, and issues short sides of branches
// that no work item takes. All others are the same, unless an array of private memory is in
// registers there (TestPicked), but for the tests of loops of which passes are made one
// (TestPassesOfNVCC): how many are left. Lanes meet where they have gone different ways, branches go around
// the second of two sides, and loops of whole passes have a test of their own (TestMachineCode of
// internal/evidence/fidelity). Divisions, for which machine code has routines (TestDivisions),
// are taken out.
func TestMachineCodeOfAnyKernel(t *testing.T) {
	compared := 0
	for seed := range uint64(tools.Cases(160, 40)) {
		k := lowerKernel(t, generateKernel(seed/2))
		lower.Walk(k.Body, func(s lower.Stmt) {
			if in, ok := s.(*lower.Instr); ok && (in.Op == lower.Div || in.Op == lower.Rem) && in.Type.IsInteger() {
				in.Op = lower.Min
			}
		})
		opt := unroll.Options{Local: [3]int64{32, 2}, AssumeTrips: 5, MaxInstructions: 50_000, Warps: unroll.FirstWarp}
		if seed%2 == 1 {
			opt.Compiler = unroll.Clang
		}
		plain, err := unroll.Resolve(k, opt)
		if err != nil {
			continue
		}
		opt.MachineCode = true
		machine, err := unroll.Resolve(k, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := machine.Graph.Verify(); err != nil {
			t.Fatal(err)
		}
		a, b := ops(plain.Graph), ops(machine.Graph)
		for _, op := range []string{"ld.local", "st.local"} {
			if b[op] > a[op] {
				t.Errorf("seed %d: %d %s, %d without merging", seed, b[op], op, a[op])
			}
		}
		if b["ld.private"]+b["st.private"] < a["ld.private"]+a["st.private"] {
			continue
		}
		compared++
		if opt.Compiler != unroll.Clang {
			takeApart(a, wideCounters(k))
		}
		integers, fewer := takeCombined(a), takeCombined(b)
		more := b["branch"] - a["branch"] // with a comparison each, or not
		if more > 0 {
			a["branch"] = b["branch"]
		}
		if slices.ContainsFunc(machine.Graph.Loops, func(l idg.Loop) bool {
			return strings.Contains(l.Reason, "a later stage merges")
		}) {
			for _, of := range []map[string]int{a, b} {
				delete(of, "branch")
				delete(of, idg.LoopBranch)
			}
		} else if fewer > integers+max(more, 0) {
			t.Errorf("seed %d: %d integer instructions, %d in PTX", seed, fewer, integers)
		}
		delete(b, "off") // TestSwitchedOff
		delete(b, "converge")
		if !maps.Equal(a, b) {
			t.Errorf("seed %d: other instructions differ: %v, %v in PTX", seed, b, a)
		}
	}
	if compared < tools.Cases(100, 25) {
		t.Errorf("%d kernels were compared", compared)
	}
}

// wideCounters reports whether a loop of a kernel counts with 64 bits.
func wideCounters(k *lower.Kernel) (wide bool) {
	lower.Walk(k.Body, func(s lower.Stmt) {
		if l, ok := s.(*lower.Loop); ok && l.Induction != nil {
			wide = wide || l.Induction.StepType.Size() > 4 || l.Induction.CmpType.Size() > 4
		}
	})
	return wide
}

// takeApart makes of counts of PTX what machine code has for one instruction, nothing combined: loops
// are increment, comparison and branch, at most with 64 bits, operations of 64 bits two.
func takeApart(counts map[string]int, wide bool) {
	if n := counts["loop"]; n > 0 {
		counts[idg.LoopBranch] = n
		if wide {
			n *= 2
		}
		counts["add.s32"], counts["setp.s32"] = counts["add.s32"]+n, counts["setp.s32"]+n
		delete(counts, "loop")
	}
	for op, n := range maps.Clone(counts) {
		verb, typ, _ := strings.Cut(op, ".")
		switch typ {
		case "f64":
			if verb != "mov" && verb != "select" {
				continue
			}
		case "s64", "u64", "ptr":
			if !slices.Contains([]string{"add", "sub", "neg", "setp", "and", "or", "xor", "not", "shl", "shr", "mov",
				"select"}, verb) {
				continue
			}
		default:
			continue
		}
		counts[verb+".s32"] += 2 * n
		delete(counts, op)
	}
}

// takeCombined removes from counts what machine code combines or merges, and returns how many
// of them are integer instructions.
func takeCombined(counts map[string]int) (integers int) {
	for op, n := range counts {
		verb, typ, _ := strings.Cut(op, ".")
		switch {
		case op == "ld.local", op == "st.local":
			delete(counts, op)
		case slices.Contains([]string{"add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "cvt",
			"setp", "neg", "mov"}, verb) && !strings.Contains(typ, "f"):
			integers += n
			delete(counts, op)
		}
	}
	return integers
}
