package irverify_test

import (
	"strings"
	"testing"

	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// valid is a kernel that the cases of TestVerify spoil.
const valid = `kernel k relaxed
param n s32
param o ptr -> @o
object @o global f32
object @t local f32 64 bytes
{
  %1 = lt.s32 n, 4
  x:f32 = if %1 {
    y = load.global.f32 o
    yield y
  } else {
    yield 1.0
  }
  r:f32 = region L1 {
    acc:f32 = loop L2 (i:s32 = 0, sum:f32 = x) {
      %2 = ge.s32 i, n
      if %2 {
        leave L2 sum
      }
      sum#2 = add.f32 sum, x
      if %1 {
        leave L1 sum#2
      }
      i#2 = add.s32 i, 1
      continue L2 i#2, sum#2
    }
    yield acc
  }
  %3:s64 = switch n case 1, 2 {
    yield 1
  } default {
    yield 2
  }
  %4 = ptradd.s64 o, %3 * 4
  store.global.f32 %4, r
  yield
}
`

// TestVerify: each replacement of a text in a valid kernel breaks what the message says.
func TestVerify(t *testing.T) {
	f, err := irtest.Parse(valid)
	if err != nil {
		t.Fatal(err)
	}
	if err := irverify.Verify(f); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, text, want string }{
		{"kernel k relaxed", "kernel k", "accuracy 0"},
		{"param o ptr -> @o", "param o ptr", "parameter o of type ptr has object 0"},
		{"@t local f32 64", "@t private f32 0", "private object t has no size"},
		{"64 bytes", `64 bytes init "00"`, "object t of 64 bytes has 1 initial bytes"},
		{"add.f32 sum, x", "add.f32 sum, y", "y (value 6) is used where it is not defined"},
		{"add.f32 sum, x", "add.s32 sum, x", "operand 1 of add.s32 has type f32, want s32"},
		{"add.f32 sum, x", "add.f32 sum, x, x", "add with 1 results and 3 operands"},
		{"%1 = lt.s32 n, 4", "%1 = lt.s32 n, 4:u32", "operand 2 of lt.s32 has type u32, want s32"},
		{"%1 = lt.s32", "%1:s32 = lt.s32", "result 1 of lt.s32 has type s32, want pred"},
		{"yield y", "yield y, y", "yield has 2 operands, want 1"},
		{"yield y", "yield 3:s32", "operand 1 of yield has type s32, its receiver x (value 5) has f32"},
		{"leave L2 sum", "leave L2", "leave has 0 operands, want 1"},
		{"continue L2 i#2, sum#2", "continue L2 sum#2, sum#2", "operand 1 of continue has type f32, its receiver i"},
		{"continue L2 i#2, sum#2", "continue L2 i#2", "continue has 1 operands, want 2"},
		{"continue L2 i#2, sum#2", "continue L1 i#2, sum#2", "continue names region"},
		{"continue L2 i#2, sum#2", "yield", "the block of a loop ends in yield"},
		{"i:s32 = 0", "i:s32 = 0:u32", "operand 1 of loop has type u32, its parameter i"},
		{"%3:s64 = switch n", "%3:s64 = switch r", "switch on a f32"},
		{"case 1, 2", "case 1, 1", "case 1 twice"},
		{"    yield 1\n", "", "an empty block"},
		{"    yield 1\n", "    yield 1\n    yield 1\n", "yield is instruction 1 of 2 of its block"},
		{"  %4 = ptradd", "  leave L1 r\n  %4 = ptradd", "leave names what is not around it"},
		{"store.global.f32 %4, r", "store.global.f32 %4, r align 3", "store with alignment 3"},
		{"store.global.f32 %4, r", "store.global.f32 %4, r at 8 of 4", "store at 8 of 4"},
		{"store.global.f32 %4, r", "store.f32 %4, r", "store.f32 with from"},
		{"store.global.f32 %4, r", "store.global.f32 r, r", "store without an address"},
		{"load.global.f32 o", "load.global.f32 o subscript", "load marked as part of a subscript"},
		{"load.global.f32 o", "load.global.f32 o\n    if y {\n      yield\n    }", "if on a f32"},
		{"* 4\n", "\n", "ptradd.ptr with from s64"},
	} {
		text := strings.Replace(valid, c.old, c.text, 1)
		if text == valid {
			t.Errorf("nothing to replace: %q", c.old)
		}
		f, err := irtest.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if err := irverify.Verify(f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestVerifyLinks: what instructions, blocks and values say of each other.
func TestVerifyLinks(t *testing.T) {
	at := func(f *ir.Func, op ir.Op) (found *ir.Instr) {
		f.Body.Walk(func(in *ir.Instr) {
			if in.Op == op && found == nil {
				found = in
			}
		})
		return found
	}
	for _, c := range []struct {
		spoil func(*ir.Func)
		want  string
	}{
		{func(f *ir.Func) { at(f, lower.Add).Parent = f.Body }, "add stands in a block that is not its parent"},
		{func(f *ir.Func) { at(f, lower.OpLoop).Blocks[0].Owner = nil }, "a block names another owner"},
		{func(f *ir.Func) { at(f, lower.OpLoop).Blocks[0].Params[1].Index = 0 }, "parameter 1 of a block, sum"},
		{func(f *ir.Func) { at(f, lower.Add).Result().Def = nil }, "result 0 of add, sum#2"},
		{func(f *ir.Func) { at(f, lower.Add).Result().ID = f.Args[0].ID }, "two values have the ID 1"},
		{func(f *ir.Func) { at(f, lower.Add).Args[0] = nil }, "an operand is missing"},
		{func(f *ir.Func) { at(f, lower.OpLoop).Loop = nil }, "a loop without LoopInfo"},
		{func(f *ir.Func) { at(f, lower.Add).Source = 3 }, "add.f32 is not well formed"},
		{func(f *ir.Func) { f.Args = f.Args[:1] }, "1 values for 2 parameters"},
		{func(f *ir.Func) { at(f, lower.Lt).Args[1].Bits = 1 << 40 }, "constant 0x10000000000 is no s32"},
		{func(f *ir.Func) { at(f, lower.OpLeave).Target = nil }, "leave names what is not around it"},
		{func(f *ir.Func) { at(f, lower.OpIf).Blocks = nil }, "if has 0 blocks, want 2"},
		{func(f *ir.Func) {
			b := at(f, lower.Add).Parent
			b.Instrs = append(b.Instrs[:2:2], b.Instrs[1:]...)
		}, "if stands in the text twice"},
		{func(f *ir.Func) {
			in := at(f, lower.Add)
			b := in.Parent
			c := *in
			c.Results = nil
			f.AddResult(&c, in.Type, "")
			b.Instrs = append([]*ir.Instr{&c}, b.Instrs...)
		}, "add has the same list of operands as the add"},
	} {
		f, err := irtest.Parse(valid)
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(f)
		if err := irverify.Verify(f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s\n%v", err, c.want, f)
		}
		_ = f.String()
	}
}
