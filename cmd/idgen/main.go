package main

import (
	"io"
	"os"

	"gpupipe/cmd/internal/console"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command with its input and output injected; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return int(console.New("idgen", stdin, stdout, stderr).Execute(newRoot, args))
}

// idgen makes the product that the command line asks for.
func idgen(c *console.Console, o *options) error {
	if o.mode == modeBuiltins {
		return c.Emit(o.output, func(w io.Writer) error { return writeBuiltins(w, o.format) })
	}
	src, err := openSource(c, o)
	if err != nil {
		return err
	}
	c.AddSource(src.file, src.text)
	h, err := chooseHardware(o)
	if err != nil {
		return err
	}
	unit, err := src.parse(o, h.architecture)
	if err != nil {
		return err
	}
	c.Report(sorted(unit.Warnings))
	if o.mode == modeList {
		return writer{c}.list(o, h, src, unit)
	}
	if o.all {
		return writer{c}.produceAll(o, h, src, unit)
	}
	fn, err := chooseKernel(unit, src, o.kernel)
	if err != nil {
		return err
	}
	if o.kernel == "" && src.function == "" {
		c.Report(unusable(unit, src, fn))
	}
	return writer{c}.produce(o, h, src, unit, fn)
}
