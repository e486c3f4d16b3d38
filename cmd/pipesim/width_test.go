package main

import (
	"io"
	"strings"
	"testing"

	"gpupipe/cmd/internal/console"

	"github.com/spf13/cobra"
)

// TestHelpFits has what all commands say of themselves fit a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if n := len(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot(console.New("pipesim", strings.NewReader(""), io.Discard, io.Discard)))
}
