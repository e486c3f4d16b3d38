package arrange

import (
	"slices"
	"testing"

	"gpupipe/lower/machine"
)

// TestAllocateCounts allocates code of which the number of registers is known.
func TestAllocateCounts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"chain", "vector a b c\n a = MOV 1\n b = FADD a a\n c = FADD b b\n = STG c c", 1},
		{"three at a time", "vector a b c d\n a = MOV 1\n b = MOV 2\n c = MOV 3\n d = FFMA a b c\n = STG d d", 4},
		{"pair", "vector a:2 b\n b = MOV 1\n a = MOV 2\n = STG a b ! store global 1", 4},
		{"words of a vector die one by one", `vector v:4 s a b c
			a = MOV 1
			v = LDG.128 a
			s = FADD v.0 1
			b = FADD v.1 s
			c = FADD v.2 b
			a = FADD v.3 c
			= STG a a`, 8},
		{"a loop keeps what it reads", `vector a i s
			predicate p
			a = MOV 1
			i = MOV 0
			s = MOV 0
			loop L {
				s = FADD s a
				i = IADD3 i 1
				p = ISETP i 10
				@p continue L
				leave L
			}
			= STG s s`, 4},
		{"two sides share", `vector a b c r
			predicate p
			a = MOV 1
			p = ISETP a 1
			if p {
				b = FADD a 1
				r = FADD b 1
			} else {
				c = FADD a 2
				r = FADD c 2
			}
			= STG r r`, 1},
		{"opposite guards end a value", `vector a b
			predicate p
			a = MOV 1
			p = ISETP a 1
			@p b = MOV 1
			@!p b = MOV 2
			= STG b b`, 1},
		{"one guard does not", `vector a b d
			predicate p
			b = MOV 3
			a = MOV 1
			p = ISETP a 1
			@p b = MOV 1
			= STG b b`, 3},
	} {
		code := parse(t, "sm_80", c.text)
		if err := Code(code, &machine.Options{}, nil); err != nil {
			t.Fatal(err)
		}
		verifyAllocation(t, code)
		if got := code.Resources.Registers - code.Target.Counted; got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}

// TestVerifierFinds tells the verifier of a register that is given twice.
func TestVerifierFinds(t *testing.T) {
	code := parse(t, "sm_80", "vector a b c\n a = MOV 1\n b = MOV 2\n c = FADD a b\n = STG c c")
	if err := Code(code, &machine.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	code.Regs[1].Phys = code.Regs[0].Phys
	var r recorder
	verifyAllocation(&r, code)
	if r.errors == 0 {
		t.Error("a and b share a register, and nobody says so")
	}
}

// TestAllocateReach: clang gives the values that are read behind a branch their registers first, the one that lives
// longest the first one; addresses have what is left of those, and two more.
func TestAllocateReach(t *testing.T) {
	code := parse(t, "gfx90a", `vector a0 a1 a2 a3 b0 b1 b2 b3
		predicate p:2
		a0 = MOV 1
		a1 = MOV 2
		a2 = MOV 3
		a3 = MOV 4
		b0 = LDG a0
		b1 = LDG a1
		b2 = LDG a2
		b3 = LDG a3
		if p {
			= BAR
		}
		= STG b0 b0
		= BAR
		= BAR
		= STG b1 b1
		= BAR
		= BAR
		= STG b2 b2
		= BAR
		= BAR
		= STG b3 b3`)
	allocate(code, noBudget)
	var got []int
	for i := range 8 {
		got = append(got, code.Regs[i].Phys)
	}
	if want := []int{0, 1, 4, 5, 3, 2, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("registers %v, want %v", got, want)
	}
}

type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }
