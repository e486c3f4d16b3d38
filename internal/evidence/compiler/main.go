package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	f := pflag.NewFlagSet("compiler", pflag.ContinueOnError)
	f.SetOutput(stderr)
	root := f.String("root", "compiler", "this package's folder, where tables are written")
	updated := f.String("update", "", "make the tables of a set anew with the compilers in the PATH")
	measured := f.String("import", "", "make the tables of the H100 anew of the folder of its figures")
	if err := f.Parse(args); err != nil {
		return 2
	}
	list, err := readSources()
	if err == nil {
		switch {
		case *measured != "":
			err = importMeasured(*measured, list, truthFolder(*root))
		case *updated != "":
			err = update(*root, *updated, list)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}
