package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/latencies"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newGPUs(c *console.Console) *cobra.Command {
	f, output := report.Text, ""
	cmd := &cobra.Command{
		Use:   "gpus [flags] [NAME|FILE.yaml]",
		Short: "List the devices, or show one with every number and its source",
		Example: `  pipesim gpus
  pipesim gpus gtx1060
  pipesim gpus my-device.yaml          checks a device file`,
		Args: console.AtMostOne("device"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return showDevice(c, args[0], f, output)
			}
			return listDevices(c, f, output)
		},
	}
	console.Section(cmd, "Report", func(flags *pflag.FlagSet) {
		formatFlag(flags, &f, "text", report.Text, report.JSON, report.Markdown)
		outputFlag(flags, &output)
	})
	cmd.ValidArgs = latencies.Names()
	return cmd
}

func showDevice(c *console.Console, name string, f report.Format, output string) error {
	d, err := gpu.Find(name)
	if err != nil {
		return err
	}
	c.Report(d.Warnings)
	r := &results{document: fullDevice(d), sheet: deviceSheet(d)}
	return r.emit(c, output, f)
}

func listDevices(c *console.Console, f report.Format, output string) error {
	var devices []*latencies.Device
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil {
			return diag.AsDefect(err)
		}
		devices = append(devices, d)
	}
	list := make([]deviceSummary, len(devices))
	for i, d := range devices {
		list[i] = summary(d)
	}
	r := &results{document: list, sheet: catalogue(devices)}
	return r.emit(c, output, f)
}

// deviceSummary is a device in the JSON form of the list.
type deviceSummary struct {
	Name         string           `json:"name"`
	Title        string           `json:"title"`
	Default      bool             `json:"default"`
	Vendor       string           `json:"vendor"`
	Architecture string           `json:"architecture"`
	Capability   string           `json:"capability"`
	Aliases      []string         `json:"aliases"`
	Description  string           `json:"description,omitempty"`
	ComputeUnits int              `json:"compute_units"`
	ClockHz      int64            `json:"clock_hz"`
	WarpSize     int              `json:"warp_size"`
	IssueLimit   latencies.Cycles `json:"issue_limit"`
	MaxWarps     int64            `json:"max_warps"`
	LocalBytes   int64            `json:"local_bytes"`
	PeakGBs      latencies.Cycles `json:"peak_gbs"`
}

func summary(d *latencies.Device) deviceSummary {
	return deviceSummary{
		Name: d.Name, Title: d.Title, Default: d.Name == latencies.Default, Vendor: d.Vendor,
		Architecture: d.Architecture,
		Capability:   d.Capability, Aliases: append([]string{}, d.Aliases...), Description: d.Description,
		ComputeUnits: d.ComputeUnits, ClockHz: d.ClockHz, WarpSize: d.WarpSize, IssueLimit: d.IssueLimit,
		MaxWarps: d.Limits.Warps, LocalBytes: d.Limits.LocalBytes, PeakGBs: d.Memory.PeakGBs,
	}
}

// deviceDetails is a device in JSON with every number and its source.
type deviceDetails struct {
	deviceSummary
	Subsystems []subsystemDetails `json:"subsystems"`
	Numbers    []numberDetails    `json:"numbers"`
	Gaps       []gapDetails       `json:"gaps"`
	Sources    []sourceDetails    `json:"sources"`
}

type subsystemDetails struct {
	Name        string `json:"name"`
	Doc         string `json:"doc"`
	Partitioned bool   `json:"partitioned"`
}

type numberDetails struct {
	Path      string `json:"path"`
	Value     string `json:"value"`
	Source    string `json:"source"`
	Derived   string `json:"derived,omitempty"`
	Note      string `json:"note,omitempty"`
	Inherited string `json:"inherited,omitempty"`
}

// gapDetails is what no source tells and what stands in for it.
type gapDetails struct {
	What    string            `json:"what"`
	CPI     *latencies.Cycles `json:"cpi,omitempty"`
	Latency *latencies.Cycles `json:"latency,omitempty"`
	Instead string            `json:"instead"`
}

type sourceDetails struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

func fullDevice(d *latencies.Device) deviceDetails {
	out := deviceDetails{deviceSummary: summary(d), Subsystems: []subsystemDetails{}, Numbers: []numberDetails{},
		Gaps: []gapDetails{}, Sources: []sourceDetails{}}
	for _, s := range d.Subsystems {
		out.Subsystems = append(out.Subsystems, subsystemDetails{s.Name, s.Doc, s.Partitioned})
	}
	for _, o := range d.Origins {
		out.Numbers = append(out.Numbers, numberDetails{o.Path, o.Value, o.Source, o.Derived, o.Note, o.Inherited})
	}
	for _, g := range d.Gaps() {
		gap := gapDetails{What: g.What, Instead: g.Instead}
		if !g.Timing.CPI.IsZero() {
			gap.CPI, gap.Latency = &g.Timing.CPI, &g.Timing.Latency
		}
		out.Gaps = append(out.Gaps, gap)
	}
	for _, r := range d.References {
		out.Sources = append(out.Sources, sourceDetails{r.Key, r.Text})
	}
	return out
}
