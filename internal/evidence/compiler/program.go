package main

import (
	"io/fs"
	"path"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// deviceOf are devices of the architectures.
var deviceOf = map[string]string{"sm_70": "v100", "sm_80": "a100", "sm_90": "h100sxm", "ptx": "a100",
	"gfx90a":  "mi250x",
	"gfx1030": "rx6900xt", "gfx1100": "rx7900xtx"}

// program parses a source for a target.
func program(s *Source, t Target) (*generate.Program, error) {
	d, err := latencies.Builtin(deviceOf[t.Arch])
	if err != nil {
		return nil, err
	}
	o := generate.Options{DynamicLocal: -1, Device: d, MaxInstructions: 1 << 22, ManyKernels: true}
	o.Warps.Choice = unroll.EveryWarp
	if strings.HasPrefix(t.Profile, "clang") {
		o.Compiler = unroll.Clang
	}
	if strings.HasPrefix(s.File, "kernels/") {
		o.FS = kernels.FS()
	} else if o.FS, err = fs.Sub(testdata, path.Join("testdata", path.Dir(s.File))); err != nil {
		return nil, err
	}
	o.IncludeDirs = []string{"."}
	if s.Template != "" {
		o.Templates = []string{s.Template}
	}
	for _, z := range []struct {
		text string
		into *generate.Sizes
	}{{s.Local, &o.Local}, {s.Groups, &o.Groups}} {
		if z.text == "" {
			continue
		}
		if *z.into, err = generate.ParseSizes(z.text); err != nil {
			return nil, err
		}
	}
	for _, a := range s.Args {
		value, err := generate.ParseArgument(a)
		if err != nil {
			return nil, err
		}
		o.Args = append(o.Args, value)
	}
	if s.Dynamic > 0 {
		o.DynamicLocal = s.Dynamic
	}
	if line, trips, ok := strings.Cut(s.Trips, "="); ok {
		at, err := unroll.ParseLocation(line)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(trips, 10, 64)
		if err != nil {
			return nil, err
		}
		o.Trips = append(o.Trips, unroll.TripChoice{At: at, Trips: n})
	}
	dialect := ast.OpenCL
	if s.CUDA() {
		dialect = ast.CUDA
	}
	source, err := generate.NewSource(path.Base(s.File), []byte(s.Text()), dialect, s.Macros)
	if err != nil {
		return nil, err
	}
	return generate.Parse(source, &o)
}
