package main

import (
	"context"
	"io"
	"os"

	"gpupipe/cmd/internal/console"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command with its input and output injected; it returns the exit
// status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := console.New("pipesim", stdin, stdout, stderr)
	return int(c.Run(func(ctx context.Context) error {
		root := newRoot(c)
		root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
		root.SetIn(stdin)
		root.SetOut(stdout)
		root.SetErr(stderr)
		return root.ExecuteContext(ctx)
	}))
}
