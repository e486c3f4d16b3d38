package prelude

import (
	"embed"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/tensor"
	"gpupipe/internal/target"
)

//go:embed *.h *.cuh
var texts embed.FS

// A File is a text that is read before the program's.
type File struct{ Name, Text string }

// Before lists what the compiler of a language, for a GPU, reads before a program: its macros, and in CUDA C++ what
// device code takes of the standard library.
func Before(d ast.Dialect, t *target.Target) []File {
	if d == ast.CUDA {
		return []File{{"<macros>", text("common.h") + text("cuda.h") + architectureMacros(d, t)},
			{"<std>", text("std.cuh") + text("simd.cuh")}}
	}
	return []File{{"<macros>", text("common.h") + text("opencl.h") + architectureMacros(d, t)}}
}

func text(file string) string {
	b, err := texts.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// libraryFiles are the texts that stand for headers, by the headers' names.
var libraryFiles = map[string]string{
	"cooperative_groups.h": "groups", "cooperative_groups/reduce.h": "groups",
	"cooperative_groups/scan.h": "groups", "hip/hip_cooperative_groups.h": "groups",
	"cooperative_groups/memcpy_async.h": "async", "cuda/barrier": "async", "cuda/pipeline": "async",
	"tuple": "tuple", "functional": "tuple", "utility": "tuple", "array": "tuple", "cuda/std/tuple": "tuple",
	"cuda/std/functional": "tuple",
	"cuda/std/utility":    "tuple", "cuda/std/array": "tuple", "algorithm": "tuple", "cuda/functional": "tuple",
	"thrust/functional.h": "tuple thrust",
	"compare":             "compare", "cuda/std/compare": "compare", "bit": "bit", "cuda/std/bit": "bit",
	"type_traits": "traits", "cuda/std/type_traits": "traits",
	"optional": "optional", "cuda/std/optional": "optional", "span": "span", "cuda/std/span": "span",
	"cuda/atomic": "atomic", "cuda/std/atomic": "atomic",
	"mma.h": "wmma", "curand_kernel.h": "curand",
	"cuda_fp16.h": "half", "cuda_bf16.h": "half", "cuda_fp16.hpp": "half", "cuda_bf16.hpp": "half",
	"cuda_fp8.h": "fp8", "cuda_fp8.hpp": "fp8",
	"cuComplex.h": "complex", "cufft.h": "complex", "cublas_v2.h": "complex",
}

// Header is the text that stands for a library's header; ok is false where there is none.
func Header(name, gpu string) (header string, ok bool) {
	switch {
	case name == HIPHeader:
		return hipRuntime(gpu), true
	case name == "hip/hip_complex.h":
		return strings.NewReplacer("cuC", "hipC", "make_cu", "make_hip", "KL_", "KL_HIP", "klC",
			"klHipC").Replace(text("complex.cuh")), true
	case strings.HasPrefix(name, "cub/"):
		return text("cub.cuh"), true
	case strings.HasPrefix(name, "hipcub/"):
		return strings.NewReplacer("namespace cub", "namespace hipcub", "cub::", "hipcub::", "KL_CUB",
			"KL_HIPCUB").Replace(text("cub.cuh")), true
	}
	file := libraryFiles[name]
	if file == "" {
		return "", knownHeaders[name]
	}
	for _, part := range strings.Fields(file) {
		header += strings.Replace(text(part+".cuh"), "KL_FRAGMENTS\n", tensor.Header(), 1)
	}
	return header, true
}

// LibraryHeaders lists the headers that have a text, one name for each text.
func LibraryHeaders() []string {
	first := map[string]string{}
	for name, file := range libraryFiles {
		if old := first[file]; old == "" || name < old {
			first[file] = name
		}
	}
	return append(slices.Sorted(maps.Values(first)), HIPHeader, "cub/cub.cuh", "hipcub/hipcub.hpp")
}

// HeaderOf names a header that declares a namespace of a library, or a name in one; "" is none. Of several headers it
// is one whose own name is in it.
func HeaderOf(name string) (header string) {
	parts := strings.Split(name, "::")
	space := regexp.MustCompile(`namespace ` + regexp.QuoteMeta(parts[0]) + `\b`)
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(parts[len(parts)-1]) + `\b`)
	for _, h := range append(slices.Sorted(maps.Keys(libraryFiles)), HIPHeader, "cub/cub.cuh") {
		text, _ := Header(h, "")
		if space.MatchString(text) && word.MatchString(text) && (header == "" ||
			strings.Contains(name, strings.TrimSuffix(path.Base(h), ".h"))) {
			header = h
		}
	}
	return header
}
