package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/fit"
	"gpupipe/internal/measure"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What a fit writes beside the samples.
const (
	deviceName = "device.yaml"
	reportName = "report.txt"
	plotFolder = "plots"
)

// codeFit is the code of diagnostics about fits.
const codeFit = "FIT"

// fitOptions is the command line of "gpumeasure fit".
type fitOptions struct {
	name   string
	folder string
	plots  bool
}

func newFit(c *console.Console) *cobra.Command {
	o := &fitOptions{plots: true}
	cmd := &cobra.Command{
		Use:   "fit [flags] SAMPLES.csv...",
		Short: "Find λ and Λ in the samples of a run",
		Long: `Fits λ, Λ and the ridge of each instruction class to the samples of a run, which
does the same at its end, and writes

  device.yaml  the device file, which refines the nearest built-in device
  report.txt   each number with its 95% interval and residual: measured, a bound, or
               inherited and why
  plots/       a plot of each class: samples, curve and residuals`,
		Example: `  gpumeasure fit mygpu/samples.csv
  gpumeasure fit --name mygpu -o there mygpu/samples.csv
  gpumeasure fit -o both quick/samples.csv memory/samples.csv`,
		Args: console.Takes(1, math.MaxInt, "fit takes files of samples"),
		RunE: func(_ *cobra.Command, args []string) error {
			device, samples, err := readRuns(args)
			if err != nil {
				return err
			}
			if o.folder == "" {
				o.folder = filepath.Dir(args[0])
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return console.FileError(args[0], err)
			}
			return writeFit(c, o, device, samples, info.ModTime().Format("2006-01-02"))
		},
	}
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&o.name, "name", "", "call the device `NAME` (default: what it calls itself)")
		f.BoolVar(&o.plots, "plots", true, "draw a plot of each class")
		f.StringVarP(&o.folder, "output", "o", "", "write the files into `DIR` (default: that of the samples)")
	})
	return cmd
}

// writeFit fits the samples of a device and writes what was found; the report also goes to stdout.
func writeFit(c *console.Console, o *fitOptions, device measure.Properties, samples []measure.Sample,
	date string) error {
	r := fit.Fit(device, samples)
	if o.name == "" {
		o.name = plainName(device.Name)
	}
	if err := os.MkdirAll(o.folder, 0o777); err != nil {
		return console.OutputError(o.folder, err)
	}
	yaml, err := r.YAML(o.name, date)
	var none error // of the files
	switch {
	case errors.Is(err, fit.ErrNothing):
		none = diag.Errorf(diag.Pos{}, console.CodeGate, "no device file: %v", err).WithNote("%s says why",
			filepath.Join(o.folder, reportName))
		// an earlier fit's
		if err := os.Remove(filepath.Join(o.folder, deviceName)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return console.OutputError(filepath.Join(o.folder, deviceName), err)
		}
	case err != nil:
		return diag.Errorf(diag.Pos{}, codeFit, "%v", err)
	default:
		if err := c.Emit(filepath.Join(o.folder, deviceName), func(w io.Writer) error {
			_,
				err := w.Write(yaml)
			return err
		}); err != nil {
			return err
		}
	}
	for _, name := range []string{filepath.Join(o.folder, reportName), ""} {
		if err := c.Emit(name, r.Report); err != nil {
			return err
		}
	}
	if o.plots {
		if err := writePlots(c, r, filepath.Join(o.folder, plotFolder)); err != nil {
			return err
		}
	}
	return none
}

// writePlots draws the classes of which there are samples.
func writePlots(c *console.Console, r *fit.Result, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return console.OutputError(folder, err)
	}
	for i := range r.Classes {
		class := &r.Classes[i]
		if class.Counts.Used == 0 {
			continue
		}
		err := c.Emit(filepath.Join(folder, class.Name+".svg"), func(w io.Writer) error {
			return r.Plot(w, class.Name,
				chart.SVG)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// plainName is a name that a device file can have.
func plainName(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' ||
			r >= '0' && r <= '9')
	})
	if len(words) == 0 {
		return "measured"
	}
	return strings.Join(words, "-")
}
