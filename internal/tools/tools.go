// Package tools finds the programs of other projects that tests compare with, compilers and
// simulators. Where one is missing, a test is skipped; where the environment says that all are
// to be there, as in the project's own checks, the test fails. For tests.
package tools

import (
	"os"
	"os/exec"
	"testing"
)

// Required is the environment variable with which a test fails whose tool is missing.
const Required = "REQUIRE_TOOLS"

// Path returns where a program is, or ends the test and names the Debian packages to install.
func Path(t testing.TB, program, packages string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		Missing(t, "%s is not installed (Debian: %s)", program, packages)
	}
	return path
}

// Missing ends a test that a tool is missing for: skipped, or failed if all tools are required.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv(Required) != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
