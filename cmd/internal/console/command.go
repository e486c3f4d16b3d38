package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"gpupipe/internal/diag"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Execute builds the command tree of one run, runs it with the arguments, and returns the exit status.
func (c *Console) Execute(build func(*Console) *cobra.Command, args []string) Status {
	return c.Run(func(ctx context.Context) error {
		root := build(c)
		c.Complete(root)
		args = append([]string{}, args...) // cobra takes nil for os.Args
		if i := slices.Index(args, "--"+helpAllFlag); i >= 0 && !slices.Contains(args[:i], "--") {
			c.helpAll, args[i] = true, "--help"
		}
		root.SetArgs(args)
		root.SetIn(c.Stdin)
		var text bytes.Buffer // help and completions: cobra drops the errors of writing them
		root.SetOut(&text)
		root.SetErr(c.Stderr)
		if err := root.ExecuteContext(ctx); err != nil || text.Len() == 0 {
			return err
		}
		return c.Emit("", func(w io.Writer) error {
			_, err := text.WriteTo(w)
			return err
		})
	})
}

// Complete gives a command tree what all commands share: --timeout, --help, --version, the layout of
// the help, and the completion of flags.
func (c *Console) Complete(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = strings.TrimPrefix(c.Version(), c.Name+" ")
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	write := func(cmd *cobra.Command) error {
		help := ShortHelp
		if c.helpAll {
			help = Help
		}
		_, err := io.WriteString(cmd.OutOrStdout(), help(cmd, Width(c.Stdout)))
		return err
	}
	root.SetUsageFunc(write)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = write(cmd) })
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().SortFlags = false
		Section(cmd, "Other", func(f *pflag.FlagSet) {
			f.Var(c.timeoutFlag(), "timeout", "give up after TIME, such as 5s")
			f.BoolP("help", "h", false, "print a short help")
			f.Bool(helpAllFlag, false, "print the help with all flags")
			if cmd == root {
				f.Bool("version", false, "print the version")
			}
		})
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if v, ok := f.Value.(completer); ok && len(v.completions()) > 0 {
				// fails for unknown flags only
				_ = cmd.RegisterFlagCompletionFunc(f.Name, completeList(v.completions()))
			}
		})
	}
}

// timeoutFlag limits the time of the run from when it is read.
func (c *Console) timeoutFlag() *Parsed[time.Duration] {
	return &Parsed[time.Duration]{Into: new(time.Duration), Kind: "TIME",
		Parse: func(text string) (time.Duration, error) {
			d, err := ParseTimeout(text)
			if err == nil {
				c.LimitTime(d)
			}
			return d, err
		}}
}

// completer is a flag that knows the values a shell may complete.
type completer interface{ completions() []string }

// completeList completes the last item of a list with commas; files are completed where no value fits.
func completeList(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		before := word[:strings.LastIndexByte(word, ',')+1]
		var list []string
		for _, v := range values {
			if strings.HasPrefix(before+v, word) {
				list = append(list, before+v)
			}
		}
		return list, cobra.ShellCompDirectiveDefault
	}
}

// Renamed accepts the old spellings of a command's flags, by their new names. The help does not show them.
func Renamed(cmd *cobra.Command, names map[string]string) {
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if now, ok := names[name]; ok {
			name = now
		}
		return pflag.NormalizedName(name)
	})
}

// AtMostOne refuses more than one argument of a command.
func AtMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return UsageOf(cmd, "one %s is read, not %d: %q", what, len(args), args)
	}
}

// Takes refuses fewer arguments of a command than least, and more than most, with what is needed.
func Takes(least, most int, needed string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return UsageOf(cmd, "%s", needed)
		}
		return nil
	}
}

// UsageOf is an error about the command line of a command, which points to its help.
func UsageOf(cmd *cobra.Command, format string, args ...any) *diag.Error {
	return Usagef(format, args...).WithNote("%s --help explains the flags", cmd.CommandPath())
}

// FlagError says what is wrong with a flag of a command, with a near one for a flag that does not exist.
func FlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if hint := flagHint(unknown, cmd.Flags()); hint != "" {
			return Usagef("%v", err).WithNote("%s", hint)
		}
	}
	return UsageOf(cmd, "%v", err)
}

// ParseNames reads a list of names with commas between them.
func ParseNames(text string) ([]string, error) {
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if slices.Contains(names, "") {
		return nil, errors.New("a name in the list is empty")
	}
	return names, nil
}
