package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/frontend"
	"gpupipe/unroll"

	"github.com/spf13/pflag"
)

// mode is what idgen is asked to do.
type mode uint8

// The modes. The zero value is invalid.
const (
	modeGraph        mode = iota + 1 // a graph, or another format of --format
	modeList                         // --list
	modeUnrollReport                 // --unroll-report
	modeBuiltins                     // --list-builtins
	modeHelp
	modeVersion
)

// options is the command line.
type options struct {
	mode   mode
	input  string // FILE; empty with --builtin
	output string // -o
	format format

	builtin     string
	kernel      string
	dialect     frontend.Dialect // 0 = by the file's name
	defines     []string
	undefs      []string
	includeDirs []string
	includes    []string
	templates   []string

	local        sizes
	global       sizes
	groups       sizes
	launch       launchChoice
	args         []argument
	contents     []content
	dynamicLocal int64 // bytes; -1 = not given
	warpSize     int   // 0 = the device's, else 32
	gpu          string
	warps        warps
	kinds        unroll.KindChoice
	locality     unroll.LocalityChoice

	level           unroll.Level
	compiler        unroll.Compiler
	barrier         unroll.BarrierWait
	machineCode     bool
	machineCodeSaid bool // --machine-code was given, with either value
	registers       registers
	trips           []unroll.TripChoice
	assumeTrips     int64
	unrolls         []unroll.UnrollChoice
	branches        []unroll.BranchChoice
	maxInstructions int
	timeout         time.Duration // 0 = none
	strict          bool
	fastMath        bool
	unfolded        bool
}

// flagGroup is a part of the flags under a heading of the help.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// defineFlags makes the flags that fill o, in the order of the help.
func defineFlags(o *options, a *actions) []flagGroup {
	var groups []flagGroup
	group := func(title string) *pflag.FlagSet {
		f := pflag.NewFlagSet(title, pflag.ContinueOnError)
		f.SortFlags = false
		groups = append(groups, flagGroup{title, f})
		return f
	}

	f := group("Source")
	f.StringVar(&o.builtin, "builtin", "", "use the built-in kernel `NAME` instead of a file")
	f.StringVarP(&o.kernel, "kernel", "k", "", "the kernel to use where the source has several: `NAME`")
	f.VarP(&console.Parsed[frontend.Dialect]{Into: &o.dialect, Parse: parseDialect, Kind: "LANG"}, "language", "x", "opencl, cuda or hip (default by the file name, .cl or .cu, else by what the source looks like)")
	f.StringArrayVarP(&o.defines, "define", "D", nil, "define a macro: `NAME[=VALUE]`")
	f.StringArrayVarP(&o.undefs, "undefine", "U", nil, "remove the macro `NAME`")
	f.StringArrayVarP(&o.includeDirs, "include-dir", "I", nil, "look for included files in `DIR` too")
	f.StringArrayVar(&o.includes, "include", nil, "include `FILE` before the source")
	f.StringArrayVar(&o.templates, "template", nil, "arguments of CUDA kernel templates, `[KERNEL:]NAME=VALUE,...`, as in T=float,N=16 (default: as the source launches them, else their defaults, else float, true and 16)")

	f = group("Launch (default: what the source says, see Launch sizes below)")
	f.Var(&console.Parsed[sizes]{Into: &o.local, Parse: parseSizes, Kind: "SIZES"}, "local", "work items of a group: 256, 8x8, 8x8x4")
	f.Var(&console.Parsed[sizes]{Into: &o.global, Parse: parseSizes, Kind: "SIZES"}, "global", "work items in all; or")
	f.Var(&console.Parsed[sizes]{Into: &o.groups, Parse: parseSizes, Kind: "SIZES"}, "groups", "number of groups")
	f.Var(&console.Parsed[launchChoice]{Into: &o.launch, Parse: parseLaunch, Kind: "LOC"}, "launch", "the launch to take where the host code of a CUDA source has several: LINE or FILE:LINE; none takes nothing from launches (default: the first whose sizes are known)")
	f.Var(&console.Repeated[argument]{Into: &o.args, Parse: parseArgument, Kind: "NAME=VALUE"}, "arg", "value of a scalar argument, a constant of C: n=1024, mask=0xff, a=0.5f")
	f.Var(&console.Repeated[content]{Into: &o.contents, Parse: parseContent, Kind: "NAME=FILE"}, "contents", "what a buffer that the kernel only reads holds, as raw little-endian bytes: subscripts, branches and trip counts that are loaded from it are then known")
	f.Var(&console.Parsed[int64]{Into: &o.dynamicLocal, Parse: console.ParseAtLeast(0), Kind: "BYTES"}, "dynamic-local", "local (CUDA: shared) memory whose size the launch gives")
	f.Var(&console.Parsed[registers]{Into: &o.registers, Parse: parseRegisters, Kind: "N"}, "registers", "registers of a work item, which limit the occupancy: a number, estimate (from the values that are live at once; the default), or none (no limit)")
	f.Var(&console.Parsed[int]{Into: &o.warpSize, Parse: console.ParseBetween(1, maxWarpSize), Kind: "LANES"}, "warp-size", "lanes of a warp, 1 to 64 (default 32)")
	f.Var(&console.Parsed[string]{Into: &o.gpu, Parse: gpu.ParseName, Kind: "NAME"}, "gpu", "the device NAME, or a device file, that the code is for: its warp size, its compiler, what barriers wait for, its kinds of registers, the unit that memory moves, what macros such as __CUDA_ARCH__ and __gfx90a__ say (-D __CUDA_ARCH__=800 has the last word; without a device it is 700), and machine code instead of PTX where that is known")
	f.Var(&console.Parsed[warps]{Into: &o.warps, Parse: parseWarps, Kind: "WARPS"}, "warps", "warps of a group to resolve: all, first, or a list such as 0,2,5-7 (default all)")
	f.Var(&console.Parsed[unroll.KindChoice]{Into: &o.kinds, Parse: parseKinds, Kind: "GROUPS"}, "group-kinds", "groups to resolve: middle; edges for the first and the last of each dimension too, where they differ; sampled for 32 spread over the launch; or auto, which is sampled where two of these execute more or less than the one in the middle, else middle (default auto)")
	f.Var(&console.Parsed[unroll.LocalityChoice]{Into: &o.locality, Parse: unroll.ParseLocality, Kind: "SCOPE"}, "locality", "find out where memory was touched before: none, group (by the same group) or launch (by earlier groups too) (default launch, for the formats json and stats)")

	f = group("Compiler")
	f.VarP(&console.Parsed[unroll.Level]{Into: &o.level, Parse: parseLevel, Kind: "LEVEL"}, "optimize", "O", "-O0: every source operation is an instruction; -O2: what an optimising compiler leaves; -O3: the same with the unroll factors of clang -O3, which are larger for PTX (default 2, as clang's for OpenCL)")
	f.Var(&console.Parsed[unroll.Compiler]{Into: &o.compiler, Parse: unroll.ParseCompiler, Kind: "NAME"}, "compiler", "whose habits of unrolling apply where there is no pragma: nvcc, clang or none (default that of --gpu, else nvcc)")
	f.Var(&console.Repeated[unroll.UnrollChoice]{Into: &o.unrolls, Parse: parseUnroll, Kind: "LOC=N"}, "unroll", "unroll the loops at a location by N (1: keep them rolled)")
	f.Var(&console.Parsed[unroll.BarrierWait]{Into: &o.barrier, Parse: unroll.ParseBarrierWait, Kind: "WAIT"}, "barrier", "a barrier waits until earlier instructions of its warp were issued, or are complete: issue or complete (default with -O0 complete, else that of --gpu, else issue)")

	f.BoolVar(&o.fastMath, "fast-math", false, "functions of single precision are the hardware's, as with nvcc -use_fast_math and -cl-fast-relaxed-math")
	f.BoolVar(&o.machineCode, "machine-code", false, "with -O2: what machine code has in place of PTX (wide accesses of local memory, and for NVIDIA GPUs constant operands and combined integer instructions) (default with --gpu from compute capability 7.0 and gfx9 on; --machine-code=false turns it off)")

	f = group("What the source leaves open (LOC is LINE, LINE:COLUMN or FILE:LINE)")
	f.Var(&console.Repeated[unroll.TripChoice]{Into: &o.trips, Parse: parseTrip, Kind: "LOC=N"}, "trip", "iterations of the loops at a location")
	f.Var(&console.Parsed[int64]{Into: &o.assumeTrips, Parse: console.ParseAtLeast(1), Kind: "N"}, "assume-trip", "iterations of loops about which nothing is known (default 16)")
	f.Var(&console.Repeated[unroll.BranchChoice]{Into: &o.branches, Parse: parseBranch, Kind: "LOC=SIDE"}, "branch", "side of the branches at a location: taken, not-taken or both")
	f.BoolVar(&o.strict, "strict", false, "fail where something would have to be assumed")
	f.Var(&console.Parsed[int]{Into: &o.maxInstructions, Parse: console.ParseBetween(1, maxMaxInstructions), Kind: "N"}, "max-instructions", fmt.Sprintf("refuse warps of more instructions, not counting the iterations that are proved to repeat (default %d)", unroll.DefaultMaxInstructions))

	f = group("Output")
	f.Var(&console.Parsed[format]{Into: &o.format, Parse: parseFormat, Kind: "FORMAT"}, "format", "json, dot, graphml, text, stats or ir (default json; with --list and --unroll-report text or json, default text)")
	f.BoolVar(&o.unfolded, "unfolded", false, "write every executed instruction to the JSON graph, also where a loop repeats them")
	f.BoolVar(&a.list, "list", false, "list kernels, arguments, loops and branches instead")
	f.BoolVar(&a.unrollReport, "unroll-report", false, "report what the unroll pragmas did instead")
	f.Var(&console.Parsed[time.Duration]{Into: &o.timeout, Parse: console.ParseTimeout, Kind: "TIME"}, "timeout", "give up after TIME, such as 5s")
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.BoolVar(&a.listBuiltins, "list-builtins", false, "list the built-in kernels")
	f.BoolVar(&a.version, "version", false, "print the version")
	f.BoolVarP(&a.help, "help", "h", false, "print this help")
	return groups
}

// actions are the flags that choose the mode.
type actions struct {
	list, unrollReport, listBuiltins, version, help bool
}

// parseFlags reads the command line.
func parseFlags(args []string) (*options, error) {
	o, a := &options{dynamicLocal: -1}, &actions{}
	all := pflag.NewFlagSet("idgen", pflag.ContinueOnError)
	for _, g := range defineFlags(o, a) {
		all.AddFlagSet(g.flags)
	}
	all.SetOutput(io.Discard) // errors are reported once, by the caller
	err := all.Parse(args)
	o.machineCodeSaid = all.Changed("machine-code")
	if err != nil {
		if instead := compilerFlag(err); instead != "" {
			return nil, console.Usagef("%v", err).WithNote("%s", instead)
		}
		return nil, console.FlagError(err, all, "idgen")
	}
	o.mode = a.mode()
	if o.mode == modeHelp || o.mode == modeVersion {
		return o, nil
	}
	if err := o.check(a, all.Args()); err != nil {
		return nil, err.WithNote("idgen --help explains the flags")
	}
	return o, nil
}

func (a *actions) mode() mode {
	switch {
	case a.help:
		return modeHelp
	case a.version:
		return modeVersion
	case a.listBuiltins:
		return modeBuiltins
	case a.list:
		return modeList
	case a.unrollReport:
		return modeUnrollReport
	}
	return modeGraph
}

const usageText = `Usage: idgen [flags] FILE|-
       idgen [flags] --builtin NAME

Writes the Instruction Dependence Graph of an OpenCL or CUDA kernel: the
instructions that its warps execute, and what each of them waits for. pipesim
reads it and predicts the run time.

Examples:
  idgen kernel.cl -D BLOCK_SIZE=8 | pipesim
  idgen kernel.cu --gpu rtx3090 | pipesim       for that GPU
  idgen --list kernel.cl                        what the file contains
  idgen -k blur blur.cu --local 16x16 --global 1024x1024 --arg w=1024
  idgen --unroll-report --compiler clang --builtin mmul
  idgen --format stats --builtin nbody
`

const launchText = `
Launch sizes:
  What no flag says is taken from the comment before the kernel that begins with
  idgen:, as in
      // idgen: local=16,16 global=1024,1024 arg.n=1024
  then, in CUDA sources, from the first launch of the kernel by host code, as in
  k<<<4096, 256>>>(a, 1024), whose sizes follow from constants, with its scalar
  arguments and dynamic local memory (nothing is taken from a launch where
  --local, --global, --groups or the comment give sizes); then
  from reqd_work_group_size, then from the extents of local arrays that are
  subscripted by local ids; else what __launch_bounds__ allows, or groups of
  256, 16x16 or 8x8x4 work items are assumed, and 4096, 64x64 or 16x16x16 of
  them: several full waves on every device. Standard error tells what was
  inferred.

`

// writeHelp prints how to use the command.
func writeHelp(w io.Writer) error {
	var b strings.Builder
	b.WriteString(usageText)
	for _, g := range defineFlags(&options{}, &actions{}) {
		b.WriteString("\n" + g.title + ":\n" + g.flags.FlagUsagesWrapped(console.DefaultWidth))
	}
	b.WriteString(launchText)
	b.WriteString(console.StatusHelp(true))
	_, err := io.WriteString(w, b.String())
	return err
}
