package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/internal/generate"
	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
	"gpupipe/internal/measure/timed"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/unroll"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checked are the built-in kernels of a check: each is bound by something else, and none's time depends on its data.
var checked = []string{"vadd", "mmul", "reduction", "convolution", "stencil", "transpose-naive", "transpose-tiled",
	"nbody", "black-scholes", "worksheet", "mix-special", "mix-local"}

// checkOptions is the command line of "gpumeasure check".
type checkOptions struct {
	device string
	gpus   []string
	limit  time.Duration
}

func newCheck(c *console.Console) *cobra.Command {
	o := &checkOptions{limit: 20 * time.Second}
	cmd := &cobra.Command{
		Use:   "check [flags] DEVICE.yaml...",
		Short: "Hold predictions with device files against a device's times",
		Long: `Runs 12 built-in kernels on the device and prints, for each, the measured time and
what is predicted with each device file or built-in device: how far to trust it. With
--device synthetic:NAME the simulator stands for the device.`,
		Example: `  gpumeasure check mygpu/device.yaml h100sxm`,
		Args:    console.Takes(1, math.MaxInt, "name device files or built-in devices to predict with"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.gpus = args
			return runCheck(cmd.Context(), c, o)
		},
	}
	console.Section(cmd, "Measurement", func(f *pflag.FlagSet) {
		deviceFlag(f, &o.device)
		f.Var(&console.Parsed[time.Duration]{Into: &o.limit, Parse: console.ParseTimeout, Kind: "TIME"}, "limit",
			"give a launch up after TIME (default 20s)")
	})
	return cmd
}

// subject is what a check times kernels on.
type subject struct {
	title   string
	dialect driver.Dialect
	seconds func(ctx context.Context, name string) (float64, error)
	close   func()
}

// open opens the device of the command line.
func (o *checkOptions) open() (*subject, error) {
	if name, ok := strings.CutPrefix(o.device, syntheticPrefix); ok {
		d, err := gpu.Find(name)
		if err != nil {
			return nil, err
		}
		return &subject{"simulated " + d.Title, driver.OpenCL, func(ctx context.Context, name string) (float64, error) {
			return predicted(ctx, name, driver.OpenCL, d)
		}, func() {}}, nil
	}
	if strings.HasPrefix(o.device, replayPrefix) {
		return nil, console.Usagef("samples hold no times of kernels: check takes a device, or synthetic:NAME")
	}
	f, err := choose(o.device)
	if err != nil {
		return nil, err
	}
	d, err := f.opened()
	if err != nil {
		return nil, err
	}
	return &subject{f.Properties.Name, d.Dialect(), func(ctx context.Context, name string) (float64, error) {
		return o.measured(ctx, name, d)
	}, d.Close}, nil
}

// measured is the median time of a kernel at full occupancy, L2 as the launch before left it.
func (o *checkOptions) measured(ctx context.Context, name string, d driver.Device) (float64, error) {
	k := &kernelOptions{Options: generate.Options{DynamicLocal: -1, FS: os.DirFS(".")}, input: name}
	p, err := k.program(variant{}, d.Dialect())
	if err != nil {
		return 0, err
	}
	job, err := k.job(p, "")
	if err != nil {
		return 0, err
	}
	var last timed.Row
	err = job.Time(ctx, d, timed.Options{Repetitions: 5, Limit: o.limit, Full: true}, func(r timed.Row) { last = r })
	if err != nil {
		return 0, err
	}
	return last.Median(), nil
}

// predicted is the time of a kernel on a device, with what an earlier launch left in L2.
func predicted(ctx context.Context, name string, dialect driver.Dialect, d *latencies.Device) (float64, error) {
	k := &kernelOptions{Options: generate.Options{DynamicLocal: -1, FS: os.DirFS("."), Device: d,
		Locality: unroll.LaunchLocality}, input: name}
	p, err := k.program(variant{}, dialect)
	if err != nil {
		return 0, err
	}
	fn, err := p.Choose("")
	if err != nil {
		return 0, err
	}
	prepared, err := p.Prepare(fn)
	if err != nil {
		return 0, err
	}
	g, _, err := prepared.Resolve()
	if err != nil {
		return 0, err
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		return 0, err
	}
	m, err := mapper.MapWith(g, latencies.Options{Warm: true})
	if err != nil {
		return 0, err
	}
	r, err := simulate.Run(ctx, g, m, simulate.Config{})
	if err != nil {
		return 0, err
	}
	return r.Seconds, nil
}

func runCheck(ctx context.Context, c *console.Console, o *checkOptions) error {
	var devices []*latencies.Device
	for _, name := range o.gpus {
		d, err := gpu.Find(name)
		if err != nil {
			return err
		}
		devices = append(devices, d)
	}
	s, err := o.open()
	if err != nil {
		return err
	}
	defer s.close()
	return c.Emit("", func(w io.Writer) error { return s.table(ctx, w, o, devices) })
}

// table prints a row for each kernel, and the median error of each device.
func (s *subject) table(ctx context.Context, w io.Writer, o *checkOptions, devices []*latencies.Device) error {
	fmt.Fprintf(w, "%s, microseconds\n\n", s.title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "kernel\tmeasured\t%s\t\n", strings.Join(o.gpus, "\toff by\t")+"\toff by")
	off := make([][]float64, len(devices))
	var failed strings.Builder
	for _, name := range checked {
		is, err := s.seconds(ctx, name)
		if err != nil && (ctx.Err() != nil || name == checked[0]) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			fmt.Fprintf(&failed, "%s: %v\n", name, err)
			if _, lost := errors.AsType[*measure.LostError](err); lost {
				break
			}
			continue
		}
		fmt.Fprintf(t, "%s\t%.1f", name, is*1e6)
		for i, d := range devices {
			x, err := predicted(ctx, name, s.dialect, d)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", name, d.Name, err)
			}
			off[i] = append(off[i], math.Abs(x/is-1))
			fmt.Fprintf(t, "\t%.1f\t%+.1f%%", x*1e6, 100*(x/is-1))
		}
		fmt.Fprintln(t, "\t")
	}
	fmt.Fprint(t, "median error\t")
	for _, list := range off {
		fmt.Fprintf(t, "\t\t%s", medianOf(list))
	}
	fmt.Fprintln(t, "\t")
	err := t.Flush()
	if failed.Len() > 0 {
		fmt.Fprintf(w, "\nnot timed:\n%s", failed.String())
	}
	return err
}

// medianOf is the median of relative errors as text.
func medianOf(list []float64) string {
	if len(list) == 0 {
		return "-"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.1f%%", 100*(list[(len(list)-1)/2]+list[len(list)/2])/2)
}
