package walk_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
)

// levels are what values are computed by: the source, and what compilers for different targets make of it.
var levels = []string{"-O0", "-O2", "--compiler clang --capability gfx90a", "--compiler clang --capability 7.0"}

// storedAt are the offsets of the last store to a in lanes 0 to 3, without those of the lanes in front of it: nil where
// they are not known.
func storedAt(t *testing.T, file, text, options string) []int64 {
	t.Helper()
	g, _ := graphOf(t, file, text, "--local 4 --arg n=33 "+options)
	list := accesses(t, g, idg.SpaceGlobal)
	for _, a := range slices.Backward(list) {
		if a.Buffer == "a" && a.Store {
			return a.Offsets
		}
	}
	t.Fatalf("nothing is stored\n%s", text)
	return nil
}

// TestShiftCounts: counts beyond the width are taken modulo the width in OpenCL, and shift everything out in CUDA, as
// PTX's shifts do.
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
		{"(id + 4u) >> (n - 1)", []int64{4, 5, 6, 7}, []int64{0, 0, 0, 0}, 0},
		{"(long)id << 65", []int64{0, 2, 4, 6}, []int64{0, 0, 0, 0}, 1},
		{"8 >> id", []int64{8, 4, 2, 1}, []int64{8, 4, 2, 1}, 0},
	} {
		openCL := fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); a[64 + (%s)] = 1; }", c.shift)
		cuda := fmt.Sprintf("__global__ void k(char *a, int n) { int id = threadIdx.x; a[64 + (%s)] = 1; }",
			strings.ReplaceAll(c.shift, "(long)", "(long long)"))
		for _, level := range levels {
			if got := relative(storedAt(t, "k.cl", openCL, level)); !slices.Equal(got, c.openCL) {
				t.Errorf("OpenCL, %v: %s: offsets %v, want %v", level, c.shift, got, c.openCL)
			}
			if got := relative(storedAt(t, "k.cu", cuda, level)); !slices.Equal(got, c.cuda) {
				t.Errorf("CUDA, %v: %s: offsets %v, want %v", level, c.shift, got, c.cuda)
			}
		}
		if _, notes := graphOf(t, "k.cl", openCL, "--local 4"); count(notes, "SHIFT") != c.warned {
			t.Errorf("%s: %v, want %d warnings", c.shift, notes, c.warned)
		}
	}
}

// relative are offsets behind byte 64.
func relative(offsets []int64) (list []int64) {
	for _, o := range offsets {
		list = append(list, o-64)
	}
	return list
}

// TestConvertedSubscripts: functions of known values and conversions decide addresses exactly.
func TestConvertedSubscripts(t *testing.T) {
	for _, c := range []struct {
		subscript string // of id = 0 to 3 and n = 33
		want      []int64
	}{
		{"convert_uchar_sat(id * 100)", []int64{0, 100, 200, 255}},
		{"convert_uint_sat(id - 2)", []int64{0, 0, 0, 1}},
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
		{"(id + 100) / n", []int64{3, 3, 3, 3}},
		{"(id * 1000u) % (n + id)", []int64{0, 14, 5, 12}},
		{"(int)fma((float)id, 2.5f, (float)n)", []int64{33, 35, 38, 40}},
		{"as_int((float)id) >> 23", []int64{0, 127, 128, 128}},
		{"mad24(id, n, 5)", []int64{5, 38, 71, 104}},
		{"get_work_dim() + get_local_size(1) + get_global_offset(0) + get_num_groups(0) + id", []int64{3, 4, 5, 6}},
		{"get_local_linear_id() + get_global_linear_id() + get_sub_group_id() + get_num_sub_groups()", []int64{1, 3, 5, 7}},
		{"sub_group_shuffle_xor(id, 1) + sub_group_shuffle_up(id, 1u) + sub_group_shuffle_down(id, 1u)",
			[]int64{2, 2, 7, 7}},
		{"get_sub_group_size() + sub_group_broadcast(n, 2) + id", []int64{65, 66, 67, 68}},
	} {
		text := fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); a[%s] = 1; }", c.subscript)
		for _, level := range levels {
			if got := storedAt(t, "k.cl", text, level); !slices.Equal(got, c.want) {
				t.Errorf("%v: %s: offsets %v, want %v", level, c.subscript, got, c.want)
			}
		}
	}
}

// TestIntegerFunctions: functions of integers whose arguments are known count loops.
func TestIntegerFunctions(t *testing.T) {
	for _, c := range []struct {
		function string // of n = 2^40 + 6 and u = 96
		want     int64
	}{
		{"__popcll(n)", 3}, {"__popc((unsigned)n)", 2}, {"__clzll(n)", 23}, {"__clz(u)", 25}, {"__clz(u - 96)", 32},
		{"__ffs(u)", 6}, {"__ffs(u - 96) + 9", 9}, {"__ffsll(n >> 3)", 38}, {"(__brev(u) >> 20)", 96},
		{"(int)(__brevll(n) >> 56)", 96}, {"__clz(-u) + 3", 3},
	} {
		text := fmt.Sprintf("__global__ void k(float *a, long long n, int u) { float s = a[0];\n#pragma unroll 1\n"+
			"for (int i = 0; i < %s; i++) s = s * s; a[threadIdx.x] = s; }", c.function)
		for _, level := range levels {
			g, _ := graphOf(t, "k.cu", text, level+" --arg n=0x10000000006 --arg u=96")
			if l := g.Loops[0]; l.Trips != c.want {
				t.Errorf("%s, %s: %+v, want %d iterations", level, c.function, l, c.want)
			}
		}
	}
}

// TestPrivateContents: what work items have stored in a private array that a subscript keeps in memory decides
// addresses, as long as it is known.
func TestPrivateContents(t *testing.T) {
	for _, c := range []struct {
		body string // with id = 0 to 3 and n = 33; the last store is looked at
		want []int64
	}{
		{"int p[4] = {3, 1, 4, 1}; a[p[id]] = 1;", []int64{3, 1, 4, 1}},
		{"int p[4] = {3, 1, 4, 1}; p[id] += n; a[p[3 - id]] = 1;", []int64{1, 4, 1, 3}},
		{"int p[4]; for (int i = 0; i < 4; i++) p[(i + id) & 3] = 10 * i; a[p[1]] = 1;", []int64{10, 0, 30, 20}},
		{"int p[8]; for (int i = 0; i < 8; i++) p[i] = i * id; for (int i = 1; i < 8; i++) p[(i + n) & 7] = p[i - 1] " +
			"+ 1; a[p[id]] = 1;", []int64{4, 1, 1, 4}},
		{"short p[4] = {-3, 1, 4, 1}; a[p[id] + 3] = 1;", []int64{0, 4, 7, 4}},
		{"uchar p[8]; *(int *)(p + (n & 4)) = 0x04030201; a[p[id]] = 1;", []int64{1, 2, 3, 4}},
		{"int p[4] = {1, 2, 3, 4}; if (id & 1) p[n & 3] = 9; a[p[1]] = 1;", []int64{2, 9, 2, 9}},
		{"float p[4] = {1, 2.5f, 3, 4}; a[(int)(p[id] * 2)] = 1;", []int64{2, 5, 6, 8}},
		// Nothing is known of the array, or not any more.
		{"int p[4] = {1, 2, 3, 4}; p[id] = a[9]; a[p[id]] = 1;", nil},
		{"int p[4] = {1, 2, 3, 4}; p[a[9] & 3] = 7; a[p[id]] = 1;", nil},
		{"int p[4] = {1, 2, 3, 4}; if (a[9]) p[id] = 7; a[p[id]] = 1;", nil},
		{"int p[4] = {1, 2, 3, 4}; int *q = a[9] ? p : p + 1; *q = 7; a[p[id]] = 1;", nil},
	} {
		text := fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); %s }", c.body)
		for _, level := range levels {
			if got := storedAt(t, "k.cl", text, level); !slices.Equal(got, c.want) {
				t.Errorf("%v: %s: offsets %v, want %v", level, c.body, got, c.want)
			}
		}
	}
}

// TestSubGroups: what lanes pass to each other is known where it is the same in all, and votes of known conditions
// decide branches.
func TestSubGroups(t *testing.T) {
	for expr, stores := range map[string]int64{"sub_group_all(i < 32)": 1, "sub_group_any(i > 31)": 0,
		"sub_group_all(n == 33)": 1, "sub_group_any(n > 33)": 0, "sub_group_broadcast(n, 3) == 33": 1} {
		text := "kernel void k(global float *a, int n) { uint i = get_local_id(0); if (" + expr + ") a[i] = 1; }"
		for _, level := range levels {
			if g, notes := graphOf(t, "k.cl", text, level+" --arg n=33"); elements(g, "a", 4, true) != stores || len(notes) > 0 {
				t.Errorf("%s, %s: %d stores, %v, want %d", level, expr, elements(g, "a", 4, true), notes, stores)
			}
		}
	}
}

// TestSameInLanes: of an access at an address that is not known it is known whether all lanes touch the same bytes.
func TestSameInLanes(t *testing.T) {
	const head = "kernel void k(global const int *restrict list, global const float *restrict x, global float " +
		"*restrict y, local int *l, int n, int m) { int i = get_local_id(0); float v = 0; "
	for _, c := range []struct {
		name, body string
		same       bool // of what is read of x
	}{
		{"a list that the group walks", "for (int j = 0; j < 8; j++) v += x[list[j]];", true},
		{"computed of it", "int at = list[5]; v = x[3 * at / 7 + min(at, n)];", true},
		{"a list of lists", "v = x[list[list[n]]];", true},
		{"local memory", "l[i] = list[i]; barrier(1); for (int j = 0; j < 8; j++) v += x[l[j]];", true},
		{"an argument", "v = x[n * m + 5];", true},
		{"a float", "v = x[(int)(n * 0.5f)];", true},
		{"a vote", "v = x[sub_group_reduce_add(list[i])];", true},
		{"beside the work item's id", "v = x[list[5] + i];", false},
		{"times the work item's id", "v = x[n * i];", false},
		{"the work item's element", "v = x[list[i]];", false},
		{"local memory's element", "l[i] = list[i]; barrier(1); v = x[l[31 - i]];", false},
		{"private memory", "int p[32]; for (int j = 0; j < 32; j++) p[j] = list[i + j]; v = x[p[n]];", false},
		{"one of two by the work item", "int at = list[3]; if (i < 5) at = list[4]; v = x[at];", false},
		{"selected by the work item", "int at = i < 5 ? n : m; v = x[at];", false},
		{"what one lane computes", "int at = 0; if (i == 3) at = i * n; v = x[at];", false},
		{"an atomic", "v = x[atomic_add(l, n)];", false},
	} {
		for _, level := range levels {
			g, _ := graphOf(t, "k.cl", head+c.body+" y[i] = v; }", level)
			found := false
			for _, a := range g.Accesses() {
				if a.Buffer != "x" {
					continue
				}
				found = true
				if a.Known() || a.Same != c.same {
					t.Errorf("%s, %s: x is accessed %s; the same in all lanes: want %t", level, c.name, a.Describe(), c.same)
				}
			}
			if !found {
				t.Errorf("%s, %s: no access of x", level, c.name)
			}
		}
	}
}

// TestContentsStayKnown: the given contents of a buffer that the kernel nowhere writes stay known behind what it does
// write. Those of a buffer that it may write do not.
func TestContentsStayKnown(t *testing.T) {
	in := make([]byte, 256)
	for i := range 64 {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(i/2))
	}
	for _, c := range []struct {
		name, body string
		known      bool
	}{
		{"in a loop", "for (; i < 64; i += 32) atomicAdd(&out[in[i]], 1u);", true},
		{"behind a store", "out[i] = 0; atomicAdd(&out[in[i]], 1u);", true},
		{"behind a barrier", "out[i] = 0; __syncthreads(); atomicAdd(&out[in[i]], 1u);", true},
		{"through another name", "unsigned *p = out + in[i]; p[0] = 1; atomicAdd(&p[in[i]], 1u);", true},
		{"written itself", "in[i] = 7; atomicAdd(&out[in[31 - i]], 1u);", false},
		{"written by others", "if (i == 40) in[0] = 1; __syncthreads(); atomicAdd(&out[in[i]], 1u);", false},
		{"one of two is written", "unsigned *p = i > 5 ? in : out; p[i] = 1; atomicAdd(&out[in[i]], 1u);", false},
		{"an unknown pointer is written", "*(unsigned *)far[0] = 1; atomicAdd(&out[in[i]], 1u);", false},
	} {
		u := unit(t, "k.cu", "__global__ void k(unsigned *in, unsigned *out, unsigned long long *far) { "+
			"unsigned i = threadIdx.x; "+c.body+" }")
		for _, level := range levels {
			o := parsed(t, level)
			o.Contents = map[string][]byte{"in": in}
			g, _, err := execute(u, u.Kernels[0], o)
			if err != nil {
				t.Fatal(c.name, err)
			}
			known := true
			for _, a := range g.Accesses() {
				known = known && (a.Known() || a.Buffer != "out")
			}
			if known != c.known {
				t.Errorf("%s, %s: the atomic's addresses are known: %t, want %t", level, c.name, known, c.known)
			}
		}
	}
}
