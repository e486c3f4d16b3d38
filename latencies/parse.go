package latencies

import (
	"errors"
	"math"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// ParseDevice reads a device file (schema/device.schema.json). Decoding is
// strict: unknown keys, numbers without a source, values out of range and entries
// given twice are errors, all of them reported at once as a diag.List with their
// positions in the file. A file may extend a built-in device or the part that the
// devices of an architecture have in common (Architectures).
func ParseDevice(file string, data []byte) (*Device, error) {
	return parseDevice(file, data, wholeDevice, func(name string) (*Device, error) {
		if d, ok := architecture(name); ok {
			return d, nil
		}
		return Builtin(name)
	})
}

// extent says how much of a device a file must give.
type extent uint8

const (
	wholeDevice extent = iota + 1 // all that a run needs
	commonPart                    // what the devices of an architecture have in common
)

// topKeys are the keys of a device file apart from its numbers and choices.
var topKeys = []string{"version", "name", "title", "aliases", "vendor", "architecture", "capability", "extends",
	"description",
	"sources", "limits", "memory", "subsystems", "instructions"}

func parseDevice(file string, data []byte, e extent, base func(string) (*Device, error)) (*Device, error) {
	m, err := parseYAML(file, data)
	if err != nil {
		return nil, err
	}
	d := &decoder{file: file, dev: &Device{}}
	s := d.section(m, "", deviceKeys()...)
	if v := d.text(s, "version"); v != formatVersion {
		d.fail(d.at(s, "version"), "version is %q; this program reads version %s", v, formatVersion)
		return nil, d.errs.Err()
	}
	if name := d.text(s, "extends"); name != "" {
		b, err := base(name)
		var known *diag.Error
		switch {
		case errors.As(err, &known):
			e := *known
			e.Pos, e.Message = d.at(s, "extends"), "extends: "+e.Message
			d.errs.Add(&e)
			return nil, d.errs.Err()
		case err != nil:
			d.fail(d.at(s, "extends"), "extends: %v", err)
			return nil, d.errs.Err()
		}
		d.base, d.dev = b, b.inherited()
	}
	d.identity(s)
	d.device(s)
	if e == wholeDevice {
		d.complete(s)
	}
	if err := d.errs.Err(); err != nil {
		return nil, err
	}
	return d.dev, nil
}

// at is the position of a key's value, or of the file's first key.
func (d *decoder) at(s *section, key string) diag.Pos {
	if n := s.has(key); n != nil {
		return d.pos(n)
	}
	return d.pos(s.node)
}

func (d *decoder) identity(s *section) {
	d.dev.Name = d.text(s, "name")
	d.dev.Title = d.text(s, "title")
	d.dev.Extends = d.text(s, "extends")
	if d.dev.Name != "" && (d.dev.Name != strings.ToLower(d.dev.Name) || strings.ContainsAny(d.dev.Name, " \t/\\")) {
		d.fail(d.at(s, "name"), "name is %q; use lower-case letters, digits and - without spaces", d.dev.Name)
	}
	for _, n := range d.list(s, "aliases") {
		if v, ok := scalar(n); ok && v != "" && len(v) <= maxText {
			d.dev.Aliases = append(d.dev.Aliases, v)
		} else {
			d.fail(d.pos(n), "an alias must be text")
		}
	}
}

// complete reports what a device cannot do without.
func (d *decoder) complete(s *section) {
	missing := func(key string) { d.fail(d.pos(s.node), "the device has no %s", key) }
	for _, key := range []string{"name", "title"} {
		if s.has(key) == nil {
			missing(key)
		}
	}
	if len(d.errs) > 0 {
		return // what is missing may have been given wrongly
	}
	dev := d.dev
	for _, need := range []struct {
		key    string
		absent bool
	}{
		{"vendor", dev.Vendor == ""},
		{"architecture", dev.Architecture == ""},
		{"compute_units", dev.ComputeUnits == 0},
		{"clock_mhz", dev.ClockHz == 0},
		{"warp_size", dev.WarpSize == 0},
		{"issue_limit", dev.IssueLimit.IsZero()},
		{"subsystems", len(dev.Subsystems) == 0},
		{"instructions", len(dev.Instructions) == 0},
		{"memory.segment_bytes", dev.Memory.SegmentBytes == 0},
		{"memory.local_banks", dev.Memory.LocalBanks == 0},
		{"memory.local_bank_bytes", dev.Memory.LocalBankBytes == 0},
	} {
		if need.absent {
			missing(need.key)
		}
	}
	d.completeCaches(s.node)
	dev.Partitions = max(dev.Partitions, 1)
	d.inheritedFloor(d.at(s, "issue_limit"))
	d.inheritedBandwidth(s)
	for _, lanes := range []*int{&dev.Memory.SegmentLanes, &dev.Memory.LocalLanes} {
		if *lanes == 0 || *lanes > dev.WarpSize {
			*lanes = dev.WarpSize
		}
	}
}

// inheritedFloor warns of inherited entries that are faster than the issue
// limit, which the file may have lowered.
func (d *decoder) inheritedFloor(pos diag.Pos) {
	var names []string
	for _, in := range d.dev.Instructions {
		if rate, err := in.Timing.CPI.Mul(d.dev.IssueLimit); err == nil && in.Inherited != "" &&
			rate.Cmp(WholeCycles(1)) < 0 {
			names = append(names, in.Match)
		}
	}
	if len(names) > 0 {
		d.dev.Warnings.Add(diag.Warningf(pos, "ISSUE-FLOOR", "cpi less than 1/issue_limit in entries of %s: %s",
			d.dev.Extends, strings.Join(names, ", ")))
	}
}

// inheritedBandwidth warns where the bandwidth of device memory changes with the clock or the
// number of compute units alone: it is inherited in cycles of a compute unit, and memory has a
// clock of its own.
func (d *decoder) inheritedBandwidth(s *section) {
	if d.base == nil || d.base.ClockHz == 0 || d.base.ComputeUnits == 0 {
		return
	}
	i := slices.IndexFunc(d.dev.Instructions, func(in Instruction) bool {
		return in.Match == "ld.global" && in.Inherited != ""
	})
	if i < 0 || d.dev.Instructions[i].Timing.CPI.IsZero() {
		return
	}
	cpi := d.dev.Instructions[i].Timing.CPI
	was, is := d.base.bandwidth(cpi), d.dev.bandwidth(cpi)
	if math.Abs(is/was-1) < 0.001 {
		return
	}
	key := "clock_mhz"
	if s.has(key) == nil {
		key = "compute_units"
	}
	d.dev.Warnings.Add(diag.Warningf(d.at(s, key), "BANDWIDTH",
		"device memory moves %.0f GB/s, on %s %.0f: the cpi of ld.global is inherited, %v cycles of a compute unit",
		is/1e9, d.base.Name, was/1e9, cpi).
		WithNote("if memory is as fast as there, give ld.global, with cpi and latency in cycles of this clock, and " +
			"memory.contention"))
}

// bandwidth is what the device's memory moves, in bytes per second, where a coalesced access of
// 4 bytes a lane takes so many cycles of a compute unit.
func (d *Device) bandwidth(cpi Cycles) float64 {
	return float64(d.ComputeUnits) * float64(d.ClockHz) * 4 * float64(d.WarpSize) / cpi.Float()
}

// inherited is a copy of a built-in device for another device to refine: the
// origins keep the device that the numbers belong to.
func (d *Device) inherited() *Device {
	c := *d
	c.Aliases, c.Description, c.Warnings = nil, "", nil
	c.References = slices.Clone(d.References)
	c.Subsystems = slices.Clone(d.Subsystems)
	c.Instructions = slices.Clone(d.Instructions)
	c.Origins = slices.Clone(d.Origins)
	for i := range c.Instructions {
		if c.Instructions[i].Inherited == "" {
			c.Instructions[i].Inherited = d.Name
		}
	}
	for i := range c.Origins {
		if c.Origins[i].Inherited == "" {
			c.Origins[i].Inherited = d.Name
		}
	}
	c.Memory = d.Memory.inherited()
	return &c
}
