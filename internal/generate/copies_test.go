package generate

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/lower/translate"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// copiesText are kernels of asynchronous copies: with a stage ahead of what is used, with none,
// with barriers at which nobody waits at once, and with a pipeline of the whole group.
const copiesText = `#include <cuda/barrier>
#define WORK for (int k = 0; k < 40; k++) x = x * s[k] + 1.0f;
__global__ void ahead(float *o, const float4 *__restrict__ a, int n) {
	__shared__ float4 t[2][128]; const float *s = &t[0][0].x; float x = 0; int i = threadIdx.x;
	__pipeline_memcpy_async(&t[0][i], &a[blockIdx.x * 128 + i], 16);
	__pipeline_commit();
	for (int j = 1; j < n; j++) {
		__pipeline_memcpy_async(&t[j & 1][i], &a[(j * gridDim.x + blockIdx.x) * 128 + i], 16);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		WORK
		__syncthreads();
	}
	o[blockIdx.x * 128 + i] = x;
}
__global__ void behind(float *o, const float4 *__restrict__ a, int n) {
	__shared__ float4 t[2][128]; const float *s = &t[0][0].x; float x = 0; int i = threadIdx.x;
	for (int j = 1; j < n; j++) {
		__pipeline_memcpy_async(&t[0][i], &a[(j * gridDim.x + blockIdx.x) * 128 + i], 16);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		WORK
		__syncthreads();
	}
	o[blockIdx.x * 128 + i] = x;
}
__global__ void arrivals(float *o, const float *a, int n) {
	__shared__ cuda::barrier<cuda::thread_scope_block> b[2]; __shared__ float t[2][128]; const float *s = t[0]; float x = 0; int i = threadIdx.x;
	for (int j = 1; j < n; j++) {
		cuda::memcpy_async(&t[j & 1][i], &a[j * 128 + i], sizeof(float), b[j & 1]);
		auto token = b[j & 1].arrive();
		WORK
		if (i < 32) x += x * x;
		b[j & 1].wait(token);
	}
	o[blockIdx.x * 128 + i] = x;
}
__global__ void stages(float *o, const float *a, int n) {
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; __shared__ float t[2][128]; const float *s = t[0]; float x = 0; int i = threadIdx.x;
	auto block = cooperative_groups::this_thread_block(); auto pipe = cuda::make_pipeline(block, &state);
	for (int j = 1; j < n; j++) {
		pipe.producer_acquire();
		cuda::memcpy_async(block, t[j & 1], &a[j * 128], cuda::aligned_size_t<4>(512), pipe);
		pipe.producer_commit();
		if (i < 64) x += x * x;
		pipe.consumer_wait();
		WORK
		pipe.consumer_release();
	}
	o[blockIdx.x * 128 + i] = x;
}`

// TestCopyEngines: both engines simulate asynchronous copies and barriers at which nobody waits
// alike, in every issue mode; and copies that are made ahead are faster than those that are waited
// for, than loads and stores too.
func TestCopyEngines(t *testing.T) {
	d, err := latencies.Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: copiesText, Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Kernels) != 4 {
		t.Fatal(u.Broken)
	}
	cycles := map[string]float64{}
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		for _, sync := range []bool{false, true} {
			capability := "8.0"
			if sync { // a device without asynchronous copies
				capability = "7.0"
			}
			g, _, err := Execute(k, fn, ast.CUDA, unroll.Options{Local: [3]int64{128}, Groups: [3]int64{108},
				Args:   map[string]unroll.ArgValue{"n": {Int: 30}},
				Target: unroll.Target{Capability: capability, SyncCopies: sync}, Locality: unroll.LaunchLocality})
			if err != nil {
				t.Fatal(err)
			}
			if sync == slices.ContainsFunc(g.Instrs(), func(in idg.Instr) bool {
				return strings.HasSuffix(in.Op, ".async")
			}) {
				t.Errorf("%s: asynchronous copies are %v", fn.Name, !sync)
			}
			m, err := latencies.NewMapper(d, nil)
			if err != nil {
				t.Fatal(err)
			}
			mapped, err := m.Map(g)
			if err != nil {
				t.Fatal(err)
			}
			for _, mode := range []simulate.IssueMode{simulate.Dataflow, simulate.InOrder, simulate.Blocks} {
				cfg := simulate.Config{Groups: 3, Concurrent: 2, Issue: mode, Full: true}
				fast, err := simulate.Run(context.Background(), g, mapped, cfg)
				if err != nil {
					t.Fatal(err)
				}
				cfg.Engine = simulate.EngineReference
				reference, err := simulate.Run(context.Background(), g, mapped, cfg)
				if err != nil {
					t.Fatal(err)
				}
				fast.SimulatedGroups, fast.SkippedGroups, fast.SkippedIssues = reference.SimulatedGroups,
					reference.SkippedGroups, reference.SkippedIssues
				if !reflect.DeepEqual(fast, reference) {
					t.Errorf("%s, %v: the engines differ\n%+v\n%+v", fn.Name, mode, fast, reference)
				}
				key := fn.Name + " " + mode.String()
				if sync {
					key += " sync"
				}
				cycles[key] = reference.Cycles.Float()
			}
		}
	}
	t.Log(cycles)
	for _, mode := range []string{"dataflow", "in-order", "blocks"} {
		if a, b := cycles["ahead "+mode], cycles["behind "+mode]; a > 0.8*b {
			t.Errorf("%s: %v cycles for copies made ahead, %v for those waited for", mode, a, b)
		}
	}
}
