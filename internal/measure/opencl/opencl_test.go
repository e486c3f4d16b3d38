package opencl

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"gpupipe/internal/measure/driver"
	"gpupipe/internal/test/tools"
)

// open opens the first OpenCL device, such as the CPU by PoCL.
func open(t *testing.T) driver.Device {
	t.Helper()
	list, err := List(Libraries)
	if err != nil || len(list) == 0 {
		tools.Missing(t, "no OpenCL device (Debian: pocl-opencl-icd ocl-icd-libopencl1): %v", err)
	}
	d, err := list[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// TestLaunch: a kernel with all kinds of arguments computes, and takes time.
func TestLaunch(t *testing.T) {
	d := open(t)
	if p := d.Properties(); p.Name == "" || p.ComputeUnits < 1 || p.WarpSize < 1 || p.MaxGroupSize < 1 ||
		p.LocalBytes < 1 {
		t.Errorf("properties: %+v", p)
	}
	const text = `__kernel void put(__global int *out, int x, __local int *l)
{
	l[get_local_id(0)] = x + STEP * get_local_id(0);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)];
}`
	p, err := d.Build(context.Background(), driver.Source{Name: "put.cl", Text: text, Options: []string{"-DSTEP=10"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	k, err := p.Kernel("put")
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	const groups, size = 4, 16
	b, err := d.NewBuffer(4 * groups * size)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	seconds, err := k.Launch(context.Background(), driver.Launch{
		Groups: [3]int{groups, 1, 1}, GroupSize: [3]int{size, 1, 1},
		Args: []driver.Arg{{Buffer: b}, driver.Int(7), {LocalBytes: 4 * size}},
	})
	if err != nil || !(seconds > 0) {
		t.Fatalf("%v s, %v", seconds, err)
	}
	out := make([]byte, b.Bytes())
	if err := b.Read(out); err != nil {
		t.Fatal(err)
	}
	for i := range groups * size {
		if got, want := int(binary.LittleEndian.Uint32(out[4*i:])), 7+10*(size-1-i%size); got != want {
			t.Fatalf("item %d is %d, want %d", i, got, want)
		}
	}
}

// TestErrors: the compiler's log, at the user's lines, and the driver's statuses are passed on.
func TestErrors(t *testing.T) {
	d := open(t)
	_, err := d.Build(context.Background(), driver.Source{Name: "wrong.cl",
		Text: "#line 7 \"wrong.cl\"\n__kernel void f(int x) { return y; }"})
	if refused, ok := errors.AsType[*driver.BuildError](err); !ok || !strings.Contains(refused.Log, "wrong.cl:7") {
		t.Errorf("a wrong program: %v", err)
	}
	p, err := d.Build(context.Background(), driver.Source{Name: "f.cl", Text: "__kernel void f(int x) { }"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kernel("g"); err == nil || !strings.Contains(err.Error(), "clCreateKernel g") {
		t.Errorf("a kernel that does not exist: %v", err)
	}
	if _, err := d.NewBuffer(1 << 50); err == nil {
		t.Error("a buffer of 1 PB is made")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := d.Build(ended, driver.Source{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a build after the end: %v", err)
	}
	if _, err := List([]string{"libNoSuchLibrary.so"}); !errors.Is(err, driver.ErrNoLibrary) {
		t.Errorf("a library that is not installed: %v", err)
	}
}
