// Package gpu finds the device that a command's --gpu names: a built-in one or
// a device file of the user's.
package gpu

import (
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/latencies"
)

// maxFileBytes bounds device files: the largest built-in one has 10 kB.
const maxFileBytes = 4 << 20

// Find returns the built-in device of a name, or reads a device file: what ends in
// .yaml or .yml or names a folder is a file.
func Find(name string) (*latencies.Device, error) {
	if !isFile(name) {
		return latencies.Builtin(name)
	}
	data, err := console.ReadFile(name, maxFileBytes, "a device file of more than %d MB is refused")
	if err != nil {
		return nil, err
	}
	return latencies.ParseDevice(name, data)
}

func isFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return true
	}
	return strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator)
}
