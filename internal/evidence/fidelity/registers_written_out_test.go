package fidelity

import (
	"fmt"
	"strings"
)

// writtenOut is a kernel that is one long basic block between a barrier and its
// stores: sums of products, the factors from local memory and from constant
// memory, with every step written out. Steps that are sums' strides apart use
// the same word of local memory, which is loaded once: how long it stays in a
// register is the compiler's choice.
type writtenOut struct {
	sums, stride, steps int
	conditional         bool // the stores
}

// stores says how the sums are stored.
func (w writtenOut) stores() string {
	if w.conditional {
		return "conditional"
	}
	return "plain"
}

// name tells the kernels apart.
func (w writtenOut) name() string {
	return fmt.Sprintf("%s-%d-%d-%d", w.stores(), w.sums, w.stride, w.steps)
}

// everyDevice reports whether the kernel is compiled for all devices: one below
// the length at which the compiler cuts, one just above, and one well above.
func (w writtenOut) everyDevice() bool {
	return w.sums == 8 && (w.steps == 400 || w.steps == 440 || w.steps == 480)
}

// instructions are those that the long block has at least: a multiply-add for each sum
// and step, and a load of each word of local memory.
func (w writtenOut) instructions() int {
	return w.sums*w.steps + w.steps + w.stride*(w.sums-1)
}

// source is the kernel in CUDA.
func (w writtenOut) source() source {
	offsets, words, guards := make([]int, w.sums), make([]int, w.steps), 0
	for i := range offsets {
		offsets[i] = i * w.stride
	}
	for d := range words {
		words[d] = d
	}
	if w.conditional {
		guards = w.sums
	}
	return source{name: w.name(), file: "k.cu", text: sumsWrittenOut(offsets, words, guards), only: []string{"k"}}
}

// sumsWrittenOut is the text of a kernel: in each step, each sum adds the product of a
// constant and the word of local memory that is the sum's offset behind the step's word. The first
// guards sums are stored under a condition each.
func sumsWrittenOut(offsets, words []int, guards int) string {
	var b strings.Builder
	b.WriteString(`__constant__ float c[4096];

// idgen: local=512 groups=1 arg.n=4096
extern "C" __global__ void k(float *out, const float *in, int n)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    for (int i = t; i < 8192; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
`)
	for i := range offsets {
		fmt.Fprintf(&b, "    float a%d = 0;\n", i)
	}
	for d, word := range words {
		for i, offset := range offsets {
			fmt.Fprintf(&b, "    a%d += s[t + %d] * c[%d];\n", i, word+offset, d)
		}
	}
	for i := range offsets {
		condition := ""
		if i < guards {
			condition = fmt.Sprintf("if (t + %d < n) ", i*512)
		}
		fmt.Fprintf(&b, "    %sout[t + %d] = a%d;\n", condition, i*512, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// writtenOuts are the kernels that are compiled: around the length at which the
// compiler cuts, for two shapes.
func writtenOuts() (list []writtenOut) {
	for _, steps := range []int{200, 300, 400, 410, 415, 420, 425, 440, 450, 460, 480, 900} {
		list = append(list, writtenOut{sums: 8, stride: 60, steps: steps})
	}
	for _, steps := range []int{760, 780, 800, 850, 900} {
		list = append(list, writtenOut{sums: 4, stride: 100, steps: steps})
	}
	return list
}
