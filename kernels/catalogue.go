package kernels

import (
	"path"
	"strings"
)

// entry is what the catalogue says about a kernel beyond its header.
type entry struct {
	name, file, function string
	defines              []string
}

// catalogue lists the built-in kernels by file. A name is the function's, with
// dashes; "-cuda" marks the twin of an OpenCL kernel. It differs from the
// function only where the function must avoid a built-in function of the
// language (mix, barrier) or where defines make a variant. The tests check it
// against the files.
var catalogue = []entry{
	// Kernels of the papers.
	{name: "fig1", file: "fig1.cl", function: "fig1"},
	{name: "mmul", file: "mmul.cl", function: "mmul"},
	{name: "mmul-08", file: "mmul.cl", function: "mmul", defines: []string{"BLOCK_SIZE=8"}},
	{name: "mmul-16", file: "mmul.cl", function: "mmul", defines: []string{"BLOCK_SIZE=16"}},
	{name: "mmul-cuda", file: "mmul.cu", function: "mmul"},
	{name: "vadd", file: "vadd.cl", function: "vadd"},
	{name: "vadd-cuda", file: "vadd.cu", function: "vadd"},
	{name: "mix", file: "instruction_mix.cl", function: "instruction_mix"},
	{name: "mix-global", file: "arithmetic_intensity.cl", function: "mix_global"},
	{name: "mix-special", file: "arithmetic_intensity.cl", function: "mix_special"},
	{name: "mix-local", file: "arithmetic_intensity.cl", function: "mix_local"},
	{name: "worksheet", file: "worksheet.cl", function: "worksheet"},
	{name: "barrier", file: "iterative_barrier.cl", function: "iterative_barrier"},

	// Microbenchmarks.
	{name: "add-dependent", file: "micro_add.cl", function: "add_dependent"},
	{name: "add-2", file: "micro_add.cl", function: "add_2"},
	{name: "add-4", file: "micro_add.cl", function: "add_4"},
	{name: "independent-madd", file: "micro_madd.cl", function: "independent_madd"},
	{name: "madd-dependent", file: "micro_madd.cl", function: "madd_dependent"},
	{name: "madd-2", file: "micro_madd.cl", function: "madd_2"},
	{name: "madd-4", file: "micro_madd.cl", function: "madd_4"},
	{name: "int-add-dependent", file: "micro_int.cl", function: "int_add_dependent"},
	{name: "int-add-2", file: "micro_int.cl", function: "int_add_2"},
	{name: "imad-dependent", file: "micro_int.cl", function: "imad_dependent"},
	{name: "imad-2", file: "micro_int.cl", function: "imad_2"},
	{name: "div-dependent", file: "micro_div.cl", function: "div_dependent"},
	{name: "div-2", file: "micro_div.cl", function: "div_2"},
	{name: "double-add-dependent", file: "micro_double.cl", function: "double_add_dependent"},
	{name: "double-add-2", file: "micro_double.cl", function: "double_add_2"},
	{name: "double-mul-dependent", file: "micro_double.cl", function: "double_mul_dependent"},
	{name: "cos-dependent", file: "micro_cos.cl", function: "cos_dependent"},
	{name: "cos-2", file: "micro_cos.cl", function: "cos_2"},
	{name: "loop-overhead", file: "micro_loop.cl", function: "loop_overhead"},
	{name: "global-read", file: "micro_global_read.cl", function: "global_read"},
	{name: "global-read-dependent", file: "micro_global_read.cl", function: "global_read_dependent"},
	{name: "local-read", file: "micro_local_read.cl", function: "local_read"},
	{name: "local-read-conflict", file: "micro_local_read.cl", function: "local_read",
		defines: []string{"STRIDE=32"}},
	{name: "local-read-dependent", file: "micro_local_read.cl", function: "local_read_dependent"},

	// Kernels people write.
	{name: "permute", file: "permute.cu", function: "permute"},
	{name: "vabs", file: "vabs.cu", function: "vabs"},
	{name: "transpose-naive", file: "transpose.cl", function: "transpose_naive"},
	{name: "transpose-tiled", file: "transpose.cl", function: "transpose_tiled"},
	{name: "transpose-padded", file: "transpose.cl", function: "transpose_tiled",
		defines: []string{"PAD=1"}},
	{name: "reduction", file: "reduction.cl", function: "reduction"},
	{name: "reduction-cuda", file: "reduction.cu", function: "reduction"},
	{name: "stencil", file: "stencil.cl", function: "stencil"},
	{name: "convolution", file: "convolution.cl", function: "convolution"},
	{name: "black-scholes", file: "black_scholes.cl", function: "black_scholes"},
	{name: "black-scholes-cuda", file: "black_scholes.cu", function: "black_scholes"},
	{name: "nbody", file: "nbody.cl", function: "nbody"},
}

// kernel completes the entry with what the kernel's header says.
func (e entry) kernel() Kernel {
	// The files are part of the program and the tests read each of them: a file
	// that is missing here would be missing at build time.
	text, _ := files.ReadFile(e.file)
	h := headerOf(string(text), e.function)
	return Kernel{
		Name:     e.name,
		File:     e.file,
		Function: e.function,
		Dialect:  dialectOf(e.file),
		Defines:  append([]string(nil), e.defines...),
		Summary:  h.summary,
		Source:   h.source,
		Golden:   h.golden,
		Launch:   strings.Join(h.launch, " "),
	}
}

// dialectOf tells the language of a file from its extension.
func dialectOf(file string) Dialect {
	switch path.Ext(file) {
	case ".cl":
		return OpenCL
	case ".cu":
		return CUDA
	default:
		return 0
	}
}
