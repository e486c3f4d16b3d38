package prelude

import (
	"strings"
	"sync"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// cudaMacros are the object-like macros of CUDA's prelude, for conditions that
// decide which of several typedefs counts.
var cudaMacros = sync.OnceValue(func() map[string][]string { return objectMacros(preludeCUDA) })

// objectMacros are the object-like macros that a text defines.
func objectMacros(text string) map[string][]string {
	macros := map[string][]string{}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#define ")
		name, value, _ := strings.Cut(rest, " ")
		if ok && tokens.IsIdentifier(name) {
			macros[name] = tokens.WordsOf(value)
		}
	}
	return macros
}

// CUDAMacro is the value of an object-like macro that the prelude of CUDA defines.
func CUDAMacro(name string) (words []string, ok bool) {
	words, ok = cudaMacros()[name]
	return words, ok
}

// GPUMacros are the object-like macros that depend on the GPU.
func GPUMacros(d source.Dialect, gpu string) map[string][]string {
	return objectMacros(architectureMacros(d, gpu))
}
