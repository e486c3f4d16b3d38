package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
)

// outcome is a result, saved or simulated.
type outcome struct {
	*report.Document

	input   string // file that it is of
	as      string // name of its kernel in the new version; empty = the same
	keys    map[place]lineKey
	numbers map[lineKey]int
}

// place is a source line; the zero value is none.
type place struct {
	File string
	Line int
}

// lineKey is what a line has in both versions: its text, and how many lines with the same text stand before it.
type lineKey struct {
	file, text string // file is empty for the kernel's own, text where it is not known
	nth        int    // or the number of a line without text
}

// maxResultBytes bounds saved results.
const maxResultBytes = 256 << 20

// isResult matches the beginning of what pipesim --format json writes.
var isResult = regexp.MustCompile(`^\s*\{\s*"format":\s*"pipesim"`)

// outcomes reads the results, and simulates the graphs, of a file or folder, or of standard input for "-".
func (o *diffOptions) outcomes(ctx context.Context, c *console.Console, name string) (all []*outcome, err error) {
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

func (o *diffOptions) outcomesOf(ctx context.Context, c *console.Console, name string) (all []*outcome, err error) {
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
		all = append(all, newOutcome(p.Document(false), shownName(name)))
	}
	return all, nil
}

// decodeOutcomes reads results that stand one after the other.
func decodeOutcomes(r io.Reader, name string) (all []*outcome, err error) {
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
		all = append(all, newOutcome(d, name))
	}
}

// newOutcome gives each line what it is recognised by in the other version.
func newOutcome(d *report.Document, input string) *outcome {
	o := &outcome{Document: d, input: input, keys: map[place]lineKey{}, numbers: map[lineKey]int{}}
	before := map[lineKey]int{}
	for i := range d.Lines {
		l := &d.Lines[i]
		k := lineKey{file: l.File, text: l.Text, nth: l.Line}
		if l.File == d.Source.File {
			k.file = ""
		}
		if l.Text != "" {
			k.nth = 0
			before[k]++
			k.nth = before[k]
		}
		o.keys[place{l.File, l.Line}], o.numbers[k] = k, l.Line
	}
	return o
}

// name is that of its kernel in the new version.
func (o *outcome) name() string { return cmp.Or(o.as, o.Kernel) }

func (o *outcome) version() versionDocument {
	return versionDocument{o.Kernel, o.Source.File, o.Device.Title, o.Seconds, o.Bound, o.title(o.Bottleneck.Subsystem)}
}

// title is what people call a subsystem.
func (o *outcome) title(subsystem string) string {
	for _, s := range o.Subsystems {
		if s.Name == subsystem && s.Title != "" {
			return s.Title
		}
	}
	return subsystem
}

// share is the part of a peak that is reached.
func (o *outcome) share(name string) float64 {
	if o.Roof == nil {
		return 0
	}
	for _, u := range o.Roof.Uses {
		if u.Name == name && u.Peak > 0 {
			return u.PerSecond / u.Peak
		}
	}
	return 0
}

// byName gives the results of two versions names that match: kernels, with the file where a kernel has several.
func byName(old, new []*outcome) (before, after map[string]*outcome, err error) {
	several := map[string]bool{}
	for _, side := range [][]*outcome{old, new} {
		seen := map[string]bool{}
		for _, o := range side {
			several[o.name()] = several[o.name()] || seen[o.name()]
			seen[o.name()] = true
		}
	}
	var maps [2]map[string]*outcome
	for i, side := range [][]*outcome{old, new} {
		maps[i] = map[string]*outcome{}
		for _, o := range side {
			name := o.name()
			if several[name] {
				name += " (" + strings.TrimSuffix(filepath.Base(o.input), ".json") + ")"
			}
			if maps[i][name] != nil {
				return nil, nil, diag.Errorf(diag.Pos{File: o.input}, diag.CodeFile,
					"there are two results of %s", name)
			}
			maps[i][name] = o
		}
	}
	return maps[0], maps[1], nil
}

func sortedKeys(m map[string]*outcome) []string { return slices.Sorted(maps.Keys(m)) }
