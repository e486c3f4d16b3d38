package main

import (
	"os"
	"path/filepath"

	"gpupipe/latencies"
)

// findDevice returns the device of --gpu, or of a specification: a built-in one, or that
// of a file whose name ends in .yaml or .yml.
func findDevice(name string) (*latencies.Device, error) {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return latencies.ParseDevice(name, data)
	}
	return latencies.Builtin(name)
}
