// Package gpu finds the device that a command's --gpu names, a built-in one or
// a device file of the user's, and the one that a graph is for where none is named.
package gpu

import (
	"cmp"
	"errors"
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// maxFileBytes bounds device files: the largest built-in one has 10 kB.
const maxFileBytes = 4 << 20

// ParseName reads the value of --gpu. Where a script leaves it empty, that is an error,
// not the choice of the default.
func ParseName(name string) (string, error) {
	if strings.TrimSpace(name) == "" {
		return "", errors.New("name a device (pipesim gpus lists them), or a device file")
	}
	return name, nil
}

// Find returns the built-in device of a name, or reads a device file: what ends in
// .yaml or .yml or names a folder is a file.
func Find(name string) (*latencies.Device, error) {
	if _, err := ParseName(name); err != nil {
		return nil, console.Usagef("--gpu: %v", err)
	}
	if !isFile(name) {
		return latencies.Builtin(name)
	}
	data, err := console.ReadFile(name, maxFileBytes, "a device file of more than %d MB is refused")
	if err != nil {
		return nil, err
	}
	return latencies.ParseDevice(name, data)
}

// GraphName is what a graph that is made for a device says of it: the name of a built-in
// one, or the device file as --gpu names it.
func GraphName(name string, d *latencies.Device) string {
	if isFile(name) {
		return name
	}
	return d.Name
}

// OfGraph returns the device that a graph is predicted for where no --gpu says it: the
// built-in one that it was made for; that of older files where it names none. A device file is not opened because a
// graph names it: that is the default, and a warning.
func OfGraph(name string) (*latencies.Device, diag.List, error) {
	d, err := latencies.Builtin(cmp.Or(name, latencies.Unnamed))
	if err == nil || name == "" {
		return d, nil, err
	}
	if d, err = latencies.Builtin(latencies.Default); err != nil {
		return nil, nil, err
	}
	warning := diag.Warningf(diag.Pos{}, "GPU", "the graph is made for %s, and no --gpu is given: this is for %s",
		name, d.Title)
	if isFile(name) {
		warning.WithNote("give --gpu %s, too", name)
	}
	return d, diag.List{warning}, nil
}

// Warnings are those of a device that a prediction made with it should repeat: what a user
// can mend in a file. pipesim gpus shows those of built-in devices.
func Warnings(name string, d *latencies.Device) diag.List {
	if !isFile(name) {
		return nil
	}
	return d.Warnings
}

func isFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return true
	}
	return strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator)
}
