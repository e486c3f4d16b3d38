package target

import (
	"fmt"
	"testing"
)

// TestNames: what is printed is what is read.
func TestNames(t *testing.T) {
	for want, v := range map[string]fmt.Stringer{
		"nvcc": NVCC, "clang": Clang, "none": NoCompiler, "Compiler(9)": Compiler(9), "O0": O0, "O2": O2, "O3": O3,
		"Level(0)": Level(0), "issue": WaitIssue, "complete": WaitComplete, "BarrierWait(0)": BarrierWait(0),
	} {
		if v.String() != want {
			t.Errorf("%v, want %s", v, want)
		}
		c, err := ParseCompiler(want)
		if _, is := v.(Compiler); is && err == nil && c != v {
			t.Errorf("%s reads as %v", want, c)
		}
	}
	if b, err := ParseBarrierWait("complete"); b != WaitComplete || err != nil {
		t.Error(b, err)
	}
	_, err1 := ParseCompiler("icc")
	_, err2 := ParseBarrierWait("Godot")
	if err1 == nil || err2 == nil {
		t.Error("unknown names are read")
	}
}

// TestMachineCode: whose machine code it is depends on the compiler, and there is none at -O0.
func TestMachineCode(t *testing.T) {
	for _, c := range []struct {
		t                               Target
		sass, merges, scalar, dual, two bool
	}{
		{Target{Level: O2, Compiler: NVCC}, false, false, false, false, false},
		{Target{Level: O3, Compiler: NVCC, MachineCode: true, Pairs: true}, true, true, false, false, false},
		{Target{Level: O0, Compiler: NVCC, MachineCode: true}, false, false, false, false, false},
		{Target{Level: O2, Compiler: Clang, MachineCode: true, Pairs: true, Packed: true}, false, true, false,
			true, false},
		{Target{Level: O2, Compiler: Clang, MachineCode: true, Packed: true, Uniform: InScalarRegisters}, false, true,
			true, false, true},
		{Target{Level: O2, Compiler: NoCompiler, MachineCode: true}, false, false, false, false, false},
	} {
		got := [5]bool{c.t.SASS(), c.t.Merges(), c.t.ScalarUnit(), c.t.IssuesPairs(), c.t.Packs()}
		if got != [5]bool{c.sass, c.merges, c.scalar, c.dual, c.two} {
			t.Errorf("%+v: %v", c.t, got)
		}
	}
}
