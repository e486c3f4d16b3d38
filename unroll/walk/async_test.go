package walk

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/unroll"
)

// hopperFunctions are what the kernels below call.
const hopperFunctions = `#include <cuda/barrier>
#include <cuda_bf16.h>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
typedef __nv_bfloat16 bf16;
__device__ unsigned long long describe(const bf16 *p) {
	unsigned long long d = (__cvta_generic_to_shared(p) & 0x3FFFF) >> 4;
	return d | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ void product(float d[4], const bf16 *a, const bf16 *b) {
	asm volatile("{wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;}"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(describe(a)), "l"(describe(b)));
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish() { asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
`

// tensorProduct is a product of which each iteration has two boxes copied, by a work item of warp 0, and all wait for
// them.
const tensorProduct = hopperFunctions +
	`__global__ void k(float *C, const __grid_constant__ CUtensorMap A, const CUtensorMap *B, int n) {
	__shared__ bf16 a[64 * 32], b[8 * 32];
	__shared__ barrier bar;
	if (threadIdx.x == 0) { init(&bar, blockDim.x); cde::fence_proxy_async_shared_cta(); }
	__syncthreads();
	float d[4];
	memset(d, 0, sizeof(d));
	for (int i = 0; i < n; i++) {
		barrier::arrival_token token;
		if (threadIdx.x == 0) {
			cde::cp_async_bulk_tensor_2d_global_to_shared(a, &A, i * 32, blockIdx.x * 64, bar);
			cde::cp_async_bulk_tensor_2d_global_to_shared(b, B, i * 32, 0, bar);
			token = cuda::device::barrier_arrive_tx(bar, 1, 4096);
		} else {
			token = bar.arrive();
		}
		bar.wait(std::move(token));
		fence();
		product(d, a, b);
		product(d, a + 16, b + 16);
		finish();
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) C[(blockIdx.x * 128 + threadIdx.x) * 4 + i] = d[i];
}`

// rolesProduct has two stages that warp 0 fills for the others.
const rolesProduct = hopperFunctions + `__global__ void k(float *C, const CUtensorMap *A, int n) {
	__shared__ bf16 a[2][64 * 16];
	__shared__ barrier full[2], empty[2];
	if (threadIdx.x == 0) for (int i = 0; i < 2; i++) { init(&full[i], 129); init(&empty[i], 129); }
	__syncthreads();
	if (threadIdx.x / 128 == 0) {
		if (threadIdx.x == 0) for (int i = 0; i < n; i++) {
			empty[i & 1].wait(empty[i & 1].arrive());
			cde::cp_async_bulk_tensor_2d_global_to_shared(a[i & 1], A, i * 16, blockIdx.x * 64, full[i & 1]);
			cuda::device::barrier_arrive_tx(full[i & 1], 1, 2048);
		}
	} else {
		float d[4];
		memset(d, 0, sizeof(d));
		for (int i = 0; i < 2; i++) empty[i].arrive();
		for (int i = 0; i < n; i++) {
			full[i & 1].wait(full[i & 1].arrive());
			fence();
			product(d, a[i & 1], a[i & 1]);
			finish();
			empty[i & 1].arrive();
		}
		for (int i = 0; i < 4; i++) C[(blockIdx.x * 128 + threadIdx.x) * 4 + i] = d[i];
	}
}`

// hopper executes a kernel's code for compute capability 9.0.
func hopper(t *testing.T, text string, local, n int64) (*idg.Graph, error) {
	t.Helper()
	k, c := codeOf(t, ast.CUDA, text, "sm_90", "nvcc-13")
	o, err := unroll.Options{Local: [3]int64{local}, Groups: [3]int64{16},
		Args: map[string]unroll.ArgValue{"n": {Int: n}}, Locality: unroll.LaunchLocality}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := Execute(k, c, o)
	return g, err
}

// hopperGraph is its graph.
func hopperGraph(t *testing.T, text string, local, n int64) *idg.Graph {
	t.Helper()
	g, err := hopper(t, text, local, n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// flatWarp is a warp's instructions.
func flatWarp(t *testing.T, g *idg.Graph, warp int64) *idg.Flat {
	t.Helper()
	f, err := g.ProgramOf(warp).Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dependsOn lists the ops that an instruction waits for in a way.
func dependsOn(f *idg.Flat, g *idg.Graph, v idg.NodeID, kind idg.EdgeKind) (ops []string) {
	from, kinds := f.Preds(v)
	for i, u := range from {
		if kinds[i] == kind {
			ops = append(ops, g.Instr(f.Instr(u)).Op)
		}
	}
	return ops
}

// movedBy counts the bytes of a warp's accesses by op.
func movedBy(f *idg.Flat, g *idg.Graph) map[string]int64 {
	bytes := map[string]int64{}
	for v := range idg.NodeID(f.Len()) {
		if in := g.Instr(f.Instr(v)); in.Access != 0 {
			bytes[in.Op] += int64(g.Access(in.Access).Width) * int64(in.Lanes)
		}
	}
	return bytes
}

// TestWarpGroup: products follow each other at the rate of the tensor core, what waits for them and for blocks waits
// for their completion.
func TestWarpGroup(t *testing.T) {
	const n = 7
	g := hopperGraph(t, tensorProduct, 128, n)
	const product = "wgmma.m64n8k16.bf16.f32"
	for w := range int64(4) {
		f := flatWarp(t, g, w)
		products, barriers := 0, 0
		for v := range idg.NodeID(f.Len()) {
			in := g.Instr(f.Instr(v))
			data, order, control := dependsOn(f, g, v, idg.Data), dependsOn(f, g, v, idg.Order),
				dependsOn(f, g, v, idg.Control)
			switch in.Op {
			case product:
				if !strings.HasSuffix(strings.Join(data, " "), "ld.local.async") ||
					products > 0 && !strings.Contains(strings.Join(order, " "), product) {
					t.Errorf("warp %d: product %d waits for %v, and for the issue of %v", w, products, data, order)
				}
				products++
			case "async.wait":
				if !strings.Contains(strings.Join(control, " "), product) {
					t.Errorf("warp %d: the wait is for %v", w, control)
				}
			case "barrier":
				barriers++
				if of := strings.Count(strings.Join(control, " "), "ld.global.async"); of != 0 && of != 2 ||
					of == 2 && w != 0 {
					t.Errorf("warp %d: a barrier waits for %v", w, control)
				}
			}
		}
		bytes := movedBy(f, g)
		copied := int64(0)
		if w == 0 {
			copied = 4096 * n
		}
		if products != 2*n || barriers != 1+2*n || bytes["ld.global.async"] != copied ||
			bytes["st.local.async"] != copied || bytes["ld.local.async"] != (16*32+8*32/4)*2*n {
			t.Errorf("warp %d: %d products, %d barriers, bytes %v", w, products, barriers, bytes)
		}
	}
	if f := g.Footprint; f == nil || f.LaunchReadBytes > 16*n*2048+n*2048 {
		t.Errorf("%+v: boxes that are read again count twice", f)
	}
}

// TestRoles: warps that wait for blocks have their shares copied when they have released the room, and the one that
// has them copied has none.
func TestRoles(t *testing.T) {
	const n = 9
	g := hopperGraph(t, rolesProduct, 256, n)
	total := int64(0)
	for w := range int64(8) {
		f := flatWarp(t, g, w)
		copied := 0
		for v := range idg.NodeID(f.Len()) {
			switch in := g.Instr(f.Instr(v)); {
			case in.Op == "tma" && w >= 4:
				if c := strings.Join(dependsOn(f, g, v, idg.Control), " "); !strings.Contains(c, "async.arrive") {
					t.Errorf("warp %d: copy %d waits for %q", w, copied, c)
				}
				copied++
			case in.Op == "barrier" && v > 60:
				t.Errorf("warp %d: a barrier at %d", w, v)
			}
		}
		if w >= 4 && copied != n || w < 4 && copied != 0 {
			t.Errorf("warp %d has %d blocks copied", w, copied)
		}
		total += movedBy(f, g)["ld.global.async"]
	}
	if total != 2048*n {
		t.Errorf("%d bytes are copied, want %d", total, 2048*n)
	}
}

// TestRolesOfOneArrival: one work item arrives for a warp group, the other warps' shares are copied as early. Parities
// tell which waits are over when the kernel begins.
func TestRolesOfOneArrival(t *testing.T) {
	const n = 9
	wait := `asm volatile("{.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" :: "r"((unsigned)__cvta_generic_to_shared(p)), "r"(parity));`
	text := hopperFunctions + "__device__ void wait(unsigned long long *p, int parity) { " + wait + ` }
__global__ void k(float *C, const CUtensorMap *A, int n) {
	__shared__ bf16 a[2][64 * 16];
	__shared__ unsigned long long full[2], empty[2];
	if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"((unsigned)__cvta_generic_to_shared(full)));
	__syncthreads();
	if (threadIdx.x / 128 == 0) {
		if (threadIdx.x == 0) for (int i = 0; i < n; i++) {
			wait(&empty[i & 1], i / 2 & 1 ^ 1);
			asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" :: "r"((unsigned)__cvta_generic_to_shared(&full[i & 1])));
			asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
				:: "r"((unsigned)__cvta_generic_to_shared(a[i & 1])), "l"(A), "r"((unsigned)__cvta_generic_to_shared(&full[i & 1])), "r"(i * 16), "r"(blockIdx.x * 64));
		}
	} else {
		float d[4];
		memset(d, 0, sizeof(d));
		for (int i = 0; i < n; i++) {
			wait(&full[i & 1], i / 2 & 1);
			fence();
			product(d, a[i & 1], a[i & 1]);
			finish();
			if (threadIdx.x % 128 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"((unsigned)__cvta_generic_to_shared(&empty[i & 1])));
		}
		for (int i = 0; i < 4; i++) C[(blockIdx.x * 128 + threadIdx.x) * 4 + i] = d[i];
	}
}`
	g := hopperGraph(t, text, 256, n)
	for w := int64(4); w < 8; w++ {
		f := flatWarp(t, g, w)
		var waits, copied, products int
		for v := range idg.NodeID(f.Len()) {
			switch op := g.Instr(f.Instr(v)).Op; {
			case op == "tma":
				if copied++; copied > products+2 {
					t.Errorf("warp %d: block %d is copied behind %d products: there is room for two", w,
						copied, products)
				}
			case strings.HasPrefix(op, "wgmma."):
				products++
			case op == "async.wait" && strings.Contains(strings.Join(dependsOn(f, g, v, idg.Control), " "),
				"ld.global.async"):
				if waits++; copied < min(n, waits+1) && w > 4 || copied < waits {
					t.Errorf("warp %d: wait %d behind %d copies", w, waits, copied)
				}
			}
		}
		if waits != n || copied != n || products != n || movedBy(f, g)["ld.global.async"] != 2048*n/4 {
			t.Errorf("warp %d: %d waits, %d copies, %d products, %v", w, waits, copied, products, movedBy(f, g))
		}
	}
}

// TestTransactionsRefused: what cannot be told of bytes and of roles is an error at its place.
func TestTransactionsRefused(t *testing.T) {
	const head = hopperFunctions + "__global__ void k(float *C, const CUtensorMap *A, const int *m, int n) {\n" +
		"__shared__ bf16 a[1024];\n__shared__ barrier full, empty;\n"
	const load = "cde::cp_async_bulk_tensor_2d_global_to_shared(a, A, 0, 0, full);\n"
	for _, c := range []struct{ body, want string }{
		{load + "full.wait(full.arrive());", "how many bytes this copy has is not known"},
		{load + "cuda::device::barrier_arrive_tx(full, 1, m[0]);", "the bytes of this copy are not known"},
		{"if (threadIdx.x < 32) { empty.wait(empty.arrive()); " + load + "cuda::device::barrier_arrive_tx(full, 1, " +
			"2048); } else full.wait(full.arrive());", "warp 1 waits here for what no warp has copied"},
		{"if (threadIdx.x < 64) { " + load + "cuda::device::barrier_arrive_tx(full, 1, 2048); } else " +
			"full.wait(full.arrive());", "warps 0 and 1 both have blocks copied that others wait for"},
	} {
		_, err := hopper(t, head+c.body+"\n}", 128, 4)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "k.cl:") {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}

// TestCopies: what waits for copies waits for their loads, by groups; where nothing copies asynchronously they are
// loads and stores.
func TestCopies(t *testing.T) {
	text := `#include <cuda_pipeline.h>
__global__ void k(float *o, const float *__restrict__ a, int n) {
	__shared__ float s[2][32];
	__pipeline_memcpy_async(&s[0][threadIdx.x], &a[threadIdx.x], 4);
	__pipeline_commit();
	float sum = 0;
	for (int i = 0; i < n; i++) {
		__pipeline_memcpy_async(&s[~i & 1][threadIdx.x], &a[(i + 1) * 32 + threadIdx.x], 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += s[i & 1][31 - threadIdx.x];
		__syncthreads();
	}
	o[threadIdx.x] = sum;
}`
	const n = 6
	f := flatWarp(t, hopperGraph(t, text, 32, n), 0)
	g := hopperGraph(t, text, 32, n)
	var copies []idg.NodeID
	waits := 0
	for v := range idg.NodeID(f.Len()) {
		switch g.Instr(f.Instr(v)).Op {
		case "ld.global.async":
			copies = append(copies, v)
		case "async.wait":
			from, kinds := f.Preds(v)
			waited := -1
			for i, u := range from {
				for c, at := range copies {
					if u == at && kinds[i] == idg.Control {
						waited = c
					}
				}
			}
			if waited != waits {
				t.Errorf("wait %d is for copy %d", waits, waited)
			}
			waits++
		}
	}
	if len(copies) != n+1 || waits != n {
		t.Errorf("%d copies, %d waits", len(copies), waits)
	}
	k, c := codeOf(t, ast.CUDA, text, "sm_70", "nvcc-11.8")
	o, err := unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{"n": {Int: n}},
		Target: unroll.Target{SyncCopies: true}}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if g, _, err = Execute(k, c, o); err != nil {
		t.Fatal(err)
	}
	for i := range g.Instrs() {
		if op := g.Instrs()[i].Op; strings.Contains(op, "async") {
			t.Errorf("%s without asynchronous copies", op)
		}
	}
}
