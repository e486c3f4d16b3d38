package fidelity

import (
	"io/fs"
	"path/filepath"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/kernels"
	"gpupipe/lower"
)

// source is a file with the macros that it is compiled with.
type source struct {
	name     string // for the table
	file     string
	text     string
	defines  []string
	only     []string       // kernels to compare; nil = all
	accuracy lower.Accuracy // that it is compiled with to machine code; 0 = lower.Fast
	numbers  bool           // floating numbers in memory decide which way it goes
}

func (s source) cuda() bool { return filepath.Ext(s.file) == ".cu" }

func (s source) dialect() ast.Dialect {
	if s.cuda() {
		return ast.CUDA
	}
	return ast.OpenCL
}

// parse reads the source.
func (s source) parse() (*ast.Unit, error) {
	return frontend.Parse(frontend.Config{File: s.file, Text: s.text, Dialect: s.dialect(), Defines: s.defines})
}

// builtins lists the built-in kernels as sources.
func builtins(t *testing.T) []source {
	t.Helper()
	var list []source
	for _, k := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), k.File)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{name: k.Name, file: k.File, text: string(text), defines: k.Defines,
			only: []string{k.Function}})
	}
	return list
}
