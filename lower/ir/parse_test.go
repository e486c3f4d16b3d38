package ir_test

import (
	"strings"
	"testing"

	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/ir"
)

// each calls f with the IR of every built-in kernel and of those of package lower's golden files.
func each(t testing.TB, f func(name string, f *ir.Func)) {
	t.Helper()
	for _, c := range irtest.Sources(t) {
		for _, k := range irtest.Build(t, c) {
			f(c.File+" "+k.Name, k)
		}
	}
}

// TestRoundTrip: reading what Format prints gives the same code.
func TestRoundTrip(t *testing.T) {
	each(t, func(name string, f *ir.Func) {
		text := f.String()
		g, err := irtest.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if err := irverify.Verify(g); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if again := g.String(); again != text {
			t.Fatalf("%s:\n%s\n%s", name, text, again)
		}
		var code strings.Builder
		if err := ir.FormatCode(&code, f); err != nil {
			t.Fatal(err)
		}
		if g, err = irtest.Parse(code.String()); err != nil || g.String() != code.String() {
			t.Fatalf("%s: %v\n%s\n%v", name, err, code.String(), g)
		}
	})
}

// everything has what no kernel of the tests has: names that have to be quoted, odd constants, all attributes.
const everything = `kernel "k<int>" fast  ; a b.cu:1:2
param n s32 offset 8 ctype "unsigned \"x\""  ; 1:3
param "undef" u32
param n#2 ptr -> @"a b"  ; 1:4
object @"a b" global f32 restrict readonly  ; 1:5
object @t local 16 bytes readonly init "000102030405060708090a0b0c0d0e0f"  ; lib.h:2:3
object @t#2 local dynamic
object @p private f16 64 bytes
{
  %1 = add.s32 n, -1 component 3  ; 2:0
  %2 = shl.u32 clamp(1, 2:u32)
  %3 = fma.f32 1.5, -0.0, 1e+30 subscript  ; other.h:3:4
  %4 = add.f64 nan, -inf
  %5 = add.f32 0x7fc00123, 0.1
  %6 = add.f16 0.33325195, undef
  %7 = mul.u64 18446744073709551615, 0
  %8, %9:s32 = call.f32 frexp(%3)
  %10 = load.global.f32 n#2 align 2 volatile
  %11, %12 = load.private.f16 @p align 2 at 2 of 8
  %13 = ptradd.s64 @t#2, 4 * -8
  %14 = ptrdiff @t, @"a b" * 4
  %15 = eq.ptr @t, 0x0
  %16 = imageload.image.u32 @t, 1:s32, 2:s32, 3 dim 2
  store.global.u32 n#2, 1, 2, 3
  copygroup prior(1:u32)
  %17:s32 = opaque "asm volatile"(1:u8, undef:f64)
  if."a kind" %15 source 7 {
    yield
  } else {
    %18 = index.u64 get_group_id(2)
    yield
  }
  acc:f32, acc#2:f32 = loop L1 (acc#3:f32 = 0.0, acc#4:f32 = %3) source 2 bound "i < \"n\"" copies 4 decision "why" {
    pragma factor 4 "#pragma unroll 4"  ; 3:1
    %19:s64 = switch n case -1, 2 {
      leave.goto L1 acc#3, acc#3
    } case {
      continue L1 acc#4, acc#3
    } default {
      yield 5
    }
    "undef"#2:u32 = region L2 {
      yield "undef"
    }
    leave L1 1.0, 2.0
  }
  yield
}
`

// TestEverything: the text of everything means what it says.
func TestEverything(t *testing.T) {
	f, err := irtest.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.String(); got != everything {
		t.Fatalf("got\n%s\nwant\n%s", got, everything)
	}
	if f.Name != "k<int>" || f.Params[2].Name != "n" || f.Object(2).Init[15] != 15 || f.Pos.File != "a b.cu" {
		t.Error("header", f.Name, f.Params, f.Pos)
	}
	if in := f.Body.Instrs[2]; in.Pos != (ir.Pos{File: "other.h", Line: 3, Column: 4}) || !in.Subscript {
		t.Error(in.Pos, in.Subscript)
	}
	loop := f.Body.Instrs[len(f.Body.Instrs)-2]
	if l := loop.Loop; l.Copies != 4 || l.Decision != "why" || l.BoundText != `i < "n"` || l.Pragma.Factor != 4 ||
		loop.Source != 2 || loop.Blocks[0].Params[1].Name != "acc" {
		t.Errorf("%+v", l)
	}
}

// TestParseErrors: a text that cannot be read says where.
func TestParseErrors(t *testing.T) {
	head := "kernel k fast\nparam n s32\nobject @o global f32 64 bytes\n{\n"
	for _, c := range []struct{ text, want string }{
		{"", "1:1: want kernel"},
		{"kernel k", "1:9: the text ends too early"},
		{"kernel k\n{\n  yield\n", "4:1: the text ends too early"},
		{head + "  %1 = frob.s32 n\n", "5:8: want an operation"},
		{head + "  %1 = add.s32 n, m\n", "5:20: no value m before this"},
		{head + "  %1 = add n, n\n", "5:11: the type of %1 is missing"},
		{head + "  %1 = add.s32 n, 1.5\n", "5:22: 1.5 is no s32"},
		{head + "  %1 = add.s8 n, 128\n", "5:21: 128 is no s8"},
		{head + "  store.global.f32 @p, 1.0\n", "5:22: no object @p"},
		{head + "  yield 1\n", "5:10: the type of 1 is missing"},
		{head + "  leave L1\n", "5:11: no such label around this"},
		{head + "  %1 = neg.s32 n\n  %1 = neg.s32 n\n", "6:17: a second value %1"},
		{head + "  %1 = neg.s32 n frob\n", "5:18: want an attribute"},
		{head + "  yield\n}\n}\n", "7:1: text behind the kernel"},
		{"kernel k\nparam p ptr -> @q\n{\n", "3:1: no object @q, which p points to"},
	} {
		_, err := irtest.Parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzParse: what can be read is printed as a text that means the same, and can be checked.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	n := 0
	each(f, func(_ string, k *ir.Func) {
		if text := k.String(); len(text) < 3000 && n < 40 {
			f.Add(text)
			n++
		}
	})
	f.Fuzz(func(t *testing.T, text string) {
		k, err := irtest.Parse(text)
		if err != nil {
			return
		}
		_ = irverify.Verify(k)
		once := k.String()
		if k, err = irtest.Parse(once); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, once)
		}
		if twice := k.String(); twice != once {
			t.Errorf("%s\n%s\n%s", text, once, twice)
		}
	})
}
