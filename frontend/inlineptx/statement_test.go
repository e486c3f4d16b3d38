package inlineptx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/tools"
)

// mustParse reads a program of CUDA without errors.
func mustParse(t *testing.T, text string) *ast.Unit {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: ast.CUDA})
	if err == nil {
		err = u.Verify()
	}
	if err != nil || len(u.Broken) > 0 {
		t.Fatalf("%v %v in\n%s", err, u, text)
	}
	return u
}

// TestAssemblyIsBuiltin: PTX gives what the function of the language or the operator gives.
func TestAssemblyIsBuiltin(t *testing.T) {
	const kernel = "__global__ void k(float *f, const float *g, int *a, unsigned *u, int n) {\n__shared__ float " +
		"s[512];\nint i = threadIdx.x, x = a[i], r = 0; unsigned y = u[i]; float p = f[i], q = 0;\n"
	tree := func(body string) string {
		u := mustParse(t, kernel+body+"\na[i] = r; f[i] = q; u[i] = y;\n}")
		return u.String()
	}
	for _, c := range []struct{ assembly, call string }{
		{`asm volatile("bar.sync 0;");`, "__syncthreads();"},
		{`asm("membar.gl;" ::: "memory");`, "__threadfence();"},
		{`asm volatile("cp.async.commit_group;\n" ::);`, "__pipeline_commit();"},
		{`asm volatile("cp.async.wait_group %0;" :: "n"(1));`, "__pipeline_wait_prior(1);"},
	} {
		want := strings.Join(strings.Fields(tree(c.call)), " ")
		got := strings.Join(strings.Fields(tree(c.assembly)), " ")
		_, from, _ := strings.Cut(want, "q = 0.0f;")
		call, _, _ := strings.Cut(strings.TrimSpace(from), ";")
		if call == "" || !strings.Contains(got, call) {
			t.Errorf("%s: %q is not in\n%s", c.assembly, call, got)
		}
	}
	if empty, none := tree(`asm volatile("" ::: "memory");`), tree(""); empty != none {
		t.Errorf("an empty template is\n%s\nwant\n%s", empty, none)
	}
}

// TestAssemblyOperands: operands have names, are read and written, and what is constant is so in the code.
func TestAssemblyOperands(t *testing.T) {
	for _, text := range []string{
		`int r; asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(a[0]), "n"(N * 2)); a[1] = r;`,
		`asm("add.s32 %[sum], %[sum], 4;" : [sum] "+r"(a[0]));`,
		`asm __volatile__("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a[0]) : "l"(a));`,
		`float4 v; asm("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4+16];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(a)); a[0] = v.x;`,
		`asm("{.reg .pred p, q; setp.lt.and.s32 p|q, %0, 0x1F, 1; @p st.global.u32 [%1], %0; @!q st.global.u32 [%1], %0;}" :: "r"(a[0]), "l"(a)); `,
		`half2 h; asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(*(unsigned *)&h) : "f"(1.5f)); a[0] = h.x;`,
		`asm("bfind.u32 %0, %0;" : "+r"(a[0]));`,
		`asm("{ .reg .pred p; elect.sync _|p, 0xffffffff; @p st.global.u32 [%0], 1; }" :: "l"(a));`,
		`long long p; asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(p)); ` +
			`asm("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(a[0]) : "l"(a), "l"(p));`,
		`unsigned long long x = a[0], y; asm("fma.rn.f32x2 %0, %1, %1, %1;" : "=l"(y) : "l"(x)); a[1] = y;`,
		`unsigned r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[0]), "r"(a[1]), "n"(5)); a[2] = r; asm("bfe.s32 %0, %0, 30, 4;" : "+r"(a[3]));`,
		`long long w; asm("bfe.s64 %0, %1, %2, %3; bfi.b64 %0, %1, %0, %2, 9;" : "=l"(w) : "l"((long long)a[0]), "r"(a[1]), "r"(a[2])); a[2] = w; asm("bfi.b32 %0, %0, 1, %0, %0;" : "+r"(a[3]));`,
		`unsigned m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); a[0] = m;`,
		"asm(\"add.s32 %0, %1, %2;\" : \"=r\"(a[0])\n: \"r\"(a[1])\n\"r\"(a[2]));", // nvcc takes this without the comma
		`asm volatile("{.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" :: "r"(a[0]), "r"(0));`,
		`asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64; mbarrier.arrive.shared.b64 _, [%0]; mbarrier.inval.shared.b64 [%0];" :: "r"(a[0]), "r"(1));`,
		`asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2, 0}], [%3];" :: "r"(a[0]), "l"(a), "r"(4), "r"(a[1]));`,
		`asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1}; setmaxnreg.inc.sync.aligned.u32 %2; setmaxnreg.dec.sync.aligned.u32 24;" :: "r"(a[0]), "r"(a[1]), "n"(240));`,
		`float d[4] = {}; asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(1ul), "l"(2ul), "r"(a[0])); a[1] = d[0];`,
		`asm("{.reg .b16 lo, hi; mov.b32 {lo, hi}, %0; mov.b32 %0, {hi, lo};}" : "+r"(a[0]));`,
		`asm("add.cc.u32 %0, %0, %1; addc.u32 %1, %1, 0;" : "+r"(a[0]), "+r"(a[1]));`,
		`unsigned long long x = a[0]; asm("sub.cc.u64 %0, %0, %1; subc.cc.u64 %0, %0, %1;" : "+l"(x) : "l"(x)); a[1] = x;`,
		`asm("mad.lo.cc.u32 %0, %0, %1, %2; madc.hi.u32 %1, %1, %0, 0;" : "+r"(a[0]), "+r"(a[1]) : "r"(a[2]));`,
		`asm("lop3.b32 %0, %0, %1, %0, 0x96; shf.l.wrap.b32 %0, %0, %1, 7; min.s32 %0, %0, %1;" : "+r"(a[0]) : "r"(a[1]));`,
		`asm("vshl.u32.u32.u32.clamp.add %0, %0, %1, %2; vshr.u32.u32.u32.wrap %1, %0, 5;" : ` +
			`"+r"(a[0]), "+r"(a[1]) : "r"(a[2]));`,
		`long long w; asm("mul.wide.s32 %0, %1, %1;" : "=l"(w) : "r"(a[0])); a[1] = w;`,
		`float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(1.5f)); a[0] = r;`,
		`unsigned r; asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(1.5f)); a[0] = r;`,
		`unsigned m; asm("{.reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "=r"(m) : "r"(a[0])); a[1] = m;`,
		`asm volatile("bar.sync %0, 64; bar.arrive 2, %1; barrier.sync 3, 128;" :: "r"(a[0]), "r"(64));`,
		`unsigned r; asm("mapa.shared::cluster.u32 %0, %1, 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "=r"(r) : "r"(a[0])); asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(a[1]));`,
	} {
		mustParse(t, "enum { N = 8 };\n__global__ void k(int *a) { "+text+" }")
	}
}

// TestAssemblyRefused: what is not known is named, and only its kernel is lost.
func TestAssemblyRefused(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{`asm("vshl.s32.s32.u32.clamp %0, %0, 1;" : "+r"(a[0]));`,
			"the PTX instruction vshl.s32.s32.u32.clamp is not supported"},
		{`asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0}, 1, 1, 1;" : "+f"(*(float *)a));`,
			"error[UNSUPPORTED]: the PTX instruction wgmma.mma_async.sp"},
		{`asm volatile("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%0}, 1, 1, 1;" : "+f"(*(float *)a));`,
			"the PTX instruction wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 is not supported"},
		{`asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" :: "r"(1));`,
			"the barrier of another group of the cluster that mbarrier.arrive.shared::cluster.b64 names is not " +
				"supported"},
		{
			`asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %2}], [%0], 3;" :: "r"(1), "l"(a), "r"(2));`, "a copy to several groups of a cluster"},
		{
			`asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%1, {%2, %2}], [%0];" :: "r"(1), "l"(a), "r"(2));`, "a store of a tensor's box"},
		{`asm("addc.u32 %0, %0, 1;" : "+r"(*a));`, "addc.u32 without an instruction before it"},
		{`asm("sub.cc.u32 %0, %0, 1; addc.u32 %0, %0, 1;" : "+r"(*a));`, "addc.u32 without an instruction before it"},
		{`asm("add.cc.u16 %0, %0, 1;" : "+h"(*(short *)a));`, "the PTX instruction add.cc.u16 is not supported"},
		{`asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};" : "+r"(*a));`,
			"the PTX instruction mma.sync"},
		{`asm("mov.u32 %0, %1;" : "=r"(*a));`, "the operand %1 of mov.u32 is not supported"},
		{`asm("mov.u32 %0, x;" : "=r"(*a));`, "the operand x of mov.u32 is not supported"},
		{`asm("ld.global.u32 %0, %1];" : "=r"(*a) : "l"(a));`, "the address %1] of ld.global.u32 is not supported"},
		{`asm("bfe.u16 %0, %0, 1, %0;" : "+h"(*(short *)a));`, "the PTX instruction bfe.u16 is not supported"},
		{`asm("LOOP: bra LOOP;");`, "the branch bra LOOP of inline PTX is not supported"},
		{`asm("bar.red.xor.pred %0, 1, 64, 1;" : "=r"(*a));`, "the PTX instruction bar.red.xor.pred is not supported"},
		{`asm("cp.async.ca.shared.global [%0], [%1], 12;" :: "r"(1), "l"(a));`, "the size must be 4, 8 or 16"},
		{`asm("mov.u32 %0, 1;" : "=r"(a[0] + 1));`, "this expression cannot be assigned to"},
		{`asm("mov.u32 %0, 1;" : "=r"(b));`, "b is not declared"},
	} {
		u,
			err := frontend.Parse(frontend.Config{File: "k", Text: "__global__ void k(int *a) { " + c.statement +
			" }\n__global__ void good() {}", Dialect: ast.CUDA})
		if err != nil || len(u.Kernels) != 1 || len(u.Broken) != 1 ||
			!strings.Contains(u.Broken[0].Err.Error(), c.want) {
			t.Errorf("%s: %v %v", c.statement, err, u)
			if u != nil && len(u.Broken) > 0 {
				t.Error(u.Broken[0].Err)
			}
		}
	}
}

// TestAssemblyHasNoPanics: any text is known or refused.
func TestAssemblyHasNoPanics(t *testing.T) {
	words := strings.Fields("ld st cp cp.async mov cvt setp selp shf lop3 bfe bfi mul mad popc atom red shfl vote " +
		"match redux bar ldmatrix mma cvta wgmma mbarrier bra activemask add.cc")
	suffixes := strings.Fields(". .u32 .f16x2 .v4.f32 .b64 .pred .sync.b32 .wide.s16 .async .async.ca.shared.global " +
		".lt.f32 .f32.f32 .sync.m8n8.b16 .sync.m16n8k16.f32.f16.f16.f32 .add.s32 .ballot.b32 " +
		".mma_async.m64n8k16.f32.f16.f16 .fence .wait_group " +
		".async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes .try_wait.parity.b64 " +
		".arrive.expect_tx.b64 .init.b64")
	operands := []string{"", "%0", "{}", "{}, {}", "%0, [%1]", "[%1], %0", "%0, %1", "{%0, %0}, %0", "%0, {%0, %0}",
		"%0, %0, 1, -1", "%0|p, [x], 1", "[], [%1 + ], 16", "%0, %0, %0, %0, %0",
		"{%0,%0,%0,%0}, {%0,%0,%0,%0}, {%0,%0}, {%0,%0,%0,%0}", "_, %9"}
	for n, w := range words {
		var text strings.Builder
		for i, s := range suffixes {
			if !tools.Full() && (n+i)%3 > 0 {
				continue
			}
			for j, o := range operands {
				fmt.Fprintf(&text, "__global__ void k%d_%d(int *a) { asm volatile(\"{.reg .pred p; @p %s%s %s; "+
					"\\v;}\" : \"+r\"(*a) : \"l\"(a)); }\n", i, j, w, s, o)
			}
		}
		u, err := frontend.Parse(frontend.Config{File: "k", Text: text.String(), Dialect: ast.CUDA})
		if err == nil {
			for _, b := range u.Broken {
				err = errors.Join(err, b.Err)
			}
			err = errors.Join(err, u.Verify())
		}
		if err != nil && strings.Contains(err.Error(), "INTERNAL") {
			t.Errorf("%s: %v", w, err)
		}
	}
}
