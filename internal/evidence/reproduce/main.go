package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the document and its figures; it returns the exit status.
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
	files, err := render()
	if err == nil {
		err = write(*dir, files)
	}
	if err != nil {
		fmt.Fprintf(stderr, "reproduce: %v\n", err)
		return 1
	}
	return 0
}

// file is a product: its path below the folder, with slashes.
type file struct {
	name string
	data []byte
}

// render makes all files.
func render() ([]file, error) {
	text, err := document(sections(), figures())
	if err != nil {
		return nil, err
	}
	files := []file{{"reproduction.md", text}}
	for _, f := range figures() {
		data, err := f.draw()
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.name, err)
		}
		files = append(files, file{figureFolder + "/" + f.name + ".svg", data})
	}
	return files, nil
}

func write(dir string, files []file) error {
	if err := os.MkdirAll(filepath.Join(dir, figureFolder), 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(f.name)), f.data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
