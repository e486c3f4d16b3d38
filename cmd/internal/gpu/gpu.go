// Package gpu finds the device that a command's --gpu names: a built-in one or
// a device file of the user's.
package gpu

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
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
	f, err := os.Open(name)
	if err != nil {
		return nil, console.FileError(name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, console.FileError(name, err)
	case len(data) > maxFileBytes:
		return nil, diag.Errorf(diag.Pos{File: name}, console.CodeFile, "a device file of more than %d MB is refused", maxFileBytes>>20)
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
