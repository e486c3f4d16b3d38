package timed

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// fakeDevice is a device that computes nothing: it keeps what it is given.
type fakeDevice struct {
	p        measure.Properties
	dialect  driver.Dialect
	source   driver.Source
	launches []driver.Launch
	fails    bool
	changes  byte // added to what is read: makes outputs differ
}

func (f *fakeDevice) Properties() measure.Properties { return f.p }
func (f *fakeDevice) Dialect() driver.Dialect        { return f.dialect }
func (f *fakeDevice) Clock() float64                 { return 1000 }
func (f *fakeDevice) Close()                         {}

func (f *fakeDevice) Build(_ context.Context, s driver.Source) (driver.Program, error) {
	f.source = s
	f.changes++
	return f, nil
}

func (f *fakeDevice) Kernel(string) (driver.Kernel, error) { return fakeKernel{f}, nil }

func (f *fakeDevice) NewBuffer(bytes int64) (driver.Buffer, error) {
	return &fakeBuffer{f, make([]byte, bytes)}, nil
}

type fakeKernel struct{ *fakeDevice }

func (f fakeKernel) Resident(items, local int) int {
	if f.dialect == driver.CUDA {
		return min(8, 100<<10/(local+1024))
	}
	return 0
}

func (f fakeKernel) Launch(_ context.Context, l driver.Launch) (float64, error) {
	if f.fails {
		return 0, &measure.LostError{Reason: "lost"}
	}
	f.launches = append(f.launches, l)
	return float64(len(f.launches)%5+1) * 1e-3, nil
}

type fakeBuffer struct {
	f    *fakeDevice
	data []byte
}

func (b *fakeBuffer) Bytes() int64            { return int64(len(b.data)) }
func (b *fakeBuffer) Write(data []byte) error { copy(b.data, data); return nil }
func (b *fakeBuffer) Close()                  {}
func (b *fakeBuffer) Read(data []byte) error {
	copy(data, b.data)
	data[3] += 0x20 * b.f.changes
	return nil
}

var gpu = measure.Properties{Type: "GPU", WarpSize: 32, MaxGroupSize: 1024, MaxWarps: 32, MaxGroups: 16,
	LocalBytes: 48 << 10, LocalBytesPerUnit: 96 << 10, GlobalBytes: 1 << 30}

func job(t *testing.T, file, text, kernel string, counts map[string]int64, args ...string) (*Job, error) {
	t.Helper()
	s, err := generate.NewSource(file, []byte(text), 0, []string{"M=3"})
	if err != nil {
		t.Fatal(err)
	}
	o := &generate.Options{DynamicLocal: -1}
	for _, text := range args {
		a, err := generate.ParseArgument(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Args = append(o.Args, a)
	}
	p, err := generate.Parse(s, o)
	if err != nil {
		t.Fatal(err)
	}
	fn, err := p.Choose(kernel)
	if err != nil {
		t.Fatal(err)
	}
	return NewJob(p, fn, nil, counts)
}

const openclText = `// idgen: local=64 groups=8 arg.n=M arg.f=0.5f dynamic-local=512
__kernel void k(__global float *out, __global const int *in, __local float *l,
                int n, double f)
{
    l[get_local_id(0)] = in[n];
    out[get_global_id(0)] = l[get_local_id(0)] * f;
}`

// TestTimeOpenCL: arguments, and occupancies limited by a parameter that is added without moving a line.
func TestTimeOpenCL(t *testing.T) {
	j, err := job(t, "k.cl", openclText, "", map[string]int64{"in": 10})
	if err != nil {
		t.Fatal(err)
	}
	d := &fakeDevice{p: gpu, dialect: driver.OpenCL}
	var rows []Row
	if err := j.Time(context.Background(), d, Options{Repetitions: 3, Limit: time.Second},
		func(r Row) { rows = append(rows, r) }); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 16 || rows[0].Groups != 1 || rows[15].Groups != 16 || rows[0].LocalBytes != 48<<10-512 ||
		rows[3].LocalBytes != 23<<10-512 {
		t.Errorf("rows %+v", rows)
	}
	if rows[0].Median() != 2e-3 || rows[0].Clock != 1000 {
		t.Errorf("the first row is %+v, want the median 2 ms", rows[0])
	}
	if d.launches[2].Behind != 0 || d.launches[3].Behind != 1 {
		t.Errorf("behind %d and %d launches, want 0 and 1", d.launches[2].Behind, d.launches[3].Behind)
	}
	if want := "int n, double f, __local uchar *gpumeasure_padding)\n{"; !strings.Contains(d.source.Text, want) ||
		!strings.HasPrefix(d.source.Text, "#line 1 \"k.cl\"\n") {
		t.Errorf("the source is\n%s", d.source.Text)
	}
	args := d.launches[0].Args
	if len(args) != 6 || args[1].Buffer.Bytes() != 40 || args[2].LocalBytes != 512 || args[3].Value[0] != 3 ||
		len(args[4].Value) != 8 || args[5].LocalBytes != 48<<10-512 {
		t.Errorf("arguments %+v", args)
	}
}

// TestTimeCUDA: occupancies are those that the driver tells.
func TestTimeCUDA(t *testing.T) {
	j, err := job(t, "k.cu", "// idgen: local=64 groups=8\n__global__ void k(float *out) { out[threadIdx.x] = 1; }", "",
		nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &fakeDevice{p: gpu, dialect: driver.CUDA}
	var groups []int
	if err := j.Time(context.Background(), d, Options{Repetitions: 1},
		func(r Row) { groups = append(groups, r.Groups) }); err != nil {
		t.Fatal(err)
	}
	if len(groups) < 4 || groups[len(groups)-1] != 8 || d.source.Kernels[0] != "k" || d.launches[0].LocalBytes == 0 {
		t.Errorf("groups %v, source %+v", groups, d.source)
	}
	d.fails = true
	err = j.Time(context.Background(), d, Options{Repetitions: 1}, func(Row) {})
	if _, lost := errors.AsType[*measure.LostError](err); !lost {
		t.Errorf("a lost device: %v", err)
	}
}

// TestRefused: what cannot be timed says why, at the argument.
func TestRefused(t *testing.T) {
	small := gpu
	small.MaxGroupSize = 32
	for _, c := range []struct {
		file, text string
		p          measure.Properties
		want       string
	}{
		{"k.cl", "// idgen: local=64 groups=8\n__kernel void k(__global int *a, int n) { a[0] = n; }", gpu,
			"k.cl:2:38: error[TIMED]: argument n has no value\n\tgive --arg n=VALUE"},
		{"k.cl", "// idgen: local=64 groups=8\n__kernel void k(__global float4 *a, float4 v) { a[0] = v; }", gpu,
			"argument v.x has no value"},
		{"k.cl", openclText, small, "the work group has 64 work items; the device allows 32"},
		{"k.cu", "__global__ void k(float *a) { a[0] = 1; }", gpu,
			"the kernel is cuda, which this device does not read"},
	} {
		j, err := job(t, c.file, c.text, "", nil)
		if err == nil {
			err = j.Time(context.Background(), &fakeDevice{p: c.p, dialect: driver.OpenCL}, Options{}, func(Row) {})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := job(t, "k.cl", openclText, "", map[string]int64{"n": 1}); err == nil ||
		!strings.Contains(err.Error(), "no buffer n") {
		t.Errorf("a count of a scalar: %v", err)
	}
}

// TestCompound: vectors and structures are passed as they lie in memory.
func TestCompound(t *testing.T) {
	j, err := job(t, "k.cl", `// idgen: local=64 groups=8 arg.n=5 arg.p.d=2 arg.v.x=3
typedef struct { char c; double d; } pair;
__kernel void k(__global float *out, pair p, int2 v, int n) { out[v.x + v.y + n] = p.c + p.d; }`,
		"", nil, "p.c=1", "v.y=4")
	if err != nil {
		t.Fatal(err)
	}
	d := &fakeDevice{p: gpu, dialect: driver.OpenCL}
	if err := j.Time(context.Background(), d, Options{Repetitions: 1, Limit: time.Second}, func(Row) {}); err != nil {
		t.Fatal(err)
	}
	args := d.launches[0].Args
	want := [][]byte{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40}, {3, 0, 0, 0, 4, 0, 0, 0}, {5, 0, 0, 0}}
	for i, w := range want {
		if got := args[i+1].Value; !bytes.Equal(got, w) {
			t.Errorf("argument %d is % x, want % x", i+1, got, w)
		}
	}
}

// TestCheck: outputs that differ are named with their place.
func TestCheck(t *testing.T) {
	j, err := job(t, "k.cl", openclText, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	err = j.Check(context.Background(), &fakeDevice{p: gpu, dialect: driver.OpenCL}, j, time.Second)
	if different, ok := errors.AsType[*Difference](err); !ok || different.Buffer != "out" || different.Index != 0 {
		t.Errorf("outputs that differ: %v", err)
	}
}

// TestWithParameter: the parameter is added where the list ends, on the same line.
func TestWithParameter(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"void k()", "void k(" + padding + ")"},
		{"void k(void) {}", "void k(" + padding + ") {}"},
		{"void k(int (*f)(int),\n int b) {}", "void k(int (*f)(int),\n int b, " + padding + ") {}"},
		{"void k", ""}, {"void k(", ""}, {"DEFINE(x)", ""},
	} {
		got, ok := withParameter(c.text, diag.Pos{Line: 1}, "k")
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q becomes %q, %v", c.text, got, ok)
		}
	}
	if _, ok := withParameter("void k()", diag.Pos{Line: 3}, "k"); ok {
		t.Error("a line that does not exist")
	}
}
