package view

import (
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// files are the texts of a request as a file system, by name.
type files map[string]string

// Open opens a text; there are no folders.
func (f files) Open(name string) (fs.File, error) {
	text, ok := f[path.Clean(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{strings.NewReader(text), path.Base(name)}, nil
}

// file is an open text.
type file struct {
	*strings.Reader
	name string
}

var (
	_ fs.File     = (*file)(nil)
	_ fs.FileInfo = (*file)(nil)
	_ io.Reader   = (*file)(nil)
)

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (*file) Close() error                 { return nil }
func (f *file) Name() string               { return f.name }
func (*file) Mode() fs.FileMode            { return 0o444 }
func (*file) ModTime() time.Time           { return time.Time{} }
func (*file) IsDir() bool                  { return false }
func (*file) Sys() any                     { return nil }
