package main

import (
	"os"
	"os/exec"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestPython runs the tests of the package in Python that runs this command, with Debian's python3.
func TestPython(t *testing.T) {
	python := tools.Path(t, "python3", "python3")
	command := tools.Path(t, "pipetune", "TestMain makes it")
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
