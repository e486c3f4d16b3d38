package cuda

import (
	"bytes"
	"fmt"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// List returns the devices in the driver's order.
func List(l Libraries) ([]driver.Found, error) {
	a, err := load(l)
	if err != nil {
		return nil, err
	}
	if code := a.init(0); code == noDevice {
		return nil, nil
	} else if err := a.check("cuInit", code); err != nil {
		return nil, err
	}
	var count int32
	if err := a.check("cuDeviceGetCount", a.deviceGetCount(&count)); err != nil {
		return nil, err
	}
	var list []driver.Found
	for i := range count {
		var id int32
		if err := a.check("cuDeviceGet", a.deviceGet(&id, i)); err != nil {
			return nil, err
		}
		p := a.properties(id)
		list = append(list, driver.Found{Properties: p, Open: func() (driver.Device, error) { return a.open(id, p) }})
	}
	return list, nil
}

// properties asks for what a device tells; what it does not is 0.
func (a *api) properties(id int32) measure.Properties {
	number := func(attribute int32) int {
		var v int32
		if a.deviceGetAttribute(&v, attribute, id) != 0 {
			return 0
		}
		return int(v)
	}
	var name [256]byte
	if a.deviceGetName(&name[0], int32(len(name)), id) != 0 {
		name = [256]byte{}
	}
	text, _, _ := bytes.Cut(name[:], []byte{0})
	var memory uintptr
	if a.deviceMemory(&memory, id) != 0 {
		memory = 0
	}
	var version int32
	if a.driverGetVersion(&version) != 0 {
		version = 0
	}
	major, minor := number(capabilityMajor), number(capabilityMinor)
	p := measure.Properties{
		Name: string(text), Vendor: "NVIDIA Corporation", Type: "GPU",
		Driver:     fmt.Sprintf("CUDA %d.%d", version/1000, version%1000/10),
		API:        fmt.Sprintf("CUDA %d.%d", version/1000, version%1000/10),
		Capability: fmt.Sprintf("%d.%d", major, minor), ComputeUnits: number(multiprocessors),
		ClockMHz: float64(number(clockKHz)) / 1000,
		WarpSize: number(warpSize), MaxGroupSize: number(maxThreadsPerBlock), MaxGroups: number(maxBlocksPerUnit),
		LocalBytes: max(number(sharedPerBlock), number(sharedPerBlockOptIn)), LocalBytesPerUnit: number(sharedPerUnit),
		Registers:   number(registersPerUnit),
		GlobalBytes: int64(memory), L2Bytes: int64(number(l2Bytes)), Features: "double shuffle",
	}
	if p.WarpSize > 0 {
		p.MaxWarps = number(maxThreadsPerUnit) / p.WarpSize
	}
	if major > 5 || major == 5 && minor >= 3 { // CUDA C++ Programming Guide, table of features
		p.Features += " half"
	}
	if major >= 8 {
		p.Features += " bfloat16 tensor"
	}
	if major == 9 { // PTX ISA, wgmma: sm_90a
		p.Features += " wgmma"
	}
	return p
}
