package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"gpupipe/internal/evidence/passes"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	f := pflag.NewFlagSet("compiler", pflag.ContinueOnError)
	f.SetOutput(stderr)
	root := f.String("root", "compiler", "this package's folder, where tables are written")
	updated := f.String("update", "", "make the tables of a set anew with the compilers in the PATH")
	measured := f.String("import", "", "make the tables of the H100 anew of the folder of its figures")
	var o selection
	f.StringVar(&o.only, "only", "", "kernels whose names contain this")
	f.StringVar(&o.set, "set", "", "kernels of a set: h100, conv, corpus, amd, loops")
	f.IntVar(&o.rows, "rows", 0, "so many rows of each group, the worst first; with --only: all")
	f.StringVarP(&o.page, "output", "o", "", "write the page docs/evidence/compiler.md instead")
	if err := f.Parse(args); err != nil {
		return 2
	}
	list, err := readSources()
	if err == nil {
		switch {
		case *measured != "":
			err = importMeasured(*measured, list, truthFolder(*root))
		case *updated != "":
			err = update(*root, *updated, o.only, list)
		default:
			err = compare(stdout, list, o)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// selection is which kernels are compared, and how much of them is written.
type selection struct {
	set, only string
	rows      int
	page      string // a file, "" = standard output has summary and rows
}

// compare writes a summary and rows, or the page.
func compare(w io.Writer, list []Source, o selection) error {
	cases, err := readCases(list)
	if err != nil {
		return err
	}
	loops, err := readLoops(list)
	if err != nil {
		return err
	}
	left := func(s *Source) bool {
		return o.set != "" && s.Set != o.set || !strings.Contains(s.Name, o.only)
	}
	cases = slices.DeleteFunc(cases, func(c Case) bool { return left(c.Source) })
	loops = slices.DeleteFunc(loops, func(l LoopCase) bool { return left(l.Source) })
	rows := compareAll(cases)
	if o.page != "" {
		compared, err := passes.Compare()
		if err != nil {
			return err
		}
		var b bytes.Buffer
		writePage(&b, rows, loops, compared)
		return os.WriteFile(o.page, b.Bytes(), 0o666)
	}
	if o.only != "" && o.rows == 0 {
		o.rows = len(rows) + len(loops)
	}
	if len(rows) > 0 {
		writeSummary(w, rows)
		writeRows(w, rows, o.rows)
	}
	if len(loops) > 0 {
		writeLoops(w, loops, o.rows)
	}
	return nil
}
