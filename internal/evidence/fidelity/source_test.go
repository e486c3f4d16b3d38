package fidelity

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	dir      string // of the file, for what it includes; empty: nothing
	text     string
	defines  []string
	includes []string
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
	cfg := frontend.Config{File: s.file, Text: s.text, Dialect: s.dialect(), Defines: s.defines}
	if s.dir != "" {
		root := os.DirFS("/")
		cfg.FS = root
		cfg.File = strings.TrimPrefix(filepath.ToSlash(filepath.Join(s.dir, s.file)), "/")
		for _, i := range s.includes {
			cfg.IncludePaths = append(cfg.IncludePaths, strings.TrimPrefix(i, "/"))
		}
	}
	return frontend.Parse(cfg)
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

// directory lists the OpenCL files below a directory, given as DIR or
// DIR:MACRO=VALUE:MACRO=VALUE.
func directory(t *testing.T, arg string) []source {
	t.Helper()
	parts := strings.Split(arg, ":")
	root, err := filepath.Abs(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	var list []source
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".cl" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(root), path)
		if err != nil {
			return err
		}
		list = append(list, source{name: filepath.ToSlash(name), file: filepath.Base(path), dir: filepath.Dir(path),
			text: string(text), defines: parts[1:]})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
