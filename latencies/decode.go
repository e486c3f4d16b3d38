package latencies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"gpupipe/internal/diag"
)

// formatVersion is the version of the device file format that this package
// reads.
const formatVersion = "1"

// maxText bounds names, sources and notes.
const maxText = 1000

// number is a field of a device file that holds one number with its source.
type number struct {
	key      string
	min, max int64 // of the value; min 0 means "more than 0" unless zero is set
	zero     bool  // 0 is allowed
	whole    bool  // no fractions
	set      func(*Device, Cycles)
}

var deviceNumbers = []number{
	{key: "compute_units", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) { d.ComputeUnits = int(v.Num()) }},
	{key: "clock_mhz", max: 20000, set: func(d *Device, v Cycles) { d.ClockHz = hertz(v) }},
	{key: "warp_size", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.WarpSize = int(v.Num()) }},
	{key: "issue_limit", max: 64, set: func(d *Device, v Cycles) { d.IssueLimit = v }},
	{key: "partitions", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Partitions = int(v.Num()) }},
	{key: "issue_interval", max: 1000, zero: true, set: func(d *Device, v Cycles) { d.IssueInterval = v }},
	{key: "group_replacement", max: 1000000, zero: true, set: func(d *Device, v Cycles) { d.GroupReplacement = v }},
}

var limitNumbers = []number{
	{key: "warps", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Limits.Warps = v.Num() }},
	{key: "groups", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Limits.Groups = v.Num() }},
	{key: "work_items", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) { d.Limits.WorkItems = v.Num() }},
	{key: "group_work_items", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) { d.Limits.GroupWorkItems = v.Num() }},
	{key: "registers", min: 1, max: 1 << 24, whole: true, set: func(d *Device, v Cycles) { d.Limits.Registers = v.Num() }},
	{key: "registers_per_item", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) { d.Limits.RegistersPerItem = v.Num() }},
	{key: "register_unit", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) { d.Limits.RegisterUnit = v.Num() }},
	{key: "warp_unit", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Limits.WarpUnit = v.Num() }},
	{key: "local_bytes", min: 1, max: 1 << 26, whole: true, set: func(d *Device, v Cycles) { d.Limits.LocalBytes = v.Num() }},
	{key: "local_unit", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) { d.Limits.LocalUnit = v.Num() }},
	{key: "local_bytes_per_group", min: 1, max: 1 << 26, whole: true, set: func(d *Device, v Cycles) { d.Limits.LocalBytesPerGroup = v.Num() }},
}

var memoryNumbers = []number{
	{key: "segment_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) { d.Memory.SegmentBytes = int(v.Num()) }},
	{key: "segment_lanes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Memory.SegmentLanes = int(v.Num()) }},
	{key: "local_banks", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Memory.LocalBanks = int(v.Num()) }},
	{key: "local_bank_bytes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Memory.LocalBankBytes = int(v.Num()) }},
	{key: "local_lanes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Memory.LocalLanes = int(v.Num()) }},
	{key: "peak_gbs", max: 1000000, set: func(d *Device, v Cycles) { d.Memory.PeakGBs = v }},
}

// Parts of memory whose numbers share one source.
var (
	l2Numbers = []number{
		{key: "cpi", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.L2.CPI = v }},
		{key: "latency", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.L2.Latency = v }},
	}
	contentionNumbers = []number{
		{key: "unloaded", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.Contention.Unloaded = v }},
		{key: "queueing", max: maxLatency, zero: true, set: func(d *Device, v Cycles) { d.Memory.Contention.Queueing = v }},
		{key: "capacity", max: 1000000, set: func(d *Device, v Cycles) { d.Memory.Contention.Capacity = v }},
	}
)

// Largest λ and Λ that are accepted, in cycles.
const (
	maxCPI     = 1_000_000
	maxLatency = 10_000_000
)

func hertz(mhz Cycles) int64 {
	hz, err := mhz.Mul(WholeCycles(1_000_000))
	if err != nil {
		return 0
	}
	return hz.Num() / hz.Den()
}

// decoder turns the syntax tree of a device file into a Device and collects
// everything that is wrong with it.
type decoder struct {
	file string
	dev  *Device
	errs diag.List
}

func (d *decoder) fail(pos diag.Pos, format string, args ...any) {
	d.errs.Add(diag.Errorf(pos, "DEVICE", format, args...))
}

func (d *decoder) pos(n ast.Node) diag.Pos { return nodePos(d.file, n) }

// section is a mapping of the file whose keys have been checked.
type section struct {
	path  string // "limits."; empty at the top
	node  *ast.MappingNode
	value map[string]ast.Node
	key   map[string]ast.Node
}

// has returns the value of a key, nil if the file does not give it.
func (s *section) has(key string) ast.Node { return s.value[key] }

// section checks that n is a mapping with only the given keys, each once.
func (d *decoder) section(n ast.Node, path string, keys ...string) *section {
	m, ok := asMapping(n)
	if !ok {
		d.fail(d.pos(n), "%s must be a mapping, not %s", strings.TrimSuffix(path, "."), kindOf(n))
		return nil
	}
	s := &section{path: path, node: m, value: map[string]ast.Node{}, key: map[string]ast.Node{}}
	for _, v := range m.Values {
		key, ok := scalar(v.Key)
		switch {
		case !ok || !slices.Contains(keys, key):
			d.fail(d.pos(v.Key), "unknown key %q%s", key, didYouMean(key, keys))
		case s.value[key] != nil:
			d.fail(d.pos(v.Key), "key %q is given twice", key)
		default:
			s.value[key], s.key[key] = v.Value, v.Key
		}
	}
	return s
}

// text reads a string; "" if the key is absent.
func (d *decoder) text(s *section, key string) string {
	n := s.has(key)
	if n == nil {
		return ""
	}
	v, ok := scalar(n)
	v = strings.TrimSpace(v)
	switch {
	case !ok:
		d.fail(d.pos(n), "%s%s must be text, not %s", s.path, key, kindOf(n))
	case v == "":
		d.fail(d.pos(n), "%s%s is empty", s.path, key)
	case len(v) > maxText:
		d.fail(d.pos(n), "%s%s has %d characters; at most %d are accepted", s.path, key, len(v), maxText)
	case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0xfffd }):
		d.fail(d.pos(n), "%s%s holds control characters or invalid UTF-8", s.path, key)
	default:
		return v
	}
	return ""
}

// oneOf reads a string that must be one of the given ones.
func (d *decoder) oneOf(s *section, key string, words []string) string {
	v := d.text(s, key)
	if v != "" && !slices.Contains(words, v) {
		d.fail(d.pos(s.has(key)), "%s%s is %q; it must be one of %s", s.path, key, v, strings.Join(words, ", "))
		return ""
	}
	return v
}

// flag reads true or false.
func (d *decoder) flag(s *section, key string) (value, given bool) {
	n := s.has(key)
	if n == nil {
		return false, false
	}
	b, ok := n.(*ast.BoolNode)
	if !ok {
		d.fail(d.pos(n), "%s%s must be true or false", s.path, key)
		return false, false
	}
	return b.Value, true
}

// provenance is what the file says about where numbers come from.
type provenance struct{ source, derived, note string }

// provenance reads source, derived and note of a section; a number without a
// source is an error.
func (d *decoder) provenance(s *section, what string) provenance {
	p := provenance{source: d.text(s, "source"), derived: d.oneOf(s, "derived", deriveRuleNames()), note: d.text(s, "note")}
	if s.has("source") == nil {
		d.fail(d.pos(s.node), "%s has no source: every number says where it comes from (source: ...)", what)
	}
	return p
}

// value reads the number at a key and checks its range.
func (d *decoder) value(n ast.Node, path string, f number) (Cycles, bool) {
	t, ok := scalar(n)
	if !ok {
		d.fail(d.pos(n), "%s must be a number, not %s", path, kindOf(n))
		return Cycles{}, false
	}
	v, err := ParseCycles(t)
	switch {
	case err != nil:
		d.fail(d.pos(n), "%s: %v", path, err)
	case f.whole && v.Den() != 1:
		d.fail(d.pos(n), "%s is %v; it must be a whole number", path, v)
	case v.IsZero() && !f.zero:
		d.fail(d.pos(n), "%s must be more than 0", path)
	case v.Den() > maxDenominator:
		d.fail(d.pos(n), "%s is %v; exact times need a denominator of at most %d", path, v, maxDenominator)
	case v.Cmp(Cycles{num: f.min}) < 0 || v.Cmp(Cycles{num: f.max}) > 0:
		d.fail(d.pos(n), "%s is %v; it must lie between %d and %d", path, v, f.min, f.max)
	default:
		return v, true
	}
	return Cycles{}, false
}

// maxDenominator bounds the fractions in device files and --set rules, so that the
// common denominator of a run stays small.
const maxDenominator = 10_000

// number reads "key: {value: ..., source: ...}".
func (d *decoder) number(s *section, f number) {
	n := s.has(f.key)
	if n == nil {
		return
	}
	path := s.path + f.key
	if _, ok := scalar(n); ok {
		d.fail(d.pos(n), "%s has no source: write %s: {value: ..., source: ...}", path, f.key)
		return
	}
	q := d.section(n, path+".", "value", "source", "derived", "note")
	if q == nil {
		return
	}
	p := d.provenance(q, path)
	if q.has("value") == nil {
		d.fail(d.pos(n), "%s has no value", path)
		return
	}
	if v, ok := d.value(q.has("value"), path, f); ok {
		f.set(d.dev, v)
		d.origin(path, v, p, d.pos(q.has("value")))
	}
}

// numbers reads "key: {a: ..., b: ..., source: ...}", all of them required.
func (d *decoder) numbers(s *section, key string, fields []number) {
	keys := []string{"source", "derived", "note"}
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	path := s.path + key + "."
	q := d.section(s.has(key), path, keys...)
	if q == nil {
		return
	}
	p := d.provenance(q, s.path+key)
	for _, f := range fields {
		n := q.has(f.key)
		if n == nil {
			d.fail(d.pos(q.node), "%s%s has no %s", s.path, key, f.key)
			continue
		}
		if v, ok := d.value(n, path+f.key, f); ok {
			f.set(d.dev, v)
			d.origin(path+f.key, v, p, d.pos(n))
		}
	}
}

// origin records where a number comes from; a refined number replaces the one of
// the base device.
func (d *decoder) origin(path string, v Cycles, p provenance, pos diag.Pos) {
	o := Origin{Path: path, Value: v.String(), Source: p.source, Derived: p.derived, Note: p.note, Pos: pos}
	for i := range d.dev.Origins {
		if d.dev.Origins[i].Path == path {
			d.dev.Origins[i] = o
			return
		}
	}
	d.dev.Origins = append(d.dev.Origins, o)
}

func keysOf(fields []number, more ...string) []string {
	for _, f := range fields {
		more = append(more, f.key)
	}
	return more
}

// device decodes the whole file on top of the base device that it extends.
func (d *decoder) device(s *section) {
	dev := d.dev
	if t := d.text(s, "vendor"); t != "" {
		dev.Vendor = t
	}
	if t := d.text(s, "architecture"); t != "" {
		dev.Architecture = t
	}
	if t := d.text(s, "capability"); t != "" {
		dev.Capability = t
	}
	dev.Description = d.text(s, "description")
	if t := d.oneOf(s, "scheduler", []string{"rr", "gto", "oldest", "group"}); t != "" {
		dev.Scheduler = t
	}
	if t := d.oneOf(s, "issue", []string{"dataflow", "in-order"}); t != "" {
		dev.Issue = t
	}
	d.references(s)
	for _, f := range deviceNumbers {
		d.number(s, f)
	}
	if n := s.has("limits"); n != nil {
		if l := d.section(n, "limits.", keysOf(limitNumbers, "registers_by_group")...); l != nil {
			for _, f := range limitNumbers {
				d.number(l, f)
			}
			if v, ok := d.flag(l, "registers_by_group"); ok {
				dev.Limits.RegistersByGroup = v
			}
		}
	}
	if n := s.has("memory"); n != nil {
		d.memory(n)
	}
	d.subsystems(s)
	d.instructions(s)
}

func (d *decoder) memory(n ast.Node) {
	m := d.section(n, "memory.", keysOf(memoryNumbers, "l2", "contention")...)
	if m == nil {
		return
	}
	for _, f := range memoryNumbers {
		d.number(m, f)
	}
	if m.has("l2") != nil {
		d.dev.Memory.L2 = &Timing{}
		d.numbers(m, "l2", l2Numbers)
	}
	if m.has("contention") != nil {
		d.dev.Memory.Contention = &Contention{}
		d.numbers(m, "contention", contentionNumbers)
	}
}

// references reads the list of cited sources.
func (d *decoder) references(s *section) {
	n := s.has("sources")
	if n == nil {
		return
	}
	m, ok := asMapping(n)
	if !ok {
		d.fail(d.pos(n), "sources must be a mapping from a short name to a reference, not %s", kindOf(n))
		return
	}
	own := map[string]bool{}
	for _, v := range m.Values {
		key, ok1 := scalar(v.Key)
		text, ok2 := scalar(v.Value)
		switch {
		case !ok1 || !ok2 || key == "" || text == "" || len(key) > 40 || len(text) > maxText:
			d.fail(d.pos(v.Key), "sources must map short names to references")
		case own[key]:
			d.fail(d.pos(v.Key), "source %q is given twice", key)
		default:
			own[key] = true
			d.dev.References = slices.DeleteFunc(d.dev.References, func(r Reference) bool { return r.Key == key })
			d.dev.References = append(d.dev.References, Reference{key, text})
		}
	}
}

// list returns the elements of a sequence.
func (d *decoder) list(s *section, key string) []ast.Node {
	n := s.has(key)
	if n == nil {
		return nil
	}
	q, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(d.pos(n), "%s%s must be a list, not %s", s.path, key, kindOf(n))
		return nil
	}
	return q.Values
}

func (d *decoder) subsystems(s *section) {
	own := map[string]bool{}
	for _, n := range d.list(s, "subsystems") {
		q := d.section(n, "subsystems.", "name", "doc", "partitioned")
		if q == nil {
			continue
		}
		sub := Subsystem{Name: d.text(q, "name"), Doc: d.text(q, "doc")}
		sub.Partitioned, _ = d.flag(q, "partitioned")
		switch {
		case q.has("name") == nil:
			d.fail(d.pos(n), "a subsystem has no name")
		case sub.Name == "":
		case !isSubsystemName(sub.Name):
			d.fail(d.pos(q.has("name")), "%q is not a name of a subsystem: use lower-case letters, digits, - and _", sub.Name)
		case own[sub.Name]:
			d.fail(d.pos(q.has("name")), "subsystem %q is given twice", sub.Name)
		default:
			own[sub.Name] = true
			if id, ok := d.dev.subsystem(sub.Name); ok {
				d.dev.Subsystems[id] = sub
			} else {
				d.dev.Subsystems = append(d.dev.Subsystems, sub)
			}
		}
	}
}

func isSubsystemName(s string) bool {
	return s != "" && len(s) <= 40 && s[0] >= 'a' && s[0] <= 'z' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// subsystem finds a subsystem by its name.
func (d *Device) subsystem(name string) (SubsystemID, bool) {
	for i := range d.Subsystems {
		if d.Subsystems[i].Name == name {
			return SubsystemID(i), true
		}
	}
	return 0, false
}

func (d *decoder) instructions(s *section) {
	own := map[string]bool{}
	for _, n := range d.list(s, "instructions") {
		q := d.section(n, "instructions.", "match", "subsystem", "cpi", "latency", "source", "derived", "note", "faster_than_issue")
		if q == nil {
			continue
		}
		in, ok := d.instruction(q)
		if !ok {
			continue
		}
		if own[in.Match] {
			d.fail(d.pos(q.has("match")), "there are two entries for %s", in.Match)
			continue
		}
		own[in.Match] = true
		if i := slices.IndexFunc(d.dev.Instructions, func(o Instruction) bool { return o.Match == in.Match }); i >= 0 {
			d.dev.Instructions[i] = in
		} else {
			d.dev.Instructions = append(d.dev.Instructions, in)
		}
	}
}

func (d *decoder) instruction(q *section) (Instruction, bool) {
	before := len(d.errs)
	for _, key := range []string{"match", "subsystem", "cpi", "latency"} {
		if q.has(key) == nil {
			d.fail(d.pos(q.node), "an instruction entry has no %s", key)
		}
	}
	in := Instruction{Match: d.text(q, "match"), Pos: d.pos(q.node)}
	if in.Match != "" {
		if wrong := checkMatch(in.Match); wrong != "" {
			d.fail(d.pos(q.has("match")), "%s", wrong)
		}
	}
	if name := d.text(q, "subsystem"); name != "" {
		id, ok := d.dev.subsystem(name)
		if !ok {
			var names []string
			for _, sub := range d.dev.Subsystems {
				names = append(names, sub.Name)
			}
			d.fail(d.pos(q.has("subsystem")), "the device has no subsystem %q; it has %s", name, strings.Join(names, ", "))
		}
		in.Subsystem = id
	}
	p := d.provenance(q, fmt.Sprintf("the entry for %s", in.Match))
	in.Source, in.Derived, in.Note = p.source, p.derived, p.note
	path := "instructions." + in.Match
	if n := q.has("cpi"); n != nil {
		if v, ok := d.value(n, path+".cpi", number{max: maxCPI}); ok {
			in.Timing.CPI = v
			d.issueFloor(q, in.Match, v)
		}
	}
	if n := q.has("latency"); n != nil {
		if v, ok := d.value(n, path+".latency", number{max: maxLatency}); ok {
			in.Timing.Latency = v
		}
	}
	if len(d.errs) > before {
		return in, false
	}
	d.origin(path+".cpi", in.Timing.CPI, p, d.pos(q.has("cpi")))
	d.origin(path+".latency", in.Timing.Latency, p, d.pos(q.has("latency")))
	return in, true
}

// issueFloor checks that a compute unit can issue the instruction as often as
// its λ promises: λ ≥ 1/issue limit, unless the file says why not.
func (d *decoder) issueFloor(q *section, match string, cpi Cycles) {
	reason := d.text(q, "faster_than_issue")
	rate, err := cpi.Mul(d.dev.IssueLimit)
	if err != nil || d.dev.IssueLimit.IsZero() {
		return // reported where the issue limit is missing or out of range
	}
	faster := rate.Cmp(WholeCycles(1)) < 0
	switch {
	case faster && reason == "":
		d.fail(d.pos(q.has("cpi")), "%s: cpi %v is less than 1/issue_limit (%v instructions per cycle); say why in faster_than_issue if that is meant", match, cpi, d.dev.IssueLimit)
	case faster:
		d.dev.Warnings.Add(diag.Warningf(d.pos(q.has("cpi")), "ISSUE-FLOOR", "%s: cpi %v is less than 1/issue_limit: %s", match, cpi, reason))
	case reason != "":
		d.fail(d.pos(q.has("faster_than_issue")), "%s: cpi %v is not less than 1/issue_limit: drop faster_than_issue", match, cpi)
	}
}
