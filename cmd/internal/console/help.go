package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Annotations: TopicKey of a command is a text of its help behind the flags, sectionKey of a flag the heading above it.
const (
	TopicKey   = "topic"
	sectionKey = "section"
)

// Section defines flags of a command under a heading of its help.
func Section(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	f.SetNormalizeFunc(cmd.Flags().GetNormalizeFunc())
	define(f)
	f.VisitAll(func(flag *pflag.Flag) { _ = f.SetAnnotation(flag.Name, sectionKey, []string{title}) })
	cmd.Flags().AddFlagSet(f)
}

// Topic adds a text to a command's help, behind the flags.
func Topic(cmd *cobra.Command, text string) { cmd.Annotations = map[string]string{TopicKey: text} }

// HelpSection is a heading of a command's help with its flags.
type HelpSection struct {
	Title string
	Flags *pflag.FlagSet
}

// Sections are the headings of a command's help, in the order of its flags.
func Sections(cmd *cobra.Command) []HelpSection {
	var list []HelpSection
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		title := strings.Join(f.Annotations[sectionKey], "")
		i := slices.IndexFunc(list, func(s HelpSection) bool { return s.Title == title })
		if i < 0 {
			i = len(list)
			flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
			flags.SortFlags = false
			list = append(list, HelpSection{title, flags})
		}
		list[i].Flags.AddFlag(f)
	})
	return list
}

// Listed are the commands below one that its help lists.
func Listed(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() || sub.Name() == "completion" || sub.Name() == "help"
	})
}

// helpAllFlag prints Help, where --help prints ShortHelp.
const helpAllFlag = "help-all"

// Help is the help of a command in lines of at most so many columns.
func Help(cmd *cobra.Command, width int) string {
	var b strings.Builder
	writeUse(&b, cmd)
	for _, s := range Sections(cmd) {
		fmt.Fprintf(&b, "\n%s:\n%s", s.Title, s.Flags.FlagUsagesWrapped(width))
	}
	if topic := cmd.Annotations[TopicKey]; topic != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(topic))
	}
	fmt.Fprintf(&b, "\n%s", StatusHelp(cmd))
	return b.String()
}

// fewFlags is how many flags are listed in any case.
const fewFlags = 12

// ShortHelp is Help with those flags alone that the examples use, where there are many.
func ShortHelp(cmd *cobra.Command, width int) string {
	all := 0
	cmd.Flags().VisitAll(func(*pflag.Flag) { all++ })
	if all <= fewFlags {
		return Help(cmd, width)
	}
	used := strings.FieldsFunc(cmd.Example, func(r rune) bool { return strings.ContainsRune(" \n=", r) })
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(used, "--"+f.Name) || f.Shorthand != "" && slices.Contains(used, "-"+f.Shorthand) {
			shown.AddFlag(f)
		}
	})
	var b strings.Builder
	writeUse(&b, cmd)
	fmt.Fprintf(&b, "\nFlags of the examples (--%s lists all %d, the exit status and more):\n%s", helpAllFlag, all,
		shown.FlagUsagesWrapped(width))
	return b.String()
}

// writeUse writes what a command is for, examples, and the commands below it.
func writeUse(b *strings.Builder, cmd *cobra.Command) {
	if about := strings.TrimSpace(cmd.Long); about != "" {
		fmt.Fprintf(b, "%s\n\n", about)
	} else if cmd.Short != "" {
		fmt.Fprintf(b, "%s.\n\n", cmd.Short)
	}
	fmt.Fprintf(b, "Usage:\n  %s\n", cmd.UseLine())
	subs := Listed(cmd)
	if len(subs) > 0 {
		fmt.Fprintf(b, "  %s COMMAND --help\n", cmd.CommandPath())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	if len(subs) > 0 {
		b.WriteString("\nCommands:\n")
		for _, sub := range subs {
			fmt.Fprintf(b, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
		}
	}
}
