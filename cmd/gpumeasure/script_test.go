package main

import (
	"testing"

	"gpupipe/cmd/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, "gpumeasure", main) }

// TestScripts runs the command where there is no device.
func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }

func TestManual(t *testing.T) { script.Manual(t, "gpumeasure", newRoot) }
