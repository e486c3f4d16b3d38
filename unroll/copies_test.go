package unroll_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/idg/registers"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// generateCopies returns the text of a CUDA kernel with loops of asynchronous copies in
// some stages.
func generateCopies(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 55))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var b strings.Builder
	b.WriteString("#include <cuda/barrier>\n#include <cuda/pipeline>\n__global__ void k(float *o, const float *" +
		pick("", "__restrict__ ") + "a, int n) {\n")
	b.WriteString("__shared__ float s[8][64];\n__shared__ cuda::barrier<cuda::thread_scope_block> bar[2];\n" +
		"__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n" +
		"auto block = cooperative_groups::this_thread_block();\nauto pipe = cuda::make_pipeline(" + pick("",
		"block, &state") + ");\nint i = threadIdx.x;\nfloat x = 0;\nunsigned f = 0;\n")
	copyOf := func(stage, at string) string {
		return fmt.Sprintf("__pipeline_memcpy_async(&s[%s][i & 31], a + %s * 64 + i, 4);\n", stage, at)
	}
	for loop := range 1 + rng.IntN(2) {
		stages := 1 + rng.IntN(5)
		style := rng.IntN(4)
		for p := range stages - 1 {
			b.WriteString(copyOf(fmt.Sprint(p), fmt.Sprint(p)) + "pipe.producer_commit();\n")
		}
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&b, "#pragma unroll %d\n", 1+rng.IntN(3))
		}
		fmt.Fprintf(&b, "for (int j%d = 0; j%d < n; j%d++) {\n", loop, loop, loop)
		j := fmt.Sprintf("j%d", loop)
		stage := pick("0", fmt.Sprintf("(%s + %d) %% %d", j, stages-1, stages), j+" & 1")
		for range rng.IntN(3) {
			b.WriteString(copyOf(stage, j))
		}
		switch style {
		case 0:
			fmt.Fprintf(&b, "__pipeline_commit();\n__pipeline_wait_prior(%d);\n", rng.IntN(stages))
		case 1:
			b.WriteString(pick("pipe.producer_acquire();\n", "") + "pipe.producer_commit();\npipe.consumer_wait();\n")
		case 2:
			b.WriteString("cuda::memcpy_async(&s[f][i], a + i, cuda::aligned_size_t<4>(4), bar[f]);\n" +
				pick("bar[f].arrive_and_wait();\n", "auto t = bar[f].arrive();\nx += 1;\nbar[f].wait(t);\n"))
			b.WriteString(pick("f = 1 - f;\n", "", "f ^= 1;\n"))
		case 3:
			fmt.Fprintf(&b, "if (%s < n - %d) {\n__pipeline_commit();\n}\n__pipeline_wait_prior(1);\n", j, rng.IntN(3))
		}
		b.WriteString(pick("__syncthreads();\n", ""))
		fmt.Fprintf(&b, "x += s[%s][63 - i];\n", pick("0", j+" % 2", fmt.Sprint(stages-1)))
		b.WriteString(pick("__syncthreads();\n", ""))
		if style == 1 {
			b.WriteString("pipe.consumer_release();\n")
		}
		b.WriteString("}\n" + pick("", "__pipeline_wait_prior(0);\n"))
	}
	return b.String() + "o[i] = x;\n}\n"
}

// TestSteadyCopies compares loops of asynchronous copies with all iterations executed and
// with those skipped that are proved to repeat.
func TestSteadyCopies(t *testing.T) {
	count, skipped := tools.Cases(60, 6), 0
	for seed := range uint64(count) {
		text := generateCopies(seed)
		k := lowerSource(t, "k.cu", text)[0]
		rng := rand.New(rand.NewPCG(seed, 4))
		opt := unroll.Options{
			Target: unroll.Target{Level: unroll.Level(1 + seed%2), SyncCopies: rng.IntN(5) == 0,
				MachineCode: rng.IntN(2) == 0}, Local: [3]int64{64}, Groups: [3]int64{5}, MaxInstructions: 300_000,
			Warps:    unroll.FirstWarp,
			Args:     map[string]unroll.ArgValue{"n": {Int: 700 + rng.Int64N(900)}},
			Locality: unroll.LocalityChoice(1 + rng.IntN(3)),
		}
		if rng.IntN(4) == 0 {
			opt.Barrier = unroll.WaitComplete
		}
		if sameEitherWay(t, k, opt, text) > 0 {
			skipped++
		}
	}
	t.Logf("iterations were skipped in %d of %d kernels", skipped, count)
	if skipped < count/2 {
		t.Errorf("iterations were skipped in %d of %d kernels only", skipped, count)
	}
}

// TestCopiesHoldNothing: what is copied asynchronously takes no registers, however much is on its
// way, while loads of it do.
func TestCopiesHoldNothing(t *testing.T) {
	const text = `__global__ void k(float4 *a) {
	__shared__ float4 s[64 * 64];
#pragma unroll
	for (int j = 0; j < 64; j++)
		__pipeline_memcpy_async(&s[j * 64 + threadIdx.x], &a[j * 64 + threadIdx.x], 16);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	a[threadIdx.x] = s[threadIdx.x + 1];
}`
	k := lowerSource(t, "k.cu", text)[0]
	g := resolve(t, k, unroll.Options{Local: [3]int64{64}}).Graph
	if n := registers.Estimate(g, target.InVectorRegisters); n > 16 {
		t.Errorf("%d registers for copies that hold none", n)
	}
	if ops := opsOf(g); ops["ld.global.async"] != 64 || ops["st.local.async"] != 64 || ops["async.wait"] != 1 ||
		ops["async.commit"] != 1 {
		t.Error(ops)
	}
}
