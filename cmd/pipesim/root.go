package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/spelling"

	"github.com/spf13/cobra"
)

// newRoot makes the command tree of one run. Without a subcommand pipesim does what "pipesim run" does.
func newRoot(c *console.Console) *cobra.Command {
	root := newRun(c)
	root.Use = "pipesim [run] [flags] [IDG|-]"
	root.Short = "Predict the run time of a GPU kernel"
	root.SetFlagErrorFunc(console.FlagError)
	root.AddCommand(newRun(c), newReport(c), newAdvise(c), newWhatIf(c), newDiff(c), newSweep(c), newModels(c),
		newCompare(c), newOccupancy(c), newGPUs(c))
	root.Args = graphOrCommand
	return root
}

// graphOrCommand refuses more than one graph, and the name of a command that does not exist, which would be
// taken for that of a graph.
func graphOrCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == console.StandardStream {
		return console.AtMostOne("graph")(root, args)
	}
	var names []string
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			names = append(names, sub.Name())
		}
	}
	_, err := os.Stat(args[0])
	if word := args[0]; word == filepath.Base(word) && filepath.Ext(word) == "" && errors.Is(err, fs.ErrNotExist) {
		e := console.UsageOf(root, "there is no command and no file %q", word)
		if word == "unroll" {
			return e.WithNote("idgen FILE --unroll-report has the time for each factor of each loop")
		}
		return e.WithNote("%s", spelling.Known("commands", word, names))
	}
	return console.AtMostOne("graph")(root, args)
}
