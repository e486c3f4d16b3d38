package fidelity

import (
	"fmt"
	"strings"
)

// tile is a kernel that multiplies matrices with a tile of sums in registers, as tuned
// ones do: each step of a rolled loop loads a column and a row of words from local
// memory and adds their products to all sums.
type tile struct{ rows, columns int }

// source is the kernel in OpenCL.
func (t tile) source() source {
	var b strings.Builder
	b.WriteString(`// idgen: local=256 groups=64 arg.n=64
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(__global float *c, __global const float *a, __global const float *b, const int n)
{
    __local float as[2048], bs[2048];
    const int t = get_local_id(0), g = get_group_id(0);
`)
	for i := range t.rows * t.columns {
		fmt.Fprintf(&b, "    float s%d = 0;\n", i)
	}
	b.WriteString(`#pragma unroll 1
    for (int i = 0; i < n; i += 8) {
        for (int j = 0; j < 8; j++) {
            as[j * 256 + t] = a[(g * 8 + j) * n + i + t];
            bs[j * 256 + t] = b[(i + j) * n + g * 256 + t];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
        for (int j = 0; j < 128; j++) {
`)
	for i := range t.rows {
		fmt.Fprintf(&b, "            const float x%d = as[j + (t / 16) + %d];\n", i, i*16)
	}
	for i := range t.columns {
		fmt.Fprintf(&b, "            const float y%d = bs[j + (t %% 16) + %d];\n", i, i*16)
	}
	for i := range t.rows * t.columns {
		fmt.Fprintf(&b, "            s%d += x%d * y%d;\n", i, i/t.columns, i%t.columns)
	}
	b.WriteString("        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n")
	for i := range t.rows * t.columns {
		fmt.Fprintf(&b, "    c[(g * 256 + %d) * n + t] = s%d;\n", i, i)
	}
	b.WriteString("}\n")
	return source{name: fmt.Sprintf("tile-%dx%d", t.rows, t.columns), file: "k.cl", text: b.String(),
		only: []string{"k"}}
}

// carried is a kernel that computes values before a barrier and uses them behind it; they
// are the same in all lanes if they come from the group's id.
type carried struct {
	values  int
	uniform bool
}

// source is the kernel in OpenCL.
func (c carried) source() source {
	name, id := "lanes", "get_local_id(0)"
	if c.uniform {
		name, id = "uniform", "get_group_id(0)"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `// idgen: local=256 groups=64 arg.n=64
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(__global int *out, __global const int *in, const int n)
{
    __local int s[256];
    const int t = get_local_id(0), v = %s;
    s[t] = in[t];
`, id)
	for i := range c.values {
		fmt.Fprintf(&b, "    const int v%d = (v + %d) * (n ^ %d);\n    if (v%d == %d) s[t] = 1;\n", i, i*i+3,
			i*7+1, i, i)
	}
	b.WriteString("    barrier(CLK_LOCAL_MEM_FENCE);\n    int r = s[255 - t];\n")
	for i := range c.values {
		fmt.Fprintf(&b, "    r = (r ^ v%d) * 3;\n", i)
	}
	b.WriteString("    out[get_group_id(0) * 256 + t] = r;\n}\n")
	return source{name: fmt.Sprintf("%s-%d", name, c.values), file: "k.cl", text: b.String(), only: []string{"k"}}
}

// amdSources are the kernels that are compiled for AMD devices beside the built-in ones:
// tiles of sums, values that are the same in all lanes and their counterparts, and
// long blocks with plain and with conditional stores.
func amdSources() (list []source) {
	for _, t := range []tile{{1, 1}, {4, 4}, {8, 4}, {8, 8}, {12, 8}, {16, 8}, {16, 12}} {
		list = append(list, t.source())
	}
	for _, n := range []int{16, 48} {
		list = append(list, carried{n, true}.source(), carried{n, false}.source())
	}
	for _, w := range []writtenOut{{8, 60, 50, false}, {8, 60, 50, true}, {8, 60, 100, false}, {8, 60, 100, true},
		{8, 60, 200, false}, {8, 60, 200, true}, {4, 100, 200, false}, {4, 100, 200, true}} {
		list = append(list, w.source())
	}
	for _, f := range []filter{
		{columns: 4, rows: 1, apart: 1, width: 15, height: 15},
		{columns: 4, rows: 1, apart: 1, width: 15, height: 15, guards: 4},
		{columns: 1, rows: 3, apart: 16, width: 15, height: 15, guards: 3},
		{columns: 2, rows: 2, apart: 2, width: 15, height: 15},
		{columns: 2, rows: 2, apart: 2, width: 15, height: 15, guards: 4},
		{columns: 4, rows: 4, apart: 1, width: 15, height: 15},
		{columns: 4, rows: 4, apart: 8, width: 15, height: 15},
	} {
		list = append(list, f.source())
	}
	return list
}
