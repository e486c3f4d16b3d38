package generate

import (
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestVariants: what is assumed otherwise, with the same launch and the other arguments as they were.
func TestVariants(t *testing.T) {
	g := variantsOf(t, `__global__ void __launch_bounds__(256, 8) k(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[64];
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i] += 1;
  if (a[i] > 3) a[i] = 7;
  #pragma unroll
  for (int j = 0; j < 64; j++) v[j] = a[i + j * n];
  #pragma unroll
  for (int j = 0; j < 64; j++) a[i + j * n] = v[63 - j];
}`)
	longer, skipped := g.VariantOf(idg.TwiceTheTrips), g.VariantOf(idg.BranchesNotTaken)
	free := g.VariantOf(idg.Unbounded)
	if longer == nil || skipped == nil || free == nil {
		t.Fatalf("%d variants", len(g.Variants))
	}
	if was, is := g.Loops[0].Trips, longer.Loops[0].Trips; is != 2*was {
		t.Errorf("%d iterations instead of twice %d", is, was)
	}
	if n := free.Resources; n.SpilledBytes > 0 || n.Registers != g.Resources.Unbounded {
		t.Errorf("%+v without launch bounds, %+v with them", n, g.Resources)
	}
	for _, v := range g.Variants {
		if len(v.Launch.Args) != 1 || v.Launch.Args[0].Value != g.Launch.Args[0].Value {
			t.Errorf("%s: %+v, not %+v", v.Variant, v.Launch.Args, g.Launch.Args)
		}
	}
}

// TestNoVariants: a kernel has none if its graph took more steps than those of variants may.
func TestNoVariants(t *testing.T) {
	o := &Options{DynamicLocal: -1, Locality: unroll.LaunchLocality}
	k, g, _ := graphOf(t, "k.cu", `__global__ void k(float *a) { a[threadIdx.x] += sqrtf(a[threadIdx.x]); }`,
		ast.CUDA, o)
	if k.steps < 8 || k.steps > 1000 {
		t.Errorf("a warp or more take %d steps", k.steps)
	}
	if len(k.Variants(o, g)) == 0 {
		t.Error("a short kernel has no variants")
	}
	if k.steps = mostVaried + 1; len(k.Variants(o, g)) > 0 {
		t.Error("a long kernel has variants")
	}
}
