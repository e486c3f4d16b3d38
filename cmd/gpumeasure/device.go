package main

import (
	"errors"
	"fmt"
	"strings"

	"gpupipe/cmd/internal/gpu"
	"gpupipe/internal/diag"
	"gpupipe/internal/measure"
	"gpupipe/internal/measure/cuda"
	"gpupipe/internal/measure/driver"
	"gpupipe/internal/measure/opencl"
	"gpupipe/internal/measure/synthetic"

	"github.com/spf13/pflag"
)

// codeDevice is the code of diagnostics about devices.
const codeDevice = "DEVICE"

// found is a device that can be opened.
type found struct {
	id string // "opencl:0"
	driver.Found
}

// findDevices returns all devices, those of CUDA first, and why an interface has none.
func findDevices() (list []found, absent []string) {
	for _, search := range []struct {
		name string
		list func() ([]driver.Found, error)
	}{
		{"CUDA", func() ([]driver.Found, error) { return cuda.List(cuda.Installed()) }},
		{"OpenCL", func() ([]driver.Found, error) { return opencl.List(opencl.Libraries) }},
	} {
		devices, err := search.list()
		switch {
		case errors.Is(err, cuda.ErrNoCompiler):
			absent = append(absent,
				"CUDA has a driver, but its compiler (libnvrtc.so, of the CUDA toolkit) is not installed")
		case errors.Is(err, driver.ErrNoLibrary):
			absent = append(absent, search.name+" is not installed")
		case err != nil:
			absent = append(absent, search.name+": "+err.Error())
		case len(devices) == 0:
			absent = append(absent, search.name+" has no device")
		}
		for i, d := range devices {
			list = append(list, found{fmt.Sprintf("%s:%d", strings.ToLower(search.name), i), d})
		}
	}
	return list, absent
}

// errNoDevice says in one sentence why there is nothing to measure.
func errNoDevice(absent []string) error {
	return diag.Errorf(diag.Pos{}, codeDevice, "no device to measure: %s", strings.Join(absent, ", "))
}

// deviceFlag defines --device.
func deviceFlag(f *pflag.FlagSet, into *string) {
	f.StringVar(into, "device", "",
		"measure `DEVICE`: its number in the list, such as opencl:0, or a part of\nits name (default: the first GPU, "+
			"or else the first device)")
}

// What stands before the name of a device that is simulated, and before a file of samples that answers as the
// device did whose samples they are.
const (
	syntheticPrefix = "synthetic:"
	replayPrefix    = "replay:"
)

// openSynthetic returns a device that answers as the simulator does.
func openSynthetic(name string) (measure.Bench, error) {
	d, err := gpu.Find(name)
	if err != nil {
		return nil, err
	}
	return synthetic.New(d, synthetic.Default())
}

// choose returns the device that a flag names.
func choose(wanted string) (found, error) {
	list, absent := findDevices()
	if len(list) == 0 {
		return found{}, errNoDevice(absent)
	}
	if wanted == "" {
		for _, d := range list {
			if d.Properties.Type == "GPU" {
				return d, nil
			}
		}
		return list[0], nil
	}
	var matches []found
	for _, d := range list {
		if d.id == wanted {
			return d, nil
		}
		if strings.Contains(strings.ToLower(d.Properties.Name), strings.ToLower(wanted)) {
			matches = append(matches, d)
		}
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	err := diag.Errorf(diag.Pos{}, codeDevice, "there is no device %q", wanted)
	if len(matches) > 1 {
		err = diag.Errorf(diag.Pos{}, codeDevice, "%q is part of several devices' names", wanted)
		list = matches
	}
	for _, d := range list {
		err = err.WithNote("%s is %s", d.id, d.Properties.Name)
	}
	return found{}, err
}

// opened opens the device, with an error that names it.
func (f found) opened() (driver.Device, error) {
	d, err := f.Open()
	if err != nil {
		return nil, deviceError(fmt.Errorf("%s (%s) cannot be opened: %w", f.id, f.Properties.Name, err))
	}
	return d, nil
}

// deviceError is an error of a device as a diagnostic.
func deviceError(err error) error {
	return diag.Errorf(diag.Pos{}, codeDevice, "%v", err)
}
