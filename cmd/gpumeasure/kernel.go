package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/measure/driver"
	"gpupipe/internal/measure/timed"
	"gpupipe/kernels"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// kernelOptions is the command line of "gpumeasure kernel".
type kernelOptions struct {
	generate.Options
	device      string
	input       string
	kernel      string
	defines     []string
	locals      []generate.Sizes
	vary        variation
	counts      []bufferCount
	repetitions int
	check       bool
	cold        bool
	warm        bool
	limit       time.Duration
	output      string
}

// variation are the values of a macro that are timed one after the other.
type variation struct {
	name   string
	values []string
}

type bufferCount struct {
	name  string
	count int64
}

// maxKernelBytes bounds a source.
const maxKernelBytes = 64 << 20

func newKernel(c *console.Console) *cobra.Command {
	o := &kernelOptions{Options: generate.Options{DynamicLocal: -1, FS: os.DirFS(".")}, repetitions: 11,
		limit: 20 * time.Second}
	cmd := &cobra.Command{
		Use:   "kernel [flags] FILE|NAME",
		Short: "Time a kernel at several occupancies",
		Long: `Times a kernel of a file, or a built-in one by its name (idgen --list-builtins), and
writes the median time of each occupancy as pipesim compare reads it. Launch
sizes and arguments come from where idgen takes them: flags, the comment above
the kernel, host code. Other groups are kept off a compute unit by local memory
that the kernel does not use, as far as a group can take enough of it. The time
that CUDA's events take themselves is taken off.

Buffers hold numbers from 0 to 1, or their own indices if they are integers. Parts
of vectors and structures are given one by one (--arg v.x=1). Kernels that read
images are refused.
--vary and several --local write a file for each variant into the folder of -o.`,
		Example: `  gpumeasure kernel mmul -o mmul.csv
  idgen --builtin mmul --gpu mygpu.yaml | pipesim compare --gpu mygpu.yaml --measured mmul.csv
  gpumeasure kernel mmul.cl --vary BLOCK_SIZE=8,16,32 -o mmul
  gpumeasure kernel transpose.cl -k transpose_tiled --check`,
		Args: console.Takes(1, 1, "one file or built-in kernel is needed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			return runKernel(cmd.Context(), c, o)
		},
	}
	console.Section(cmd, "Kernel and launch", func(f *pflag.FlagSet) {
		f.StringVarP(&o.kernel, "kernel", "k", "", "time kernel `NAME` of the file")
		f.Var(console.Repeated(&o.defines, parseDefine, "NAME[=VALUE]"), "define",
			"define a macro")
		f.Lookup("define").Shorthand = "D"
		f.StringArrayVarP(&o.IncludeDirs, "include-dir", "I", nil, "search #include files in `DIR`")
		f.Var(console.Repeated(&o.locals, generate.ParseSizes, "SIZES"), "local",
			"work items of a group, such as 16x16; may be given several times")
		f.Var(&console.Parsed[generate.Sizes]{Into: &o.Global, Parse: generate.ParseSizes, Kind: "SIZES"}, "global",
			"work items in all")
		f.Var(&console.Parsed[generate.Sizes]{Into: &o.Groups, Parse: generate.ParseSizes, Kind: "SIZES"}, "groups",
			"number of groups, instead of --global")
		f.Var(console.Repeated(&o.Args, generate.ParseArgument, "NAME=VALUE"),
			"arg", "value of a scalar argument")
		f.Int64Var(&o.DynamicLocal, "dynamic-local", -1, "`BYTES` of dynamic local (CUDA: shared) memory")
		f.Var(console.Repeated(&o.counts, parseCount, "NAME=COUNT"), "buffer",
			"elements of a buffer (default: 64 bytes for each work item,\nand at least 16 MB)")
		f.Var(&console.Parsed[variation]{Into: &o.vary, Parse: parseVariation, Kind: "NAME=V1,V2"}, "vary",
			"time the kernel for each value of a macro")
	})
	console.Section(cmd, "Measurement", func(f *pflag.FlagSet) {
		deviceFlag(f, &o.device)
		f.Var(&console.Parsed[int]{Into: &o.repetitions, Parse: console.ParseBetween(1, 10000), Kind: "N"},
			"repetitions", "launches of each occupancy (default 11)")
		f.BoolVar(&o.check, "check", false,
			"compare the output with that of the kernel that the launch comment\nnames (reference=NAME); status 1 if "+
				"it differs")
		f.BoolVar(&o.cold, "cold", false, "overwrite L2 before each launch")
		f.BoolVar(&o.warm, "warm", false, "leave L2 as the launch before does (default)")
		f.Var(&console.Parsed[time.Duration]{Into: &o.limit, Parse: console.ParseTimeout, Kind: "TIME"}, "limit",
			"give a launch up after TIME (default 20s)")
	})
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVarP(&o.output, "output", "o", "", "write to `FILE`, or to files in a folder for several variants")
	})
	cmd.MarkFlagsMutuallyExclusive("cold", "warm")
	return cmd
}

func parseDefine(text string) (string, error) {
	if name, _, _ := strings.Cut(text, "="); strings.TrimSpace(name) == "" {
		return "", errors.New("write NAME or NAME=VALUE")
	}
	return text, nil
}

func parseCount(text string) (bufferCount, error) {
	name, count, _ := strings.Cut(text, "=")
	n, err := strconv.ParseInt(count, 0, 64)
	if err != nil || n < 1 || name == "" {
		return bufferCount{}, errors.New("write NAME=COUNT")
	}
	return bufferCount{name, n}, nil
}

func parseVariation(text string) (variation, error) {
	name, values, ok := strings.Cut(text, "=")
	list, err := console.ParseNames(values)
	if err != nil || !ok || name == "" {
		return variation{}, errors.New("write NAME=VALUE,VALUE")
	}
	return variation{name, list}, nil
}

// variant is one of the kernels to time.
type variant struct {
	name    string // "BLOCK_SIZE=8", "" if there is one only
	defines []string
	local   generate.Sizes
}

// variants are all combinations of --vary and --local.
func (o *kernelOptions) variants() []variant {
	list := []variant{{defines: o.defines}}
	if len(o.locals) == 1 {
		list[0].local = o.locals[0]
	}
	if o.vary.name != "" {
		base := list[0]
		list = nil
		for _, v := range o.vary.values {
			define := o.vary.name + "=" + v
			list = append(list, variant{define, append(append([]string(nil), base.defines...), define), base.local})
		}
	}
	if len(o.locals) < 2 {
		return list
	}
	var all []variant
	for _, v := range list {
		for _, l := range o.locals {
			v.local = l
			all = append(all, variant{strings.TrimPrefix(v.name+"-local="+l.String(), "-"), v.defines, l})
		}
	}
	return all
}

// runKernel times all variants.
func runKernel(ctx context.Context, c *console.Console, o *kernelOptions) error {
	list := o.variants()
	if len(list) > 1 && o.output == "" {
		return console.Usagef("several variants are written to files: give a folder with -o")
	}
	f, err := choose(o.device)
	if err != nil {
		return err
	}
	d, err := f.opened()
	if err != nil {
		return err
	}
	defer d.Close()
	for _, v := range list {
		if err := timeVariant(ctx, c, o, v, d); err != nil {
			return kernelError(err, v)
		}
	}
	return nil
}

// kernelError is the error of a variant as a diagnostic.
func kernelError(err error, v variant) error {
	if refused, ok := errors.AsType[*driver.BuildError](err); ok {
		err = diag.Errorf(diag.Pos{File: refused.Name}, codeDevice,
			"the device's compiler refuses the kernel").WithNote("%s", strings.TrimSpace(refused.Log))
	}
	if different, ok := errors.AsType[*timed.Difference](err); ok {
		err = diag.Errorf(diag.Pos{}, console.CodeGate, "the output is wrong: %v", different)
	}
	e, ok := errors.AsType[*diag.Error](err)
	if !ok {
		e = diag.Errorf(diag.Pos{}, codeDevice, "%v", err)
	}
	if v.name != "" {
		e = e.WithNote("of the variant %s", v.name)
	}
	return e
}

// program parses the source of a variant.
func (o *kernelOptions) program(v variant, d driver.Dialect) (*generate.Program, error) {
	options := o.Options
	options.Local = v.local
	source, err := o.source(v, d)
	if err != nil {
		return nil, err
	}
	return generate.Parse(source, &options)
}

// source is the file of the command line, or a built-in kernel where there is no such file: in CUDA on a device that
// reads CUDA.
func (o *kernelOptions) source(v variant, d driver.Dialect) (*generate.Source, error) {
	if _, err := os.Stat(o.input); errors.Is(err, fs.ErrNotExist) {
		if _, err := kernels.Lookup(o.input + "-cuda"); err == nil && d == driver.CUDA {
			return generate.Builtin(o.input+"-cuda", 0, v.defines)
		}
		if _, err := kernels.Lookup(o.input); err == nil {
			s, err := generate.Builtin(o.input, 0, v.defines)
			if err == nil && d == driver.CUDA {
				s = inCUDA(s)
			}
			return s, err
		}
	}
	text, err := console.ReadFile(o.input, maxKernelBytes, "a source of more than %d MB is not a kernel")
	if err != nil {
		return nil, err
	}
	return generate.NewSource(o.input, text, 0, v.defines)
}

// job prepares a kernel of the program.
func (o *kernelOptions) job(p *generate.Program, name string) (*timed.Job, error) {
	fn, err := p.Choose(name)
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, b := range o.counts {
		counts[b.name] = b.count
	}
	var options []string
	for _, dir := range o.IncludeDirs {
		options = append(options, "-I"+dir)
	}
	return timed.NewJob(p, fn, options, counts)
}

func timeVariant(ctx context.Context, c *console.Console, o *kernelOptions, v variant, d driver.Device) error {
	p, err := o.program(v, d.Dialect())
	if err != nil {
		return err
	}
	job, err := o.job(p, o.kernel)
	if err != nil {
		return err
	}
	if o.check {
		if err := o.compare(ctx, p, job, d); err != nil {
			return err
		}
	}
	var rows []timed.Row
	if err := job.Time(ctx, d, timed.Options{Repetitions: o.repetitions, Limit: o.limit, Cold: o.cold},
		func(r timed.Row) { rows = append(rows, r) }); err != nil {
		return err
	}
	name := o.output
	if v.name != "" {
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return console.OutputError(o.output, err)
		}
		name = filepath.Join(o.output, job.Name+"-"+v.name+".csv")
	}
	return c.Emit(name, func(w io.Writer) error {
		return writeTimes(w, job, d, rows, o.cold)
	})
}

// compare checks the output against the kernel that the launch comment names.
func (o *kernelOptions) compare(ctx context.Context, p *generate.Program, job *timed.Job, d driver.Device) error {
	launch := job.Function.Launch
	if launch == nil || launch.Reference == "" {
		return diag.Errorf(job.Function.Pos, codeDevice, "kernel %s names no reference to --check against", job.Name).
			WithNote("write // idgen: reference=NAME above it, with a kernel of the file that computes the same")
	}
	reference, err := o.job(p, launch.Reference)
	if err != nil {
		return err
	}
	return job.Check(ctx, d, reference, o.limit)
}

// writeTimes writes what pipesim compare --measured reads, with how it was measured.
func writeTimes(w io.Writer, j *timed.Job, d driver.Device, rows []timed.Row, cold bool) error {
	p := d.Properties()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s of %s, %v groups of %v work items", j.Name, j.Source.File, generate.Trimmed(j.Groups),
		generate.Trimmed(j.Local))
	for _, define := range j.Source.Defines {
		fmt.Fprintf(&b, ", %s", define)
	}
	fmt.Fprintf(&b, "\n# device: %s; driver: %s; %s\n", p.Name, p.Driver, p.API)
	state := "as the last launch leaves it"
	if cold {
		state = "overwritten before each"
	}
	fmt.Fprintf(&b, "# median, least and greatest of %d launches behind others that are not counted; L2 is %s\n",
		len(rows[0].Seconds), state)
	b.WriteString("groups,seconds,least_seconds,greatest_seconds,added_local_bytes,clock_mhz\n")
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, r := range rows {
		fmt.Fprintf(&b, "%d,%s,%s,%s,%d,%s\n", r.Groups, number(r.Median()), number(r.Seconds[0]),
			number(r.Seconds[len(r.Seconds)-1]), r.LocalBytes, number(r.Clock))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
