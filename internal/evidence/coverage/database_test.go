package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDatabase checks that each file of a compilation database is read with its
// own macros and include paths, and that the others are not read.
func TestDatabase(t *testing.T) {
	dir := tree(t, map[string]string{
		"a/k.cu":    "#include \"scale.h\"\n__global__ void one(float *a) { a[0] = SCALE * N; }\n",
		"b/k.cu":    "__global__ void two(float *a) { a[0] = N; }\n",
		"c/k.cu":    "__global__ void three(float *a) { a[0] = 1; }\n",
		"h/scale.h": "#define SCALE 2\n",
	})
	entries := `[{"directory": "DIR/a", "file": "k.cu", "arguments": ["nvcc", "-DN=3", "-I", "../h", "-c", "k.cu"]},
		{"directory": "DIR", "file": "b/k.cu", "command": "nvcc '-DN=4' -c b/k.cu"},
		{"directory": "DIR", "file": "b/host.cpp", "command": "g++ -c b/host.cpp"},
		{"directory": "DIR/a", "file": "k.cu", "arguments": ["nvcc", "-c", "k.cu"]}]`
	database := filepath.Join(tree(t, map[string]string{"db.json": strings.ReplaceAll(entries, "DIR",
		filepath.ToSlash(dir))}), "db.json")
	if out, _ := command(t, exitDone, "--compile-commands", database); !strings.Contains(out,
		"2 of 2 kernels in 2 files") {
		t.Errorf("want 2 of 2 kernels in\n%s", out)
	}
	if out, _ := command(t, exitDone, "--compile-commands", database, filepath.Join(dir, "a")); !strings.Contains(out,
		"1 of 1 kernels in 1 files") {
		t.Errorf("want 1 of 1 kernels in\n%s", out)
	}
}

// TestShellWords checks quotes and backslashes.
func TestShellWords(t *testing.T) {
	got := shellWords(`nvcc  -DA="x y" '-DB=\' -DC=\"q\" ""` + "\n-c k.cu")
	want := []string{"nvcc", "-DA=x y", `-DB=\`, `-DC="q"`, "", "-c", "k.cu"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
