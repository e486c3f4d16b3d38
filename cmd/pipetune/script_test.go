package main

import (
	"testing"

	"gpupipe/cmd/internal/test/script"
)

func TestMain(m *testing.M) { script.Main(m, "pipetune", main) }

func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }

func TestManual(t *testing.T) { script.Manual(t, "pipetune", newRoot) }
