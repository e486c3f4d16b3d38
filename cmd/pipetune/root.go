package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/internal/generate"
	"gpupipe/unroll"

	"github.com/spf13/cobra"
)

// newRoot makes the command of one run.
func newRoot(c *console.Console) *cobra.Command {
	o := &options{format: "text",
		base: generate.Options{DynamicLocal: -1, FS: source.Files{}, Locality: unroll.LaunchLocality}}
	cmd := &cobra.Command{
		Use:   "pipetune [flags] FILE|-",
		Short: "Predict and rank the variants of a GPU kernel",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			return o.rank(cmd.Context(), c)
		},
	}
	o.define(cmd)
	cmd.SetFlagErrorFunc(console.FlagError)
	return cmd
}
