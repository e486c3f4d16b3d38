package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"gpupipe/cmd/internal/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newList(c *console.Console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list [flags]",
		Short:   "List the devices that can be measured",
		Long:    "Lists the devices of OpenCL and CUDA with what they tell about themselves.",
		Example: "  gpumeasure list\n  gpumeasure list --json | jq -r '.[].name'",
		Args:    console.Takes(0, 0, "list takes no argument"),
		RunE: func(*cobra.Command, []string) error {
			list, absent := findDevices()
			if len(list) == 0 {
				return errNoDevice(absent)
			}
			return c.Emit("", func(w io.Writer) error {
				if asJSON {
					return writeListJSON(w, list)
				}
				return writeList(w, list)
			})
		},
	}
	console.Section(cmd, "Output", func(f *pflag.FlagSet) { f.BoolVar(&asJSON, "json", false, "write JSON") })
	return cmd
}

func writeList(w io.Writer, list []found) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "device\tname\ttype\tunits\tMHz\tmemory\tinterface")
	for _, d := range list {
		p := d.Properties
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%.1f GB\t%s\n", d.id, p.Name, p.Type, p.ComputeUnits,
			strconv.FormatFloat(p.ClockMHz, 'f', 0, 64), float64(p.GlobalBytes)/1e9, p.API)
	}
	return t.Flush()
}

// listed is a device as JSON.
type listed struct {
	Device       string  `json:"device"`
	Name         string  `json:"name"`
	Vendor       string  `json:"vendor"`
	Driver       string  `json:"driver"`
	API          string  `json:"api"`
	Type         string  `json:"type"`
	Capability   string  `json:"capability,omitempty"`
	ComputeUnits int     `json:"compute_units"`
	ClockMHz     float64 `json:"clock_mhz"`
	GlobalBytes  int64   `json:"global_bytes"`
	LocalBytes   int     `json:"local_bytes"`
	Features     string  `json:"features"`
}

func writeListJSON(w io.Writer, list []found) error {
	var rows []listed
	for _, d := range list {
		p := d.Properties
		rows = append(rows, listed{d.id, p.Name, p.Vendor, p.Driver, p.API, p.Type, p.Capability, p.ComputeUnits,
			p.ClockMHz, p.GlobalBytes, p.LocalBytes, p.Features})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}
