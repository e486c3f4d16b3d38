package main

import (
	"bytes"
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
		var help bytes.Buffer // what cobra writes itself, whose errors it does not say
		root.SetOut(&help)
		root.SetErr(stderr)
		if err := root.ExecuteContext(ctx); err != nil || help.Len() == 0 {
			return err
		}
		return c.Emit("", func(w io.Writer) error {
			_, err := help.WriteTo(w)
			return err
		})
	}))
}
