package cxx

import (
	"strings"

	"gpupipe/frontend/tokens"
)

// Words are the names, of all files so far, that decide how CUDA code is
// read: macros that stand for __global__ and its like, and type names.
type Words struct {
	Marks map[string]string // macro: the keyword that it stands for
	Types map[string]bool
}

// NewWords are the words of the language itself.
func NewWords() Words {
	w := Words{map[string]string{}, map[string]bool{}}
	for _, k := range []string{"__global__", "__device__", "__constant__", "__shared__", "__managed__"} {
		w.Marks[k] = k
	}
	for _, k := range ScalarNames {
		w.Types[k] = true
	}
	return w
}

// ScalarNames may stand before a parenthesis as a conversion.
var ScalarNames = strings.Fields(`bool char short int long float double unsigned size_t half __half
	int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t uchar ushort uint ulong`)

// Define notes a macro, its name at token n: one whose text holds __global__
// marks kernels, and so on.
func (w *Words) Define(l *tokens.List, n, end int) {
	for _, best := range []string{"__global__", "__device__", "__constant__", "__shared__", "__managed__"} {
		for k := n + 1; k < end; k++ {
			if w.Marks[l.At(k)] == best {
				w.Marks[l.At(n)] = best
				return
			}
		}
	}
	if end == n+2 && w.Types[l.At(n+1)] { // #define real float
		w.Types[l.At(n)] = true
	}
}
