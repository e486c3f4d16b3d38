package load

import (
	"slices"
	"testing"
	"testing/fstest"

	"gpupipe/frontend/source"
)

// TestConditionalIncludes: conditions around an #include know the macros of the headers before it.
func TestConditionalIncludes(t *testing.T) {
	files := fstest.MapFS{
		"a.h": {Data: []byte("#pragma once\n#define USE_B\n")},
		"b.h": {Data: []byte("#pragma once\ntypedef float real;\n")},
	}
	p := parseTree(t, Config{File: "k.cu", FS: files, Dialect: source.CUDA, Text: `#ifndef K
#define K
#include "a.h"
#if defined(USE_B)
#include "b.h"
#endif
template <typename T> __global__ void k(T *p) { p[0] = 1; }
void h(real *p) { k<real><<<1, 32>>>(p); }
#endif
`})
	if !slices.Equal(p.Program.Templates.Aliases["real"], []string{"float"}) {
		t.Errorf("real is %v", p.Program.Templates.Aliases["real"])
	}
}
