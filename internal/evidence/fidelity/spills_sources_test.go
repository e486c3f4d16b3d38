package fidelity

import (
	"fmt"
	"strings"
)

// crossing is a kernel that loads values in front of a rolled loop: some that live across it and
// are used behind it, and some that it works on in each iteration.
type crossing struct{ across, within int }

// source is the kernel in CUDA. All addresses of local memory are one and a constant.
func (c crossing) source() source {
	var b strings.Builder
	b.WriteString(`// idgen: local=256 groups=64 arg.n=64
extern "C" __global__ void k(float *out, const float *in, int n)
{
    __shared__ float s[8192];
    const int t = threadIdx.x;
    for (int i = t; i < 8192; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
`)
	for i := range c.across {
		fmt.Fprintf(&b, "    const float v%d = s[t + %d];\n", i, i*8)
	}
	for i := range c.within {
		fmt.Fprintf(&b, "    float w%d = s[t + %d];\n", i, (c.across+i)*8)
	}
	b.WriteString("    __syncthreads();\n#pragma unroll 1\n    for (int i = 0; i < n; i++) {\n")
	for i := range c.within {
		fmt.Fprintf(&b, "        w%d = w%d * w%d + 1.0f;\n", i, i, (i+1)%c.within)
	}
	b.WriteString("        s[t] = w0;\n    }\n    float a = 0;\n")
	for i := range c.across {
		fmt.Fprintf(&b, "    a = a * v%d + a;\n", i)
	}
	for i := range c.within {
		fmt.Fprintf(&b, "    s[t + %d] = w%d + a;\n", i*8, i)
	}
	b.WriteString("    __syncthreads();\n    out[t] = s[t * 32];\n}\n")
	return source{name: fmt.Sprintf("crossing-%d-%d", c.across, c.within), file: "k.cu", text: b.String(),
		only: []string{"k"}}
}

// spillSource is a kernel that spills.
type spillSource struct {
	source
	nvidia, amd bool // it is compiled for their targets
	// loop says that a rolled loop spills in its body: then instructions are not those that are
	// executed, and not compared.
	loop bool
}

// spillSources are the kernels that are compiled.
func spillSources() (list []spillSource) {
	for _, w := range []writtenOut{{8, 60, 50, true}, {8, 60, 100, false}, {8, 60, 200, true}, {4, 100, 200, false}} {
		list = append(list, spillSource{source: w.source(), amd: true})
	}
	for _, f := range []filter{
		{columns: 2, rows: 2, apart: 2, width: 15, height: 15, guards: 4},
		{columns: 1, rows: 3, apart: 16, width: 15, height: 15, guards: 3},
		{columns: 4, rows: 4, apart: 1, width: 15, height: 15},
	} {
		list = append(list, spillSource{source: f.source(), amd: true})
	}
	return append(list, spillSource{source: crossing{160, 20}.source(), amd: true},
		spillSource{source: crossing{280, 20}.source(), nvidia: true, amd: true},
		spillSource{source: crossing{400, 60}.source(), nvidia: true}, spillSource{source: crossing{300, 200}.source(),
			nvidia: true},
		spillSource{source: crossing{20, 160}.source(), amd: true, loop: true},
		spillSource{source: crossing{20, 300}.source(), nvidia: true, loop: true})
}
