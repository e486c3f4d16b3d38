package latencies

import (
	"cmp"
	"slices"

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

// numbers are those of every level.
func (c *Cache) numbers() []number {
	return []number{
		measured("cpi", maxCPI, &c.CPI),
		measured("latency", maxLatency, &c.Latency),
		counted("bytes", 1<<40, &c.Bytes),
	}
}

func (l *L1) numbers() []number {
	return append(l.Cache.numbers(),
		counted("line_bytes", 4096, &l.LineBytes),
		counted("banks", 1024, &l.Banks),
		counted("bank_bytes", 64, &l.BankBytes),
		measured("lookup_cpi", maxCPI, &l.LookupCPI),
	)
}

// l2Numbers are those of L2.
func (c *Cache) l2Numbers() []number {
	return append(c.numbers(),
		counted("line_bytes", 4096, &c.LineBytes),
		counted("sent_bytes", 4096, &c.SentBytes),
		measured("far_latency", maxLatency, &c.FarLatency),
		measured("crossing", 1, &c.Crossing),
		counted("ways", 1024, &c.Ways),
		measured("kept", 1, &c.Kept),
		measured("kept_spread", 1, &c.KeptSpread),
		measured("kept_in_place", 1, &c.KeptInPlace),
		measured("dirty", 1, &c.Dirty),
		measured("dirty_spread", 1, &c.DirtySpread),
	)
}

// l1Words are the keys of L1 apart from its numbers.
var l1Words = []string{"loads", "unified", "subsystem"}

// l1 decodes the cache of a compute unit.
func (d *decoder) l1(m *section) {
	l1 := d.dev.Memory.L1
	s := d.part(m, "l1", l1.numbers(), l1Words...)
	if s == nil {
		return
	}
	if t := d.choice(s, "loads", cachedLoadNames[1:]); t != "" {
		l1.Loads = CachedLoads(slices.Index(cachedLoadNames[:], t))
	}
	if v, ok := d.flag(s, "unified"); ok {
		l1.Unified = v
	}
	l1.Subsystem = cmp.Or(d.text(s, "subsystem"), l1.Subsystem)
}

// caches decodes the levels that a file gives, on top of what the base device has.
func (d *decoder) caches(m *section) {
	mem := &d.dev.Memory
	if m.has("l1") != nil {
		mem.L1 = cmp.Or(mem.L1, &L1{})
		d.l1(m)
	}
	if m.has("l2") != nil {
		mem.L2 = cmp.Or(mem.L2, &Cache{})
		d.part(m, "l2", mem.L2.l2Numbers())
	}
	if m.has("l3") != nil {
		mem.L3 = cmp.Or(mem.L3, &Cache{})
		d.part(m, "l3", mem.L3.numbers())
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
