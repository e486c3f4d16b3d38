package interp_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/ir"
)

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := irtest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := irverify.Verify(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// body is a kernel of a buffer o, a number n and an array t.
func body(text string) string {
	return `kernel k fast
param o ptr -> @o
param n s32
object @o global s32
object @t local s32 128 bytes
object @p private s32 16 bytes
{
` + text + "  yield\n}\n"
}

// TestRun: control flow, and values that change places at once.
func TestRun(t *testing.T) {
	f := parse(t, body(`
  a:s32, b:s32 = loop L1 (i:s32 = 0, x:s32 = 1, y:s32 = 100) {
    %1 = ge.s32 i, n
    if %1 {
      leave L1 x, y
    }
    i#2 = add.s32 i, 1
    %2 = and.s32 i, 1
    %3 = eq.s32 %2, 0
    if %3 {
      continue L1 i#2, y, x
    }
    y#2 = add.s32 y, 10
    continue L1 i#2, x, y#2
  }
  %4:s32 = switch n case 3, 5 {
    yield 7
  } default {
    yield 8
  }
  %5:s32 = region L2 {
    %6 = eq.s32 %4, 7
    if %6 {
      leave L2 70
    }
    yield 80
  }
  store.global.s32 o, a, b, %4, %5
`))
	for _, c := range []struct {
		n    uint64
		want [4]int32
	}{{0, [4]int32{1, 100, 8, 80}}, {3, [4]int32{11, 100, 7, 70}}, {5, [4]int32{110, 11, 7, 70}}} {
		o := make([]byte, 16)
		if err := interp.Run(f, map[string][]byte{"o": o}, map[string]uint64{"n": c.n}, nil); err != nil {
			t.Fatal(err)
		}
		if got := words(o); [4]int32(got) != c.want {
			t.Errorf("n = %d: %v, want %v", c.n, got, c.want)
		}
	}
}

func words(b []byte) []int32 {
	var out []int32
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(b)))
	}
	return out
}

// TestLanes: barriers, memory that the lanes share or not, and operations among lanes.
func TestLanes(t *testing.T) {
	f := parse(t, body(`
  i = index.s32 get_local_id(0)
  %1 = ptradd.s32 @t, i * 4
  store.local.s32 %1, i
  store.private.s32 @p, i
  barrier
  %2 = sub.s32 7, i
  %3 = ptradd.s32 @t, %2 * 4
  x = load.local.s32 %3
  y = load.private.s32 @p
  down = subgroup.s32 shuffle_down(y, 1:u32)
  sum = subgroup.s32 reduce_add(y)
  scan = subgroup.s32 scan_exclusive_add(y)
  %4 = lt.s32 i, n
  bits = subgroup.u32 ballot(%4)
  %5 = bitcast.s32.u32 bits
  %6 = mul.s32 i, 5
  %7 = ptradd.s32 o, %6 * 4
  store.global.s32 %7, x, down, sum, scan, %5 align 4
`))
	o := make([]byte, 4*5*8)
	err := interp.Execute(f, &interp.Launch{Buffers: map[string][]byte{"o": o}, Scalars: map[string]uint64{"n": 3},
		Lanes: 8})
	if err != nil {
		t.Fatal(err)
	}
	got := words(o)
	for i := range int32(8) {
		want := [5]int32{7 - i, min(i+1, 7), 28, i * (i - 1) / 2, 7}
		if [5]int32(got[5*i:]) != want {
			t.Errorf("lane %d: %v, want %v", i, got[5*i:5*i+5], want)
		}
	}
}

// TestErrors: what C leaves undefined and ends the execution.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  %1 = div.s32 n, 0\n", "div: undefined"},
		{"  %1 = ptradd.s32 @p, 4 * 4\n  %2 = load.private.s32 %1\n", "offset 16 of p is outside"},
		{"  %1 = ptradd.s32 @p, 2 * 1\n  %2 = load.private.s32 %1\n", "offset 2 of p is not aligned to 4"},
		{"  %2 = load.local.s32 @p\n", "private memory is accessed as local"},
		{"  loop L1 {\n    continue L1\n  }\n", "more than 1000000 steps"},
		{"  %1:s32 = opaque asm(n)\n", `"asm" is not supported`},
	} {
		err := interp.Run(parse(t, body(c.text)), nil, nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}
