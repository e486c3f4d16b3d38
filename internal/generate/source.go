package generate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/embedded"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/kernels"
)

// Source is the text to be analysed and what is known about it beforehand.
type Source struct {
	File     string // name for positions
	Text     string
	Dialect  ast.Dialect
	Defines  []string
	Function string // the kernel that a built-in one is; empty = not known

	fewer bool // the kernel goes through as many elements as fewer groups leave
}

// NewSource makes a source of a text; a dialect of 0 is guessed.
func NewSource(file string, text []byte, dialect ast.Dialect, defines []string) (*Source, error) {
	trimmed := bytes.TrimSpace(text)
	switch {
	case len(trimmed) == 0:
		return nil, diag.Errorf(diag.Pos{File: file}, diag.CodeFile, "the input is empty; no kernel has arrived")
	case bytes.IndexByte(text, 0) >= 0:
		return nil, diag.Errorf(diag.Pos{File: file}, diag.CodeFile, "this is not text: it has bytes of zero").
			WithNote("idgen reads the source of a kernel, OpenCL C or CUDA")
	case bytes.HasPrefix(trimmed, []byte("{\n\"format\":\""+idg.Format)):
		return nil, diag.Errorf(diag.Pos{File: file}, diag.CodeFile,
			"this is a graph that idgen has made; idgen reads the source of a kernel").
			WithNote("pipesim %s", file)
	}
	s := &Source{File: file, Text: string(text), Dialect: dialect, Defines: defines}
	if s.Dialect == 0 {
		s.Dialect = guessDialect(s.File, s.Text)
	}
	return s, nil
}

// guessDialect tells the language by the file's name, else by the keyword that
// every CUDA kernel has.
func guessDialect(name, text string) ast.Dialect {
	switch strings.ToLower(path.Ext(name)) {
	case ".cl":
		return ast.OpenCL
	case ".cu", ".cuh", ".hip":
		return ast.CUDA
	}
	if strings.Contains(text, "__global__") {
		return ast.CUDA
	}
	return ast.OpenCL
}

// Builtin is the source of a built-in kernel, in its own dialect for 0. Its defines give way to those
// that are given.
func Builtin(name string, dialect ast.Dialect, defines []string) (*Source, error) {
	k, err := kernels.Lookup(name)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, "BUILTIN", "%v",
			err).WithNote("idgen --list-builtins lists the built-in kernels")
	}
	text, err := fs.ReadFile(kernels.FS(), k.File)
	if err != nil {
		return nil, diag.AsDefect(err)
	}
	s := &Source{File: k.File, Text: string(text), Dialect: dialect, Function: k.Function}
	if s.Dialect == 0 {
		s.Dialect = ast.OpenCL
		if k.Dialect == kernels.CUDA {
			s.Dialect = ast.CUDA
		}
	}
	for _, d := range k.Defines {
		name, _, _ := strings.Cut(d, "=")
		redefined := slices.ContainsFunc(defines, func(u string) bool {
			return u == name || strings.HasPrefix(u, name+"=")
		})
		if !redefined {
			s.Defines = append(s.Defines, d)
		}
	}
	s.Defines = append(s.Defines, defines...)
	return s, nil
}

// python is an error on a Python program without a kernel that can be read, nil for other files.
func (s *Source) python() error {
	if path.Ext(s.File) != ".py" {
		return nil
	}
	if _, _, found := embedded.Source(s.File, s.Text); found {
		return nil
	}
	what := "this Python program has none"
	if strings.Contains(s.Text, "@triton.jit") {
		what = "a Triton kernel is none, as Triton compiles it itself"
	}
	return diag.Errorf(diag.Pos{File: s.File}, "NOKERNEL", "of a Python program, kernels of OpenCL C and CUDA C that "+
		"stand in its strings are read (PyOpenCL, PyCUDA, CuPy): %s", what)
}

// suspectDialect says with the first error that the source looks like another language,
// if it does.
func (s *Source) suspectDialect(errs diag.List) {
	const opencl, cuda = "__kernel", "__global__"
	first := errs[slices.IndexFunc(errs, func(e *diag.Error) bool { return e.Severity == diag.SeverityError })]
	switch hasOpenCL, hasCUDA := strings.Contains(s.Text, opencl), strings.Contains(s.Text, cuda); {
	case s.Dialect == ast.OpenCL && hasCUDA && !hasOpenCL:
		first.WithNote("%s is CUDA C, and this was read as OpenCL C: give --language cuda", cuda)
	case s.Dialect == ast.CUDA && hasOpenCL && !hasCUDA:
		first.WithNote("%s is OpenCL C, and this was read as CUDA C: give --language opencl", opencl)
	}
}

// graphSource is what the graph says about the source.
func (s *Source) graphSource() idg.Source {
	sum := sha256.Sum256([]byte(s.Text))
	return idg.Source{File: s.File, Dialect: s.Dialect.String(), SHA256: hex.EncodeToString(sum[:]), Defines: s.Defines,
		Text: s.Text}
}

// Line is a line of the source, without the blanks around it; empty for
// positions in other files.
func (s *Source) Line(p diag.Pos) string {
	if p.File != s.File || p.Line < 1 {
		return ""
	}
	lines := strings.SplitN(s.Text, "\n", p.Line+1)
	if p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}
