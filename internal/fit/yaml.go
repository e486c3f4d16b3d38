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

// ErrNothing says that there is nothing to write.
var ErrNothing = errors.New("no class was fitted, and no built-in device is like this one: there is no device file " +
	"to write")

// leastStart is a time between two groups' starts, in cycles, below which none is written.
const leastStart = 0.01

// digits are those that a measured number is written with.
const digits = 3

// YAML is the device file, which latencies.ParseDevice accepts: what was measured refines the built-in device that is
// nearest, or stands alone where none is of the vendor. The date says when the device was measured; "" leaves it out.
// ErrNothing if there is neither.
func (r *Result) YAML(name, date string) ([]byte, error) {
	f, err := r.newFile()
	if err != nil {
		return nil, err
	}
	if f.base == nil && len(f.entries()) == 0 {
		return nil, ErrNothing
	}
	f.head(name, date)
	switch limit := f.r.IssueLimit; {
	case f.base == nil:
		f.issue()
	case limit.Value > 0 && !limit.Bound && limit.Value >= f.base.IssueLimit.Float(): // else the base's λ are too small
		f.measured("", "issue_limit", decimal(limit.Value), limit, "instructions of several units together")
		f.line("")
	}
	if !f.itself {
		f.limits()
	}
	if f.base == nil {
		f.memory()
		f.pipes()
	} else {
		f.levels()
	}
	f.instructions()
	if _, err := latencies.ParseDevice(name+".yaml", f.out.Bytes()); err != nil {
		return nil, fmt.Errorf("the device file would not be accepted: %w", err)
	}
	return f.out.Bytes(), nil
}

// file is a device file that is being written.
type file struct {
	r          *Result
	base       *latencies.Device // that is refined; nil = none
	itself     bool              // it is the same device
	mapper     *latencies.Mapper // of the base
	subsystems []subsystem
	out        bytes.Buffer
}

func (r *Result) newFile() (*file, error) {
	f := &file{r: r, subsystems: r.subsystems()}
	if f.base, f.itself = r.base(); f.base == nil {
		return f, nil
	}
	var err error
	f.mapper, err = latencies.NewMapper(f.base, nil)
	return f, err
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
	f.line("%s%s: {value: %s, source: %s, interval: %s%s}", indent, key, value,
		quote(fmt.Sprintf("M (±%s)", percent(n.Error))), interval(n.Error), noteOf(note))
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
	if f.base == nil {
		f.line("vendor: %s", quote(text(d.Vendor)))
		f.line("architecture: %s", quote(text(d.Capability)))
	} else {
		f.line("extends: %s", f.base.Name)
	}
	if d.Capability != "" {
		f.line("capability: %s", quote(d.Capability))
	}
	f.line("description: Measured (M), each number with its 95%% interval%s.", f.others())
	f.line("")
	f.line("sources:")
	f.line("  M: %s", quote(strings.Join(about, ", ")))
	f.line("")
	f.told("", "compute_units", d.ComputeUnits)
	f.line("clock_mhz: {value: %s, source: told by the device}", strconv.FormatFloat(d.ClockMHz, 'f', -1, 64))
	f.told("", "warp_size", d.WarpSize)
	if f.base != nil {
		f.line("")
	}
}

// others says where numbers are from that were not measured.
func (f *file) others() string {
	switch {
	case f.base == nil:
		return ""
	case f.itself:
		return "; the others are those of " + f.base.Name
	}
	return "; the others are those of " + f.base.Name + ", the nearest built-in device"
}

// issue is how the device issues and launches.
func (f *file) issue() {
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
		f.contention(c)
	}
	f.copies()
	f.line("")
}

// copies are how many times as long a byte takes where as many are written as are read.
func (f *file) copies() {
	read, copied := f.r.Read, f.r.Copied
	if read.Value > 0 && copied.Value > 0 {
		n := Number{Value: max(read.Value/copied.Value, 1), Error: math.Hypot(read.Error, copied.Error)}
		f.measured("  ", "copy_cost", decimal(n.Value), n, fmt.Sprintf("%s GB/s read, %s copied",
			decimal(f.r.gigabytes(read.Value)), decimal(f.r.gigabytes(copied.Value))))
	}
}

// contention is the latency of device memory under load.
func (f *file) contention(c *Class) {
	access := float64(4 * f.r.Device.WarpSize * f.r.Device.ComputeUnits) // bytes, on all compute units
	f.line("  contention: {unloaded: %s, queueing: %s, capacity: %s, source: %s}", decimal(c.Latency.Value),
		decimal(c.Hull.Load.Queueing), decimal(f.r.gigabytes(access/c.Hull.Load.Access)),
		quote("M (residual "+percent(c.Residual)+")"))
}

// level is a cache. Of a bound above the base's λ, the latter is kept.
func (f *file) level(c *Class, base latencies.Cycles) {
	if !c.CPI.Bound || c.CPI.Value < base.Float() {
		f.measured("    ", "cpi", decimal(c.CPI.Value), c.CPI, c.CPI.why("at most"))
	}
	f.measured("    ", "latency", decimal(c.Latency.Value), c.Latency, c.Latency.why("at most"))
}

// levels are the levels of memory as far as they were measured.
func (f *file) levels() {
	at, m := f.out.Len(), &f.base.Memory
	f.line("memory:")
	empty := f.out.Len()
	if c := f.r.class("ld.global.l1"); c != nil && m.L1 != nil {
		f.line("  l1:")
		f.level(c, m.L1.Timing.CPI)
	}
	if c := f.r.class("ld.global.l2"); c != nil && m.L2 != nil {
		f.line("  l2:")
		f.level(c, m.L2.Timing.CPI)
		if !m.L2.FarLatency.IsZero() {
			f.measured("    ", "far_latency", decimal(c.Latency.Value), c.Latency,
				"both parts alike: the mean was measured")
		}
	}
	if c := f.r.class("ld.global"); c != nil && c.Hull.Load.Queueing > 0 {
		f.contention(c)
	}
	f.copies()
	if c := f.r.class("ld.global.random"); c != nil {
		n := c.CPI
		n.Value /= float64(max(f.r.Device.WarpSize, 1))
		f.measured("  ", "random_access", decimal(n.Value), n, "λ of reads at random, of each lane")
	}
	if f.out.Len() == empty {
		f.out.Truncate(at)
		return
	}
	f.line("")
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
	match, subsystem, cpi, latency, source, latencySource, faster, note string
	interval                                                            float64
}

// entries are what can be written, in the order of the classes.
func (f *file) entries() []entry {
	var list []entry
	for i := range f.r.Classes {
		c := &f.r.Classes[i]
		match := matchOf(c.Class)
		if match == "" || f.inherits(c) != "" {
			continue
		}
		e := entry{match: match, subsystem: f.r.subsystemOf(c), cpi: decimal(c.CPI.Value),
			latency: decimal(c.Latency.Value), interval: max(c.CPI.Error, c.Latency.Error)}
		e.source = fmt.Sprintf("M (cpi ±%s, latency ±%s, residual %s)", percent(c.CPI.Error), percent(c.Latency.Error),
			percent(c.Residual))
		e.note = c.describe()
		if f.base != nil {
			f.refine(&e, c)
		}
		list = append(list, e)
		if c.Op == "select.s32" && f.base == nil {
			e.match = "setp.s32"
			list = append(list, e)
		}
	}
	return list
}

// refine puts an entry where the base executes its op. A bound of λ or Λ leaves the base's.
func (f *file) refine(e *entry, c *Class) {
	was, ok := f.mapper.Entry(c.Op)
	if !ok {
		return
	}
	e.subsystem = f.base.Subsystems[was.Subsystem].Name
	as := was.Source + ", as on " + f.base.Name
	switch {
	case c.CPI.Bound:
		e.cpi, e.interval = was.Timing.CPI.String(), c.Latency.Error
		e.source, e.latencySource = as, fmt.Sprintf("M (±%s)", percent(c.Latency.Error))
		if number(e.cpi)*f.base.IssueLimit.Float() < 1 {
			e.faster = as
		}
	case number(e.cpi)*f.base.IssueLimit.Float() < 1: // which the base cannot issue
		slot, _ := latencies.WholeCycles(1).Div(f.base.IssueLimit)
		e.cpi, e.note = slot.String(), join(e.note, "cpi: measured "+decimal(c.CPI.Value)+", an issue slot is taken")
	case c.Latency.Bound:
		e.latency, e.interval = was.Timing.Latency.String(), c.CPI.Error
		e.source, e.latencySource = fmt.Sprintf("M (±%s)", percent(c.CPI.Error)), as
	}
}

func (f *file) instructions() {
	list := f.entries()
	if len(list) == 0 {
		return
	}
	f.line("instructions:")
	for _, e := range list {
		latency := ""
		if e.latencySource != "" {
			latency = ", latency_source: " + quote(e.latencySource)
		}
		if e.faster != "" {
			latency += ", faster_than_issue: " + quote(e.faster)
		}
		f.line("  - {match: %s, subsystem: %s, cpi: %s, latency: %s, source: %s%s, interval: %s%s}", e.match,
			e.subsystem,
			e.cpi, e.latency, quote(e.source), latency, interval(e.interval), noteOf(e.note))
	}
}

// interval is half an interval as device files have it.
func interval(x float64) string { return decimal(min(x, 1)) }

// matchOf is the entry that a class gives, "" for variants of another class and for what entries do not hold.
func matchOf(c measure.Class) string {
	switch {
	case c.Needs == measure.BFloat: // graphs have half precision for it
	case c.Kind == measure.Barrier, c.Name == "ld.local.conflict1", c.Name == c.Op, c.Name == "branch.not_taken",
		c.Needs == measure.Group,
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
