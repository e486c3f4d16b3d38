package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	f := pflag.NewFlagSet("compiler", pflag.ContinueOnError)
	f.SetOutput(stderr)
	root := f.String("root", "compiler", "this package's folder, where tables are written")
	updated := f.String("update", "", "make the tables of a set anew with the compilers in the PATH")
	measured := f.String("import", "", "make the tables of the H100 anew of the folder of its figures")
	only := f.String("only", "", "kernels whose names contain this")
	set := f.String("set", "", "kernels of a set: h100, conv, corpus, amd, loops")
	name := f.String("compiler", "new", "new: package lower/compile; old: what executes a launch")
	most := f.Int("rows", 0, "so many rows of each group, the worst first; with --only: all")
	if err := f.Parse(args); err != nil {
		return 2
	}
	list, err := readSources()
	if err == nil {
		switch {
		case *measured != "":
			err = importMeasured(*measured, list, truthFolder(*root))
		case *updated != "":
			err = update(*root, *updated, *only, list)
		default:
			err = compare(stdout, list, *name, *set, *only, *most)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// compare writes a summary and rows.
func compare(w io.Writer, list []Source, name, set, only string, most int) error {
	c, ok := map[string]Compiler{"new": compiled{}, "old": executor{}}[name]
	if !ok {
		return fmt.Errorf("there is no compiler %q", name)
	}
	all, err := readCases(list)
	if err != nil {
		return err
	}
	cases := slices.DeleteFunc(all, func(c Case) bool {
		return set != "" && c.Source.Set != set || !strings.Contains(c.Source.Name, only)
	})
	rows := compareAll(c, cases)
	if len(rows) > 0 {
		writeSummary(w, rows)
	}
	if only != "" && most == 0 {
		most = len(rows)
	}
	writeRows(w, rows, most)
	loops, err := readLoops(list)
	if err != nil {
		return err
	}
	loops = slices.DeleteFunc(loops, func(l LoopCase) bool {
		return set != "" && set != "loops" || !strings.Contains(l.Source.Name, only)
	})
	if len(loops) > 0 {
		writeLoops(w, c, loops, most > 0)
	}
	return nil
}
