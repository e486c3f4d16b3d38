package legal

import (
	"bytes"
	"testing"

	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// unalignedKernel copies through members of packed structs.
const unalignedKernel = `kernel k fast
param o ptr -> @o
param i s32
object @o global
object @p private 32 bytes
{
  %1 = ptradd.s64 o, 3 * 1
  %2, %3 = load.global.f64 %1 align 1
  %4 = ptradd.s64 o, 2 * 1
  %5 = load.global.s16 %4 align 1
  %6 = ptradd.s64 @p, 2 * 1
  store.private.f64 %6, %2, %3 align 2
  %7 = ptradd.s64 @p, 18 * 1
  store.private.s16 %7, %5 align 1
  %8 = ptradd.s64 @p, 20 * 1
  store.private.s32 %8, i align 1
  %9 = ptradd.s32 @p, i * 4
  %10 = ptradd.s64 %9, 2 * 1
  %11, %12 = load.private.s32 %10 align 1
  %13 = load.private.s32 %8 align 1
  %14 = load.private.s16 %7 align 1
  %15 = ptradd.s64 o, 25 * 1
  store.global.s32 %15, %11, %12, %13 align 1
  %16 = ptradd.s64 o, 38 * 1
  store.global.s16 %16, %14 align 2
  yield
}
`

// TestUnaligned: accesses in pieces move the same bytes. What compilers know to be aligned stays whole: private
// variables that they align themselves, and on AMD all but private memory (nvcc 11.8, 12.4 and clang 14, listings).
func TestUnaligned(t *testing.T) {
	memory := make([]byte, 48)
	for i := range memory {
		memory[i] = byte(37*i + 11)
	}
	for name, want := range map[string]int{"": 0, "sm_80": 2*8 + 2 + 2*4 + 1 + 1 + 2*2 + 1 + 1 + 3*4 + 1,
		"gfx90a": 2 + 1 + 2*4 + 1 + 1 + 2*2 + 1 + 1 + 3 + 1} {
		f, err := irtest.Parse(unalignedKernel)
		if err != nil {
			t.Fatal(err)
		}
		if name != "" {
			target, err := machine.LookupTarget(name)
			if err != nil {
				t.Fatal(err)
			}
			unaligned(f, target)
			accesses := 0
			f.Body.Walk(func(in *ir.Instr) {
				if in.Op == lower.Load {
					accesses += len(in.Results)
				} else if in.Op == lower.Store {
					accesses += len(in.Args) - 1
				}
			})
			if accesses != want {
				t.Errorf("%s: %d accesses, want %d:\n%v", name, accesses, want, f)
			}
		}
		if err := irverify.Verify(f); err != nil {
			t.Fatal(err)
		}
		got := bytes.Clone(memory)
		if err := interp.Run(f, map[string][]byte{"o": got}, map[string]uint64{"i": 3}, nil); err != nil {
			t.Fatal(err)
		}
		expected := bytes.Clone(memory)
		through := append(bytes.Clone(memory[3:19]), memory[2], memory[3], 3, 0, 0, 0) // from byte 2 of p on
		copy(expected[25:], through[12:20])
		copy(expected[33:], []byte{3, 0, 0, 0})
		copy(expected[38:], memory[2:4])
		if !bytes.Equal(got, expected) {
			t.Errorf("%s: %v, want %v", name, got, expected)
		}
	}
}
