package main

import (
	"testing"

	"gpupipe/cmd/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, "idgen", main) }

func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }
