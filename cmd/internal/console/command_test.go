package console

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sample is a command with a flag of each kind and a command below it.
func sample(c *Console) *cobra.Command {
	var number int
	var names, all []string
	cmd := &cobra.Command{
		Use: "tool [flags] [FILE]", Short: "Does something", Long: "Does something with a file.", Example: "  tool x",
		Args: AtMostOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			fmt.Fprintln(c.Stdout, number, names, all, args)
			return nil
		},
	}
	cmd.SetFlagErrorFunc(FlagError)
	Renamed(cmd, map[string]string{"count": "number"})
	Section(cmd, "Numbers", func(f *pflag.FlagSet) {
		f.Var(&Parsed[int]{Into: &number, Parse: ParseBetween(1, 9), Kind: "N"}, "number", "how many")
	})
	Section(cmd, "Names", func(f *pflag.FlagSet) {
		f.Var(&List[string]{Into: &names, Parse: ParseNames, Kind: "NAMES", Values: []string{"alpha", "beta"}},
			"names", "which")
		f.Var(Repeated(&all, func(s string) (string, error) { return s, nil }, "NAME"),
			"add", "one more")
	})
	Topic(cmd, "More about it.")
	cmd.AddCommand(&cobra.Command{Use: "sub", Short: "Does less", RunE: func(*cobra.Command, []string) error {
		return nil
	}})
	return cmd
}

// TestExecute: what a command line prints, and its exit status.
func TestExecute(t *testing.T) {
	for _, c := range []struct {
		line           string
		status         Status
		stdout, stderr string
	}{
		{"--number 3 --names alpha,beta --add x --add y f", Done, "3 [alpha beta] [x y] [f]\n", ""},
		{"--count 4", Done, "4 [] [] []\n", ""},
		{"--timeout 1m", Done, "0 [] [] []\n", ""},
		{"--number 10", Usage, "", "10 is more than 9"},
		{"--names a,,b", Usage, "", "a name in the list is empty"},
		{"--timeout 0s", Usage, "", "0s is not more than 0"},
		{"--timeout soon", Usage, "", `"soon" is not a time such as 5s or 1m30s`},
		{"--numbr 3", Usage, "", "did you mean --number?"},
		{"a b", Usage, "", `one file is read, not 2: ["a" "b"]`},
		{"--help", Done, "Numbers:\n      --number N", ""},
		{"sub --help", Done, "tool sub", ""},
		{"--version", Done, "tool ", ""},
		{"__complete --names b", Done, "beta\n", ""},
		{"__complete --names alpha,b", Done, "alpha,beta\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		con := &Console{Name: "tool", Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
		status := con.Execute(sample, strings.Fields(c.line))
		if status != c.status || !strings.Contains(stdout.String(), c.stdout) ||
			!strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("tool %s: status %v, want %v\n%s%s", c.line, status, c.status, &stdout, &stderr)
		}
	}
}
