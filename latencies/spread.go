package latencies

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// Spread is how the latencies of single accesses of device memory lie around their mean at one throughput (V16 T.6.6).
type Spread struct {
	Throughput  Cycles                      // GB/s of the whole GPU
	Percentiles [len(SpreadPercents)]Cycles // cycles
}

// SpreadPercents are the percentiles of a Spread. The least and the most of ten million accesses are left out: each is
// one access.
var SpreadPercents = [...]int{5, 25, 50, 75, 95}

// spreadKeys are the keys of a row of memory.spread.
var spreadKeys = []string{"throughput", "p5", "p25", "p50", "p75", "p95"}

// spread reads memory.spread, a list of rows by rising throughput.
func (d *decoder) spread(m *section) {
	c := d.dev.Memory.Contention
	if m.has("spread") == nil {
		return
	}
	if c == nil {
		d.fail(d.pos(m.has("spread")),
			"memory.spread lies around the latency that memory.contention has, which is missing")
		return
	}
	c.Spread = nil
	for _, n := range d.list(m, "spread") {
		if row, ok := d.spreadRow(n); ok {
			if k := len(c.Spread); k > 0 && row.Throughput.Cmp(c.Spread[k-1].Throughput) <= 0 ||
				row.Throughput.Cmp(c.Capacity) >= 0 {
				d.fail(d.pos(n), "memory.spread needs rising throughputs below memory.contention.capacity")
				return
			}
			c.Spread = append(c.Spread, row)
		}
	}
}

func (d *decoder) spreadRow(n ast.Node) (row Spread, ok bool) {
	q := d.section(n, "memory.spread.", append([]string{"source", "note"}, spreadKeys...)...)
	if q == nil {
		return row, false
	}
	p := d.provenance(q, "memory.spread")
	values := make([]Cycles, len(spreadKeys))
	for i, key := range spreadKeys {
		if q.has(key) == nil {
			d.fail(d.pos(n), "memory.spread has no %s", key)
			return row, false
		}
		if values[i], ok = d.value(q.has(key), q.path+key, number{max: maxLatency}); !ok {
			return row, false
		}
	}
	row.Throughput = values[0]
	copy(row.Percentiles[:], values[1:])
	if !slices.IsSortedFunc(values[1:], Cycles.Cmp) {
		d.fail(d.pos(n), "the percentiles of memory.spread must not fall")
		return row, false
	}
	for i, key := range spreadKeys[1:] {
		d.origin(q.path+row.Throughput.String()+"."+key, values[i+1], p, d.pos(q.has(key)))
	}
	return row, true
}
