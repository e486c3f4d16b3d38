package cuda

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"gpupipe/internal/measure/driver"
)

// buildLimit is after how long the compiler counts as one that does not end.
const buildLimit = 2 * time.Minute

type program struct {
	d      *device
	module handle
	names  map[string]string // in machine code, of the names in the source
}

func (d *device) Build(ctx context.Context, s driver.Source) (driver.Program, error) {
	p := &program{d: d, names: map[string]string{}}
	var image []byte
	// The compiler needs no context, hence not the device's thread.
	err := driver.Await(ctx, "the compilation of "+s.Name, buildLimit, func() (err error) {
		image, err = d.compiled(s, p.names)
		return err
	})
	if err == nil {
		err = d.await(ctx, "loading "+s.Name, buildLimit, func() error {
			return d.check("cuModuleLoadData", d.moduleLoadData(&p.module, unsafe.Pointer(&image[0])))
		})
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// compiled is the machine code of a source, or its PTX where the compiler is too old to make machine code.
func (d *device) compiled(s driver.Source, names map[string]string) ([]byte, error) {
	var id handle
	if code := d.createProgram(&id, s.Text, s.Name, 0, 0, 0); code != 0 {
		return nil, &status{"nvrtcCreateProgram", "the compiler fails", code}
	}
	defer d.destroyProgram(&id)
	for _, name := range s.Kernels {
		if code := d.addNameExpression(id, name); code != 0 {
			return nil, &status{"nvrtcAddNameExpression " + name, "the compiler fails", code}
		}
	}
	target := "sm_"
	if d.getCUBINSize == nil {
		target = "compute_"
	}
	target += strings.ReplaceAll(d.properties.Capability, ".", "")
	if s.Special {
		target += "a"
	}
	options := append([]string{"--gpu-architecture=" + target}, s.Options...)
	if code := d.compileWith(id, options); code != 0 {
		log := d.text(d.getProgramLogSize, d.getProgramLog, id)
		return nil, &driver.BuildError{Name: s.Name, Log: string(bytes.Trim(log, "\x00"))}
	}
	for _, name := range s.Kernels {
		var lowered *byte
		if code := d.getLoweredName(id, name, &lowered); code != 0 {
			return nil, &status{"nvrtcGetLoweredName " + name, "the compiler does not know the kernel", code}
		}
		names[name] = goString(lowered)
	}
	image := d.text(d.getPTXSize, d.getPTX, id)
	if d.getCUBINSize != nil {
		image = d.text(d.getCUBINSize, d.getCUBIN, id)
	}
	if len(image) == 0 {
		return nil, &driver.BuildError{Name: s.Name, Log: "the compiler gives no code"}
	}
	return image, nil
}

// compileWith passes the options as C strings.
func (d *device) compileWith(id handle, options []string) int32 {
	var pin runtime.Pinner
	defer pin.Unpin()
	list := make([]*byte, len(options))
	for i, o := range options {
		text := append([]byte(o), 0)
		list[i] = &text[0]
		pin.Pin(list[i])
	}
	return d.compileProgram(id, int32(len(list)), &list[0])
}

// text reads a text or an image of a program by its size; nil if there is none.
func (d *device) text(size func(handle, *uintptr) int32, get func(handle, *byte) int32, id handle) []byte {
	var n uintptr
	if size(id, &n) != 0 || n == 0 {
		return nil
	}
	data := make([]byte, n)
	if get(id, &data[0]) != 0 {
		return nil
	}
	return data
}

func (p *program) Close() {
	_ = p.d.await(context.Background(), "unloading a program", copyLimit, func() error {
		return p.d.check("cuModuleUnload", p.d.moduleUnload(p.module))
	})
}

type kernel struct {
	d    *device
	id   handle
	name string
	own  *float64 // seconds between two events behind launches of it; nil = not measured yet
}

func (p *program) Kernel(name string) (driver.Kernel, error) {
	k := &kernel{d: p.d, name: name}
	if lowered := p.names[name]; lowered != "" {
		name = lowered
	}
	err := p.d.await(context.Background(), "finding a kernel", copyLimit, func() error {
		return p.d.check("cuModuleGetFunction "+name, p.d.moduleGetFunction(&k.id, p.module, name))
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// Resident asks the driver.
func (k *kernel) Resident(items, localBytes int) int {
	var groups int32
	if k.d.on(func() error {
		if localBytes > usualShared {
			k.d.funcSetAttribute(k.id, functionMaxDynamicShared, int32(localBytes)) // a launch reports its failure
		}
		return k.d.check("cuOccupancyMaxActiveBlocksPerMultiprocessor",
			k.d.occupancyMaxActiveBlocksPerMultiprocessor(&groups, k.id, int32(items), uintptr(localBytes)))
	}) != nil {
		return 0
	}
	return int(groups)
}

// Close does nothing: a kernel goes with its program.
func (k *kernel) Close() {}

func (k *kernel) Launch(ctx context.Context, l driver.Launch) (seconds float64, err error) {
	err = k.d.await(ctx, "kernel "+k.name, l.Limit, func() (err error) {
		seconds, err = k.execute(l)
		return err
	})
	return seconds, err
}

// usualShared is the dynamic shared memory that a kernel may have without asking (CUDA C++ Programming Guide).
const usualShared = 48 << 10

// execute launches the kernel between two events, whose own time is taken off.
func (k *kernel) execute(l driver.Launch) (seconds float64, err error) {
	d := k.d
	if l.LocalBytes > usualShared {
		if err := d.check("cuFuncSetAttribute", d.funcSetAttribute(k.id, functionMaxDynamicShared,
			int32(l.LocalBytes))); err != nil {
			return 0, err
		}
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	parameters := k.parameters(l.Args, &pin)
	var list unsafe.Pointer
	if len(parameters) > 0 {
		list = unsafe.Pointer(&parameters[0])
	}
	g, b := l.Groups, l.GroupSize
	launch := func() int32 {
		return d.launchKernel(k.id, uint32(g[0]), uint32(g[1]), uint32(g[2]), uint32(b[0]), uint32(b[1]), uint32(b[2]),
			uint32(l.LocalBytes), 0, list, nil)
	}
	before := func() error {
		for range l.Behind {
			if err := d.check("cuLaunchKernel", launch()); err != nil {
				return err
			}
		}
		return nil
	}
	own := &d.own
	if l.Behind > 0 {
		own = &k.own
	}
	if err := d.eventsOwn(own, before); err != nil {
		return 0, err
	}
	if err := before(); err != nil {
		return 0, err
	}
	seconds, err = d.between("cuLaunchKernel", launch)
	return max(seconds-**own, **own), err
}

// between is the time between two events around a call, seconds.
func (d *device) between(call string, do func() int32) (seconds float64, err error) {
	var start, end handle
	for _, e := range []*handle{&start, &end} {
		if err := d.check("cuEventCreate", d.eventCreate(e, 0)); err != nil {
			return 0, err
		}
		defer func() { d.destroyEvent(*e) }()
	}
	for _, c := range []struct {
		call string
		make func() int32
	}{
		{"cuEventRecord", func() int32 { return d.eventRecord(start, 0) }},
		{call, do},
		{"cuEventRecord", func() int32 { return d.eventRecord(end, 0) }},
		{"cuEventSynchronize", func() int32 { return d.eventSynchronize(end) }},
	} {
		if err := d.check(c.call, c.make()); err != nil {
			return 0, err
		}
	}
	var milliseconds float32
	if err := d.check("cuEventElapsedTime", d.eventElapsedTime(&milliseconds, start, end)); err != nil {
		return 0, err
	}
	return float64(milliseconds) / 1000, nil
}

// eventsOwn finds the time between two events with nothing between them, seconds, behind other work: the median of
// some, once.
func (d *device) eventsOwn(own **float64, before func() error) error {
	const pairs = 11
	if *own != nil {
		return nil
	}
	var list []float64
	for range pairs {
		if err := before(); err != nil {
			return err
		}
		t, err := d.between("", func() int32 { return 0 })
		if err != nil {
			return err
		}
		list = append(list, t)
	}
	slices.Sort(list)
	*own = &list[pairs/2]
	return nil
}

// parameters are pointers to the values of the arguments. Local memory is not an argument in CUDA.
func (k *kernel) parameters(args []driver.Arg, pin *runtime.Pinner) []unsafe.Pointer {
	var list []unsafe.Pointer
	for _, a := range args {
		value := a.Value
		switch {
		case a.Buffer != nil:
			address := a.Buffer.(*buffer).address
			value = unsafe.Slice((*byte)(unsafe.Pointer(&address)), unsafe.Sizeof(address))
		case value == nil:
			continue
		}
		pin.Pin(&value[0])
		list = append(list, unsafe.Pointer(&value[0]))
	}
	return list
}
