package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/difference"
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
matched by name. Graphs are simulated; results are taken as they are. A kernel
of OLD that NEW lacks is an error, so that a gate does not pass because a kernel
no longer compiles.

The changes of the causes and of the lines add up to the change of the time. A
line is the same if its text is, wherever it stands.`,
		Example: `  pipesim diff old.json new.json
  idgen kernel.cu | pipesim diff saved.json - --max-regress 3%
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
	compare := difference.Compare
	if isFolder(o.old) || isFolder(o.new) {
		compare = difference.CompareByName
	}
	d, err := compare(old, new)
	if err != nil {
		return err
	}
	if o.allowMissing {
		d.Allowed, d.Removed = d.Removed, []string{}
	}
	switch o.format {
	case report.JUnit, report.SARIF:
		err = c.Emit(o.output, func(w io.Writer) error {
			return writeChecks(console.Raw(w), d, o.format, o.maxRegress)
		})
	default:
		err = (&results{document: d, sheet: d.Sheet("old", "new")}).emit(c, o.output, o.format)
	}
	if err != nil {
		return err
	}
	return gate(d, o.maxRegress)
}

// rename gives results of the old version the names that their kernels have now.
func rename(old []*difference.Outcome, renames []string) error {
	for _, r := range renames {
		from, to, _ := strings.Cut(r, "=")
		found := false
		for _, o := range old {
			if o.Kernel == from {
				o.As, found = to, true
			}
		}
		if !found {
			return diag.Errorf(diag.Pos{}, diag.CodeUsage, "--rename %s: the old version has no kernel %s", r, from)
		}
	}
	return nil
}

// gate is an error if a kernel is missing, or takes longer by more than a share that is not negative.
func gate(d *difference.Document, most float64) error {
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
				sheet.Duration(k.Old.Seconds), difference.SignedPercent(k.Change))
		}
	}
	if most >= 0 && len(e.Notes) > 0 {
		list.Add(e)
	}
	return list.Err()
}

func percentOf(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }
