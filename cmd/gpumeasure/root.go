package main

import (
	"gpupipe/cmd/internal/console"

	"github.com/spf13/cobra"
)

// newRoot makes the command tree of one run.
func newRoot(c *console.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "gpumeasure COMMAND",
		Short: "Measure the latencies and throughputs of a GPU",
		Long: `Runs microbenchmarks on a GPU, or another OpenCL device, and writes the device
file that idgen and pipesim read with --gpu. It needs the driver of the GPU and
nothing else: OpenCL (libOpenCL.so.1), or CUDA (libcuda.so.1 and libnvrtc.so).`,
		Example: `  gpumeasure list
  gpumeasure run --quick -o mygpu
  pipesim --gpu mygpu/device.yaml graph.json
  gpumeasure kernel mmul.cl -o mmul.csv
  gpumeasure check mygpu/device.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return console.UsageOf(cmd, "there is no command %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return console.UsageOf(cmd, "a command is needed: list, run, fit, kernel or check")
		},
	}
	root.SetFlagErrorFunc(console.FlagError)
	root.AddCommand(newList(c), newRun(c), newFit(c), newKernel(c), newCheck(c))
	return root
}
