package console

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"gpupipe/internal/diag"
	"gpupipe/internal/sheet"
)

// FileError says in one line why a file cannot be read.
func FileError(name string, err error) *diag.Error {
	return diag.Errorf(diag.Pos{File: name}, diag.CodeFile, "%v", cause(err))
}

// ReadFile is Read of a file by its name.
func ReadFile(name string, most int64, tooLarge string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, FileError(name, err)
	}
	defer f.Close()
	return Read(f, name, most, tooLarge)
}

// Read reads all of r, which has a name for messages, unless that is more bytes than most:
// tooLarge says so, with %d for most in MB.
func Read(r io.Reader, name string, most int64, tooLarge string) ([]byte, error) {
	data, err := io.ReadAll(Bounded(r, name, most, tooLarge))
	var large *diag.Error
	switch {
	case errors.As(err, &large):
		return nil, large
	case err != nil:
		return nil, FileError(name, err)
	}
	return data, nil
}

// Bounded is r with an error behind the most bytes that are read of it: no file, device or pipe takes
// memory or time without end. The arguments are those of Read.
func Bounded(r io.Reader, name string, most int64, tooLarge string) io.Reader {
	return &bounded{r, most, diag.Errorf(diag.Pos{File: name}, diag.CodeFile, tooLarge, most>>20)}
}

type bounded struct {
	r        io.Reader
	left     int64
	tooLarge *diag.Error
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.tooLarge
	}
	return n, err
}

// cause is what an operation on a file failed of, without the operation's and
// the file's name.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// WriteJSON writes an indented document in which < and & stay as they are.
func WriteJSON(w io.Writer, v any) error {
	return sheet.WriteJSON(Raw(w), v)
}
