package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/embedded"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/kernels"
)

// maxSourceBytes bounds what is read from a file or standard input; the
// frontend has a tighter limit for what it parses.
const maxSourceBytes = 64 << 20

// source is the text to be analysed and what is known about it beforehand.
type source struct {
	file     string // name for positions
	text     string
	dialect  ast.Dialect
	defines  []string
	function string // the kernel that --builtin means, empty for files
}

// openSource reads the source that the command line names.
func openSource(c *console.Console, o *options) (*source, error) {
	if o.builtin != "" {
		return builtinSource(o)
	}
	s := &source{file: o.input, dialect: o.dialect, defines: o.defines}
	var r io.Reader
	if o.input == console.StandardStream {
		if console.IsTerminal(c.Stdin) {
			return nil, console.Usagef("standard input is a terminal; pipe a kernel into idgen or name a file")
		}
		s.file, r = "<stdin>", c.Stdin
	} else {
		f, err := os.Open(o.input)
		if err != nil {
			return nil, console.FileError(o.input, err)
		}
		defer f.Close()
		r = f
	}
	b, err := console.Read(r, s.file, maxSourceBytes, "a source of more than %d MB is no kernel")
	if err != nil {
		return nil, err
	}
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return nil, diag.Errorf(diag.Pos{File: s.file}, console.CodeFile, "the input is empty; no kernel has arrived")
	case bytes.IndexByte(b, 0) >= 0:
		return nil, diag.Errorf(diag.Pos{File: s.file}, console.CodeFile, "this is no text: it has bytes of zero").
			WithNote("idgen reads the source of a kernel, OpenCL C or CUDA")
	case bytes.HasPrefix(bytes.TrimSpace(b), []byte("{\n\"format\":\""+idg.Format)):
		return nil, diag.Errorf(diag.Pos{File: s.file}, console.CodeFile, "this is a graph that idgen has made; idgen reads the source of a kernel").
			WithNote("pipesim %s", s.file)
	}
	s.text = string(b)
	if s.dialect == 0 {
		s.dialect = guessDialect(s.file, s.text)
	}
	return s, nil
}

// guessDialect tells the language by the file's name, else by the keyword that
// every CUDA kernel has.
func guessDialect(name, text string) ast.Dialect {
	switch strings.ToLower(filepath.Ext(name)) {
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

// builtinSource is a kernel of the catalogue; its defines give way to the
// user's.
func builtinSource(o *options) (*source, error) {
	k, err := kernels.Lookup(o.builtin)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, "BUILTIN", "%v", err).WithNote("idgen --list-builtins lists the built-in kernels")
	}
	text, err := fs.ReadFile(kernels.FS(), k.File)
	if err != nil {
		return nil, console.AsDefect(err)
	}
	s := &source{file: k.File, text: string(text), dialect: o.dialect, function: k.Function}
	if s.dialect == 0 {
		s.dialect = ast.OpenCL
		if k.Dialect == kernels.CUDA {
			s.dialect = ast.CUDA
		}
	}
	for _, d := range k.Defines {
		name, _, _ := strings.Cut(d, "=")
		redefined := slices.ContainsFunc(o.defines, func(u string) bool { return u == name || strings.HasPrefix(u, name+"=") })
		if !redefined {
			s.defines = append(s.defines, d)
		}
	}
	s.defines = append(s.defines, o.defines...)
	return s, nil
}

// parse runs the frontend, for a GPU of the architecture that its macros shall say.
func (s *source) parse(o *options, architecture string) (*ast.Unit, error) {
	u, err := frontend.Parse(frontend.Config{
		File: s.file, Text: s.text, Dialect: s.dialect,
		Defines: s.defines, Undefs: o.undefs, Includes: o.includes, Templates: o.templates, Architecture: architecture,
		FS: hostFiles{}, IncludePaths: slashed(o.includeDirs),
	})
	if errs, ok := errors.AsType[diag.List](err); ok {
		s.suspectDialect(errs)
	}
	return u, err
}

// suspectDialect says with the first error that the source looks like another language,
// if it does.
func (s *source) suspectDialect(errs diag.List) {
	const opencl, cuda = "__kernel", "__global__"
	first := errs[slices.IndexFunc(errs, func(e *diag.Error) bool { return e.Severity == diag.SeverityError })]
	if _, _, found := embedded.Source(s.file, s.text); !found && filepath.Ext(s.file) == ".py" {
		first.WithNote("none of the strings of this Python program is a kernel of OpenCL C or CUDA C, which idgen reads")
		return
	}
	switch hasOpenCL, hasCUDA := strings.Contains(s.text, opencl), strings.Contains(s.text, cuda); {
	case s.dialect == ast.OpenCL && hasCUDA && !hasOpenCL:
		first.WithNote("%s is CUDA C, and this was read as OpenCL C: give --language cuda", cuda)
	case s.dialect == ast.CUDA && hasOpenCL && !hasCUDA:
		first.WithNote("%s is OpenCL C, and this was read as CUDA C: give --language opencl", opencl)
	}
}

// graphSource is what the graph says about the source.
func (s *source) graphSource() idg.Source {
	sum := sha256.Sum256([]byte(s.text))
	return idg.Source{File: s.file, Dialect: s.dialect.String(), SHA256: hex.EncodeToString(sum[:]), Defines: s.defines, Text: s.text}
}

// line is a line of the source, without the blanks around it; empty for
// positions in other files.
func (s *source) line(p diag.Pos) string {
	if p.File != s.file || p.Line < 1 {
		return ""
	}
	lines := strings.SplitN(s.text, "\n", p.Line+1)
	if p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}

// hostFiles are the files of the computer, for #include. Other than fs.FS asks
// for, names may be absolute and may lead out of the working directory: kernels
// include "../common.h". Only regular files can be included: what a pipe gives is gone when a file is
// read a second time.
type hostFiles struct{}

var errNotRegular = errors.New("is not a regular file")

func (hostFiles) Open(name string) (fs.File, error) {
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

func slashed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = filepath.ToSlash(n)
	}
	return out
}
