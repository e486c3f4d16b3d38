package main

import (
	"context"
	"io"
	"os"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/generate"
	"gpupipe/internal/words"
)

func main() {
	console.Collect(garbage, memory)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

const (
	// garbage is how many percent of what is in use wait to be collected, while memory is not short: looking for it
	// takes a quarter of the time of long kernels at the usual 100.
	garbage = 400
	// memory is from how many bytes on garbage is collected sooner.
	memory = 420 << 20
)

// run is the command with its input and output injected; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return int(console.New("idgen", stdin, stdout, stderr).Execute(newRoot, args))
}

// idgen makes the product that the command line asks for.
func idgen(ctx context.Context, c *console.Console, o *options) error {
	if o.mode == modeBuiltins {
		return c.Emit(o.output, func(w io.Writer) error { return writeBuiltins(w, o.format) })
	}
	if o.mode == modeCheckPragmas {
		if err := o.readChoices(); err != nil {
			return err
		}
		return checkPragmas(ctx, c, o)
	}
	if info, err := os.Stat(o.input); o.all && err == nil && info.IsDir() {
		if err := o.readChoices(); err != nil {
			return err
		}
		return writer{c}.produceFolder(o)
	}
	src, err := openSource(c, o)
	if err != nil {
		return err
	}
	if err := o.readChoices(); err != nil {
		return err
	}
	p, err := writer{c}.parse(o, src)
	if err != nil {
		return err
	}
	if o.mode == modeList {
		return writer{c}.list(o, p)
	}
	if o.all {
		return writer{c}.produceAll(o, p)
	}
	fn, err := p.Choose(o.kernel)
	if err != nil {
		return err
	}
	if o.kernel == "" && src.Function == "" {
		c.Report(p.Unusable(fn))
	}
	return writer{c}.produce(ctx, o, p, fn)
}

// parse parses a source, and says what is to be said about it.
func (w writer) parse(o *options, src *generate.Source) (*generate.Program, error) {
	w.AddSource(src.File, src.Text)
	w.Words = words.For(src.Dialect.String(), o.Device.Vendor == "AMD")
	p, err := generate.Parse(src, &o.Options)
	if err != nil {
		return nil, err
	}
	w.Report(p.Unit.Warnings.Sorted())
	return p, checkStrictly(w.Console, o, p)
}
