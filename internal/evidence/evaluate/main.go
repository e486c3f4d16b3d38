package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/pflag"
)

// Exit statuses, as in the other commands.
const (
	exitDone  = 0
	exitUsage = 2
	exitInput = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command; args are those after its name.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "evaluate: %v\n", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := evaluate(ctx, o, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "evaluate: %v\n", err)
		return exitInput
	}
	return exitDone
}

// evaluate runs every specification and writes the report and the rows.
func evaluate(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	studies, err := predictStudies(ctx, o, stderr)
	if err != nil {
		return err
	}
	return o.emit(stdout,
		func(w io.Writer) error { return writeRows(w, studies) },
		func(w io.Writer) error { return writeReport(w, o, studies) })
}

// emit writes the rows, if they are asked for, and the report.
func (o *options) emit(stdout io.Writer, rows, report func(io.Writer) error) error {
	if o.csv != "" {
		if err := writeFile(o.csv, rows); err != nil {
			return err
		}
	}
	if o.report != "" {
		return writeFile(o.report, report)
	}
	return report(stdout)
}

// predictStudies reads every specification and predicts its configurations.
func predictStudies(ctx context.Context, o *options, progress io.Writer) (studies []*study, err error) {
	for _, file := range o.specs {
		s, err := readSpec(file)
		if err != nil {
			return nil, err
		}
		name := o.gpu
		if name == "" {
			name = s.GPU
		}
		if name == "" {
			return nil,
				fmt.Errorf("%s: which device were the times measured on? Name it with --gpu, or as gpu: in the "+
					"specification", file)
		}
		device, err := findDevice(name)
		if err != nil {
			return nil, err
		}
		st, err := newStudy(o, s, device)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := st.predictAll(ctx, o.jobs, progress); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		studies = append(studies, st)
	}
	return studies, nil
}

// writeFile replaces a file by what write produces.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
