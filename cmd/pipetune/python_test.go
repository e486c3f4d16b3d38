package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestPython runs the tests of the package in Python that runs this command, with Debian's python3.
func TestPython(t *testing.T) {
	python := tools.Path(t, "python3", "python3")
	command := filepath.Join(t.TempDir(), "pipetune")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tests := []string{"tests.test_pipetune.TestModel", "tests.test_pipetune.TestSearch"}
	if tools.Full() {
		tests = append(tests, "tests.test_pipetune.TestReplay")
	}
	c := exec.Command(python, append([]string{"-m", "unittest"}, tests...)...)
	c.Dir = "../../python"
	c.Env = append(os.Environ(), "PIPETUNE="+command, "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
