package fidelity

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generatedNest is a kernel with a nest of loops, made at random with its number as the seed.
type generatedNest struct {
	number int
	text   string
	lines  []int   // of the loops, outer ones first
	trips  []int64 // their constant trip counts, -1: not known
}

// generatedNests is how many there are. The rules were found with the even ones. From productNests on they are
// products of arrays that inner and outer counters select from.
const (
	generatedNests = 800
	productNests   = 600
)

func (g generatedNest) source() source {
	return source{name: fmt.Sprint("nest ", g.number), file: g.file(), text: g.text, only: []string{g.kernel()}}
}

func (g generatedNest) kernel() string { return fmt.Sprint("k", g.number) }

func (g generatedNest) file() string { return g.kernel() + ".cl" }

// What is added up in a body: work of a multiplier and adder, words of global and local memory and of private
// arrays with different subscripts, and integers.
var nestTerms = []string{
	"s = s * x + y;",
	"s = (s + x) * y;",
	"s += b[U * 64 + t + C];",
	"s += b[U * n + t];",
	"s += b[t + U] * c[U + C];",
	"s += x * b[(U + C) * 32 + (W) * 4 + t];",
	"s += m[U + t + C];",
	"s += m[U * 16 + ty] * m[1024 + U * 16 + tx];",
	"s += m[t + C] * m[2048 + U * 32 + W];",
	"p[U & 7] += s * x;",
	"s = s + p[(U + W) & 7] * y;",
	"q = q * 5 + U;",
	"q ^= q >> 3;",
	"if (s > x) s -= y;",
	"a[(U + C) * 64 + t] = s;",
}

var (
	nestTrips = []int{2, 3, 4, 5, 7, 8, 9, 10, 12, 15, 16, 20, 24, 25, 31, 32, 33, 40, 48, 60, 64, 67, 96, 100,
		128, 200, 256}
	nestSteps   = []string{"U++", "U++", "U++", "U++", "U++", "U++", "U += 2", "U += 3", "U += 4", "U += k"}
	nestPragmas = []string{"#pragma unroll", "#pragma unroll 2", "#pragma unroll 4", "#pragma nounroll",
		"#pragma clang loop unroll(full)", "#pragma clang loop unroll(enable)", "__attribute__((opencl_unroll_hint))"}
)

// newGeneratedNest makes a kernel.
func newGeneratedNest(number int) generatedNest {
	if number >= productNests {
		return newProductNest(number)
	}
	r := rand.New(rand.NewPCG(14, uint64(number)))
	one := func(list []string) string { return list[r.IntN(len(list))] }
	g := generatedNest{number: number}
	lines := strings.Split(fmt.Sprintf(`// idgen: local=64 groups=4 arg.n=40 arg.k=8
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void %s(__global float *a, __global const float *restrict b, __constant float *c, const float x, const float y, const int n, const int k)
{
    __local float m[8192];
    const int t = get_local_id(0), tx = t %% 16, ty = t / 16;
    for (int i = t; i < 8192; i += 64)
        m[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0, p[8];
    int q = n;
    for (int i = 0; i < 8; i++) p[i] = x * i;`, g.kernel()), "\n")
	depth := []int{1, 1, 1, 1, 1, 2, 2, 2, 3}[r.IntN(9)]
	kinds := make([]string, 1+r.IntN(3)) // a body has few
	for i := range kinds {
		kinds[i] = one(nestTerms)
	}
	total := 1
	var counters []string
	for level := range depth {
		counter := "uvw"[level : level+1]
		other := "k"
		if level > 0 {
			other = counters[level-1]
		}
		bound, step := "n", one(nestSteps)
		trips := nestTrips[r.IntN(len(nestTrips))]
		for trips > 2 && (trips*total > 2048 || depth == 3 && trips > 16) {
			trips = nestTrips[r.IntN(len(nestTrips))]
		}
		if r.IntN(5) > 1 {
			bound = fmt.Sprint(trips)
			total *= trips
			g.trips = append(g.trips, constantTrips(trips, step))
		} else {
			g.trips = append(g.trips, -1)
			total *= 40
		}
		if r.IntN(3) == 0 {
			lines = append(lines, "    "+one(nestPragmas))
		}
		lines = append(lines, fmt.Sprintf("    for (int %[1]s = 0; %[1]s < %s; %s) {", counter, bound,
			strings.ReplaceAll(step, "U", counter)))
		g.lines = append(g.lines, len(lines))
		counters = append(counters, counter)
		size := 1 + r.IntN(6)
		if level < depth-1 {
			size = r.IntN(3)
		}
		for range size {
			names := strings.NewReplacer("U", counter, "C", fmt.Sprint(r.IntN(4)*16), "W", other)
			lines = append(lines, "        "+names.Replace(one(kinds)))
		}
	}
	lines = append(lines, strings.Repeat("}", depth))
	lines = append(lines, "    for (int i = 0; i < 8; i++) s += p[i];", "    a[get_global_id(0)] = s + q;", "}", "")
	g.text = strings.Join(lines, "\n")
	return g
}

// productTerms are bodies of nests of which an outer loop does not change some loads: U is a loop's own counter, V
// that of another around it.
var productTerms = []string{
	"s += b[U] * c[V];",
	"s += b[V] * c[U];",
	"s += b[U + t] * c[V];",
	"s += b[U * 64 + t] * c[V * 64 + t];",
	"s = s * b[U] + c[V];",
	"s += b[V * 70 + U];",
	"s += b[(U + V) * 32 + t];",
	"s += x * b[U * n + t];",
	"s += c[U] * c[U + 8] * y;",
	"s += m[U * 16 + tx] * b[V];",
	"q += d[U] * d[V + 100];",
	"q ^= d[U] + V;",
}

var productTrips = []int{4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 30, 32, 36, 40, 48, 56, 60, 64, 70}

// newProductNest makes a kernel with a nest of two or three loops of constant trip counts, in which only the
// innermost does most of the work.
func newProductNest(number int) generatedNest {
	r := rand.New(rand.NewPCG(15, uint64(number)))
	one := func(list []string) string { return list[r.IntN(len(list))] }
	g := generatedNest{number: number}
	lines := strings.Split(fmt.Sprintf(`// idgen: local=64 groups=4 arg.n=40
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void %s(__global float *a, __global const float *restrict b, __global const float *restrict c, __global const int *restrict d, const float x, const float y, const int n)
{
    __local float m[2048];
    const int t = get_local_id(0), tx = t %% 16;
    for (int i = t; i < 2048; i += 64)
        m[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    int q = n;`, g.kernel()), "\n")
	depth := 2 + r.IntN(4)/3
	total, counters := 1, "uvw"[:depth]
	for level := range depth {
		trips := productTrips[r.IntN(len(productTrips))]
		for trips > 4 && (trips*total > 4096 || depth == 3 && trips > 20) {
			trips = productTrips[r.IntN(len(productTrips))]
		}
		total *= trips
		g.trips = append(g.trips, int64(trips))
		lines = append(lines, fmt.Sprintf("    for (int %[1]c = 0; %[1]c < %[2]d; %[1]c++) {", counters[level], trips))
		g.lines = append(g.lines, len(lines))
		size := 1 + r.IntN(3)
		if level < depth-1 {
			size = r.IntN(2)
		}
		for range size {
			own, other := counters[level:level+1], counters[max(0, level-1-r.IntN(2)):][:1]
			lines = append(lines, "        "+strings.NewReplacer("U", own, "V", other).Replace(one(productTerms)))
		}
	}
	lines = append(lines, strings.Repeat("}", depth), "    a[get_global_id(0)] = s + q;", "}", "")
	g.text = strings.Join(lines, "\n")
	return g
}

// constantTrips is how often a loop from 0 runs, -1 if that is not known.
func constantTrips(bound int, step string) int64 {
	by := 1
	if _, err := fmt.Sscanf(step, "U += %d", &by); err != nil && step != "U++" {
		return -1
	}
	return int64((bound + by - 1) / by)
}
