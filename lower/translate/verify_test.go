package translate

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/lower"
)

const verifySource = `constant int tab[4] = {1, 2, 3, 4};
kernel void k(global float *o, int n, float x) {
  local float t[8];
  for (int i = 0; i < n; i++) {
    if (x > 1 && o[i] > 2) break;
    switch (n) { case 1: o[i] = tab[i & 3]; break; default: continue; }
    t[i & 7] = (float)n * x;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = sqrt(t[0]) + get_local_id(0);
  }
  do { n--; } while (n > 3);
}
`

// find returns the first statement that ok accepts.
func find[S lower.Stmt](k *lower.Kernel, ok func(S) bool) S {
	var found S
	done := false
	lower.Walk(k.Body, func(s lower.Stmt) {
		if x, is := s.(S); is && !done && ok(x) {
			found, done = x, true
		}
	})
	if !done {
		panic("no such statement")
	}
	return found
}

func instr(k *lower.Kernel, op Op) *Instr {
	return find(k, func(in *Instr) bool { return in.Op == op })
}

func region(k *lower.Kernel) *lower.Region { return k.Body[0].(*lower.Region) }

// TestVerifyFinds breaks a good kernel in one way at a time: each must be
// reported, in these words.
func TestVerifyFinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(k *lower.Kernel)
		want   string
	}{
		{"operand type", func(k *lower.Kernel) { instr(k, lower.Mul).Args[0] = lower.ConstInt(lower.S32, 1) }, "has type s32, want f32"},
		{"operand does not match its register", func(k *lower.Kernel) { instr(k, lower.Mul).Args[1].Type = lower.S32 }, "names register"},
		{"result type", func(k *lower.Kernel) { k.Reg(instr(k, lower.Sub).Dsts[0]).Type = lower.F32 }, "is assigned a s32"},
		{"operation on a wrong type", func(k *lower.Kernel) { instr(k, lower.And).Type = lower.F32 }, "not well formed"},
		{"invalid operation", func(k *lower.Kernel) { instr(k, lower.And).Op = 0 }, "operation invalid"},
		{"too few operands", func(k *lower.Kernel) {
			in := instr(k, lower.Mul)
			in.Args = in.Args[:1]
		}, "1 results and 1 operands"},
		{"missing operand", func(k *lower.Kernel) { instr(k, lower.Mul).Args[0] = Operand{} }, "operand is missing"},
		{"register that does not exist", func(k *lower.Kernel) {
			instr(k, lower.Mul).Args[1].Reg = 999
		}, "register 999 does not exist"},
		{"object that does not exist", func(k *lower.Kernel) {
			find(k, func(in *Instr) bool {
				return in.Op == lower.PtrAdd && in.Args[0].Kind == lower.OperandObject
			}).Args[0].Object = 99
		}, "object operand 99"},
		{"constant not canonical", func(k *lower.Kernel) { instr(k, lower.And).Args[1].Bits = 1 << 40 }, "is no s32"},
		{"temporary assigned twice", func(k *lower.Kernel) {
			in := *instr(k, lower.Gt)
			r := region(k)
			r.Body = append(r.Body, &in)
		}, "is assigned 2 times"},
		{"temporary never assigned", func(k *lower.Kernel) {
			k.Regs = append(k.Regs, lower.RegInfo{Type: lower.S32})
		}, "is assigned 0 times"},
		{"temporary used before its definition", func(k *lower.Kernel) {
			lp := k.Loops[0]
			lp.Body[0], lp.Body[1] = lp.Body[1], lp.Body[0]
		}, "used where it is not defined"},
		{"temporary used outside its block", func(k *lower.Kernel) {
			in := instr(k, lower.Load)
			r := region(k)
			r.Body = append(r.Body, &Instr{Op: lower.Neg, Type: lower.F32, Dsts: []Reg{k.Params[2].Reg},
				Args: []Operand{{Kind: OperandReg, Type: lower.F32, Reg: in.Dsts[0]}}})
		}, "used where it is not defined"},
		{"variable without a name", func(k *lower.Kernel) { k.Reg(k.Params[1].Reg).Name = "" }, "has no name"},
		{"branch on a number", func(k *lower.Kernel) { k.Branches[0].Cond = lower.ConstInt(lower.S32, 1) }, "want pred"},
		{"branch kind", func(k *lower.Kernel) { k.Branches[0].Kind = "when" }, `branch of kind "when"`},
		{"branch id", func(k *lower.Kernel) { k.Branches[1].ID = 1 }, "branch 1 is number 2"},
		{"branch list", func(k *lower.Kernel) { k.Branches = append(k.Branches, &lower.If{}) }, "3 branches listed, 2"},
		{"loop id", func(k *lower.Kernel) { k.Loops[1].ID = 7 }, "loop 7 is number 2"},
		{"loop list", func(k *lower.Kernel) { k.Loops = k.Loops[:1] }, "loop 2 is number 2"},
		{"loop depth", func(k *lower.Kernel) { k.Loops[0].Depth = 2 }, "loop at depth 1 says 2"},
		{"loop kind", func(k *lower.Kernel) { k.Loops[0].Kind = "until" }, `loop of kind "until"`},
		{"loop condition from elsewhere", func(k *lower.Kernel) {
			k.Loops[0].CondValue = k.Branches[1].Cond
			k.Loops[0].CondValue.Reg = instr(k, lower.Gt).Dsts[0]
		}, "not defined by the Cond block"},
		{"label twice", func(k *lower.Kernel) { k.Loops[1].Label = k.Loops[0].Label }, "not unique"},
		{"break of nothing", func(k *lower.Kernel) {
			find(k, func(s *lower.Leave) bool { return true }).Label = 77
		}, "break names L77, which is not around it"},
		{"break of a loop elsewhere", func(k *lower.Kernel) {
			find(k, func(s *lower.Leave) bool { return true }).Label = k.Loops[1].Label
		}, "which is not around it"},
		{"return of a loop", func(k *lower.Kernel) { find(k, func(s *lower.Leave) bool { return true }).Kind = "return" },
			"return cannot name"},
		{"continue of a switch", func(k *lower.Kernel) {
			find(k, func(s *lower.Continue) bool { return true }).Label = find(k, func(s *lower.Switch) bool { return true }).Label
		}, "continue cannot name"},
		{"statement after a jump", func(k *lower.Kernel) {
			k.Branches[1].Then = append(k.Branches[1].Then, &Instr{Op: lower.Barrier})
		}, "statements follow a jump"},
		{"case twice", func(k *lower.Kernel) {
			s := find(k, func(s *lower.Switch) bool { return true })
			s.Cases[0].Values = []int64{1, 1}
		}, "case 1 twice"},
		{"two defaults", func(k *lower.Kernel) { find(k, func(s *lower.Switch) bool { return true }).Cases[0].Default = true },
			"2 defaults"},
		{"switch on a float", func(k *lower.Kernel) {
			find(k, func(s *lower.Switch) bool { return true }).Value = lower.ConstFloat(lower.F32, 1)
		}, "switch on a f32"},
		{"alignment", func(k *lower.Kernel) { instr(k, lower.Load).Align = 3 }, "alignment 3"},
		{"space", func(k *lower.Kernel) { instr(k, lower.Load).Space = 0 }, "not well formed"},
		{"load without an address", func(k *lower.Kernel) {
			instr(k, lower.Load).Args[0] = lower.ConstInt(lower.U64, 0)
		}, "without an address"},
		{"store of another type", func(k *lower.Kernel) {
			instr(k, lower.Store).Args[1] = lower.ConstInt(lower.S32, 1)
		}, "has type s32, want f32"},
		{"dimension", func(k *lower.Kernel) { instr(k, lower.Index).Dim = 3 }, "not well formed"},
		{"scale", func(k *lower.Kernel) { instr(k, lower.PtrAdd).Scale = 0 }, "not well formed"},
		{"conversion to itself", func(k *lower.Kernel) { instr(k, lower.Convert).Type = lower.S32 }, "not well formed"},
		{"call without a name", func(k *lower.Kernel) { instr(k, lower.Call).Fn = "" }, "not well formed"},
		{"barrier in a subscript", func(k *lower.Kernel) {
			instr(k, lower.Barrier).Subscript = true
		}, "marked as part of a subscript"},
		{"counter", func(k *lower.Kernel) { k.Loops[0].Counter = instr(k, lower.Store).Args[1].Reg }, "is not an integer variable"},
		{"pragma", func(k *lower.Kernel) { k.Loops[0].Pragma = &lower.Pragma{Kind: lower.UnrollFactor, Factor: 1} },
			"pragma unroll by by 1"},
		{"object space", func(k *lower.Kernel) { k.Objects[0].Space = 0 }, "is in invalid space"},
		{"object content", func(k *lower.Kernel) { o := tab(k); o.Init = o.Init[:3] }, "of 16 bytes has 3 initial bytes"},
		{"object content can be written", func(k *lower.Kernel) { tab(k).ReadOnly = false }, "not read-only"},
		{"dynamic object with a size", func(k *lower.Kernel) { tab(k).Dynamic = true }, "dynamic object"},
		{"pointer parameter without an object", func(k *lower.Kernel) { k.Params[0].Object = 0 }, "has object 0"},
		{"parameter type", func(k *lower.Kernel) { k.Params[1].Type = lower.F32 }, "is assigned a f32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := mustLower(t, ast.OpenCL, verifySource, "")
			c.damage(k)
			err := k.Verify()
			if err == nil {
				t.Fatal("not noticed")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("reported as %q, want %q in it", err, c.want)
			}
			_ = k.String() // prints whatever it is given
		})
	}
}

// tab is the constant table of verifySource.
func tab(k *lower.Kernel) *Object {
	for i := range k.Objects {
		if k.Objects[i].Init != nil {
			return &k.Objects[i]
		}
	}
	panic("no table")
}
