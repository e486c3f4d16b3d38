package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/view"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot makes the command tree of one run.
func newRoot(c *console.Console) *cobra.Command {
	noBrowser := false
	root := &cobra.Command{
		Use:   "pipeview [flags] [FILE...]",
		Short: "See in a browser how a GPU kernel runs",
		Long: `Opens a page on which a kernel can be edited: OpenCL C, CUDA or HIP, a built-in
one or those of the named files. Beside it stands the prediction for one or two
GPUs, refreshed while you type: the time and what limits it, what to change, the
source with the cost of its lines, the timeline. Each loop has a control for its
unroll factor. The page's address holds all that is on it.

The page is served to this machine only, at a random port of 127.0.0.1, until
the command is interrupted.`,
		Example: `  pipeview
  pipeview kernel.cu common.h
  pipeview --no-browser kernel.cl
  pipeview export site`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return open(cmd.Context(), c, args, !noBrowser) },
	}
	console.Section(root, "Page", func(f *pflag.FlagSet) {
		f.BoolVar(&noBrowser, "no-browser", false, "print the page's address only, and start no browser")
	})
	root.SetFlagErrorFunc(console.FlagError)
	root.AddCommand(newExport(c))
	return root
}

// newExport makes the command that writes a static site.
func newExport(c *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR",
		Short: "Write the page as a static site",
		Long: `Writes the page as files, to be opened from disk (site/index.html) or put on any
web server. Predictions are then made in the browser, by the same code compiled to
WebAssembly: readers need to install nothing.

The code is compiled with the Go command, from the checkout of the repository
that pipeview was installed from (or, if that is gone, the one that this is run
in).`,
		Example: `  pipeview export site`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.UsageOf(cmd, "name one folder for the site, not %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return export(cmd.Context(), c, args[0]) },
	}
}

// open serves the page until the context ends.
func open(ctx context.Context, c *console.Console, names []string, browser bool) error {
	sources, err := readSources(names)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("no port of 127.0.0.1 can be opened: %w", err)
	}
	s, err := newServer(listener.Addr().(*net.TCPAddr).Port, sources)
	if err != nil {
		return err
	}
	address := "http://" + s.hosts[0] + "/"
	if err := c.Emit("", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, address)
		return err
	}); err != nil {
		return err
	}
	if browser {
		startBrowser(address)
	}
	return s.serve(ctx, listener)
}

// readSources reads the files that the page is opened with.
func readSources(names []string) ([]view.Source, error) {
	list := []view.Source{}
	for _, name := range names {
		text, err := console.ReadFile(name, view.MaxText, "sources of more than %d MB are not shown")
		if err != nil {
			return nil, err
		}
		list = append(list, view.Source{File: filepath.Base(name), Text: string(text)})
	}
	return list, nil
}
