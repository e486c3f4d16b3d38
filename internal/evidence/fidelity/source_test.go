package fidelity

import (
	"path/filepath"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
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
