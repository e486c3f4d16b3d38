package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
)

// Exit statuses, as in the other commands.
const (
	exitDone  = 0
	exitFloor = 1
	exitUsage = 2
	exitInput = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command; args are those after its name.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "coverage: %v\n", err)
		return exitUsage
	}
	if o.worker {
		return work(o, stdin, stdout)
	}
	files, err := findFiles(o)
	if err != nil {
		fmt.Fprintf(stderr, "coverage: %v\n", err)
		return exitInput
	}
	results, err := measure(o, files, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "coverage: %v\n", err)
		return exitInput
	}
	if o.csv != "" {
		if err := writeCSVFile(o.csv, results); err != nil {
			fmt.Fprintf(stderr, "coverage: %v\n", err)
			return exitInput
		}
	}
	s := summarise(results)
	s.write(stdout, o.reasons)
	if o.floor > 0 && s.share() < o.floor {
		fmt.Fprintf(stderr, "coverage: %.1f%% of the kernels give a graph, the floor is %g%%\n", s.share(), o.floor)
		return exitFloor
	}
	return exitDone
}
