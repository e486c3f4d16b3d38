package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/simulate/sweep"
)

// writeRows runs the sweep and writes rows as they become known: to a file,
// which an interrupt leaves with all rows until then, or to standard output.
func (s *sweepRun) writeRows(ctx context.Context) error {
	o := s.options
	if o.output == "" || o.output == console.StandardStream {
		return s.console.Emit("", func(w io.Writer) error {
			if o.format == report.JSONLines {
				w = console.Raw(w)
			}
			out := &rowWriter{plan: s.plan, format: rowFormat(o.format), w: w}
			out.pending = s.plan.AppendHeader(nil, out.format)
			return s.writeTo(ctx, out)
		})
	}
	f, out, err := s.openRows()
	if err != nil {
		return err
	}
	s.console.AdviseAfterInterrupt(fmt.Sprintf("its first rows are in %s; the same arguments with --resume %[1]s "+
		"continue it", o.output))
	if err := errors.Join(s.writeTo(ctx, out), fileWriteError(o.output, f.Close())); err != nil {
		return err
	}
	return nil
}

// openRows opens the file of the rows. With --resume it takes over what is
// there.
func (s *sweepRun) openRows() (*os.File, *rowWriter, error) {
	o := s.options
	flags := os.O_RDWR | os.O_CREATE
	if o.resume == "" {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(o.output, flags, 0o666)
	if err != nil {
		return nil, nil, fileWriteError(o.output, err)
	}
	out := &rowWriter{plan: s.plan, format: rowFormat(o.format), w: f, name: o.output}
	keep := 0
	if o.resume != "" {
		if keep, err = s.takeOver(f, out.format); err != nil {
			_ = f.Close()
			return nil, nil, err
		}
	}
	if keep == 0 {
		out.pending = s.plan.AppendHeader(nil, out.format)
	}
	return f, out, nil
}

// maxResumeBytes bounds the rows of an earlier run.
const maxResumeBytes = 1 << 30

// takeOver reads the rows of an earlier run, drops a torn line, and returns how
// many bytes of the file were kept.
func (s *sweepRun) takeOver(f *os.File, format sweep.Format) (int, error) {
	name := s.options.resume
	info, err := f.Stat()
	if err != nil {
		return 0, console.FileError(name, err)
	}
	if !info.Mode().IsRegular() {
		return 0, diag.Errorf(diag.Pos{File: name}, diag.CodeFile, "only a regular file can be continued")
	}
	text, err := console.Read(f, name, maxResumeBytes, "rows of more than %d MB are not continued")
	if err != nil {
		return 0, err
	}
	rows, keep, err := s.plan.Resume(name, text, format)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		s.see(r)
	}
	if err := f.Truncate(int64(keep)); err != nil {
		return 0, fileWriteError(name, err)
	}
	_, err = f.Seek(int64(keep), io.SeekStart)
	return keep, fileWriteError(name, err)
}

func fileWriteError(name string, err error) error {
	if err == nil {
		return nil
	}
	return console.OutputError(name, err)
}

// writeTo runs the sweep into a writer of rows.
func (s *sweepRun) writeTo(ctx context.Context, out *rowWriter) error {
	err := s.simulate(ctx, out.add)
	return errors.Join(err, out.flush())
}

// rowWriter writes rows in whole lines, several at a time.
type rowWriter struct {
	plan    *sweep.Plan
	format  sweep.Format
	w       io.Writer
	name    string // of the file, empty for standard output
	pending []byte
	written time.Time
}

// Rows are written when there are so many bytes or when the last time is so long
// ago: what an interrupt may lose, against the cost of a system call.
const (
	pendingBytes = 1 << 15
	pendingTime  = 100 * time.Millisecond
)

func (r *rowWriter) add(row *sweep.Row) error {
	r.pending = r.plan.Append(r.pending, r.format, row)
	if len(r.pending) < pendingBytes && time.Since(r.written) < pendingTime {
		return nil
	}
	return r.flush()
}

// flush writes the pending rows with one call, so that an interrupt between
// calls leaves whole lines.
func (r *rowWriter) flush() error {
	if len(r.pending) == 0 {
		return nil
	}
	_, err := r.w.Write(r.pending)
	if b, ok := r.w.(interface{ Flush() error }); ok && err == nil {
		err = b.Flush()
	}
	r.pending, r.written = r.pending[:0], time.Now()
	if err != nil && r.name != "" {
		return fileWriteError(r.name, err)
	}
	return err
}
