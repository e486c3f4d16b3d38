package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/difference"
	"gpupipe/internal/report"
)

// maxResultBytes bounds saved results.
const maxResultBytes = 256 << 20

// isResult matches the beginning of what pipesim --format json writes.
var isResult = regexp.MustCompile(`^\s*\{\s*"format":\s*"pipesim"`)

// outcomes reads the results, and simulates the graphs, of a file or folder, or of standard input for "-".
func (o *diffOptions) outcomes(ctx context.Context, c *console.Console, name string) (all []*difference.Outcome,
	err error) {
	if !isFolder(name) {
		return o.outcomesOf(ctx, c, name)
	}
	files, err := filepath.Glob(filepath.Join(name, "*.json"))
	if err != nil {
		return nil, console.FileError(name, err)
	}
	if len(files) == 0 {
		return nil, diag.Errorf(diag.Pos{File: name}, diag.CodeFile, "the folder has no graphs or results (*.json)")
	}
	for _, file := range files {
		list, err := o.outcomesOf(ctx, c, file)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return name != console.StandardStream && err == nil && info.IsDir()
}

func (o *diffOptions) outcomesOf(ctx context.Context, c *console.Console, name string) (all []*difference.Outcome,
	err error) {
	in, err := openInput(c, name, "pipesim diff OLD.json")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text := bufio.NewReader(in)
	if begin, _ := text.Peek(64); isResult.Match(begin) {
		return decodeOutcomes(text, shownName(name))
	}
	graphs, err := decode(text, shownName(name))
	if err != nil {
		return nil, err
	}
	subjects, err := o.subjects(graphs)
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		p, err := o.predict(ctx, c, s)
		if err != nil {
			return nil, err
		}
		all = append(all, difference.New(p.Document(false), shownName(name)))
	}
	return all, nil
}

// decodeOutcomes reads results that stand one after the other.
func decodeOutcomes(r io.Reader, name string) (all []*difference.Outcome, err error) {
	in := json.NewDecoder(console.Bounded(r, name, maxResultBytes, "results of more than %d MB are refused"))
	for {
		d := &report.Document{}
		err := in.Decode(d)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, console.FileError(name, err)
		case d.Version != 1 || !(d.Seconds > 0) || d.Device.ClockHz <= 0:
			return nil, diag.Errorf(diag.Pos{File: name}, diag.CodeFile,
				"this is not a result that pipesim --format json writes")
		}
		all = append(all, difference.New(d, name))
	}
}
