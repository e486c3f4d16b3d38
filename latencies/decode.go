package latencies

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"gpupipe/internal/diag"
)

// formatVersion is the version of the device file format that this package
// reads.
const formatVersion = "1"

// maxText bounds names, sources and notes.
const maxText = 1000

// decoder turns the syntax tree of a device file into a Device and collects
// everything that is wrong with it.
type decoder struct {
	file string
	dev  *Device
	base *Device // that the file extends, nil = none
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

// choice reads "key: {value: ..., source: ...}" where the value is one of the given
// words. A choice without a source ("key: WORD") is the author's own.
func (d *decoder) choice(s *section, key string, words []string) string {
	n := s.has(key)
	if _, ok := asMapping(n); !ok {
		return d.oneOf(s, key, words)
	}
	q := d.section(n, s.path+key+".", "value", "source", "derived", "note", "interval")
	if q == nil {
		return ""
	}
	p := d.provenance(q, s.path+key)
	if q.has("value") == nil {
		d.fail(d.pos(n), "%s%s has no value", s.path, key)
		return ""
	}
	v := d.oneOf(q, "value", words)
	if v != "" {
		d.record(s.path+key, v, p, d.pos(q.has("value")))
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

// provenance is what the file says about where numbers come from, and half their 95% interval, relative.
type provenance struct {
	source, derived, note string
	interval              float64
}

// provenance reads source, derived and note of a section; a number without a
// source is an error.
func (d *decoder) provenance(s *section, what string) provenance {
	p := provenance{source: d.text(s, "source"), derived: d.oneOf(s, "derived", deriveRuleNames()),
		note: d.text(s, "note")}
	if s.has("source") == nil {
		d.fail(d.pos(s.node), "%s has no source: every number says where it comes from (source: ...)", what)
	}
	if n := s.has("interval"); n != nil {
		v, _ := d.value(n, s.path+"interval", number{max: 1, zero: true})
		p.interval = v.Float()
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
	v, err := ParseCycles(plainNumber(n, t))
	switch {
	case err != nil:
		d.fail(d.pos(n), "%s: %v", path, err)
	case f.whole && (v.Den() != 1 || strings.Contains(t, "/")):
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

// plainNumber is a number of YAML's other notations, such as 1e2, .5 or 0x10, in decimal digits.
func plainNumber(n ast.Node, text string) string {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return fmt.Sprint(n.Value)
	case *ast.FloatNode:
		if strings.Trim(text, "0123456789.") != "" || strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".") {
			return strconv.FormatFloat(n.Value, 'f', -1, 64)
		}
	}
	return text
}

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
	q := d.section(n, path+".", "value", "source", "derived", "note", "interval")
	if q == nil {
		return
	}
	p := d.provenance(q, path)
	if q.has("value") == nil {
		d.fail(d.pos(n), "%s has no value", path)
		return
	}
	if v, ok := d.value(q.has("value"), path, f); ok {
		f.set(v)
		d.origin(path, v, p, d.pos(q.has("value")))
	}
}

// part reads a section of numbers, each with its source, and other keys; nil where there is none.
func (d *decoder) part(s *section, key string, fields []number, others ...string) *section {
	if s.has(key) == nil {
		return nil
	}
	q := d.section(s.has(key), s.path+key+".", keysOf(fields, others...)...)
	if q == nil {
		return nil
	}
	for _, f := range fields {
		d.number(q, f)
	}
	return q
}

// numbers reads "key: {a: ..., b: ..., source: ...}", all of them required.
func (d *decoder) numbers(s *section, key string, fields []number) {
	keys := []string{"source", "derived", "note", "interval"}
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
			f.set(v)
			d.origin(path+f.key, v, p, d.pos(n))
		}
	}
}

// origin records where a number comes from; a refined number replaces the one of
// the base device.
func (d *decoder) origin(path string, v Cycles, p provenance, pos diag.Pos) {
	d.record(path, v.String(), p, pos)
}

// record is origin for a value in text.
func (d *decoder) record(path, value string, p provenance, pos diag.Pos) {
	o := Origin{Path: path, Value: value, Source: p.source, Derived: p.derived, Note: p.note, Interval: p.interval,
		Pos: pos}
	for i := range d.dev.Origins {
		if d.dev.Origins[i].Path == path {
			d.dev.Origins[i] = o
			return
		}
	}
	d.dev.Origins = append(d.dev.Origins, o)
}

// device decodes the whole file on top of the base device that it extends.
func (d *decoder) device(s *section) {
	dev := d.dev
	dev.Vendor = cmp.Or(d.text(s, "vendor"), dev.Vendor)
	dev.Architecture = cmp.Or(d.text(s, "architecture"), dev.Architecture)
	dev.Capability = cmp.Or(d.text(s, "capability"), dev.Capability)
	dev.Description = d.text(s, "description")
	for _, c := range deviceChoices {
		if v := d.choice(s, c.key, c.words); v != "" {
			c.set(dev, v)
		}
	}
	d.references(s)
	for _, f := range dev.numbers() {
		d.number(s, f)
	}
	if l := d.part(s, "limits", dev.Limits.numbers(), "registers_by_group"); l != nil {
		if v, ok := d.flag(l, "registers_by_group"); ok {
			dev.Limits.RegistersByGroup = v
		}
	}
	d.memory(s)
	d.subsystems(s)
	d.instructions(s)
}

// memoryParts are the keys of memory apart from its numbers.
var memoryParts = []string{"l1", "l2", "l3", "contention", "spread", "atomics"}

func (d *decoder) memory(s *section) {
	mem := &d.dev.Memory
	m := d.part(s, "memory", mem.numbers(), memoryParts...)
	if m == nil {
		return
	}
	d.caches(m)
	if m.has("atomics") != nil {
		mem.Atomics = &Atomics{}
		d.numbers(m, "atomics", mem.Atomics.numbers())
	}
	if m.has("contention") != nil {
		mem.Contention = &Contention{}
		d.numbers(m, "contention", mem.Contention.numbers())
	}
	d.spread(m)
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
