package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// diffOptions is the command line of "pipesim diff".
type diffOptions struct {
	runOptions
	old, new     string
	maxRegress   float64 // share of the time; negative = no limit
	renames      []string
	allowMissing bool
}

func newDiff(c *console.Console) *cobra.Command {
	o := &diffOptions{runOptions: runOptions{format: report.Text}, maxRegress: -1}
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW",
		Short: "Say what changed between two versions of kernels",
		Long: `Compares the times of two versions, what they are spent on, how far they are
from the device's peaks, and each source line. OLD and NEW are graphs, results
of pipesim --format json, or folders of such files (*.json), whose kernels are
matched by name. Graphs are simulated; results are taken as they are. A kernel of
OLD that NEW lacks is an error, so that a gate does not pass because a kernel no
longer compiles.

The changes of the causes and of the lines add up to the change of the time. A
line is the same if its text is, wherever it stands.`,
		Example: `  pipesim diff old.json new.json
  idgen kernel.cu | pipesim diff saved.json - --max-regress 3%    status 1 if slower
  idgen --all kernels.cu -o new && pipesim diff old new --format markdown`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.UsageOf(cmd, "two versions are needed, as in pipesim diff old.json new.json")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.old, o.new = args[0], args[1]
			if o.old == console.StandardStream && o.new == console.StandardStream {
				return console.UsageOf(cmd, "standard input is either the old or the new version")
			}
			for _, r := range o.renames {
				if from, to, ok := strings.Cut(r, "="); !ok || from == "" || to == "" {
					return console.UsageOf(cmd, "--rename %s: write OLD=NEW", r)
				}
			}
			return runDiff(cmd.Context(), c, o)
		},
	}
	o.defineSimulation(cmd)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[float64]{Into: &o.maxRegress, Parse: parseRegress, Kind: "P"}, "max-regress",
			"exit with status 1 if a kernel takes longer by more than this share, as in 3, 3% or 0.03")
		f.StringArrayVar(&o.renames, "rename", nil, "a kernel `OLD=NEW` that has another name now; may be given again")
		f.BoolVar(&o.allowMissing, "allow-missing", false, "take kernels of OLD that NEW lacks for removed")
		formatFlag(f, &o.format, "text", report.Text, report.JSON, report.Markdown, report.JUnit, report.SARIF)
		outputFlag(f, &o.output)
	})
	return cmd
}

// runDiff reads and simulates both versions, compares them and writes what changed.
func runDiff(ctx context.Context, c *console.Console, o *diffOptions) error {
	old, err := o.outcomes(ctx, c, o.old)
	if err != nil {
		return err
	}
	new, err := o.outcomes(ctx, c, o.new)
	if err != nil {
		return err
	}
	if err := rename(old, o.renames); err != nil {
		return err
	}
	d, err := compareOutcomes(old, new, !isFolder(o.old) && !isFolder(o.new))
	if err != nil {
		return err
	}
	if o.allowMissing {
		d.Allowed, d.Removed = d.Removed, []string{}
	}
	switch o.format {
	case report.JUnit, report.SARIF:
		err = c.Emit(o.output, func(w io.Writer) error { return d.writeCI(console.Raw(w), o.format, o.maxRegress) })
	default:
		err = (&results{document: d, sheet: d.sheet()}).emit(c, o.output, o.format)
	}
	if err != nil {
		return err
	}
	return d.gate(o.maxRegress)
}

// rename gives results of the old version the names that their kernels have now.
func rename(old []*outcome, renames []string) error {
	for _, r := range renames {
		from, to, _ := strings.Cut(r, "=")
		found := false
		for _, o := range old {
			if o.Kernel == from {
				o.as, found = to, true
			}
		}
		if !found {
			return diag.Errorf(diag.Pos{}, diag.CodeUsage, "--rename %s: the old version has no kernel %s", r, from)
		}
	}
	return nil
}

// diffDocument is what changed, as JSON.
type diffDocument struct {
	Format  string           `json:"format"` // "pipesim-diff"
	Version int              `json:"version"`
	Kernels []kernelDocument `json:"kernels"`           // those that most time was added to first
	Removed []string         `json:"removed"`           // kernels of OLD alone
	Added   []string         `json:"added"`             // kernels of NEW alone
	Allowed []string         `json:"allowed,omitempty"` // kernels of OLD alone, with --allow-missing
}

// kernelDocument is what changed of a kernel. The seconds of Causes, and those of Lines, add up to the time.
type kernelDocument struct {
	Kernel string           `json:"kernel"`
	Old    versionDocument  `json:"old"`
	New    versionDocument  `json:"new"`
	Change float64          `json:"change"` // of the time: 0.1 is 10% longer
	Roof   []peakDocument   `json:"roof"`
	Causes []changeDocument `json:"causes"` // largest changes first
	Lines  []changeDocument `json:"lines"`  // largest changes first
}

type versionDocument struct {
	Kernel  string  `json:"kernel"`
	File    string  `json:"file"`
	Device  string  `json:"device"`
	Seconds float64 `json:"seconds"`
	Bound   string  `json:"bound"`

	subsystem string // that bounds it, by title
}

// peakDocument is how much of a peak is reached.
type peakDocument struct {
	Name string  `json:"name"`
	Old  float64 `json:"old_share"`
	New  float64 `json:"new_share"`
}

// changeDocument is the time of a cause or of a source line; what a version lacks is 0 or empty.
type changeDocument struct {
	Code      string  `json:"code,omitempty"`
	Subsystem string  `json:"subsystem,omitempty"`
	File      string  `json:"file,omitempty"`
	OldLine   int     `json:"old_line,omitempty"`
	NewLine   int     `json:"new_line,omitempty"`
	Text      string  `json:"text,omitempty"`
	Old       float64 `json:"old_seconds"`
	New       float64 `json:"new_seconds"`
}

func (c *changeDocument) change() float64 { return c.New - c.Old }

// compareOutcomes matches the kernels of two versions and compares them. Of two files, a kernel in each is a pair
// whatever its name.
func compareOutcomes(old, new []*outcome, files bool) (*diffDocument, error) {
	d := &diffDocument{Format: "pipesim-diff", Version: 1, Kernels: []kernelDocument{}, Removed: []string{},
		Added: []string{}}
	if files && len(old) == 1 && len(new) == 1 {
		d.Kernels = append(d.Kernels, compareKernel(new[0].Kernel, old[0], new[0]))
		return d, nil
	}
	before, after, err := byName(old, new)
	if err != nil {
		return nil, err
	}
	for _, n := range sortedKeys(before) {
		if after[n] == nil {
			d.Removed = append(d.Removed, n)
			continue
		}
		d.Kernels = append(d.Kernels, compareKernel(n, before[n], after[n]))
	}
	for _, n := range sortedKeys(after) {
		if before[n] == nil {
			d.Added = append(d.Added, n)
		}
	}
	slices.SortStableFunc(d.Kernels, func(a, b kernelDocument) int {
		return cmp.Compare(b.New.Seconds-b.Old.Seconds, a.New.Seconds-a.Old.Seconds)
	})
	return d, nil
}

func compareKernel(name string, old, new *outcome) kernelDocument {
	k := kernelDocument{Kernel: name, Old: old.version(), New: new.version(), Change: new.Seconds/old.Seconds - 1,
		Roof: peaks(old, new)}
	type causeKey struct{ code, subsystem string }
	k.Causes = changes(old, new, func(o *outcome, cause int) causeKey {
		c := &o.Causes[cause]
		return causeKey{c.Code, o.title(c.Subsystem)}
	},
		func(key causeKey) changeDocument { return changeDocument{Code: key.code, Subsystem: key.subsystem} })
	k.Lines = changes(old, new, func(o *outcome, cause int) lineKey {
		return o.keys[place{o.Causes[cause].File, o.Causes[cause].Line}]
	},
		func(key lineKey) changeDocument {
			return changeDocument{File: key.file, Text: key.text, OldLine: old.numbers[key], NewLine: new.numbers[key]}
		})
	return k
}

// changes adds up the causes of two versions that have the same key, the largest changes first.
func changes[K comparable](old, new *outcome, key func(o *outcome, cause int) K,
	describe func(K) changeDocument) []changeDocument {
	index := map[K]int{}
	list := []changeDocument{}
	for _, o := range []*outcome{old, new} {
		for i := range o.Causes {
			k := key(o, i)
			at, ok := index[k]
			if !ok {
				at = len(list)
				index[k], list = at, append(list, describe(k))
			}
			seconds := o.Causes[i].Cycles.Float() / float64(o.Device.ClockHz)
			if o == old {
				list[at].Old += seconds
			} else {
				list[at].New += seconds
			}
		}
	}
	slices.SortStableFunc(list, func(a, b changeDocument) int {
		return cmp.Compare(math.Abs(b.change()), math.Abs(a.change()))
	})
	return list
}

// peaks compares what is reached of the peaks that are known.
func peaks(old, new *outcome) []peakDocument {
	list := []peakDocument{}
	for _, o := range []*outcome{new, old} {
		if o.Roof == nil {
			continue
		}
		for _, u := range o.Roof.Uses {
			if u.Peak > 0 && !slices.ContainsFunc(list, func(p peakDocument) bool { return p.Name == u.Name }) {
				list = append(list, peakDocument{u.Name, old.share(u.Name), new.share(u.Name)})
			}
		}
	}
	return list
}

// gate is an error if a kernel is missing, or takes longer by more than a share that is not negative.
func (d *diffDocument) gate(most float64) error {
	var list diag.List
	if len(d.Removed) > 0 {
		e := diag.Errorf(diag.Pos{}, console.CodeGate, "the new version lacks %s", strings.Join(d.Removed, ", "))
		if len(d.Added) > 0 {
			e.WithNote("it has %s instead: --rename %s=%s if a kernel has another name now",
				strings.Join(d.Added, ", "), d.Removed[0], d.Added[0])
		}
		list.Add(e.WithNote("--allow-missing if they are meant to be gone"))
	}
	e := diag.Errorf(diag.Pos{}, console.CodeGate, "slower by more than %s (--max-regress)", percentOf(most))
	for _, k := range d.Kernels {
		if k.Change > most {
			e.WithNote("%s: %s instead of %s (%s)", k.Kernel, sheet.Duration(k.New.Seconds),
				sheet.Duration(k.Old.Seconds), signedPercent(k.Change))
		}
	}
	if most >= 0 && len(e.Notes) > 0 {
		list.Add(e)
	}
	return list.Err()
}

func percentOf(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }
