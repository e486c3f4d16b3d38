// Package standin builds libraries that stand in for NVIDIA's driver and compiler, for tests on machines
// without a GPU. They answer the calls that package cuda makes.
package standin

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gpupipe/internal/test/tools"
)

//go:embed testdata
var files embed.FS

// The libraries that Build makes; CompilerOld is NVRTC before it made machine code.
const (
	Driver      = "libcuda.so.1"
	Compiler    = "libnvrtc.so"
	CompilerOld = "libnvrtc-old.so"
)

// Build makes the libraries in a folder.
func Build(t testing.TB, dir string) {
	t.Helper()
	gcc := tools.Path(t, "gcc", "gcc")
	for _, lib := range []struct {
		name, source string
		options      []string
	}{
		{Driver, "cuda.c", nil},
		{Compiler, "nvrtc.c", []string{`-DARCHITECTURE="--gpu-architecture=sm_86"`}},
		{CompilerOld, "nvrtc.c", []string{`-DARCHITECTURE="--gpu-architecture=compute_86"`, "-DOLD"}},
	} {
		text, err := files.ReadFile("testdata/" + lib.source)
		if err != nil {
			t.Fatal(err)
		}
		source := filepath.Join(dir, lib.source)
		if err := os.WriteFile(source, text, 0o666); err != nil {
			t.Fatal(err)
		}
		args := append(lib.options, "-O1", "-shared", "-fPIC", "-o", filepath.Join(dir, lib.name), source)
		if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
			t.Fatalf("gcc %s: %v\n%s", lib.source, err, out)
		}
	}
}
