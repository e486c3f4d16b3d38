package main

import (
	"io"
	"os"

	"gpupipe/cmd/internal/console"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command with its input and output injected; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return int(console.New("pipetune", stdin, stdout, stderr).Execute(newRoot, args))
}
