package main

import (
	"os"
	"path/filepath"

	"gpupipe/latencies"
)

// findDevice returns the device of --gpu: a built-in one, or that of a file whose
// name ends in .yaml or .yml.
func findDevice(o *options) (*latencies.Device, error) {
	switch filepath.Ext(o.gpu) {
	case ".yaml", ".yml":
		data, err := os.ReadFile(o.gpu)
		if err != nil {
			return nil, err
		}
		return latencies.ParseDevice(o.gpu, data)
	}
	return latencies.Builtin(o.gpu)
}
