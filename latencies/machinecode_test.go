package latencies

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/diag"
)

// TestMachineCodeHint: a graph of PTX, or of another vendor's or newer code, is told from what the
// device executes, in one line and only where the difference is known.
func TestMachineCodeHint(t *testing.T) {
	for _, c := range []struct {
		gpu, level, compiler string
		machineCode, hint    bool
	}{
		{"a100", "O2", "nvcc", false, true},
		{"a100", "O2", "nvcc", true, false},
		{"a100", "O0", "nvcc", false, false},
		{"a100", "O2", "clang", true, true},
		{"a100", "O2", "none", false, false},
		{"v100", "O2", "nvcc", false, true},
		{"gtx1060", "O2", "nvcc", false, true},
		{"gtx1060", "O2", "nvcc", true, false}, // a remark
		{"r9380", "O2", "clang", true, true},
		{"w6600", "O2", "nvcc", false, true},
		{"w6600", "O2", "clang", false, true},
		{"w6600", "O2", "clang", true, true},
		{"r9380", "O2", "clang", false, true},
	} {
		d := builtin(t, c.gpu)
		g := graphOf(t, d.WarpSize, op{op: "add.f32", line: 3})
		g.Level, g.Compiler, g.MachineCode = c.level, c.compiler, c.machineCode
		m := mapped(t, d, g)
		got := slices.ContainsFunc(m.Warnings, func(e *diag.Error) bool { return e.Code == "MACHINE-CODE" })
		if got != c.hint || len(m.Warnings) > 1 {
			t.Errorf("%+v: %v", c, m.Warnings)
		}
		if remark := c.machineCode && c.gpu == "gtx1060"; remark != (len(m.Remarks) > 0) {
			t.Errorf("%+v: %v", c, m.Remarks)
		}
		want := fmt.Sprintf("for no device (8.0), not %s's for %s (%s); idgen --gpu %[2]s compiles for it",
			d.Target().Compiler, c.gpu, d.Capability)
		if got && !strings.HasSuffix(m.Warnings[0].Error(), want) {
			t.Errorf("%+v: %v, want %s", c, m.Warnings, want)
		}
	}
	// Code for another device is no remark, that for the same architecture nothing.
	for of, want := range map[string]string{"a100": "MACHINE-CODE", "rtx3090": "", "rtx3080": ""} {
		d := builtin(t, "rtx3090")
		g := graphOf(t, 32, op{op: "add.f32"})
		g.Level, g.Compiler, g.MachineCode, g.GPU = "O2", "nvcc", true, of
		m := mapped(t, d, g)
		if (want != "") != (len(m.Warnings) > 0) || len(m.Remarks) > 0 {
			t.Error(of, m.Warnings, m.Remarks)
		}
	}
	// A device file's name tells nothing, the architecture in the graph does.
	for capability, want := range map[string]bool{"": true, "8.0": true, "8.6": false} {
		g := graphOf(t, 32, op{op: "add.f32"})
		g.Level, g.Compiler, g.MachineCode, g.GPU, g.Capability = "O2", "nvcc", true, "mine.yaml", capability
		if m := mapped(t, builtin(t, "rtx3090"), g); want != (len(m.Warnings) > 0) {
			t.Error(capability, m.Warnings)
		}
	}
	// What is built for the file of a device is its own, what is built for the file that it extends is not.
	for file, want := range map[string]bool{"mine.yaml": false, "base.yaml": true} {
		d := *builtin(t, "rtx3090")
		d.Origins = []Origin{{Pos: diag.Pos{File: "mine.yaml"}}, {Inherited: "base", Pos: diag.Pos{File: "base.yaml"}}}
		g := graphOf(t, 32, op{op: "add.f32"})
		g.Level, g.Compiler, g.MachineCode, g.GPU, g.Capability = "O2", "nvcc", true, file, "8.0"
		if m := mapped(t, &d, g); want != (len(m.Warnings) > 0) {
			t.Error(file, m.Warnings)
		}
	}
	// What another warning asks for already is not asked for twice.
	d := builtin(t, "mi210")
	g := graphOf(t, 32, op{op: "add.f32"})
	g.Level, g.Compiler = "O2", "nvcc"
	if m := mapped(t, d, g); len(m.Warnings) != 1 || m.Warnings[0].Code != "WARP-SIZE" {
		t.Error(m.Warnings)
	}
}
