package prelude

import (
	"embed"
	"maps"
	"slices"
	"strings"

	"gpupipe/frontend/tensor"
)

// The headers of libraries are C++ that goes the way of the program's own text. One is read where a program includes it.
//
//go:embed *.cuh
var library embed.FS

// libraryFiles are the texts that stand for headers, by the headers' names.
var libraryFiles = map[string]string{
	"cooperative_groups.h": "groups", "cooperative_groups/reduce.h": "groups",
	"cooperative_groups/scan.h": "groups", "hip/hip_cooperative_groups.h": "groups",
	"cooperative_groups/memcpy_async.h": "async", "cuda/barrier": "async", "cuda/pipeline": "async",
	"tuple": "tuple", "functional": "tuple", "utility": "tuple", "array": "tuple", "cuda/std/tuple": "tuple", "cuda/std/functional": "tuple",
	"cuda/std/utility": "tuple", "cuda/std/array": "tuple", "algorithm": "tuple", "cuda/functional": "tuple", "thrust/functional.h": "tuple",
	"mma.h": "wmma", "curand_kernel.h": "curand",
}

// Header is the text that stands for a library's header; ok is false where there is none.
func Header(name, gpu string) (text string, ok bool) {
	if name == HIPHeader {
		return HIPRuntime(gpu), true
	}
	if text, ok := CUBHeader(name); ok {
		return text, true
	}
	file := libraryFiles[name]
	if file == "" {
		return "", IsKnown(name)
	}
	b, err := library.ReadFile(file + ".cuh")
	return strings.Replace(string(b), "KL_FRAGMENTS\n", tensor.Header(), 1), err == nil
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
