package main

import (
	"bytes"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
)

// product is what a command line writes; it must say nothing.
func product(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, strings.NewReader(""), &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("idgen %v: status %d\n%s", args, status, &stderr)
	}
	return stdout.Bytes()
}

// TestEveryBuiltinKernel holds that each built-in kernel gives a graph without
// any flag and without anything assumed, at both levels, and the same bytes each time.
func TestEveryBuiltinKernel(t *testing.T) {
	for i, k := range kernels.List() {
		if !tools.Full() && i%6 != 2 { // none whose loops take seconds to report
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for _, level := range []string{"-O0", "-O2"} {
				args := []string{"--strict", "--builtin", k.Name}
				if k.Name == "vabs" {
					args = append(args, "--branch", "13=not-taken") // its data decide
				}
				graph := product(t, append(args, level)...)
				g, err := idg.Decode(bytes.NewReader(graph), k.Name)
				if err != nil {
					t.Fatal(err)
				}
				if g.Kernel != k.Function || g.Level != level[1:] {
					t.Errorf("kernel %q, level %q", g.Kernel, g.Level)
				}
				if level == "-O2" && !bytes.Equal(product(t, args...), graph) {
					t.Error("the same kernel gives other bytes")
				}
			}
			if text := string(product(t, "--list", "--builtin", k.Name)); !strings.Contains(text,
				"\nkernel "+k.Function+", line ") || strings.Contains(text, "not resolved") {
				t.Errorf("the list is\n%s", text)
			}
			if k.Name == "vabs" {
				return // a report says that its branch is not known
			}
			if text := string(product(t, "--unroll-report", "--builtin", k.Name)); !strings.HasPrefix(text,
				"kernel "+k.Function+" of ") {
				t.Errorf("the report is\n%s", text)
			}
		})
	}
}
