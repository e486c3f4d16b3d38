package target

import (
	"fmt"
	"slices"
	"strings"
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

// A compiler has a version that is known, or none is given.
func TestParseVersion(t *testing.T) {
	for _, name := range append(slices.Clone(Compilers), Versions...) {
		c, version, err := ParseVersion(name)
		if got := strings.TrimSuffix(c.String()+"-"+version, "-"); err != nil || got != name {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	if _, _, err := ParseVersion("nvcc-9"); err == nil || !strings.Contains(err.Error(), "nvcc-13") {
		t.Errorf("nvcc-9: %v", err)
	}
}
