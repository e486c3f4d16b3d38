package difference

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/report"
)

// Outcome is a result, saved or simulated.
type Outcome struct {
	*report.Document

	As string // name of its kernel in the other version; empty = the same

	input   string // file that it is of
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

// New is a result of an input; it gives each line what it is recognised by in the other version.
func New(d *report.Document, input string) *Outcome {
	o := &Outcome{Document: d, input: input, keys: map[place]lineKey{}, numbers: map[lineKey]int{}}
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

// name is that of its kernel in the other version.
func (o *Outcome) name() string { return cmp.Or(o.As, o.Kernel) }

func (o *Outcome) version() Version {
	return Version{o.Kernel, o.Source.File, o.Device.Title, o.Seconds, o.Bound, o.title(o.Bottleneck.Subsystem)}
}

// title is what people call a subsystem.
func (o *Outcome) title(subsystem string) string {
	for _, s := range o.Subsystems {
		if s.Name == subsystem && s.Title != "" {
			return s.Title
		}
	}
	return subsystem
}

// share is the part of a peak that is reached.
func (o *Outcome) share(name string) float64 {
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
func byName(old, new []*Outcome) (before, after map[string]*Outcome, err error) {
	several := map[string]bool{}
	for _, side := range [][]*Outcome{old, new} {
		seen := map[string]bool{}
		for _, o := range side {
			several[o.name()] = several[o.name()] || seen[o.name()]
			seen[o.name()] = true
		}
	}
	var maps [2]map[string]*Outcome
	for i, side := range [][]*Outcome{old, new} {
		maps[i] = map[string]*Outcome{}
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

func sortedKeys(m map[string]*Outcome) []string { return slices.Sorted(maps.Keys(m)) }
