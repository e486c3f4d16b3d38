// Package source reads what the flags of a command say about a kernel's source: the file or standard input, the files
// that it includes, its language, the contents of its buffers.
package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
)

// Bounds on what is read from files or standard input. The frontend has a tighter limit for what it
// parses; contents of buffers that subscripts are computed of are tables.
const (
	maxSourceBytes  = 64 << 20
	maxContentBytes = 64 << 20
)

// Read reads a source: a file, or standard input for "-".
func Read(c *console.Console, input string, dialect ast.Dialect, defines []string) (*generate.Source, error) {
	name := input
	var r io.Reader
	if input == console.StandardStream {
		if console.IsTerminal(c.Stdin) {
			return nil, console.Usagef("standard input is a terminal; pipe a kernel into %s or name a file", c.Name)
		}
		name, r = "<stdin>", c.Stdin
	} else {
		f, err := os.Open(input)
		if err != nil {
			return nil, console.FileError(input, err)
		}
		defer f.Close()
		r = f
	}
	b, err := console.Read(r, name, maxSourceBytes, "a source of more than %d MB is not a kernel")
	if err != nil {
		return nil, err
	}
	return generate.NewSource(name, b, dialect, defines)
}

// Content is a --contents: the file that a buffer is filled from.
type Content struct{ Name, File string }

// ParseContent reads "shifts=shifts.bin".
func ParseContent(text string) (Content, error) {
	name, file, ok := strings.Cut(text, "=")
	if !ok || name == "" || file == "" {
		return Content{}, errors.New("write NAME=FILE")
	}
	return Content{name, file}, nil
}

// ReadContents reads the files that buffers are filled from.
func ReadContents(list []Content) (contents []generate.Content, err error) {
	for _, c := range list {
		data, err := console.ReadFile(c.File, maxContentBytes, "contents of more than %d MB are refused")
		if err != nil {
			return nil, err
		}
		contents = append(contents, generate.Content{Name: c.Name, Bytes: data})
	}
	return contents, nil
}

// ParseDialect reads the name of a language.
func ParseDialect(text string) (ast.Dialect, error) {
	switch strings.ToLower(text) {
	case "opencl", "cl":
		return ast.OpenCL, nil
	case "cuda", "cu", "hip":
		return ast.CUDA, nil
	}
	return 0, errors.New("the languages are opencl, cuda and hip")
}

// Files are the files of the computer, for #include. Other than fs.FS asks
// for, names may be absolute and may lead out of the working directory: kernels
// include "../common.h". Only regular files can be included: what a pipe gives is gone when a file is
// read a second time.
type Files struct{}

var errNotRegular = errors.New("is not a regular file")

// Open opens a regular file or a folder.
func (Files) Open(name string) (fs.File, error) {
	host := filepath.FromSlash(name)
	info, err := os.Stat(host)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return os.Open(host)
}

// Slashed are names as Files has them.
func Slashed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = filepath.ToSlash(n)
	}
	return out
}
