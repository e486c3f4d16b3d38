package generate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// TestAssumedArguments: an argument that work items compare their place in the launch with is the launch's size, unless
// the user has a say in it.
func TestAssumedArguments(t *testing.T) {
	const body = "if (i < n) a[i] = 1;"
	for _, c := range []struct {
		name, body string
		dialect    ast.Dialect
		change     func(o *Options)
		want       string
	}{
		{"global id", "int i = get_global_id(0); " + body, ast.OpenCL, nil, "n=1024"},
		{"early return", "size_t i = get_global_id(0); if (i >= n) return; a[i] = 1;", ast.OpenCL, nil, "n=1024"},
		{"two of them", "int i = get_global_id(0), j = get_global_id(1); if (i < n && j < m) a[i + j * n] = 1;", ast.OpenCL,
			func(o *Options) { o.Groups = Sizes{32, 4} }, "n=1024 m=4"},
		{"as CUDA has it", "int i = blockDim.x * blockIdx.x + threadIdx.x; " + body, ast.CUDA, nil, "n=1024"},
		{"with the size of blocks written out", "int i = blockIdx.x * 32 + threadIdx.x; " + body, ast.CUDA, nil, "n=1024"},
		{"another size than that of blocks", "int i = blockIdx.x * 64 + threadIdx.x; " + body, ast.CUDA, nil, ""},
		{"before it is rounded up", "int i = get_global_id(0); " + body, ast.OpenCL,
			func(o *Options) { o.Groups, o.Global = nil, Sizes{1000} }, "n=1000"},
		{"guards that disagree", "int i = get_global_id(0), j = get_global_id(1); if (i < n && j < n) a[i] = 1;", ast.OpenCL,
			func(o *Options) { o.Groups = Sizes{32, 4} }, ""},
		{"a place in the group", "int i = get_local_id(0); " + body, ast.OpenCL, nil, ""},
		{"a loop", "for (int i = get_global_id(0); i < n; i += 1024) a[i] = 1;", ast.OpenCL, nil, ""},
		{"a value", "int i = get_global_id(0); " + body, ast.OpenCL, func(o *Options) {
			o.Args = []Argument{{Name: "n", Text: "7", Value: unroll.ArgValue{Int: 7}}}
		}, ""},
		{"a chosen side", "int i = get_global_id(0);\n" + body, ast.OpenCL, func(o *Options) {
			o.Branches = []unroll.BranchChoice{{At: unroll.Location{Line: 2}, Side: unroll.BothSides}}
		}, ""},
		{"a border", "int i = get_global_id(0); if (i > 0 && i + 1 < n - 2) a[i] = 1;", ast.OpenCL, nil, "n=1024"},
		{"rows of a loop", "int i = get_global_id(0); for (int c = 0; c < n; c++) a[i * n + c] = 1;", ast.OpenCL, nil,
			"n=256"},
		{"rows of the launch", "int x = get_global_id(0), y = get_global_id(1); a[(y + 1) * n + x - 1] = 1;", ast.OpenCL,
			func(o *Options) { o.Groups = Sizes{32, 4} }, "n=1024"},
		{"rows of tiles", "a[(get_group_id(1) * 8 + get_local_id(1)) * n + get_group_id(0) * 32 + get_local_id(0)] = 1;",
			ast.OpenCL, nil, "n=1024"},
		{"rows of twice the launch", "int x = get_global_id(0), y = get_global_id(1); a[y * n + 2 * x + 1] = 1;",
			ast.OpenCL, func(o *Options) { o.Groups = Sizes{32, 4} }, "n=2048"},
		{"the number of a row", "int i = get_global_id(0); if (i < n) a[m * n + i] = 1;", ast.OpenCL, nil, "n=1024 m=0"},
		{"rows of what is guarded", "int i = get_global_id(0); if (i < n) a[i * n] = 1;", ast.OpenCL, nil, "n=1024"},
		{"rows that another access tells of",
			"int i = get_global_id(0); for (int c = 0; c < m; c++) a[(i + c) * n] += a[c * n + i];", ast.OpenCL, nil,
			"n=1024"},
		{"places that are clamped",
			"int i = get_global_id(0); for (int c = -1; c <= 1; c++) a[clamp(i + c, 0, n - 1)] = 1;",
			ast.OpenCL, nil, "n=1024"},
		{"places that wrap around", "int i = get_global_id(0); for (int c = -1; c <= 1; c++) a[(i + c + n) % n] = 1;",
			ast.OpenCL, nil, "n=1024"},
		{"a product", "int i = get_global_id(0); if (i < n * m) a[i] = 1;", ast.OpenCL, nil, "n=4 m=256"},
		{"a product of what rows tell of", "int i = get_global_id(0); if (i < n * m) for (int c = 0; c < 9; c++) " +
			"a[i * m + c] = 1;", ast.OpenCL, nil, "n=4 m=256"},
		{"a place of two dimensions", "int i = get_global_id(1) * 1024 + get_global_id(0); " + body, ast.OpenCL,
			func(o *Options) { o.Groups = Sizes{32, 4} }, "n=4096"},
		{"elements of vectors", "int i = get_global_id(0) * 4; if (i + 3 < n) a[i] = 1;", ast.OpenCL, nil, "n=4096"},
		{"a coordinate that is scaled", "int i = (get_global_id(0) + 0.5f) * 0.3f; a[min(i, n - 1)] = 1;", ast.OpenCL,
			nil, "n=1024"},
		{"a place that is loaded", "int i = a[get_global_id(0)]; a[min(i, n - 1)] = 1;", ast.OpenCL, nil, ""},
		{"where places begin", "int i = get_global_id(0) + n; a[i] = 1;", ast.OpenCL, nil, "n=0"},
		{"where places end", "int i = get_global_id(0); a[n - 1 - i] = 1;", ast.OpenCL, nil, ""},
		{"a place of several in a row", "int i = get_global_id(0); a[i % n + i / n] = 1;", ast.OpenCL, nil, ""},
		{"assumed trips", "int i = get_global_id(0); " + body, ast.OpenCL, func(o *Options) { o.AssumeTrips = 8 }, ""},
	} {
		text, file := "kernel void k(global float *a, int n, int m) {"+c.body+"}", "k.cl"
		if c.dialect == ast.CUDA {
			text, file = "__global__ void k(float *a, int n, int m) {"+c.body+"}", "k.cu"
		}
		o := &Options{DynamicLocal: -1, Local: Sizes{32}, Groups: Sizes{32}}
		if c.change != nil {
			c.change(o)
		}
		if len(o.Groups) == 2 {
			o.Local = Sizes{32, 1}
		}
		_, g, notes := graphOf(t, file, text, c.dialect, o)
		var got []string
		for _, a := range g.Launch.Args {
			if a.Assumed {
				got = append(got, fmt.Sprintf("%s=%s", a.Name, a.Value))
			}
		}
		said := slices.ContainsFunc(notes, func(e *diag.Error) bool { return e.Code == codeAssumedArgument })
		if strings.Join(got, " ") != c.want || said != (c.want != "") {
			t.Errorf("%s: %v, want %s: %v", c.name, got, c.want, notes)
		}
	}
}

// TestAssumedArgumentsTooLarge: where the work is more than anybody waits for, arguments stay unknown.
func TestAssumedArgumentsTooLarge(t *testing.T) {
	_, g, _ := graphOf(t, "k.cl", `kernel void k(global volatile float *a, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int x = 0; x < n; x++) for (int y = 0; y < n; y++) for (int z = 0; z < n; z++) a[x + y * z] += i;
}`, ast.OpenCL, &Options{DynamicLocal: -1, Local: Sizes{256}, Groups: Sizes{1 << 20}, MaxInstructions: 300000})
	if len(g.Launch.Args) != 0 {
		t.Errorf("arguments: %v", g.Launch.Args)
	}
}

// graphOf is a source, and the graph of its first kernel with what was said of that.
func graphOf(t *testing.T, file, text string, dialect ast.Dialect, o *Options) (*Kernel, *idg.Graph, diag.List) {
	t.Helper()
	s, err := NewSource(file, []byte(text), dialect, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(s, o)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Prepare(p.Unit.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	g, notes, err := k.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return k, g, notes
}
