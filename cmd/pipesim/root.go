package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"

	"github.com/spf13/cobra"
)

// newRoot makes the command tree of one run. Without a subcommand pipesim does
// what "pipesim run" does.
func newRoot(c *console.Console) *cobra.Command {
	root := newRun(c)
	root.Use = "pipesim [run] [flags] [IDG|-]"
	root.Version = strings.TrimPrefix(c.Version(), c.Name+" ")
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate())
	root.AddCommand(newRun(c), newSweep(c), newModels(c), newCompare(c), newOccupancy(c), newGPUs(c))
	root.Args = graphOrCommand
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().Var(timeoutFlag(c), "timeout", "give up after TIME, such as 5s")
	}
	return root
}

// timeoutFlag limits the time of the run from when it is read.
func timeoutFlag(c *console.Console) *console.Parsed[time.Duration] {
	return &console.Parsed[time.Duration]{Into: new(time.Duration), Kind: "TIME", Parse: func(text string) (time.Duration, error) {
		d, err := console.ParseTimeout(text)
		if err == nil {
			c.LimitTime(d)
		}
		return d, err
	}}
}

// graphOrCommand refuses more than one graph, and a command that there is not, which would
// be taken for the name of one.
func graphOrCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			names = append(names, sub.Name())
		}
	}
	_, err := os.Stat(args[0])
	if word := args[0]; word == filepath.Base(word) && filepath.Ext(word) == "" && errors.Is(err, fs.ErrNotExist) {
		hint := spelling.DidYouMean(word, names)
		if hint == "" {
			hint = "the commands: " + strings.Join(names, ", ")
		}
		return usage(root, "there is no command and no file %q", word).WithNote("%s", hint)
	}
	return atMostOne("graph")(root, args)
}

// flagError says what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	return console.FlagError(err, cmd.Flags(), cmd.CommandPath())
}

// atMostOne refuses more than one argument of a command.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return usage(cmd, "one %s is read, not %d: %q", what, len(args), args)
	}
}

func usage(cmd *cobra.Command, format string, args ...any) *diag.Error {
	return console.Usagef("%s", fmt.Sprintf(format, args...)).WithNote("%s --help explains the flags", cmd.CommandPath())
}

// usageTemplate is cobra's, with flags wrapped to the width of a terminal and
// the exit statuses.
func usageTemplate() string {
	return `Usage:
  {{.UseLine}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND --help{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}{{end}}

` + console.StatusHelp(false)
}
