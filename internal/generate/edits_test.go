package generate

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestEdits: each edit has the code that somebody would write, and all of them together.
func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		ops  string // which the kernel executes and the variant does not
	}{
		idg.FastMath:   {"a[blockIdx.x * blockDim.x + threadIdx.x] = expf(a[threadIdx.x]) / a[n];", "branch"},
		idg.Masks:      {"a[threadIdx.x % n] = 1;", "native_recip"},
		idg.Constants:  {"for (int i = 0; i < n; i++) a[i * 32 + threadIdx.x] += 1;", ""},
		idg.Combined:   {"atomicAdd(a, a[blockIdx.x * blockDim.x + threadIdx.x]);", ""},
		idg.OwnBins:    {"unsigned char k = c[blockIdx.x * blockDim.x + threadIdx.x]; atomicAdd(&a[k], 1.0f);", ""},
		idg.SwappedXY:  {"a[(blockIdx.x * 16 + threadIdx.x) * n + blockIdx.y * 16 + threadIdx.y] = 1;", ""},
		idg.Restricted: {"for (int i = 0; i < n; i++) a[threadIdx.x] += c[0];", ""},
		idg.UnrolledBy16: {"float s = 0; for (int i = 0; i < 999; i++) s = sqrtf(s) + a[i * n]; a[threadIdx.x] = s;",
			""},
	} {
		g := variantsOf(t, "__global__ void k(float *a, const unsigned char *c, int n) {\n"+c.body+"\n}", "n=1024")
		v := g.VariantOf(name)
		if v == nil {
			t.Errorf("%s: there is no variant", name)
			continue
		}
		if c.ops != "" && (!has(g, c.ops) || has(v, c.ops)) {
			t.Errorf("%s: %s stands in the kernel %v, in the variant %v", name, c.ops, has(g, c.ops), has(v, c.ops))
		}
		switch name {
		case idg.Restricted:
			if was, is := executed(g), executed(v); is >= was {
				t.Errorf("%d instructions are executed, then %d", was, is)
			}
		case idg.Constants:
			if was, is := g.Loops[0].Origin, v.Loops[0].Origin; was != "arguments" || is != "constant" {
				t.Errorf("the trip count is %s, then %s", was, is)
			}
		case idg.UnrolledBy16:
			if was, is := g.Loops[0].Factor, v.Loops[0].Factor; was >= 16 || is != 16 {
				t.Errorf("the loop is unrolled by %d, then by %d", was, is)
			}
		case idg.Combined, idg.OwnBins:
			if v.Resources.LocalBytes == 0 || !has(v, "barrier") {
				t.Errorf("%s: %d bytes of local memory", name, v.Resources.LocalBytes)
			}
		case idg.SwappedXY:
			all := v.Accesses()
			if a := all[len(all)-1]; a.Offsets[1]-a.Offsets[0] != 4 {
				t.Errorf("lanes are %d bytes apart", a.Offsets[1]-a.Offsets[0])
			}
		}
	}
	wide := variantsOf(t, "__global__ void k(unsigned long long *a, int n) { if (threadIdx.x < n) atomicAdd(a, 1ULL); }",
		"n=1024")
	if wide.VariantOf(idg.Combined) == nil {
		t.Error("sums of 64 bits are not combined")
	}
	g := variantsOf(t, "__global__ void k(float *a, int n) {\nfor (int i = 0; i < n; i++)\na[i] = expf(a[i % n]);\n}",
		"n=1024")
	if g.VariantOf(idg.Several([]string{idg.FastMath, idg.Restricted, idg.Masks, idg.Constants})) == nil {
		t.Errorf("there is no variant of all: %d", len(g.Variants))
	}
}

// has reports whether a graph executes an op.
func has(g *idg.Graph, op string) bool {
	for _, in := range g.Instrs() {
		if strings.HasPrefix(in.Op, op) {
			return true
		}
	}
	return false
}

// variantsOf is the graph of a CUDA kernel, with its variants.
func variantsOf(t *testing.T, text string, args ...string) *idg.Graph {
	t.Helper()
	o := &Options{DynamicLocal: -1, Locality: unroll.LaunchLocality}
	for _, text := range args {
		a, err := ParseArgument(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Args = append(o.Args, a)
	}
	k, g, _ := graphOf(t, "k.cu", text, ast.CUDA, o)
	g.Variants = k.Variants(o, g)
	return g
}
