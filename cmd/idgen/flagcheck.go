package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// check finds what contradicts itself on the command line, and fills in what
// depends on several flags.
func (o *options) check(a *actions, args []string) *diag.Error {
	exclusive := 0
	for _, given := range []bool{a.list, a.unrollReport, a.unrollSweep, a.checkPragmas, a.resources, a.listBuiltins} {
		if given {
			exclusive++
		}
	}
	if exclusive > 1 {
		return console.Usagef("--list, --unroll-report, --unroll-sweep, --check-pragmas, --resources and " +
			"--list-builtins exclude each other")
	}
	switch {
	case len(args) > 1:
		return console.Usagef("one source file is read, not %d: %q", len(args), args)
	case o.mode == modeBuiltins && len(args) > 0:
		return console.Usagef("--list-builtins takes no file")
	case o.builtin != "" && len(args) > 0:
		return console.Usagef("give either a file or --builtin, not both")
	case len(args) == 0 && o.builtin == "" && o.mode != modeBuiltins:
		return console.Usagef("no source file is given").
			WithNote("name a file, - for standard input, or a built-in kernel (--builtin NAME)")
	case len(args) == 1:
		o.input = args[0]
	}
	o.IncludeDirs, o.ManyKernels = source.Slashed(o.IncludeDirs), o.all
	if o.all && (o.mode != modeGraph || o.kernel != "" || o.builtin != "" || o.format > formatJSON) {
		return console.Usagef("--all writes the JSON graphs of all kernels of a file or folder: leave out " +
			"--kernel, --builtin, --format and the other reports")
	}
	if o.keepGoing && !o.all {
		return console.Usagef("--keep-going is for --all")
	}
	if len(o.Global) > 0 && len(o.Groups) > 0 {
		return console.Usagef("--global and --groups both say how many work items there are; give one of them")
	}
	if o.HostLaunch.At.Line > 0 && len(o.Local) > 0 {
		return console.Usagef("--launch %v takes the work groups of the source, and --local gives others; give one "+
			"of them", o.HostLaunch.At)
	}
	// A grid of CUDA may have more dimensions than its blocks, or less.
	if n, m := len(o.Global), len(o.Local); n > 0 && m > 0 && n != m {
		return console.Usagef("--local %v has %s, --global %v has %s; write sizes of 1, too (--local 256x1x1)",
			o.Local, dimensions(m), o.Global, dimensions(n))
	}
	if e := o.checkArguments(); e != nil {
		return e
	}
	return o.checkFormat()
}

// checkArguments finds arguments that are given twice with different values.
func (o *options) checkArguments() *diag.Error {
	for i, a := range o.Args {
		for _, b := range o.Args[:i] {
			if a.Name == b.Name && a.Value != b.Value {
				return console.Usagef("--arg %s is given twice: %s and %s", a.Name, b.Text, a.Text)
			}
		}
	}
	return nil
}

// checkFormat chooses the default format and finds formats that a mode lacks.
func (o *options) checkFormat() *diag.Error {
	if o.after != "" && o.format != formatIR {
		return console.Usagef("--after is for --format ir")
	}
	if o.Level == unroll.O0 && o.after != "" && o.after != stageBuild {
		return console.Usagef("--after %s: no passes run at -O0", o.after)
	}
	if timed := o.mode == modeUnrollSweep || o.mode == modeUnrollReport || o.mode == modeCheckPragmas; timed &&
		o.Locality == 0 {
		o.Locality = unroll.LaunchLocality
	}
	if o.mode == modeGraph {
		if o.format == formatCSV || o.format == formatSVG {
			return console.Usagef("--format %v is for --unroll-sweep and --check-pragmas", o.format)
		}
		if o.format == 0 {
			o.format = formatJSON
		}
		if o.nodes > 0 && o.format != formatDOT {
			return console.Usagef("--nodes is for --format dot")
		}
		if o.Locality == 0 && (o.format == formatJSON || o.format == formatStats ||
			o.format == formatDOT && o.gpu != "") {
			o.Locality = unroll.LaunchLocality
		}
		return nil
	}
	switch o.format {
	case 0:
		o.format = formatText
	case formatText, formatJSON:
	case formatCSV, formatSVG:
		if o.mode != modeUnrollSweep && o.mode != modeCheckPragmas {
			return console.Usagef("--format %v is for --unroll-sweep and --check-pragmas", o.format)
		}
	default:
		return console.Usagef("--format %v is for graphs; lists and reports are text or json", o.format)
	}
	return nil
}

func dimensions(n int) string {
	if n == 1 {
		return "1 dimension"
	}
	return string(rune('0'+n)) + " dimensions"
}
