package main

import (
	"testing"

	"gpupipe/cmd/internal/test/script"
	"gpupipe/internal/test/tools"
)

func TestMain(m *testing.M) { script.Main(m, "idgen", main) }

func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }

func TestHeavyScripts(t *testing.T) {
	tools.Heavy(t)
	script.Run(t, "testdata/heavy")
}

func TestManual(t *testing.T) { script.Manual(t, "idgen", newRoot) }
