package unroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/unroll"
)

// offsetsOf are the byte offsets of the only store of lanes 0 to 3 of a kernel, and its warnings of one code.
func offsetsOf(t *testing.T, file, text string, level unroll.Level, code string) (offsets []int64, warned int) {
	t.Helper()
	k := lowerSource(t, file, text)[0]
	opt := unroll.Options{Local: [3]int64{4}, Target: unroll.Target{Level: level},
		Args: map[string]unroll.ArgValue{"n": {Int: 33}}}
	traces, err := traceOf(k, opt)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, lane := range traces[0].lanes {
		offsets = append(offsets, lane[len(lane)-1].offset)
	}
	for _, w := range resolve(t, k, opt).Warnings {
		if w.Code == code {
			warned++
		}
	}
	return offsets, warned
}

// TestShiftCounts: counts beyond the width are taken modulo the width in OpenCL, and shift everything out in CUDA, as
// PTX's shifts do. They are warned of where the compiler knows them, and where CUDA leaves the result open.
func TestShiftCounts(t *testing.T) {
	for _, c := range []struct {
		shift        string // of id = 0 to 3 and n = 33
		openCL, cuda []int64
		warned       int // in OpenCL
	}{
		{"id << 33", []int64{0, 2, 4, 6}, []int64{0, 0, 0, 0}, 1},
		{"id << n", []int64{0, 2, 4, 6}, []int64{0, 0, 0, 0}, 0},
		{"id << -31", []int64{0, 2, 4, 6}, []int64{0, 0, 0, 0}, 1},
		{"(id + 4) >> 33", []int64{2, 2, 3, 3}, []int64{0, 0, 0, 0}, 1},
		{"(id - 4) >> n", []int64{-2, -2, -1, -1}, []int64{-1, -1, -1, -1}, 0},
		{"(id - 4) >> 32", []int64{-4, -3, -2, -1}, []int64{-1, -1, -1, -1}, 1},
		{"(id + 4u) >> (n - 1)", []int64{4, 5, 6, 7}, []int64{0, 0, 0, 0}, 0},
		{"(long)id << 65", []int64{0, 2, 4, 6}, []int64{0, 0, 0, 0}, 1},
		{"(long)id << 2", []int64{0, 4, 8, 12}, []int64{0, 4, 8, 12}, 0},
		{"8 >> id", []int64{8, 4, 2, 1}, []int64{8, 4, 2, 1}, 0},
	} {
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			got, warned := offsetsOf(t, "k.cl",
				fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); a[%s] = 1; }", c.shift),
				level, "SHIFT")
			if !slices.Equal(got, c.openCL) || warned != c.warned {
				t.Errorf("OpenCL, %v: %s: offsets %v and %d warnings, want %v and %d", level, c.shift, got, warned,
					c.openCL, c.warned)
			}
			text := strings.ReplaceAll(c.shift, "(long)", "(long long)")
			got, warned = offsetsOf(t, "k.cu",
				fmt.Sprintf("__global__ void k(char *a, int n) { int id = threadIdx.x; a[%s] = 1; }", text),
				level, "SHIFT")
			beyond := !slices.Equal(c.openCL, c.cuda)
			if !slices.Equal(got, c.cuda) || warned != map[bool]int{true: 1}[beyond] {
				t.Errorf("CUDA, %v: %s: offsets %v and %d warnings, want %v", level, c.shift, got, warned, c.cuda)
			}
		}
	}
}

// TestShiftedCounter: a loop whose counter is shifted by more than its width is not counted by a shift of another
// count.
func TestShiftedCounter(t *testing.T) {
	const text = "kernel void k(global float *a) { float s = a[0];\n#pragma unroll 1\nfor (int i = 64; i > 1; i >>= " +
		"33) s = s * s; a[get_local_id(0)] = s; }"
	for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
		k := lowerKernel(t, text)
		traces, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{4}, Target: unroll.Target{Level: level}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ops(traces.Graph)["mul.f32"]; got != 6 {
			t.Errorf("%v: %d iterations, want 6", level, got)
		}
	}
}

// TestConvertedSubscripts: functions of known values and conversions that saturate decide addresses exactly.
func TestConvertedSubscripts(t *testing.T) {
	for _, c := range []struct {
		subscript string // of id = 0 to 3 and n = 33
		want      []int64
	}{
		{"convert_uchar_sat(id * 100)", []int64{0, 100, 200, 255}},
		{"convert_uint_sat(id - 2)", []int64{0, 0, 0, 1}},
		{"convert_uint_sat(2 * id - 2) + id", []int64{0, 1, 4, 7}},
		{"convert_char_sat_rte(id * 0.5f)", []int64{0, 0, 1, 2}},
		{"convert_int_rtp(id * 0.5f)", []int64{0, 1, 1, 2}},
		{"abs_diff(id, 2)", []int64{2, 1, 0, 1}},
		{"hadd(id, 5)", []int64{2, 3, 3, 4}},
		{"rhadd(id, n)", []int64{17, 17, 18, 18}},
		{"add_sat((char)(id * 40), (char)20)", []int64{20, 60, 100, 127}},
		{"sub_sat((uchar)id, (uchar)2)", []int64{0, 0, 0, 1}},
		{"mad_sat((short)(id * 300), (short)100, (short)n)", []int64{33, 30033, 32767, 32767}},
		{"rotate((uchar)(id + 64), (uchar)2)", []int64{1, 5, 9, 13}},
		{"mul_hi((uint)id, 3000000000u)", []int64{0, 0, 1, 2}},
		{"bitselect(n, id, 3)", []int64{32, 33, 34, 35}},
		{"clamp(id, 2, 1)", []int64{1, 1, 1, 1}},
		{"popcount((uchar)(id - 1))", []int64{8, 0, 1, 1}},
		{"clz((short)id)", []int64{16, 15, 14, 14}},
		{"((short4)(id) << (short4)(17)).w", []int64{0, 2, 4, 6}},
	} {
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			got, _ := offsetsOf(t, "k.cl",
				fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); a[%s] = 1; }",
					c.subscript), level, "")
			if !slices.Equal(got, c.want) {
				t.Errorf("%v: %s: offsets %v, want %v", level, c.subscript, got, c.want)
			}
		}
	}
}
