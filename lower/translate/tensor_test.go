package translate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/build"
)

// product is a kernel of the tests: a product of fragments with matrices in global (g) or
// local (s) memory.
type product struct {
	name              string
	factor, elem, sum string // the types of a fragment, of its matrix in memory, and of the sum
	m, n, k           int
	a, b, c           string // the layouts: row or col
	space             string // g or s
}

// write writes the kernel.
func (p *product) write(b *strings.Builder) {
	fmt.Fprintf(b, "__global__ void %s(const %s *a, const %[2]s *b, %s *c, int *p, int n) {\n", p.name, p.elem, p.sum)
	x := [3]string{"a", "b", "c"}
	if p.space == "s" {
		x = [3]string{"A", "B", "C"}
		fmt.Fprintf(b, "__shared__ __align__(16) %s A[2048]; __shared__ __align__(16) %[1]s B[2048]; __shared__ "+
			"__align__(16) %s C[2048]; ((int *)A)[threadIdx.x] = n; ((int *)B)[threadIdx.x] = n; ((int "+
			"*)C)[threadIdx.x] = n; __syncthreads();\n", p.elem, p.sum)
	}
	fmt.Fprintf(b, "wmma::fragment<wmma::matrix_a, %d, %d, %d, %s, wmma::%s_major> fa; "+
		"wmma::fragment<wmma::matrix_b, %[1]d, %[2]d, %[3]d, %[4]s, wmma::%[6]s_major> fb; "+
		"wmma::fragment<wmma::accumulator, %[1]d, %[2]d, %[3]d, %[7]s> fc;\n", p.m, p.n, p.k, p.factor, p.a, p.b, p.sum)
	fmt.Fprintf(b, "wmma::load_matrix_sync(fa, %s, 64); wmma::load_matrix_sync(fb, %s, 64); "+
		"wmma::load_matrix_sync(fc, %s, 64, wmma::mem_%s_major);\nwmma::mma_sync(fc, fa, fb, fc);\n"+
		"wmma::store_matrix_sync(%[3]s, fc, 64, wmma::mem_%[4]s_major);\n", x[0], x[1], x[2], p.c)
	if p.space == "s" {
		b.WriteString("__syncthreads(); p[threadIdx.x] = ((int *)C)[threadIdx.x];\n")
	}
	b.WriteString("}\n")
}

// wideShapes are those of fragments of elements of one and two bytes.
var wideShapes = [][3]int{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}}

// tensorKernels writes the kernels of testdata/tensor_counts.txt, with each shape, layouts and type of
// the sum, or, with a format other than half, those of tensor_types.txt.
func tensorKernels(format string) string {
	var b strings.Builder
	b.WriteString("#include <mma.h>\nusing namespace nvcuda;\n")
	p, shapes, sums := product{factor: "half", elem: "half"}, wideShapes, []string{"float", "half"}
	switch format {
	case "bf16":
		p.factor, p.elem, sums = "__nv_bfloat16", "__nv_bfloat16", sums[:1]
	case "tf32":
		p.factor, p.elem, shapes, sums = "wmma::precision::tf32", "float", [][3]int{{16, 16, 8}}, sums[:1]
	case "f64":
		p.factor, p.elem, shapes, sums = "double", "double", [][3]int{{8, 8, 4}}, []string{"double"}
	case "s8":
		p.factor, p.elem, sums = "signed char", "signed char", []string{"int"}
	}
	for _, s := range shapes {
		p.m, p.n, p.k = s[0], s[1], s[2]
		for _, p.a = range []string{"row", "col"} {
			for _, p.b = range []string{"row", "col"} {
				for _, p.sum = range sums {
					for _, p.space = range []string{"g", "s"} {
						for _, p.c = range []string{"row", "col"} {
							p.name = fmt.Sprintf("k_%d_%d_%s_%s_", p.m, p.n, p.a, p.b)
							if format == "half" {
								p.name += p.sum + "_"
							}
							p.name += p.space + "_" + p.c
							p.write(&b)
						}
					}
				}
			}
		}
	}
	return b.String()
}

// generations are the tensor cores of the files' compute capabilities.
var generations = map[string]target.TensorCores{"70": target.Volta, "75": target.Turing, "80": target.Ampere}

// tensorCounts counts in a kernel loads of local and global memory, stores to both, matrix instructions,
// exchanges and what makes words of bytes: as many as the columns are.
func tensorCounts(t *testing.T, u *ast.Unit, capability, kernel string, columns int) string {
	t.Helper()
	u.Target.TensorCores = generations[capability]
	fn := u.Kernel(kernel)
	if fn == nil {
		t.Fatalf("no kernel %s", kernel)
	}
	k, err := Kernel(u, fn)
	if err != nil {
		t.Fatal(err)
	}
	if err := irverify.Verify(build.Build(k)); err != nil {
		t.Fatal(err)
	}
	var n [7]int
	exchanges := map[Operand]bool{}
	lower.Walk(k.Body, func(s lower.Stmt) {
		in, ok := s.(*Instr)
		if !ok {
			return
		}
		place := 0
		if in.Space == idg.SpaceGlobal {
			place = 1
		}
		switch {
		case in.Op == lower.Load && in.Space != idg.SpacePrivate:
			n[place]++
		case in.Op == lower.Store && in.Space != idg.SpacePrivate:
			n[2+place]++
		case in.Op == lower.MatMul:
			n[4]++
		case in.Op == lower.SubGroup:
			exchanges[in.Args[0]] = true
		case in.Op == lower.Call && in.Fn == "byte_perm":
			n[6]++
		}
	})
	n[5] = len(exchanges)
	return strings.Trim(fmt.Sprint(n[:columns]), "[]")
}

// TestTensorCounts: products of fragments have the loads, stores, exchanges and matrix instructions
// of the compiled code, for each generation of tensor cores.
func TestTensorCounts(t *testing.T) {
	data, err := os.ReadFile("testdata/tensor_counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: tensorKernels("half"), Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(data)) {
		w := strings.Fields(line)
		if w[0] == "#" {
			continue
		}
		if got, want := tensorCounts(t, u, w[0], w[1], 6), strings.Join(w[2:], " "); got != want {
			t.Errorf("%s %s: %s, want %s", w[0], w[1], got, want)
		}
		checked++
	}
	if checked != 3*96 {
		t.Errorf("%d kernels", checked)
	}
	u.Target.TensorCores = target.NoTensorCores
	if _, err := Kernel(u, u.Kernels[0]); err == nil || !strings.Contains(err.Error(), "no tensor cores") {
		t.Errorf("without tensor cores: %v", err)
	}
}

// TestTensorTypes: the same of factors that are not halves, where the tensor cores take them.
func TestTensorTypes(t *testing.T) {
	data, err := os.ReadFile("testdata/tensor_types.txt")
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]*ast.Unit{}
	for _, format := range []string{"bf16", "tf32", "f64", "s8"} {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: tensorKernels(format), Dialect: ast.CUDA})
		if err != nil {
			t.Fatal(err)
		}
		units[format] = u
	}
	checked := 0
	for line := range strings.Lines(string(data)) {
		w := strings.Fields(line)
		if w[0] == "#" {
			continue
		}
		if got, want := tensorCounts(t, units[w[1]], w[0], w[2], 7), strings.Join(w[3:], " "); got != want {
			t.Errorf("%s %s %s: %s, want %s", w[0], w[1], w[2], got, want)
		}
		checked++
	}
	if checked != 3*48+2*16 {
		t.Errorf("%d kernels", checked)
	}
	for format, lacking := range map[string][]string{"bf16": {"70", "75"}, "tf32": {"75"}, "f64": {"75"},
		"s8": {"70"}} {
		for _, capability := range lacking {
			u := units[format]
			u.Target.TensorCores = generations[capability]
			if _, err := Kernel(u, u.Kernels[0]); err == nil ||
				!strings.Contains(err.Error(), "have no fragments of this type") {
				t.Errorf("%s for %s: %v", format, capability, err)
			}
		}
	}
}

// TestInlineMatrices: the matrix instructions of inline PTX need the generation that has them.
func TestInlineMatrices(t *testing.T) {
	const text = `__global__ void k(unsigned *p) {
	__shared__ unsigned s[128];
	unsigned a, b, at = __cvta_generic_to_shared(s);
	asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
	asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%0, %1}, {%2}, {%0, %1};" : "+r"(a), "+r"(b) : "r"(p[1]));
	p[0] = a + b;
}`
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	for cores, want := range map[target.TensorCores]string{
		0: "", target.Ampere: "", target.Turing: "", target.NoTensorCores: "no tensor cores",
		target.Volta: "the device's tensor cores have no ldmatrix",
	} {
		u.Target.TensorCores = cores
		k, err := Kernel(u, u.Kernels[0])
		if err == nil {
			err = irverify.Verify(build.Build(k))
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("generation %d: %v, want %q", cores, err, want)
		}
	}
}
