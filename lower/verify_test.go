package lower

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
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
func find[S Stmt](k *Kernel, ok func(S) bool) S {
	var found S
	done := false
	Walk(k.Body, func(s Stmt) {
		if x, is := s.(S); is && !done && ok(x) {
			found, done = x, true
		}
	})
	if !done {
		panic("no such statement")
	}
	return found
}

func instr(k *Kernel, op Op) *Instr { return find(k, func(in *Instr) bool { return in.Op == op }) }

func region(k *Kernel) *Region { return k.Body[0].(*Region) }

// TestVerifyFinds breaks a good kernel in one way at a time: each must be
// reported, in these words.
func TestVerifyFinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(k *Kernel)
		want   string
	}{
		{"operand type", func(k *Kernel) { instr(k, Mul).Args[0] = ConstInt(S32, 1) }, "has type s32, want f32"},
		{"operand does not match its register", func(k *Kernel) { instr(k, Mul).Args[1].Type = S32 }, "names register"},
		{"result type", func(k *Kernel) { k.Reg(instr(k, Sub).Dsts[0]).Type = F32 }, "is assigned a s32"},
		{"operation on a wrong type", func(k *Kernel) { instr(k, And).Type = F32 }, "not well formed"},
		{"invalid operation", func(k *Kernel) { instr(k, And).Op = 0 }, "operation invalid"},
		{"too few operands", func(k *Kernel) {
			in := instr(k, Mul)
			in.Args = in.Args[:1]
		}, "1 results and 1 operands"},
		{"missing operand", func(k *Kernel) { instr(k, Mul).Args[0] = Operand{} }, "operand is missing"},
		{"register that does not exist", func(k *Kernel) {
			instr(k, Mul).Args[1].Reg = 999
		}, "register 999 does not exist"},
		{"object that does not exist", func(k *Kernel) {
			find(k, func(in *Instr) bool {
				return in.Op == PtrAdd && in.Args[0].Kind == OperandObject
			}).Args[0].Object = 99
		}, "object operand 99"},
		{"constant not canonical", func(k *Kernel) { instr(k, And).Args[1].Bits = 1 << 40 }, "is no s32"},
		{"temporary assigned twice", func(k *Kernel) {
			in := *instr(k, Gt)
			r := region(k)
			r.Body = append(r.Body, &in)
		}, "is assigned 2 times"},
		{"temporary never assigned", func(k *Kernel) {
			k.Regs = append(k.Regs, RegInfo{Type: S32})
		}, "is assigned 0 times"},
		{"temporary used before its definition", func(k *Kernel) {
			lp := k.Loops[0]
			lp.Body[0], lp.Body[1] = lp.Body[1], lp.Body[0]
		}, "used where it is not defined"},
		{"temporary used outside its block", func(k *Kernel) {
			in := instr(k, Load)
			r := region(k)
			r.Body = append(r.Body, &Instr{Op: Neg, Type: F32, Dsts: []Reg{k.Params[2].Reg},
				Args: []Operand{{Kind: OperandReg, Type: F32, Reg: in.Dsts[0]}}})
		}, "used where it is not defined"},
		{"variable without a name", func(k *Kernel) { k.Reg(k.Params[1].Reg).Name = "" }, "has no name"},
		{"branch on a number", func(k *Kernel) { k.Branches[0].Cond = ConstInt(S32, 1) }, "want pred"},
		{"branch kind", func(k *Kernel) { k.Branches[0].Kind = "when" }, `branch of kind "when"`},
		{"branch id", func(k *Kernel) { k.Branches[1].ID = 1 }, "branch 1 is number 2"},
		{"branch list", func(k *Kernel) { k.Branches = append(k.Branches, &If{}) }, "3 branches listed, 2"},
		{"loop id", func(k *Kernel) { k.Loops[1].ID = 7 }, "loop 7 is number 2"},
		{"loop list", func(k *Kernel) { k.Loops = k.Loops[:1] }, "loop 2 is number 2"},
		{"loop depth", func(k *Kernel) { k.Loops[0].Depth = 2 }, "loop at depth 1 says 2"},
		{"loop kind", func(k *Kernel) { k.Loops[0].Kind = "until" }, `loop of kind "until"`},
		{"loop condition from elsewhere", func(k *Kernel) {
			k.Loops[0].CondValue = k.Branches[1].Cond
			k.Loops[0].CondValue.Reg = instr(k, Gt).Dsts[0]
		}, "not defined by the Cond block"},
		{"label twice", func(k *Kernel) { k.Loops[1].Label = k.Loops[0].Label }, "not unique"},
		{"break of nothing", func(k *Kernel) {
			find(k, func(s *Leave) bool { return true }).Label = 77
		}, "break names L77, which is not around it"},
		{"break of a loop elsewhere", func(k *Kernel) {
			find(k, func(s *Leave) bool { return true }).Label = k.Loops[1].Label
		}, "which is not around it"},
		{"return of a loop", func(k *Kernel) { find(k, func(s *Leave) bool { return true }).Kind = "return" },
			"return cannot name"},
		{"continue of a switch", func(k *Kernel) {
			find(k, func(s *Continue) bool { return true }).Label = find(k, func(s *Switch) bool { return true }).Label
		}, "continue cannot name"},
		{"statement after a jump", func(k *Kernel) {
			k.Branches[1].Then = append(k.Branches[1].Then, &Instr{Op: Barrier})
		}, "statements follow a jump"},
		{"case twice", func(k *Kernel) {
			s := find(k, func(s *Switch) bool { return true })
			s.Cases[0].Values = []int64{1, 1}
		}, "case 1 twice"},
		{"two defaults", func(k *Kernel) { find(k, func(s *Switch) bool { return true }).Cases[0].Default = true },
			"2 defaults"},
		{"switch on a float", func(k *Kernel) {
			find(k, func(s *Switch) bool { return true }).Value = ConstFloat(F32, 1)
		}, "switch on a f32"},
		{"alignment", func(k *Kernel) { instr(k, Load).Align = 3 }, "alignment 3"},
		{"space", func(k *Kernel) { instr(k, Load).Space = 0 }, "not well formed"},
		{"load without an address", func(k *Kernel) {
			instr(k, Load).Args[0] = ConstInt(U64, 0)
		}, "without an address"},
		{"store of another type", func(k *Kernel) {
			instr(k, Store).Args[1] = ConstInt(S32, 1)
		}, "has type s32, want f32"},
		{"dimension", func(k *Kernel) { instr(k, Index).Dim = 3 }, "not well formed"},
		{"scale", func(k *Kernel) { instr(k, PtrAdd).Scale = 0 }, "not well formed"},
		{"conversion to itself", func(k *Kernel) { instr(k, Convert).Type = S32 }, "not well formed"},
		{"call without a name", func(k *Kernel) { instr(k, Call).Fn = "" }, "not well formed"},
		{"barrier in a subscript", func(k *Kernel) {
			instr(k, Barrier).Subscript = true
		}, "marked as part of a subscript"},
		{"counter", func(k *Kernel) { k.Loops[0].Counter = instr(k, Store).Args[1].Reg }, "is not an integer variable"},
		{"pragma", func(k *Kernel) { k.Loops[0].Pragma = &Pragma{Kind: UnrollFactor, Factor: 1} },
			"pragma unroll by by 1"},
		{"object space", func(k *Kernel) { k.Objects[0].Space = 0 }, "is in invalid space"},
		{"object content", func(k *Kernel) { o := k.tab(); o.Init = o.Init[:3] }, "of 16 bytes has 3 initial bytes"},
		{"object content can be written", func(k *Kernel) { k.tab().ReadOnly = false }, "not read-only"},
		{"dynamic object with a size", func(k *Kernel) { k.tab().Dynamic = true }, "dynamic object"},
		{"pointer parameter without an object", func(k *Kernel) { k.Params[0].Object = 0 }, "has object 0"},
		{"parameter type", func(k *Kernel) { k.Params[1].Type = F32 }, "is assigned a f32"},
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
func (k *Kernel) tab() *Object {
	for i := range k.Objects {
		if k.Objects[i].Init != nil {
			return &k.Objects[i]
		}
	}
	panic("no table")
}
