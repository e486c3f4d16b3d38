package lower

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/idg"
)

// tensorKernels writes the kernels of testdata/tensor_counts.txt: a product of fragments of each
// shape, layouts and type of the sum, in global (g) and local (s) memory.
func tensorKernels() string {
	var b strings.Builder
	b.WriteString("#include <mma.h>\nusing namespace nvcuda;\n")
	for _, s := range [][2]int{{16, 16}, {32, 8}, {8, 32}} {
		for _, la := range []string{"row", "col"} {
			for _, lb := range []string{"row", "col"} {
				for _, acc := range []string{"float", "half"} {
					for _, space := range []string{"g", "s"} {
						for _, lc := range []string{"row", "col"} {
							fmt.Fprintf(&b, "__global__ void k_%d_%d_%s_%s_%s_%s_%s(const half *a, const half *b, %s *c, int *p, int n) {\n", s[0], s[1], la, lb, acc, space, lc, acc)
							x := [3]string{"a", "b", "c"}
							if space == "s" {
								x = [3]string{"A", "B", "C"}
								fmt.Fprintf(&b, "__shared__ __align__(16) half A[4096]; __shared__ __align__(16) half B[4096]; __shared__ __align__(16) %s C[4096]; ((int *)A)[threadIdx.x] = n; ((int *)B)[threadIdx.x] = n; ((int *)C)[threadIdx.x] = n; __syncthreads();\n", acc)
							}
							fmt.Fprintf(&b, "wmma::fragment<wmma::matrix_a, %d, %d, 16, half, wmma::%s_major> fa; wmma::fragment<wmma::matrix_b, %[1]d, %[2]d, 16, half, wmma::%[4]s_major> fb; wmma::fragment<wmma::accumulator, %[1]d, %[2]d, 16, %[5]s> fc;\n", s[0], s[1], la, lb, acc)
							fmt.Fprintf(&b, "wmma::load_matrix_sync(fa, %s, 64); wmma::load_matrix_sync(fb, %s, 64); wmma::load_matrix_sync(fc, %s, 64, wmma::mem_%s_major);\nwmma::mma_sync(fc, fa, fb, fc);\nwmma::store_matrix_sync(%[3]s, fc, 64, wmma::mem_%[4]s_major);\n", x[0], x[1], x[2], lc)
							if space == "s" {
								b.WriteString("__syncthreads(); p[threadIdx.x] = ((int *)C)[threadIdx.x];\n")
							}
							b.WriteString("}\n")
						}
					}
				}
			}
		}
	}
	return b.String()
}

// TestTensorCounts: products of fragments have the loads, stores, exchanges and matrix instructions
// of the compiled code, for each generation of tensor cores.
func TestTensorCounts(t *testing.T) {
	data, err := os.ReadFile("testdata/tensor_counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: tensorKernels(), Dialect: frontend.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	cores := map[string]frontend.TensorCores{"70": frontend.VoltaTensorCores, "75": frontend.TuringTensorCores, "80": frontend.AmpereTensorCores}
	checked := 0
	for line := range strings.Lines(string(data)) {
		w := strings.Fields(line)
		if w[0] == "#" {
			continue
		}
		u.TensorCores = cores[w[0]]
		fn := u.Kernel(w[1])
		if fn == nil {
			t.Fatalf("no kernel %s", w[1])
		}
		k, err := Lower(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		var n [6]int // LDS, LDG, STS, STG, HMMA, MOVM
		exchanges := map[Operand]bool{}
		Walk(k.Body, func(s Stmt) {
			in, ok := s.(*Instr)
			if !ok {
				return
			}
			place := 0
			if in.Space == idg.SpaceGlobal {
				place = 1
			}
			switch {
			case in.Op == Load && in.Space != idg.SpacePrivate:
				n[place]++
			case in.Op == Store && in.Space != idg.SpacePrivate:
				n[2+place]++
			case in.Op == MatMul:
				n[4]++
			case in.Op == SubGroup:
				exchanges[in.Args[0]] = true
			}
		})
		n[5] = len(exchanges)
		if got, want := strings.Trim(fmt.Sprint(n), "[]"), strings.Join(w[2:], " "); got != want {
			t.Errorf("%s %s: %s, want %s", w[0], w[1], got, want)
		}
		checked++
	}
	if checked != 3*96 {
		t.Errorf("%d kernels", checked)
	}
	u.TensorCores = frontend.NoTensorCores
	if _, err := Lower(u, u.Kernels[0]); err == nil || !strings.Contains(err.Error(), "no tensor cores") {
		t.Errorf("without tensor cores: %v", err)
	}
}
