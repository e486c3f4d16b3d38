package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// StandardStream is the name that stands for standard input or output.
const StandardStream = "-"

// errClosedPipe is a product whose reader has gone.
var errClosedPipe = errors.New("standard output was closed")

// Emit writes the command's product to the named file, or to standard output
// for "-" and "". A file appears under its name only when it is complete: until
// then it is a temporary file beside it. What exists and is no regular file, such as
// a named pipe, is written directly. What is written is made visible, but for Raw.
func (c *Console) Emit(name string, write func(io.Writer) error) error {
	p, err := c.create(name)
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return OutputError(name, err)
	}
	w := &productWriter{c: c, p: p}
	buffered := bufio.NewWriterSize(w, 1<<16)
	finished := false
	defer func() {
		if !finished { // a panic goes through
			_ = c.close(p, false)
		}
	}()
	text := &visibleWriter{w: buffered, styled: c.Layout(name).Style.Colour}
	err = write(text)
	if err == nil {
		err = errors.Join(text.flush(), buffered.Flush())
	}
	finished = true
	failed := c.close(p, err == nil)
	switch {
	case w.err != nil && errors.Is(w.err, syscall.EPIPE):
		return errClosedPipe
	case w.err != nil:
		return OutputError(name, w.err)
	case err != nil:
		return err
	case failed != nil && !errors.Is(failed, context.Canceled):
		return OutputError(name, failed)
	}
	return failed
}

// product is what is being written: standard output, a temporary file that will
// be renamed, or a file that is written directly.
type product struct {
	w      io.Writer
	file   *os.File // nil for standard output
	temp   string   // name of the temporary file, empty if there is none
	target string
}

func (c *Console) create(name string) (*product, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, context.Canceled
	}
	p, err := openProduct(name, c.Stdout)
	if err == nil {
		c.open = p
	}
	return p, err
}

func openProduct(name string, stdout io.Writer) (*product, error) {
	if name == "" || name == StandardStream {
		return &product{w: stdout}, nil
	}
	mode := os.FileMode(0o666) // without what the process masks, unless a file is replaced
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, syscall.EISDIR
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &product{w: f, file: f}, err
	case err == nil:
		mode = info.Mode().Perm()
		// The file behind a symbolic link is replaced, not the link.
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	default:
		name = behindLinks(name)
	}
	dir, base := filepath.Split(name)
	for range 100 { // names that are taken
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info != nil {
			_ = f.Chmod(mode) // as the file was, where the file system knows permissions
		}
		return &product{w: f, file: f, temp: temp, target: name}, nil
	}
	return nil, errors.New("no name for a temporary file is free")
}

// behindLinks is the file that a symbolic link leads to, which need not exist.
func behindLinks(name string) string {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return name
}

// close ends a product, and keeps it if it is complete.
func (c *Console) close(p *product, complete bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != p {
		return context.Canceled // abandoned
	}
	c.open = nil
	if !complete {
		p.discard()
		return nil
	}
	return p.commit()
}

func (p *product) commit() error {
	if p.file == nil {
		return nil
	}
	if err := p.file.Close(); err != nil {
		p.discard()
		return err
	}
	if p.temp == "" {
		return nil
	}
	if err := os.Rename(p.temp, p.target); err != nil {
		_ = os.Remove(p.temp)
		return err
	}
	return nil
}

// discard removes what has been written to a temporary file.
func (p *product) discard() {
	if p.file != nil {
		_ = p.file.Close()
	}
	if p.temp != "" {
		_ = os.Remove(p.temp)
	}
}

// productWriter writes to a product unless it has been abandoned, and keeps the
// error of the destination apart from those of the writer's caller.
type productWriter struct {
	c   *Console
	p   *product
	err error
}

func (w *productWriter) Write(b []byte) (int, error) {
	w.c.mu.Lock()
	abandoned := w.c.open != w.p
	w.c.mu.Unlock()
	if abandoned {
		return 0, context.Canceled
	}
	n, err := w.p.w.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}
