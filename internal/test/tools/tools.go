// Package tools finds the programs of other projects that tests compare with, compilers and
// simulators, and tells heavy tests how much to do. For tests.
//
// The environment variable FULL_TESTS=1, which .ci/run sets, runs every test whole: heavy tests
// take all their cases, and a test whose tool is missing fails. Without it both are cut short or
// skipped.
package tools

import (
	"os"
	"os/exec"
	"testing"
)

// variable is the environment variable that runs every test whole.
const variable = "FULL_TESTS"

// Full reports whether every test runs whole.
func Full() bool { return os.Getenv(variable) != "" }

// Heavy skips a test that takes long, unless every test runs whole.
func Heavy(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skipf("takes long; %s=1 runs it", variable)
	}
}

// Cases returns how many cases a test takes: all of them if every test runs whole, else some.
func Cases(all, some int) int {
	if Full() {
		return all
	}
	return some
}

// Path returns where a program is, or ends the test and names the Debian packages to install.
func Path(t testing.TB, program, packages string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		Missing(t, "%s is not installed (Debian: %s)", program, packages)
	}
	return path
}

// Missing ends a test that a tool is missing for: skipped, or failed if every test runs whole.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if Full() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
