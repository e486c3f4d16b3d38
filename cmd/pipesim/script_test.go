package main

import (
	"testing"

	"gpupipe/cmd/internal/test/script"
	"gpupipe/internal/test/tools"
)

func TestMain(m *testing.M) { script.Main(m, "pipesim", main, "gpupipe/cmd/idgen") }

// TestScripts runs both commands together: idgen's graphs are piped into
// pipesim.
func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }

func TestHeavyScripts(t *testing.T) {
	tools.Heavy(t)
	script.Run(t, "testdata/heavy")
}

func TestManual(t *testing.T) { script.Manual(t, "pipesim", newRoot) }
