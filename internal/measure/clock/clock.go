// Package clock tells at which clock a GPU's compute units run now: NVIDIA's management library where
// it is installed, for one GPU of the given name.
//
// Source: NVIDIA, NVML API Reference Guide, and nvml.h for the numbers.
package clock

import (
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// Source is where a clock is read; the zero value does not tell.
type Source struct {
	nvml   *nvml
	device uintptr
}

// nvml is libnvidia-ml.
type nvml struct {
	initialize         func() int32 `c:"nvmlInit_v2"`
	shutdown           func() int32
	count              func(*uint32) int32          `c:"nvmlDeviceGetCount_v2"`
	deviceByIndex      func(uint32, *uintptr) int32 `c:"nvmlDeviceGetHandleByIndex_v2"`
	deviceGetName      func(uintptr, *byte, uint32) int32
	deviceGetClockInfo func(device uintptr, kind uint32, mhz *uint32) int32
}

const clockSM = 1

// Find returns where the clock of the device is read. Of two GPUs with one name it is not known
// which is which: then nothing is told.
func Find(p measure.Properties) Source {
	if !strings.Contains(p.Vendor, "NVIDIA") {
		return Source{}
	}
	lib, err := driver.Open("libnvidia-ml.so.1")
	if err != nil {
		return Source{}
	}
	n := &nvml{}
	if lib.Bind("nvml", n) != nil || n.initialize() != 0 {
		return Source{}
	}
	if devices := n.named(p.Name); len(devices) == 1 {
		return Source{n, devices[0]}
	}
	n.shutdown()
	return Source{}
}

// named returns the GPUs of that name.
func (n *nvml) named(name string) (devices []uintptr) {
	var count uint32
	if n.count(&count) != 0 {
		return nil
	}
	for i := range count {
		var device uintptr
		var text [96]byte
		if n.deviceByIndex(i, &device) != 0 || n.deviceGetName(device, &text[0], uint32(len(text))) != 0 {
			continue
		}
		if found, _, _ := strings.Cut(string(text[:]), "\x00"); found == name {
			devices = append(devices, device)
		}
	}
	return devices
}

// MHz is the clock now, or 0 if it is not known.
func (s Source) MHz() float64 {
	var mhz uint32
	if s.nvml == nil || s.nvml.deviceGetClockInfo(s.device, clockSM, &mhz) != 0 {
		return 0
	}
	return float64(mhz)
}

// Close ends the use of the library.
func (s Source) Close() {
	if s.nvml != nil {
		s.nvml.shutdown()
	}
}
