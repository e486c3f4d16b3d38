package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/internal/generate"
)

// Bounds on what is read from files or standard input. The frontend has a tighter limit for what it
// parses; contents of buffers that subscripts are computed of are tables.
const (
	maxSourceBytes  = 64 << 20
	maxContentBytes = 64 << 20
)

// openSource reads the source that the command line names.
func openSource(c *console.Console, o *options) (*generate.Source, error) {
	if o.builtin != "" {
		return generate.Builtin(o.builtin, o.dialect, o.defines)
	}
	name := o.input
	var r io.Reader
	if o.input == console.StandardStream {
		if console.IsTerminal(c.Stdin) {
			return nil, console.Usagef("standard input is a terminal; pipe a kernel into idgen or name a file")
		}
		name, r = "<stdin>", c.Stdin
	} else {
		f, err := os.Open(o.input)
		if err != nil {
			return nil, console.FileError(o.input, err)
		}
		defer f.Close()
		r = f
	}
	b, err := console.Read(r, name, maxSourceBytes, "a source of more than %d MB is not a kernel")
	if err != nil {
		return nil, err
	}
	return generate.NewSource(name, b, o.dialect, o.defines)
}

// readChoices reads the files that flags name: the device of --gpu and --contents.
func (o *options) readChoices() (err error) {
	if o.gpu != "" {
		if o.Device, err = gpu.Find(o.gpu); err != nil {
			return err
		}
		o.GPU = gpu.GraphName(o.gpu, o.Device)
	}
	for _, c := range o.contents {
		data, err := console.ReadFile(c.file, maxContentBytes, "contents of more than %d MB are refused")
		if err != nil {
			return err
		}
		o.Contents = append(o.Contents, generate.Content{Name: c.name, Bytes: data})
	}
	return nil
}

// content is a --contents: the file that a buffer is filled from.
type content struct{ name, file string }

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
