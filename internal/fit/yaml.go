package fit

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/latencies"
)

// ErrNothing says that no class was fitted well enough to be written.
var ErrNothing = errors.New("no class was fitted well enough: there is no device file to write")

// leastStart is a time between two groups' starts, in cycles, below which none is written.
const leastStart = 0.01

// digits are those that a measured number is written with.
const digits = 3

// YAML is the device file, which latencies.ParseDevice accepts. The date says when the device was measured;
// "" leaves it out. ErrNothing if no class can be written.
func (r *Result) YAML(name, date string) ([]byte, error) {
	f := file{r: r, subsystems: r.subsystems()}
	if len(f.entries()) == 0 {
		return nil, ErrNothing
	}
	f.head(name, date)
	f.limits()
	f.memory()
	f.pipes()
	f.instructions()
	if _, err := latencies.ParseDevice(name+".yaml", f.out.Bytes()); err != nil {
		return nil, fmt.Errorf("the device file would not be accepted: %w", err)
	}
	return f.out.Bytes(), nil
}

// file is a device file that is being written.
type file struct {
	r          *Result
	subsystems []subsystem
	out        bytes.Buffer
}

func (f *file) line(format string, args ...any) { fmt.Fprintf(&f.out, format+"\n", args...) }

// told is a number that the device or its driver told.
func (f *file) told(indent, key string, value int) {
	if value > 0 {
		f.line("%s%s: {value: %d, source: told by the device}", indent, key, value)
	}
}

// measured is a number with its error.
func (f *file) measured(indent, key, value string, n Number, note string) {
	f.line("%s%s: {value: %s, source: %s%s}", indent, key, value, quote(fmt.Sprintf("M (±%s)", percent(n.Error))),
		noteOf(note))
}

func (f *file) head(name, date string) {
	d := &f.r.Device
	about := []string{"gpumeasure of this project on " + text(d.Name)}
	for _, part := range []struct{ label, text string }{{"driver ", d.Driver}, {"", d.API}, {"", date}} {
		if part.text != "" {
			about = append(about, part.label+part.text)
		}
	}
	f.line("version: 1")
	f.line("name: %s", quote(name))
	f.line("title: %s", quote(text(d.Name)+" (measured)"))
	f.line("vendor: %s", quote(text(d.Vendor)))
	f.line("architecture: %s", quote(text(d.Capability)))
	if d.Capability != "" {
		f.line("capability: %s", quote(d.Capability))
	}
	f.line("description: Measured. Each number has its 95%% interval, each instruction also the residual of its curve.")
	f.line("")
	f.line("sources:")
	f.line("  M: %s", quote(strings.Join(about, ", ")))
	f.line("")
	f.told("", "compute_units", d.ComputeUnits)
	f.line("clock_mhz: {value: %s, source: told by the device}", strconv.FormatFloat(d.ClockMHz, 'f', -1, 64))
	f.told("", "warp_size", d.WarpSize)
	limit := f.r.IssueLimit
	f.measured("", "issue_limit", f.issueLimit(), limit, limit.why("at least"))
	m := f.r.Machine
	f.line("partitions: {value: %d, source: M, note: the form of all curves}", m.Partitions)
	if m.Interval > 0 {
		f.line("issue_interval: {value: %s, source: M, note: one warp's independent instructions}", decimal(m.Interval))
	}
	switch {
	case m.Priority && m.Scheduler == 0:
		f.line("scheduler: {value: oldest, source: M, note: \"some warps go first until they end; which of them the " +
			"times do not tell\"}")
	case m.Priority:
		f.line("scheduler: {value: %s, source: M, note: some warps go first until they end}", m.Scheduler)
	}
	f.code()
	if l := f.r.Launch; l.Value > 0 {
		f.measured("", "launch_ns", decimal(l.Value), l, "")
	}
	if start := f.r.GroupStart; start >= leastStart {
		f.line("group_start: {value: %s, source: M, note: launches of several groups that do nothing}", decimal(start))
	}
	if n := f.r.Replacement; n.Value > 0 && !n.Bound {
		f.measured("", "group_replacement", decimal(n.Value), n, "launches of more groups than are resident together")
	}
	f.line("")
}

// code are facts about the code of kernels, which no time tells: those of a built-in device of the same capability.
func (f *file) code() {
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil || d.Capability != f.r.Device.Capability {
			continue
		}
		for _, key := range []string{"compiler", "barrier_waits_for", "tensor_cores",
			"async_copies"} {
			if o, ok := d.Origin(key); ok {
				f.line("%s: {value: %s, source: %s, note: as %s}", key, o.Value, quote(o.Cite()), name)
			}
		}
		return
	}
}

// issueLimit is rounded up, so that no λ is below what can be issued.
func (f *file) issueLimit() string {
	least := math.Inf(1)
	for _, e := range f.entries() {
		least = min(least, number(e.cpi))
	}
	limit := f.r.IssueLimit.Value
	if least > 0 {
		limit = max(limit, 1/least)
	}
	s := decimal(limit)
	for number(s)*least < 1 {
		limit *= 1 + math.Pow10(-digits)/2
		s = decimal(limit)
	}
	return s
}

func (f *file) limits() {
	d := &f.r.Device
	f.line("limits:")
	f.told("  ", "warps", d.MaxWarps)
	f.told("  ", "groups", d.MaxGroups)
	f.told("  ", "group_work_items", d.MaxGroupSize)
	f.told("  ", "registers", d.Registers)
	f.told("  ", "local_bytes", max(d.LocalBytesPerUnit, d.LocalBytes))
	f.told("  ", "local_bytes_per_group", d.LocalBytes)
	if d.MaxWarps+d.MaxGroups+d.MaxGroupSize+d.Registers+d.LocalBytes == 0 {
		f.out.Truncate(f.out.Len() - len("limits:\n"))
	}
	f.line("")
}

func (f *file) memory() {
	g := f.r.Geometry
	found := func(fit float64, how string) string {
		if fit == 0 {
			return "source: assumed, note: not measured"
		}
		return "source: M, note: " + quote(fmt.Sprintf("%s, within %s on average", how, percent(fit)))
	}
	f.line("memory:")
	f.line("  segment_bytes: {value: %d, %s}", g.Segment, found(g.SegmentFit, "cpi of strides"))
	f.line("  local_banks: {value: %d, %s}", g.Banks, found(g.BanksFit, "cpi of conflicts"))
	f.line("  local_bank_bytes: {value: %d, source: assumed}", bankBytes)
	if f.r.Device.WarpSize > g.Banks { // else all lanes of a warp
		f.line("  local_lanes: {value: %d, source: assumed, note: as many as banks}", g.Banks)
	}
	if c := f.r.class("ld.global.l2"); c != nil && f.r.Device.L2Bytes > 0 {
		f.line("  l2:")
		f.line("    bytes: {value: %d, source: told by the device}", f.r.Device.L2Bytes)
		f.measured("    ", "cpi", decimal(c.CPI.Value), c.CPI, c.CPI.why("at most"))
		f.measured("    ", "latency", decimal(c.Latency.Value), c.Latency, c.Latency.why("at most"))
	}
	if c := f.r.class("ld.global"); c != nil && c.Hull.Load.Queueing > 0 {
		f.line("  contention: {unloaded: %s, queueing: %s, capacity: %s, source: %s}", decimal(c.Latency.Value),
			decimal(c.Hull.Load.Queueing),
			decimal(f.r.gigabytes(c.Hull.Load.Access)), quote("M (residual "+percent(c.Residual)+")"))
	}
	f.line("")
}

// gigabytes is the throughput of the whole device, GB/s, where an access of 4 bytes a lane takes so many cycles.
func (r *Result) gigabytes(cycles float64) float64 {
	d := &r.Device
	return float64(d.ComputeUnits) * float64(4*d.WarpSize) * d.ClockMHz * 1e6 / cycles / 1e9
}

func (f *file) pipes() {
	f.line("subsystems:")
	for _, s := range f.subsystems {
		more := ""
		if s.partitioned {
			more = ", partitioned: true"
		}
		if s.queue > 0 {
			more += fmt.Sprintf(", queue: {value: %d, source: M, note: how many warps go first}", s.queue)
		}
		f.line("  - {name: %s%s, doc: %s}", s.name, more, quote(s.doc))
	}
	f.line("")
}

// entry is one of the instructions.
type entry struct {
	match, subsystem, cpi, latency, source, note string
}

// entries are what can be written, in the order of the classes.
func (f *file) entries() []entry {
	var list []entry
	for i := range f.r.Classes {
		c := &f.r.Classes[i]
		match := matchOf(c.Class)
		if c.Refused != "" || match == "" {
			continue
		}
		e := entry{match: match, subsystem: f.r.subsystemOf(c), cpi: decimal(c.CPI.Value),
			latency: decimal(c.Latency.Value)}
		e.source = fmt.Sprintf("M (cpi ±%s, latency ±%s, residual %s)", percent(c.CPI.Error), percent(c.Latency.Error),
			percent(c.Residual))
		e.note = c.describe()
		list = append(list, e)
		if c.Op == "select.s32" {
			e.match = "setp.s32"
			list = append(list, e)
		}
	}
	return list
}

func (f *file) instructions() {
	f.line("instructions:")
	for _, e := range f.entries() {
		f.line("  - {match: %s, subsystem: %s, cpi: %s, latency: %s, source: %s%s}", e.match, e.subsystem, e.cpi,
			e.latency, quote(e.source), noteOf(e.note))
	}
}

// matchOf is the entry that a class gives, "" for variants of another class and for what entries do not hold.
func matchOf(c measure.Class) string {
	switch {
	case c.Kind == measure.Barrier, c.Name == "ld.local.conflict1", c.Name == c.Op, c.Name == "branch.not_taken",
		strings.HasPrefix(c.Op, "atomic.") && strings.HasSuffix(c.Name, ".own"):
		return c.Op
	}
	return ""
}

// describe says what is assumed or only a bound.
func (c *Class) describe() string {
	var parts []string
	if c.CPI.Bound {
		parts = append(parts, "cpi: "+c.CPI.why("at most"))
	}
	if c.Latency.Bound {
		parts = append(parts, "latency: "+c.Latency.why("at most"))
	}
	if c.Note != "" {
		parts = append(parts, c.Note)
	}
	return strings.Join(parts, "; ")
}

// why says that a bound is one, and what hides the number.
func (n Number) why(bound string) string {
	if !n.Bound {
		return ""
	}
	return bound + " so much: " + n.Why
}

// text is what the device tells, or a word for that it does not.
func text(s string) string {
	if s = strings.Join(strings.Fields(s), " "); s != "" {
		return s
	}
	return "not told"
}

func noteOf(s string) string {
	if s == "" {
		return ""
	}
	return ", note: " + quote(s)
}

// quote is a double-quoted YAML scalar.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// decimal rounds to the digits that a measured number is written with.
func decimal(x float64) string {
	if x <= 0 || math.IsInf(x, 0) {
		return "0"
	}
	places := max(digits-1-int(math.Floor(math.Log10(x))), 0)
	s := strconv.FormatFloat(x, 'f', min(places, 4), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(s, 64) // of decimal
	return x
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + "%" }
