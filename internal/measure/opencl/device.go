package opencl

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/clock"
	"gpupipe/internal/measure/driver"
)

// device is an open device with one in-order queue that takes times.
type device struct {
	*api
	id, context, queue handle
	properties         measure.Properties
	clock              clock.Source
}

var _ driver.Device = (*device)(nil)

// open opens a device.
func (a *api) open(id handle, p measure.Properties) (driver.Device, error) {
	d := &device{api: a, id: id, properties: p}
	var code int32
	if d.context = a.createContext(nil, 1, &d.id, 0, 0, &code); code != 0 {
		return nil, check("clCreateContext", code)
	}
	if d.queue = a.createCommandQueue(d.context, d.id, queueProfiling, &code); code != 0 {
		a.releaseContext(d.context)
		return nil, check("clCreateCommandQueue", code)
	}
	if d.properties.WarpSize == 0 {
		d.properties.WarpSize = d.preferredItems()
	}
	d.clock = clock.Find(d.properties)
	return d, nil
}

// properties are what a device of a platform tells without being opened; the warp size of some is not among it.
func (a *api) properties(platform string, id handle) measure.Properties {
	whole := func(name uint32) int { return int(a.number(id, name)) }
	p := measure.Properties{
		Name: a.text(id, deviceName), Vendor: a.text(id, deviceVendor),
		Driver: platform + " " + a.text(id, driverVersion),
		API:    a.text(id, deviceVersion), Type: typeOf(a.number(id, deviceType)),
		ComputeUnits: whole(deviceMaxUnits), ClockMHz: float64(a.number(id, deviceMaxClock)),
		MaxGroupSize: whole(deviceMaxGroupSize),
		WarpSize:     max(whole(nvidiaWarp), whole(amdWavefront)), LocalBytes: whole(deviceLocalBytes),
		LocalBytesPerUnit: max(whole(nvidiaLocalPerUnit), whole(amdLocalPerUnit)),
		Registers:         whole(nvidiaRegisters), GlobalBytes: a.number(id, deviceGlobalBytes),
		MaxBufferBytes: a.number(id, deviceMaxAlloc),
		L2Bytes:        a.number(id, deviceCacheBytes), Features: features(a.text(id, deviceExtensions)),
	}
	if major := whole(nvidiaMajor); major > 0 {
		p.Capability = fmt.Sprintf("%d.%d", major, whole(nvidiaMinor))
	}
	return p
}

// typeOf names the type of a device.
func typeOf(bits int64) string {
	switch {
	case bits&deviceTypeGPU != 0:
		return "GPU"
	case bits&deviceTypeCPU != 0:
		return "CPU"
	}
	return "accelerator"
}

// features are those that extensions bring.
func features(extensions string) string {
	var names []string
	for _, f := range []struct{ extension, name string }{
		{"cl_khr_fp16", "half"}, {"cl_khr_fp64", "double"}, {"cl_khr_subgroup_shuffle", "shuffle"},
		{"cl_intel_subgroups", "shuffle"},
	} {
		if slices.Contains(strings.Fields(extensions), f.extension) && !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " ")
}

// preferredItems is the number of work items that execute together, as the compiler tells of a kernel: the
// warp size of devices that have no question for it.
func (d *device) preferredItems() int {
	const fallback = 32
	p, err := d.build("probe", "__kernel void probe(__global int *out) { out[get_global_id(0)] = 1; }", "")
	if err != nil {
		return fallback
	}
	defer p.Close()
	var code int32
	k := d.createKernel(p.id, "probe", &code)
	if code != 0 {
		return fallback
	}
	defer d.releaseKernel(k)
	var items uintptr
	if d.getKernelWorkGroupInfo(k, d.id, kernelPreferredItems, unsafe.Sizeof(items), unsafe.Pointer(&items),
		nil) != 0 || items == 0 {
		return fallback
	}
	if items > 64 || bits.OnesCount(uint(items)) != 1 { // PoCL's are 8 and more; a warp of more than 64 is none
		return fallback
	}
	return int(items)
}

func (d *device) Properties() measure.Properties { return d.properties }

func (d *device) Dialect() driver.Dialect { return driver.OpenCL }

func (d *device) Clock() float64 { return d.clock.MHz() }

func (d *device) Close() {
	d.clock.Close()
	d.releaseCommandQueue(d.queue)
	d.releaseContext(d.context)
}

// buffer is memory of the device.
type buffer struct {
	d     *device
	id    handle
	bytes int64
}

func (d *device) NewBuffer(bytes int64) (driver.Buffer, error) {
	var code int32
	b := &buffer{d: d, bytes: bytes}
	if b.id = d.createBuffer(d.context, memReadWrite, uintptr(bytes), 0, &code); code != 0 {
		return nil, check(fmt.Sprintf("clCreateBuffer of %d bytes", bytes), code)
	}
	return b, nil
}

func (b *buffer) Bytes() int64 { return b.bytes }

func (b *buffer) Write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return check("clEnqueueWriteBuffer", b.d.enqueueWriteBuffer(b.d.queue, b.id, 1, 0, uintptr(len(data)),
		unsafe.Pointer(&data[0]), 0, nil, nil))
}

func (b *buffer) Read(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return check("clEnqueueReadBuffer", b.d.enqueueReadBuffer(b.d.queue, b.id, 1, 0, uintptr(len(data)),
		unsafe.Pointer(&data[0]), 0, nil, nil))
}

func (b *buffer) Close() { b.d.releaseMemObject(b.id) }
