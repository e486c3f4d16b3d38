package opencl

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// buildLimit is after how long a compiler counts as one that does not end.
const buildLimit = 2 * time.Minute

type program struct {
	d  *device
	id handle
}

func (d *device) Build(ctx context.Context, s driver.Source) (driver.Program, error) {
	var p *program
	err := driver.Await(ctx, "the compilation of "+s.Name, buildLimit, func() (err error) {
		p, err = d.build(s.Name, s.Text, strings.Join(s.Options, " "))
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (d *device) build(name, text, options string) (*program, error) {
	bytes := append([]byte(text), 0)
	start, length := &bytes[0], uintptr(len(text))
	var pin runtime.Pinner
	pin.Pin(start) // the array of texts, in Go's memory, points to it
	defer pin.Unpin()
	var code int32
	p := &program{d: d}
	if p.id = d.createProgramWithSource(d.context, 1, &start, &length, &code); code != 0 {
		return nil, check("clCreateProgramWithSource", code)
	}
	if code = d.buildProgram(p.id, 1, &d.id, options, 0, 0); code != 0 {
		log := infoText(func(size uintptr, value unsafe.Pointer, returned *uintptr) int32 {
			return d.getProgramBuildInfo(p.id, d.id, buildLog, size, value, returned)
		})
		p.Close()
		if log == "" {
			log = check("clBuildProgram", code).Error()
		}
		return nil, &driver.BuildError{Name: name, Log: log}
	}
	return p, nil
}

func (p *program) Close() { p.d.releaseProgram(p.id) }

type kernel struct {
	d    *device
	id   handle
	name string
}

func (p *program) Kernel(name string) (driver.Kernel, error) {
	var code int32
	k := &kernel{d: p.d, name: name}
	if k.id = p.d.createKernel(p.id, name, &code); code != 0 {
		return nil, check("clCreateKernel "+name, code)
	}
	return k, nil
}

// Resident is not known: OpenCL has no question for it.
func (k *kernel) Resident(int, int) int { return 0 }

func (k *kernel) Close() { k.d.releaseKernel(k.id) }

func (k *kernel) Launch(ctx context.Context, l driver.Launch) (seconds float64, err error) {
	for i, a := range l.Args {
		if err := k.setArg(uint32(i), a); err != nil {
			return 0, err
		}
	}
	err = driver.Await(ctx, "kernel "+k.name, l.Limit, func() (err error) {
		seconds, err = k.execute(l)
		return err
	})
	if s, ok := errors.AsType[*status](err); ok && lost[s.code] {
		return 0, &measure.LostError{Reason: "kernel " + k.name + ": " + s.Error()}
	}
	return seconds, err
}

// lost are the statuses after which a device answers no more.
var lost = map[int32]bool{-2: true, -14: true, -36: true, -9999: true}

func (k *kernel) setArg(i uint32, a driver.Arg) error {
	switch {
	case a.Buffer != nil:
		id := a.Buffer.(*buffer).id
		return check("clSetKernelArg", k.d.setKernelArg(k.id, i, unsafe.Sizeof(id), unsafe.Pointer(&id)))
	case a.Value != nil:
		return check("clSetKernelArg", k.d.setKernelArg(k.id, i, uintptr(len(a.Value)), unsafe.Pointer(&a.Value[0])))
	}
	return check("clSetKernelArg", k.d.setKernelArg(k.id, i, uintptr(a.LocalBytes), nil))
}

func (k *kernel) execute(l driver.Launch) (seconds float64, err error) {
	var global, local [3]uintptr
	for i := range global {
		local[i] = uintptr(l.GroupSize[i])
		global[i] = local[i] * uintptr(l.Groups[i])
	}
	var event handle
	if err := check("clEnqueueNDRangeKernel", k.d.enqueueNDRangeKernel(k.d.queue, k.id, 3, nil, &global[0], &local[0],
		0, nil, &event)); err != nil {
		return 0, err
	}
	defer k.d.releaseEvent(event)
	if err := check("clWaitForEvents", k.d.waitForEvents(1, &event)); err != nil {
		return 0, err
	}
	var start, end uint64
	for _, t := range []struct {
		name uint32
		into *uint64
	}{{profilingStart, &start}, {profilingEnd, &end}} {
		if err := check("clGetEventProfilingInfo", k.d.getEventProfilingInfo(event, t.name, 8, unsafe.Pointer(t.into),
			nil)); err != nil {
			return 0, err
		}
	}
	if end <= start {
		return 0, errors.New("the device's timer does not advance: it measures no kernels")
	}
	return float64(end-start) * 1e-9, nil
}
