package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/test/cputime"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// work is the child process.
func work(o *options, stdin io.Reader, stdout io.Writer) int {
	var heap heapPeak
	var began atomic.Int64
	go heap.watch(uint64(o.memory)<<20, o.timeout, &began)
	in, out := json.NewDecoder(stdin), json.NewEncoder(stdout)
	for {
		var j job
		if err := in.Decode(&j); err != nil {
			if errors.Is(err, io.EOF) {
				return exitDone
			}
			return exitInput
		}
		if err := workFile(o, j, &heap, &began, func(e event) error { return out.Encode(e) }); err != nil {
			return exitInput
		}
	}
}

// workFile tries the kernels of one file.
func workFile(o *options, j job, heap *heapPeak, began *atomic.Int64, send func(event) error) error {
	var start time.Duration
	begin := func() {
		start = cputime.Used()
		began.Store(int64(start))
	}
	begin()
	heap.take()
	u, failed := parseFile(o, j)
	parsing := heap.take()
	for i := range failed {
		failed[i].Millis, failed[i].Heap = millis(start), parsing
	}
	if err := send(event{Kind: fileEvent}); err != nil {
		return err
	}
	if j.Skip == 0 {
		for _, r := range failed {
			if err := send(event{Kind: resultEvent, Result: r}); err != nil {
				return err
			}
		}
	}
	if u != nil {
		for i := j.Skip; i < len(u.Kernels); i++ {
			if err := send(event{Kind: startEvent, Result: result{File: j.File, Kernel: u.Kernels[i].Name}}); err !=
				nil {
				return err
			}
			begin()
			r := tryKernel(o, u, u.Kernels[i])
			r.File, r.Kernel, r.Millis, r.Heap = j.File, u.Kernels[i].Name, millis(start), max(parsing, heap.take())
			if err := send(event{Kind: resultEvent, Result: r}); err != nil {
				return err
			}
		}
	}
	return send(event{Kind: endEvent})
}

// millis is the processor time in ms since the process had used start of it.
func millis(start time.Duration) float64 {
	return float64((cputime.Used() - start).Microseconds()) / 1000
}

// parseFile parses a file and lists the kernels that cannot be used.
func parseFile(o *options, j job) (*ast.Unit, []result) {
	file := j.File
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, []result{{File: file, Kernel: "?", Stage: "parse", Reason: err.Error()}}
	}
	cfg := frontend.Config{File: filepath.Base(file), Text: string(text), Dialect: ast.OpenCL, Target: o.target,
		Defines: slices.Concat(j.Flags.Defines, o.defines)}
	if filepath.Ext(file) == ".cu" {
		cfg.Dialect = ast.CUDA
	}
	// One file system serves all include paths: that of the whole machine, in
	// which the file's directory and the include paths are relative to its root.
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, []result{{File: file, Kernel: "?", Stage: "parse", Reason: err.Error()}}
	}
	cfg.FS = os.DirFS("/")
	cfg.File = strings.TrimPrefix(filepath.ToSlash(abs), "/")
	for _, dir := range slices.Concat(j.Flags.Includes, o.includes) {
		if d, err := filepath.Abs(dir); err == nil {
			cfg.IncludePaths = append(cfg.IncludePaths, strings.TrimPrefix(filepath.ToSlash(d), "/"))
		}
	}
	u, err := parseGuarded(cfg)
	short := func(err error) string { return strings.ReplaceAll(firstLine(err), cfg.File, filepath.Base(file)) }
	if err != nil {
		var failed []result
		names := kernelNames(string(text), cfg.Dialect)
		if len(names) == 0 && !strings.Contains(err.Error(), "[NOKERNEL]") {
			names = []string{"?"} // whatever it holds, it cannot be read
		}
		for _, name := range names {
			failed = append(failed, result{File: file, Kernel: name, Stage: "parse", Reason: short(err)})
		}
		return nil, failed
	}
	var failed []result
	for _, b := range u.Broken {
		failed = append(failed, result{File: file, Kernel: b.Name, Stage: "parse", Reason: short(b.Err)})
	}
	return u, failed
}

func parseGuarded(cfg frontend.Config) (u *ast.Unit, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = panicError(x)
		}
	}()
	return frontend.Parse(cfg)
}

// panicError names a panic and the first line of the program that it went
// through.
func panicError(x any) error {
	where := ""
	for _, l := range strings.Split(string(debug.Stack()), "\n") {
		if l = strings.TrimSpace(l); strings.Contains(l, ".go:") &&
			!strings.Contains(l, "internal/evidence/coverage") && !strings.Contains(l, "runtime/") {
			where, _, _ = strings.Cut(filepath.Base(l), " ")
			break
		}
	}
	return fmt.Errorf("panic: %v at %s", x, where)
}

// kernelWord finds the kernels of a text that cannot be parsed, as well as that
// can be done without parsing it, once what skipped matches is out of the way:
// comments and attributes. Its group is the kernel's name.
var (
	kernelWord = map[ast.Dialect]*regexp.Regexp{
		ast.OpenCL: regexp.MustCompile(`\b(?:__kernel|kernel)\s[^;{}()=]*?\b(\w+)\s*\(`),
		ast.CUDA:   regexp.MustCompile(`\b__global__\s[^;{}()=]*?\b(\w+)\s*\(`),
	}
	skipped = regexp.MustCompile(
		`(?s)/\*.*?\*/|//[^\n]*|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__launch_bounds__\s*\([^()]*\)`)
)

// kernelNames lists the kernels that a text seems to define.
func kernelNames(text string, d ast.Dialect) []string {
	var names []string
	for _, m := range kernelWord[d].FindAllStringSubmatch(skipped.ReplaceAllString(text, " "), -1) {
		names = append(names, m[1])
	}
	return names
}

// tryKernel takes one kernel through the pipe.
func tryKernel(o *options, u *ast.Unit, fn *ast.Function) (r result) {
	r.Stage = "lower"
	defer func() {
		if x := recover(); x != nil {
			r.Reason = panicError(x).Error()
		}
	}()
	k, err := translate.Kernel(u, fn)
	if err == nil {
		err = irverify.Verify(build.Build(k))
	}
	if err != nil {
		r.Reason = firstLine(err)
		return r
	}
	r.Stage = "execute"
	g, err := execute(u, k, fn, launch(o, fn))
	if err == nil {
		err = g.Verify()
	}
	if err == nil {
		r.Nodes, err = encodedNodes(g)
	}
	if err != nil {
		r.Reason = firstLine(err)
		return r
	}
	r.Stage = ""
	return r
}

// maxInstructions bounds the instructions of a warp before fewer trips are
// assumed: what commands take.
const maxInstructions = 4_000_000

// fewerTrips are the assumed trip counts that are tried where the first one
// makes a kernel too large: loops nested five deep around one instruction make a
// million of it at 16 trips each.
var fewerTrips = [...]int64{4, 2}

func execute(u *ast.Unit, k *lower.Kernel, fn *ast.Function, opt unroll.Options) (*idg.Graph, error) {
	g, _, err := generate.Execute(k, fn, u.Dialect, opt)
	for _, trips := range fewerTrips {
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != "TOO-LARGE" {
			break
		}
		opt.AssumeTrips = trips
		g, _, err = generate.Execute(k, fn, u.Dialect, opt)
	}
	return g, err
}

// encodedNodes writes a graph as users get it, to nowhere, and counts its
// instructions.
func encodedNodes(g *idg.Graph) (int, error) {
	n := 0
	for _, p := range g.Programs() {
		n += int(p.Len())
	}
	return n, idg.EncodeOptions{Fold: true}.Encode(io.Discard, g)
}

// launch is the default launch of a kernel: what it requires, or 256 work items
// in each group.
func launch(o *options, fn *ast.Function) unroll.Options {
	opt := unroll.Options{Target: o.target,
		Local: fn.WorkGroupSize, Groups: [3]int64{1024},
		MaxInstructions: maxInstructions,
		AssumeTrips:     o.trips, Warps: unroll.FirstWarp,
	}
	if fn.WorkGroupSize[0] == 0 {
		opt.Local = [3]int64{256, 1, 1}
		if fn.MaxWorkItems > 0 {
			opt.Local[0] = min(opt.Local[0], fn.MaxWorkItems)
		}
	}
	return opt
}

// firstLine is the first line of an error's text, that of the first error where
// notes stand before it.
func firstLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for _, l := range lines {
		if strings.Contains(l, ": error[") {
			return l
		}
	}
	return lines[0]
}
