package main

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/tune"
)

// journal is the file of --resume: a line for each variant, written as soon as it is known, and sorted when all are.
type journal struct {
	name string
	file *os.File
	err  error // the first one of writing
}

// maxJournalBytes bounds the rows of earlier runs.
const maxJournalBytes = 1 << 30

// openJournal reads the rows that a file has, and opens it for more of them. It begins a file that does not exist.
func openJournal(c *console.Console, name string, p *tune.Plan) (*journal, map[int64]tune.Row, error) {
	text, err := console.ReadFile(name, maxJournalBytes, "rows of more than %d MB are not continued")
	if _, statErr := os.Stat(name); errors.Is(statErr, fs.ErrNotExist) {
		text, err = nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	known, err := p.Resume(name, text)
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, console.OutputError(name, err)
	}
	whole := int64(0) // without a line that was torn
	if i := slices.Index(text, '\n'); i >= 0 {
		whole = int64(lastLine(text))
	}
	if err := errors.Join(f.Truncate(whole), seek(f, whole)); err != nil {
		return nil, nil, errors.Join(console.OutputError(name, err), f.Close())
	}
	c.AdviseAfterInterrupt("the variants that are known are in " + name + "; the same command continues it")
	return &journal{name: name, file: f}, known, nil
}

// lastLine is where the last whole line ends.
func lastLine(text []byte) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '\n' {
			return i
		}
	}
	return 0
}

func seek(f *os.File, to int64) error {
	_, err := f.Seek(to, io.SeekStart)
	return err
}

// add writes a row, in one call, so that an interrupt leaves whole lines.
func (j *journal) add(r *tune.Row) {
	b, err := tune.AppendLine(nil, r)
	if err == nil {
		_, err = j.file.Write(b)
	}
	j.err = cmp.Or(j.err, err)
}

func (j *journal) close() { _ = j.file.Close() } // what matters was reported by add

// finish writes all rows in their order.
func (j *journal) finish(c *console.Console, rows []tune.Row) error {
	if j.err != nil {
		return console.OutputError(j.name, j.err)
	}
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b tune.Row) int { return cmp.Compare(a.Number, b.Number) })
	return c.Emit(j.name, func(w io.Writer) error {
		for i := range sorted {
			b, err := tune.AppendLine(nil, &sorted[i])
			if err == nil {
				_, err = console.Raw(w).Write(b)
			}
			if err != nil {
				return diag.AsDefect(err)
			}
		}
		return nil
	})
}
