package latencies

import (
	"github.com/goccy/go-yaml/ast"
)

// Cache is one level between the compute units and device memory: what an access
// of 4 bytes per lane costs that it serves, and what it holds.
type Cache struct {
	Timing       // λ counts the compute unit's share of the level's bandwidth
	Bytes  int64 // capacity: of a compute unit for L1, of the whole GPU for the others; 0 = not known
	// FarLatency is Λ where the data lie in the half of the cache that is farther
	// from the compute unit, Λ proper that of the nearer half; 0 = one half only.
	FarLatency Cycles
	// Crossing is the part of what compute units request that lies in the half of the cache that is farther away, and
	// passes both: the nearer half keeps a copy of what is read. 0 = one half only, or not known.
	Crossing  Cycles
	LineBytes int64 // bytes that one tag stands for; 0 = a segment
	// SentBytes is the aligned part of a line that a slice sends in a cycle, or any sector of it; 0 = a segment
	SentBytes int64
	// Kept is the part of Bytes between two touches by different groups after which half of the lines are still found,
	// KeptSpread the standard deviation, as part of Bytes, by which lines are lost earlier or later: they fall into
	// sets by a hash, which fills some of these more than others. 0 = what Ways says.
	Kept, KeptSpread Cycles
	Ways             int64 // lines of a set; 0 = what fits is found
	// KeptInPlace is Kept of groups that are on the same compute unit as when they touched the lines before.
	KeptInPlace Cycles
	// Dirty and DirtySpread are the same for lines that are written and not yet written back.
	Dirty, DirtySpread Cycles
}

// Holds is how many bytes of different addresses the cache holds that each are requested once, or by
// one half of the compute units.
func (c *Cache) Holds() int64 { return int64(float64(c.Bytes) / (1 + c.Crossing.Float())) }

// L1 is the cache of a compute unit that serves reads of device memory.
type L1 struct {
	Cache
	Loads CachedLoads
	// Unified says that local memory is taken from Bytes.
	Unified bool
	// Subsystem executes accesses that L1 serves: local memory's where both share
	// one data path.
	Subsystem string
	// Banks and BankBytes are the geometry of its data banks; 0 = accesses do not
	// conflict.
	Banks, BankBytes int
	LookupCPI        Cycles // λ of an access for each further line that it touches; 0 = not limiting
}

// CachedLoads says which reads of device memory L1 serves.
type CachedLoads uint8

// The kinds of reads. The zero value is invalid.
const (
	NoLoads  CachedLoads = iota + 1 // "none": L1 serves private memory only
	ReadOnly                        // "read-only": images, and what the compiler reads through the texture path
	AllLoads                        // "all"
)

var cachedLoadNames = [...]string{NoLoads: "none", ReadOnly: "read-only", AllLoads: "all"}

func (c CachedLoads) String() string {
	if c != 0 && int(c) < len(cachedLoadNames) {
		return cachedLoadNames[c]
	}
	return "invalid loads"
}

// cacheFields are the numbers of a level of the caches, at decides which.
func cacheFields(at func(*Device) *Cache) []number {
	return []number{
		{key: "cpi", max: maxCPI, set: func(d *Device, v Cycles) { at(d).CPI = v }},
		{key: "latency", max: maxLatency, set: func(d *Device, v Cycles) { at(d).Latency = v }},
		{key: "bytes", min: 1, max: 1 << 40, whole: true, set: func(d *Device, v Cycles) { at(d).Bytes = v.Num() }},
	}
}

var (
	l1Numbers = append(cacheFields(func(d *Device) *Cache { return &d.Memory.L1.Cache }),
		number{key: "line_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L1.LineBytes = v.Num()
		}},
		number{key: "banks", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L1.Banks = int(v.Num())
		}},
		number{key: "bank_bytes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L1.BankBytes = int(v.Num())
		}},
		number{key: "lookup_cpi", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.L1.LookupCPI = v }})
	l2Numbers = append(cacheFields(func(d *Device) *Cache { return d.Memory.L2 }),
		number{key: "line_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L2.LineBytes = v.Num()
		}},
		number{key: "sent_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L2.SentBytes = v.Num()
		}},
		number{key: "far_latency", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.L2.FarLatency = v }},
		number{key: "crossing", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.Crossing = v }},
		number{key: "ways", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) {
			d.Memory.L2.Ways = v.Num()
		}},
		number{key: "kept", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.Kept = v }},
		number{key: "kept_spread", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.KeptSpread = v }},
		number{key: "kept_in_place", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.KeptInPlace = v }},
		number{key: "dirty", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.Dirty = v }},
		number{key: "dirty_spread", max: 1, set: func(d *Device, v Cycles) { d.Memory.L2.DirtySpread = v }})
	l3Numbers = cacheFields(func(d *Device) *Cache { return d.Memory.L3 })
)

// l1Words are the keys of L1 apart from its numbers.
var l1Words = []string{"loads", "unified", "subsystem"}

// cache decodes a level of the caches on top of what the base device has.
func (d *decoder) cache(m *section, key string, fields []number, more ...string) *section {
	s := d.section(m.has(key), m.path+key+".", keysOf(fields, more...)...)
	if s == nil {
		return nil
	}
	for _, f := range fields {
		d.number(s, f)
	}
	return s
}

// l1 decodes the cache of a compute unit.
func (d *decoder) l1(m *section) {
	if d.dev.Memory.L1 == nil {
		d.dev.Memory.L1 = &L1{}
	}
	s := d.cache(m, "l1", l1Numbers, l1Words...)
	if s == nil {
		return
	}
	l1 := d.dev.Memory.L1
	if t := d.choice(s, "loads", cachedLoadNames[1:]); t != "" {
		for c := NoLoads; c <= AllLoads; c++ {
			if c.String() == t {
				l1.Loads = c
			}
		}
	}
	if v, ok := d.flag(s, "unified"); ok {
		l1.Unified = v
	}
	if t := d.text(s, "subsystem"); t != "" {
		l1.Subsystem = t
	}
}

// caches decodes the levels that a file gives.
func (d *decoder) caches(m *section) {
	mem := &d.dev.Memory
	if m.has("l1") != nil {
		d.l1(m)
	}
	for _, level := range []struct {
		key    string
		at     **Cache
		fields []number
	}{{"l2", &mem.L2, l2Numbers}, {"l3", &mem.L3, l3Numbers}} {
		if m.has(level.key) == nil {
			continue
		}
		if *level.at == nil {
			*level.at = &Cache{}
		}
		d.cache(m, level.key, level.fields)
	}
}

// completeCaches reports what a level cannot do without.
func (d *decoder) completeCaches(at ast.Node) {
	m := &d.dev.Memory
	lacks := func(level, key string) { d.fail(d.pos(at), "memory.%s has no %s", level, key) }
	for _, level := range []struct {
		name  string
		cache *Cache
	}{{"l1", m.L1.cache()}, {"l2", m.L2}, {"l3", m.L3}} {
		switch c := level.cache; {
		case c == nil:
		case c.CPI.IsZero():
			lacks(level.name, "cpi")
		case c.Latency.IsZero():
			lacks(level.name, "latency")
		}
	}
	if m.L1 == nil {
		return
	}
	switch _, known := d.dev.subsystem(m.L1.Subsystem); {
	case m.L1.Subsystem == "":
		lacks("l1", "subsystem")
	case !known:
		d.fail(d.pos(at), "memory.l1: the device has no subsystem %q", m.L1.Subsystem)
	case m.L1.Loads == 0:
		lacks("l1", "loads")
	case m.L1.Banks > 0 != (m.L1.BankBytes > 0):
		d.fail(d.pos(at), "memory.l1 needs both banks and bank_bytes, or neither")
	case !m.L1.LookupCPI.IsZero() && m.L1.LineBytes == 0:
		lacks("l1", "line_bytes")
	}
}

// cache is the part that L1 has in common with the other levels.
func (l *L1) cache() *Cache {
	if l == nil {
		return nil
	}
	return &l.Cache
}

// inherited is a copy of the memory for another device to refine.
func (m *Memory) inherited() Memory {
	c := *m
	c.L1, c.L2, c.L3, c.Contention = clone(m.L1), clone(m.L2), clone(m.L3), clone(m.Contention)
	c.Atomics = clone(m.Atomics)
	return c
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
