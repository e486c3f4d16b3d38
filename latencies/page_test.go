package latencies

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/reference/devices.md")

const pageFile = "../docs/reference/devices.md"

// TestDevicesPage compares docs/reference/devices.md with what the device files make of it.
func TestDevicesPage(t *testing.T) {
	page := devicesPage(t)
	if *update {
		if err := os.WriteFile(pageFile, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != page {
		t.Errorf("%s is out of date, run go test ./latencies -run TestDevicesPage -update", pageFile)
	}
}

// devicesPage is the text of docs/reference/devices.md.
func devicesPage(t testing.TB) string {
	var devices []*Device
	printed, derived := 0, 0
	for _, name := range Names() {
		d := builtin(t, name)
		devices = append(devices, d)
		for _, o := range d.Origins {
			if o.Inherited == "" {
				printed++
				if o.Derived != "" {
					printed--
					derived++
				}
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, len(devices), printed+derived, printed, derived)
	pageTable(&b, devices, issueColumns)
	b.WriteString(pageMemory)
	pageTable(&b, devices, memoryColumns)
	b.WriteString(pageEvidence)
	for _, path := range []string{"partitions", "issue", "issue_interval", "register_reads", "dual_issue", "compiler",
		"barrier_waits_for", "tensor_cores", "async_copies", "group_replacement",
		"group_start", "launch_ns", "subsystems.local.queue", "limits.barriers", "limits.registers_per_group",
		"memory.contention.queueing", "memory.l1.latency", "memory.l2.latency", "memory.l3.latency",
		"instructions.ld.constant.latency"} {
		evidence(&b, devices, path)
	}
	b.WriteString("\n## Remarks\n\n")
	for _, d := range devices {
		if d.Description != "" {
			fmt.Fprintf(&b, "- **%s**: %s\n", d.Title, d.Description)
		}
	}
	b.WriteString(pageRules)
	for _, r := range DeriveRules() {
		fmt.Fprintf(&b, "- **%s**: %s.\n", r.Name, r.Doc)
	}
	return b.String()
}

// column is one of a table: the values of some paths, with a slash between them.
type column struct {
	title string
	paths []string
}

var issueColumns = []column{
	{"units", []string{"compute_units"}},
	{"MHz", []string{"clock_mhz", "base_clock_mhz"}},
	{"partitions", []string{"partitions"}},
	{"issue limit", []string{"issue_limit"}},
	{"order", []string{"issue"}},
	{"scheduler", []string{"scheduler"}},
	{"interval", []string{"issue_interval"}},
	{"reissue", []string{"reissue"}},
	{"register reads", []string{"register_reads"}},
	{"dual issue", []string{"dual_issue"}},
	{"compiler", []string{"compiler"}},
	{"barrier waits for", []string{"barrier_waits_for"}},
	{"group replacement", []string{"group_replacement"}},
	{"group start", []string{"group_start"}},
	{"launch, ns", []string{"launch_ns"}},
	{"queue of local memory", []string{"subsystems.local.queue"}},
}

var memoryColumns = []column{
	{"L1: bytes, λ/Λ", []string{"memory.l1.bytes", "memory.l1.cpi", "memory.l1.latency"}},
	{"L2: bytes, λ/Λ", []string{"memory.l2.bytes", "memory.l2.cpi", "memory.l2.latency"}},
	{"L3: bytes, λ/Λ", []string{"memory.l3.bytes", "memory.l3.cpi", "memory.l3.latency"}},
	{"memory: λ/Λ", []string{"instructions.ld.global.cpi", "instructions.ld.global.latency"}},
	{"load: a/b/c", []string{"memory.contention.unloaded", "memory.contention.queueing", "memory.contention.capacity"}},
	{"copy", []string{"memory.copy_cost"}},
	{"constants: λ/Λ", []string{"instructions.ld.constant.cpi", "instructions.ld.constant.latency"}},
	{"local: λ/Λ", []string{"instructions.ld.local.cpi", "instructions.ld.local.latency"}},
	{"local: request", []string{"memory.local_request"}},
	{"pin GB/s", []string{"memory.peak_gbs"}},
}

func pageTable(b *strings.Builder, devices []*Device, columns []column) {
	b.WriteString("| device |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, d := range devices {
		fmt.Fprintf(b, "| `%s` |", d.Name)
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", cell(d, c.paths))
		}
		b.WriteByte('\n')
	}
}

// cell is the values at some paths of a device. * marks what a rule derives, – what
// the device file does not have.
func cell(d *Device, paths []string) string {
	var parts []string
	some := false
	for _, path := range paths {
		o, ok := d.Origin(path)
		some = some || ok
		switch {
		case !ok:
			parts = append(parts, "–")
			continue
		case strings.HasSuffix(path, ".bytes"):
			o.Value = bytesText(o.Value)
		}
		if o.Derived != "" {
			o.Value += "*"
		}
		parts = append(parts, o.Value)
	}
	if !some {
		return "–"
	}
	if strings.HasSuffix(paths[0], ".bytes") {
		return parts[0] + ", " + strings.Join(parts[1:], "/")
	}
	return strings.Join(parts, "/")
}

// bytesText is a number of bytes in KiB or MiB.
func bytesText(value string) string {
	var n int64
	if _, err := fmt.Sscan(value, &n); err != nil {
		return value
	}
	if n >= 1<<20 {
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
}

// evidence lists the values of a path, each with its source and the devices that have it.
func evidence(b *strings.Builder, devices []*Device, path string) {
	type row struct{ value, why string }
	var rows []row
	names := map[row][]string{}
	for _, d := range devices {
		r := row{"–", "no source"}
		if o, ok := d.Origin(path); ok {
			r = row{o.Value, o.Cite()}
			if o.Note != "" {
				r.why += "; " + o.Note
			}
		}
		if names[r] == nil {
			rows = append(rows, r)
		}
		names[r] = append(names[r], d.Name)
	}
	slices.SortStableFunc(rows, func(x, y row) int { return len(names[y]) - len(names[x]) })
	fmt.Fprintf(b, "\n**%s**\n\n", path)
	for _, r := range rows {
		fmt.Fprintf(b, "- %s: %s (%s)\n", r.value, r.why, strings.Join(names[r], ", "))
	}
}
