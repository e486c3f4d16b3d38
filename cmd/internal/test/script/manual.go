package script

import (
	"fmt"
	"strings"

	"gpupipe/cmd/internal/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pages are the manual of a command tree by file name: for each command a page of Markdown, whose first line
// names the command that generates it, and a page for man(1).
func pages(root *cobra.Command, generator string) map[string]string {
	out := map[string]string{}
	for _, cmd := range append(console.Listed(root), root) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		out[name+".md"] = fmt.Sprintf("<!-- Generated: %s -->\n# %s\n\n```\n%s```\n", generator, cmd.CommandPath(),
			console.Help(cmd, console.DefaultWidth))
		out[name+".1"] = fmt.Sprintf(".\\\" Generated: %s\n%s", generator, manPage(cmd))
	}
	return out
}

// manPage is the help of a command in the language of man(7).
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %q 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s\n", strings.ToUpper(name), roff(name),
		roff(cmd.Short), roff(cmd.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", verbatim(cmd.Long))
	for _, sub := range console.Listed(cmd) {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
	}
	for _, s := range console.Sections(cmd) {
		fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(roff(s.Title)))
		s.Flags.VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			spelling := "--" + f.Name
			if f.Shorthand != "" {
				spelling = "-" + f.Shorthand + ", " + spelling
			}
			value, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(spelling+" "+value)), roff(usage))
		})
	}
	if topic := cmd.Annotations[console.TopicKey]; topic != "" {
		fmt.Fprintf(&b, ".SH NOTES\n%s", verbatim(topic))
	}
	fmt.Fprintf(&b, ".SH EXAMPLES\n%s", verbatim(cmd.Example))
	_, status, _ := strings.Cut(console.StatusHelp(cmd), "\n")
	fmt.Fprintf(&b, ".SH EXIT STATUS\n%s", verbatim(status))
	return b.String()
}

// verbatim sets text as it is, line by line.
func verbatim(text string) string {
	return ".nf\n" + roff(strings.Trim(text, "\n")) + "\n.fi\n"
}

// roff escapes what man(7) would read as its own: backslashes, hyphens, and points and quotes that begin a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
