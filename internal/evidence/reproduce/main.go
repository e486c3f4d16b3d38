package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the document; it returns the exit status.
func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("o", "docs/evidence", "write to this `folder`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "reproduce: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	text, err := document(sections())
	if err == nil {
		err = write(*dir, text)
	}
	if err != nil {
		fmt.Fprintf(stderr, "reproduce: %v\n", err)
		return 1
	}
	return 0
}

// page is the name of the document.
const page = "reproduction.md"

func write(dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, page), text, 0o666)
}
