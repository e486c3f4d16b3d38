package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
	"gpupipe/internal/measure/micro"
	"gpupipe/internal/test/standin"
)

// rig is the stand-in's libraries and what they are told.
type rig struct {
	dir string
	told
}

// told are functions of the stand-in's driver.
type told struct {
	fail    func(call string, status, n int32) `c:"standin_fail"` // the n-th call and all that follow
	devices func(n int32)                      `c:"standin_devices"`
}

// TestStandIn drives libraries that stand in for NVIDIA's.
func TestStandIn(t *testing.T) {
	r := &rig{dir: t.TempDir()}
	standin.Build(t, r.dir)
	lib, err := driver.Open(filepath.Join(r.dir, standin.Driver))
	if err != nil {
		t.Fatal(err)
	}
	if err := lib.Bind("standin_", &r.told); err != nil {
		t.Fatal(err)
	}
	t.Run("launch", r.launch)
	t.Run("list", r.list)
	t.Run("build", r.build)
	t.Run("fail", r.failures)
	t.Run("hang", r.hang)
	t.Run("micro", r.micro)
}

func (r *rig) libraries(compiler string) Libraries {
	return Libraries{[]string{filepath.Join(r.dir, standin.Driver)}, []string{filepath.Join(r.dir, compiler)}}
}

// open opens the device.
func (r *rig) open(t *testing.T, compiler string) driver.Device {
	t.Helper()
	list, err := List(r.libraries(compiler))
	if err != nil || len(list) != 1 {
		t.Fatalf("%d devices, %v", len(list), err)
	}
	d, err := list[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

const countText = `extern "C" __global__ void count(int *out, int x) { out[blockIdx.x * blockDim.x + threadIdx.x] = x; }`

// count builds and launches a kernel that the stand-in executes.
func count(d driver.Device, shared int) (out []byte, seconds float64, err error) {
	p, err := d.Build(context.Background(), driver.Source{Name: "count.cu", Text: countText})
	if err != nil {
		return nil, 0, err
	}
	defer p.Close()
	k, err := p.Kernel("count")
	if err != nil {
		return nil, 0, err
	}
	defer k.Close()
	const items = 3 * 64
	b, err := d.NewBuffer(4 * items)
	if err != nil {
		return nil, 0, err
	}
	defer b.Close()
	out = make([]byte, 4*items)
	if err := b.Write(out); err != nil {
		return nil, 0, err
	}
	l := driver.Launch{Groups: [3]int{3, 1, 1}, GroupSize: [3]int{64, 1, 1},
		Args: []driver.Arg{{Buffer: b}, driver.Int(7)}, LocalBytes: shared}
	if seconds, err = k.Launch(context.Background(), l); err != nil {
		return nil, 0, err
	}
	return out, seconds, b.Read(out)
}

// launch: arguments arrive, and times are those of the events; with a compiler that makes machine code, and one
// that makes PTX only.
func (r *rig) launch(t *testing.T) {
	for _, compiler := range []string{standin.Compiler, standin.CompilerOld} {
		out, seconds, err := count(r.open(t, compiler), 64<<10)
		if err != nil {
			t.Fatal(err)
		}
		const want = 1e-5 + 192e-9
		if seconds < 0.99*want || seconds > 1.01*want {
			t.Errorf("%v s, want %v", seconds, want)
		}
		for i := range 192 {
			if got := binary.LittleEndian.Uint32(out[4*i:]); got != uint32(7+i) {
				t.Fatalf("item %d is %d", i, got)
			}
		}
	}
}

// list: what the device tells, no device, no compiler, no driver.
func (r *rig) list(t *testing.T) {
	list, err := List(r.libraries(standin.Compiler))
	if err != nil {
		t.Fatal(err)
	}
	p := list[0].Properties
	want := measure.Properties{
		Name: "Stand-in GPU", Vendor: "NVIDIA Corporation", Driver: "CUDA 12.4", API: "CUDA 12.4", Type: "GPU",
		Capability: "8.6", ComputeUnits: 2, ClockMHz: 1000,
		WarpSize: 32, MaxGroupSize: 1024, MaxWarps: 32, MaxGroups: 16, LocalBytes: 101376, LocalBytesPerUnit: 102400,
		Registers:   65536,
		GlobalBytes: 1 << 28, L2Bytes: 1 << 20, Features: "double shuffle half bfloat16 tensor",
	}
	if p != want {
		t.Errorf("properties\n%+v, want\n%+v", p, want)
	}
	r.devices(0)
	defer r.devices(1)
	if list, err := List(r.libraries(standin.Compiler)); len(list) != 0 || err != nil {
		t.Errorf("without a device: %v, %v", list, err)
	}
	if _, err := List(r.libraries("none.so")); !errors.Is(err, driver.ErrNoLibrary) ||
		!strings.Contains(err.Error(), "NVRTC") {
		t.Errorf("without a compiler: %v", err)
	}
	if _, err := List(Libraries{[]string{"none.so"}, nil}); !errors.Is(err, driver.ErrNoLibrary) {
		t.Errorf("without a driver: %v", err)
	}
	if len(Installed().Driver) == 0 || len(Installed().Compiler) == 0 {
		t.Error("no names of installed libraries")
	}
}

// build: the compiler's log comes through, with the line.
func (r *rig) build(t *testing.T) {
	d := r.open(t, standin.Compiler)
	_, err := d.Build(context.Background(), driver.Source{Name: "wrong.cu", Text: "void f()\n{\n  undeclared;\n}"})
	if refused, ok := errors.AsType[*driver.BuildError](err); !ok ||
		!strings.Contains(refused.Log, "wrong.cu(3): error") {
		t.Errorf("a wrong program: %v", err)
	}
	p, err := d.Build(context.Background(), driver.Source{Name: "f.cu", Text: "void f() {}"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kernel("g"); err == nil {
		t.Error("a kernel that does not exist is found")
	}
	p.Close()
}

// failures: each call's failure is an error that names it; after some the device is lost.
func (r *rig) failures(t *testing.T) {
	defer r.fail("", 0, -1)
	for _, c := range []struct {
		call string
		code int32
		lost bool
	}{
		{"cuModuleLoadData", 218, false}, {"cuModuleGetFunction", 500, false}, {"cuMemAlloc_v2", 2, false},
		{"cuMemcpyHtoD_v2", 1, false},
		{"cuFuncSetAttribute", 1, false}, {"cuEventCreate", 2, false}, {"cuEventRecord", 400, false},
		{"cuLaunchKernel", 701, false},
		{"cuLaunchKernel", 719, true}, {"cuEventSynchronize", 700, true}, {"cuEventElapsedTime", 600, false},
		{"cuMemcpyDtoH_v2", 700, true},
	} {
		d := r.open(t, standin.Compiler)
		r.fail(c.call, c.code, 1)
		_, _, err := count(d, 64<<10)
		r.fail("", 0, -1)
		_, lost := errors.AsType[*measure.LostError](err)
		name := strings.TrimSuffix(c.call, "_v2")
		if err == nil || lost != c.lost || !strings.Contains(err.Error(), name) {
			t.Errorf("%s fails with %d: %v, lost %v", c.call, c.code, err, lost)
		}
	}
	for _, call := range []string{"cuInit", "cuDeviceGetCount", "cuDeviceGet"} {
		r.fail(call, 999, 1)
		if _, err := List(r.libraries(standin.Compiler)); err == nil {
			t.Errorf("%s fails, and devices are listed", call)
		}
	}
	r.fail("", 0, -1)
	list, _ := List(r.libraries(standin.Compiler))
	r.fail("cuDevicePrimaryCtxRetain", 2, 1)
	if _, err := list[0].Open(); err == nil {
		t.Error("a device without a context is opened")
	}
}

// hang: the watchdog gives a kernel up that does not end.
func (r *rig) hang(t *testing.T) {
	d := r.open(t, standin.Compiler)
	p, err := d.Build(context.Background(), driver.Source{Name: "hang.cu",
		Text: `extern "C" __global__ void hang() { }`})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("hang")
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Launch(context.Background(), driver.Launch{Groups: [3]int{1, 1, 1}, GroupSize: [3]int{1, 1, 1},
		Limit: 50 * time.Millisecond})
	if _, lost := errors.AsType[*measure.LostError](err); !lost {
		t.Errorf("a kernel that does not end: %v", err)
	}
}

// micro: a microbenchmark runs and verifies what it computes, with the counters of compute units.
func (r *rig) micro(t *testing.T) {
	b := micro.New(r.open(t, standin.Compiler), time.Minute)
	c, _ := measure.Lookup("add.f32")
	reading, err := b.Time(context.Background(), measure.Point{Class: c, Chains: 2, GroupSize: 64, Groups: 2,
		WarpsPerUnit: 4, Instructions: 4096})
	if err != nil {
		t.Fatal(err)
	}
	const cycles = 1000 + 4096*4/2
	if reading.Instructions != 4096 || reading.Cycles != cycles || reading.Seconds < 0.99e-9*cycles ||
		reading.Seconds > 1.01e-9*cycles {
		t.Errorf("reading %+v, want %d cycles", reading, cycles)
	}
	wrong, _ := measure.Lookup("fma.f32") // which the stand-in does not execute
	_, err = b.Time(context.Background(), measure.Point{Class: wrong, Chains: 1, GroupSize: 64, Groups: 2,
		WarpsPerUnit: 4, Instructions: 512})
	if _, ok := errors.AsType[*measure.WrongError](err); !ok {
		t.Errorf("a wrong output: %v", err)
	}
}
