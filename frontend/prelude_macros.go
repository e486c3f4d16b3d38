package frontend

import (
	"strings"
	"sync"

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

// preludeMacro is the value of an object-like macro that the prelude of CUDA or the GPU defines.
func (l *loader) preludeMacro(name string) ([]string, bool) {
	if words, ok := cudaMacros()[name]; ok {
		return words, true
	}
	words, ok := l.gpuMacros[name]
	return words, ok
}
