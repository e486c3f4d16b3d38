package generate

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/lower/translate"
)

// compile lowers the only kernel of a text.
func lowerText(t *testing.T, text string) (*ast.Function, *lower.Kernel) {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: guessDialect("k", text)})
	if err != nil {
		t.Fatal(err)
	}
	k, err := translate.Kernel(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return u.Kernels[0], k
}

const (
	kernel1D = "__kernel void f(__global float *a) { a[get_global_id(0)] = 1; }"
	kernel2D = "__kernel void f(__global float *a) { a[get_global_id(0) + get_global_id(1)] = 1; }"
	kernel3D = "__kernel void f(__global float *a) { a[get_group_id(2)] = get_local_id(2); }"
	grid3D   = "__kernel void f(__global float *a) { a[get_group_id(2)] = get_local_id(0); }"
	rank     = "__kernel void f(__global float *a) { a[get_group_id(0)] = get_local_linear_id(); }"
	row      = "__kernel void f(__global float *a) { a[get_group_id(0)] = get_local_id(1); }"
	required = "__attribute__((reqd_work_group_size(8, 4, 1))) " + kernel2D
	bounds2D = "__global__ void __launch_bounds__(128) f(float *a) { a[threadIdx.x + threadIdx.y] = 1; }"
	bounds   = "__global__ void __launch_bounds__(128) f(float *a) { a[threadIdx.x] = 1; }"
	tile     = `__kernel void f(__global float *a) {
		__local float t[8][8];
		int x = get_local_id(0), y = get_local_id(1);
		t[y][x] = a[x]; barrier(1); a[y] = t[x][y]; }`
	padded = `__kernel void f(__global float *a) {
		__local float t[32][33];
		int x = get_local_id(0), y = get_local_id(1);
		for (int j = 0; j < 32; j += 8) t[y + j][x] = a[x]; barrier(1); a[y] = t[x][y]; }`
	halo = `__kernel void f(__global float *a) {
		__local float t[66];
		int x = get_local_id(0);
		t[x + 1] = a[x]; barrier(1); a[x] = t[x] + t[x + 2]; }`
	helper = `int lane(void) { return get_local_id(0); }
		__kernel void f(__global float *a) { __local float t[64]; t[lane()] = a[0]; barrier(1); a[0] = t[lane()]; }`
	scan = `__kernel void f(__global float *a) {
		__local float t[1024];
		t[2 * get_local_id(0)] = a[0]; barrier(1); a[0] = t[2 * get_local_id(0) + 1]; }`
	warps = `__kernel void f(__global float *a) {
		__local float t[4];
		int i = get_local_id(0);
		if (i % 32 == 0) t[i / 32] = a[0]; barrier(1); a[0] = i < 4 ? t[i] : 0; }`
	bins = `__kernel void f(__global float *a) {
		__local float t[16];
		int i = get_local_id(0);
		if (i < 16) t[i] = 0; barrier(1); a[0] = t[i & 15]; }`
	huge = `__kernel void f(__global float *a) {
		__local float t[4096];
		t[get_local_id(0)] = a[0]; barrier(1); a[0] = t[get_local_id(0)]; }`
)

func TestChooseLaunch(t *testing.T) {
	for _, c := range []struct {
		name   string
		source string
		o      Options
		want   string // local groups
		from   string // of both
		notes  string // codes
	}{
		{"nothing known", kernel1D, Options{}, "256 4096", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"two dimensions", kernel2D, Options{}, "16x16 64x64", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"three dimensions", kernel3D, Options{}, "8x8x4 16x16x16", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"groups of one dimension in three", grid3D, Options{}, "256 16x16x16", "assumed assumed",
			"ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"a rank in the group has no dimensions", rank, Options{}, "256 4096", "assumed assumed",
			"ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"two dimensions of work items", row, Options{}, "16x16 64x64", "assumed assumed",
			"ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"flags", kernel2D, Options{Local: Sizes{8, 8}, Groups: Sizes{3, 5}}, "8x8 3x5", "--local --groups", ""},
		{"global", kernel2D, Options{Local: Sizes{8, 8}, Global: Sizes{64, 32}}, "8x8 8x4", "--local --global", ""},
		{"global rounded up", kernel1D, Options{Local: Sizes{64}, Global: Sizes{1000}}, "64 16",
			"--local --global", "LAUNCH"},
		{"directive", "// idgen: local=4,2 groups=7\n" + kernel2D, Options{}, "4x2 7", "directive directive", ""},
		{"directive with global", "// idgen: local=4,2 global=16,16\n" + kernel2D, Options{}, "4x2 4x8",
			"directive directive", ""},
		{"directive gives way to flags", "// idgen: local=4,2 groups=7\n" + kernel2D,
			Options{Local: Sizes{8, 8}, Global: Sizes{16, 8}}, "8x8 2", "--local --global", ""},
		{"directive gives sizes to one flag", "// idgen: local=4,2 groups=7\n" + kernel2D, Options{Groups: Sizes{3}},
			"4x2 3", "directive --groups", ""},
		{"reqd_work_group_size", required, Options{}, "8x4 64x64", "reqd_work_group_size assumed", "ASSUMED-GROUPS"},
		{"launch bounds", bounds, Options{}, "128 4096", "__launch_bounds__ assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"launch bounds of more than is assumed", strings.Replace(bounds, "128", "512", 1), Options{}, "512 4096",
			"__launch_bounds__ assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"launch bounds that any device allows", strings.Replace(bounds, "128", "1024", 1), Options{}, "256 4096",
			"assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"launch bounds in two dimensions", strings.Replace(bounds2D, "128", "512", 1), Options{}, "16x16 64x64",
			"assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"tile", tile, Options{}, "8x8 64x64", "extents of t assumed", "LAUNCH ASSUMED-GROUPS"},
		{"padded tile, a row at a time", padded, Options{}, "32x32 64x64", "extents of t assumed",
			"LAUNCH ASSUMED-GROUPS"},
		{"halo", halo, Options{}, "64 4096", "extents of t assumed", "LAUNCH ASSUMED-GROUPS"},
		{"id from a helper function", helper, Options{}, "64 4096", "extents of t assumed", "LAUNCH ASSUMED-GROUPS"},
		{"two elements per work item", scan, Options{}, "256 4096", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"an element for each warp", warps, Options{}, "128 4096", "extents of t assumed", "LAUNCH ASSUMED-GROUPS"},
		{"as many as the largest group has warps", strings.Replace(warps, "t[4]", "t[32]", 1), Options{}, "256 4096",
			"assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"a guard at its end", bins, Options{}, "256 4096", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
		{"larger than a group can be", huge, Options{}, "256 4096", "assumed assumed", "ASSUMED-LOCAL ASSUMED-GROUPS"},
	} {
		c.o.DynamicLocal = -1
		fn, k := lowerText(t, c.source)
		l, err := chooseLaunch(&c.o, fn, k)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := Trimmed(l.Local).String() + " " + Trimmed(l.Groups).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := l.LocalFrom + " " + l.GroupsFrom; got != c.from {
			t.Errorf("%s: from %s, want %s", c.name, got, c.from)
		}
		var codes []string
		for _, n := range l.notes {
			codes = append(codes, n.Code)
		}
		if got := strings.Join(codes, " "); got != c.notes {
			t.Errorf("%s: notes %s, want %s", c.name, got, c.notes)
		}
	}
}

func TestContradictoryLaunches(t *testing.T) {
	for _, c := range []struct {
		name, source string
		o            Options
		want         string
	}{
		{"flag against reqd_work_group_size", required, Options{Local: Sizes{16, 16}},
			"the work group is 16x16 (--local), but the kernel requires 8x4 (reqd_work_group_size)"},
		{"directive against reqd_work_group_size", "// idgen: local=16\n" + required, Options{},
			"k:1:11: error[LAUNCH]: the work group is 16 (directive), but the kernel requires 8x4 " +
				"(reqd_work_group_size)"},
		{"flag against launch bounds", bounds, Options{Local: Sizes{256}},
			"the work group has 256 work items (--local), but the kernel allows 128 (__launch_bounds__)"},
		{"global against groups in the directive", "// idgen: local=8 global=64 groups=4\n" + kernel1D, Options{},
			"k:1:11: error[LAUNCH]: global=64 and groups=4 contradict each other with work groups of 8"},
	} {
		fn, k := lowerText(t, c.source)
		_, err := chooseLaunch(&c.o, fn, k)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestDynamicLocal(t *testing.T) {
	const dynamic = "__global__ void f(float *a) { extern __shared__ float t[]; t[threadIdx.x] = a[0]; a[1] = t[0]; }"
	for _, c := range []struct {
		name, source string
		given        int64
		want         int64
		note         string
	}{
		{"not given", dynamic, -1, 0, "ASSUMED-DYNAMIC-LOCAL"},
		{"given", dynamic, 4096, 4096, ""},
		{"given as none", dynamic, 0, 0, ""},
		{"directive", "// idgen: dynamic-local=1024\n" + dynamic, -1, 1024, ""},
		{"flag before directive", "// idgen: dynamic-local=1024\n" + dynamic, 2048, 2048, ""},
		{"without use", kernel1D, 512, 512, "LAUNCH"},
	} {
		fn, k := lowerText(t, c.source)
		l, err := chooseLaunch(&Options{DynamicLocal: c.given, Local: Sizes{32}, Groups: Sizes{1}}, fn, k)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		note := ""
		if len(l.notes) > 0 {
			note = l.notes[0].Code
		}
		if l.dynamicLocal != c.want || note != c.note {
			t.Errorf("%s: %d bytes, note %q; want %d, %q", c.name, l.dynamicLocal, note, c.want, c.note)
		}
	}
}

func TestArgumentValues(t *testing.T) {
	const source = "// idgen: arg.n=64 arg.x=0.5f\n__kernel void f(__global float *a, int n, uint m, char c, float " +
		"x, ulong big) { a[0] = n + m + c + x + big; }"
	for _, c := range []struct {
		flag string
		want string // in the error; empty: accepted
	}{
		{"n=3", ""}, {"n=-2147483648", ""}, {"n=1e3", ""}, {"m=-1", ""}, {"m=4294967295", ""}, {"x=3", ""},
		{"big=0xFFFFFFFFFFFFFFFF", ""}, {"c=-128", ""},
		{"n=2147483648", "the argument's type does not hold this value (int)"},
		{"m=4294967296", "the argument's type does not hold this value (uint)"},
		{"c=128", "the argument's type does not hold this value (char)"},
		{"n=1.5", "the argument is a whole number (int)"},
		{"a=1", "the argument is a buffer (__global float *)"},
		{"q=1", "kernel f has no such argument"},
	} {
		fn, k := lowerText(t, source)
		a, err := ParseArgument(c.flag)
		if err != nil {
			t.Fatal(err)
		}
		values, err := argumentValues(&Options{Args: []Argument{a}}, fn.Launch.Args, k)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.flag, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.flag, err)
		}
		if v := values[a.Name]; v.Int != a.Value.Int && float64(v.Int) != a.Value.Float {
			t.Errorf("%s became %v", c.flag, v)
		}
		if v, ok := values["x"]; !ok || v.IsFloat && v.Float != 0.5 {
			t.Errorf("%s: the directive's x became %v", c.flag, v)
		}
	}
}
