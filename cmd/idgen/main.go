package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"gpupipe/cmd/internal/console"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command with its input and output injected; it returns the exit
// status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := console.New("idgen", stdin, stdout, stderr)
	return int(c.Run(func(context.Context) error { return idgen(c, args) }))
}

// idgen reads the command line and makes the product that it asks for.
func idgen(c *console.Console, args []string) error {
	o, err := parseFlags(args)
	if err != nil {
		return err
	}
	if o.timeout > 0 {
		c.LimitTime(o.timeout)
	}
	switch o.mode {
	case modeHelp:
		return c.Emit(o.output, func(w io.Writer) error { return writeHelp(w) })
	case modeVersion:
		return c.Emit(o.output, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, c.Version())
			return err
		})
	case modeBuiltins:
		return c.Emit(o.output, func(w io.Writer) error { return writeBuiltins(w, o.format) })
	}
	src, err := openSource(c, o)
	if err != nil {
		return err
	}
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
	fn, err := chooseKernel(unit, src, o.kernel)
	if err != nil {
		return err
	}
	if o.kernel == "" && src.function == "" {
		c.Report(unusable(unit, src, fn))
	}
	return writer{c}.produce(o, h, src, unit, fn)
}
