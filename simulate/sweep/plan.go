package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Plan is a sweep that is ready to run: its configurations, numbered from 0 to
// Len()-1 in the order of the rows.
type Plan struct {
	space *Space
	axes  []axis
	// A block is a combination of the axes; starts is the first configuration of
	// each block, and the total. Blocks hold one configuration, or one for each number of
	// resident groups in occupancies.
	starts      []int
	occupancies [][]int64                    // by block; empty = ListedOccupancies
	perMap      int                          // blocks that share a mapping
	devices     map[*latencies.Device]string // digests
	shard       Shard
	columns     []column
	maps        int
	// perGroup is how many warp instructions a group of each graph executes.
	perGroup []int64
	slots    []slot // by mapping, of the last Run
}

// Shard is a part of a sweep: every Of-th configuration, from the Index-th on,
// counted from 1. The zero value is the whole.
type Shard struct{ Index, Of int }

// ParseShard reads I/N.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || index < 1 || of < index {
		return Shard{}, errors.New("write I/N with 1 ≤ I ≤ N, as in 2/8")
	}
	return Shard{Index: index, Of: of}, nil
}

// Configuration is one point of the space.
type Configuration struct {
	Number int      // in the whole sweep, from 1
	Values []string // of the parameters, in the order of Plan.Parameters
	Key    string   // digest of everything that the result depends on

	mapping int // index into Plan.slots
	config  simulate.Config
}

// New plans the sweep of a space, or a shard of it.
func New(s *Space, shard Shard) (*Plan, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if shard == (Shard{}) {
		shard = Shard{1, 1}
	}
	if shard.Index < 1 || shard.Index > shard.Of {
		return nil, spaceError("there is no shard %d of %d", shard.Index, shard.Of)
	}
	p := &Plan{space: s, axes: s.axes(), shard: shard, perMap: 1, maps: 1}
	blocks := 1
	for i, a := range p.axes {
		blocks *= a.count
		if p.mapped(i) {
			p.maps *= a.count
		} else {
			p.perMap *= a.count
		}
	}
	p.devices = map[*latencies.Device]string{}
	for g := range s.Graphs {
		for k := range max(1, len(s.Devices)) {
			d := s.device(g, k)
			if p.devices[d] != "" {
				continue
			}
			digest, err := DeviceDigest(d)
			if err != nil {
				return nil, err
			}
			p.devices[d] = digest
		}
	}
	for _, g := range s.Graphs {
		p.perGroup = append(p.perGroup, g.Graph.GroupMix().Instructions)
	}
	p.starts = make([]int, 1, blocks+1)
	known := map[capacityKey][]int64{}
	for b := range blocks {
		total := p.starts[b] + 1
		if s.Occupancies != ListedOccupancies {
			list := p.resident(b, known)
			p.occupancies = append(p.occupancies, list)
			total += len(list) - 1
		}
		if total > MaxConfigurations {
			return nil, tooMany()
		}
		p.starts = append(p.starts, total)
	}
	p.columns = p.allColumns()
	return p, nil
}

// mapped reports whether an axis decides the mapping of the graph.
func (p *Plan) mapped(axis int) bool { return axis < 2 || p.axes[axis].rule != nil }

// capacityKey is what decides how many groups fit.
type capacityKey struct {
	graph, device     int
	registers, groups int64
}

// resident lists the numbers of resident groups of a block.
func (p *Plan) resident(block int, known map[capacityKey][]int64) []int64 {
	index, cfg := p.combination(block), p.space.Base
	for i, a := range p.axes {
		if a.set != nil {
			a.set(&cfg, index[i])
		}
	}
	key := capacityKey{index[0], index[1], int64(cfg.Registers), cfg.Groups}
	list, ok := known[key]
	if !ok {
		list = p.space.residentGroups(key, cfg)
		known[key] = list
	}
	return list
}

// residentGroups lists them for one launch.
func (s *Space) residentGroups(key capacityKey, cfg simulate.Config) []int64 {
	g, d := s.Graphs[key.graph].Graph, s.device(key.graph, key.device)
	o, err := simulate.Capacity(g, d, cfg)
	if err != nil {
		return []int64{1} // the row that says why nothing fits
	}
	var list []int64
	for n := int64(1); n <= min(o.Groups, MaxConfigurations+1); n++ {
		if s.Occupancies == EveryOccupancy || n == o.Groups || d.ReachedByLocalMemory(n, o.LocalBytes) {
			list = append(list, n)
		}
	}
	return list
}

// combination is a block's index on each axis.
func (p *Plan) combination(block int) []int {
	index := make([]int, len(p.axes))
	for i := len(p.axes) - 1; i >= 0; i-- {
		n := p.axes[i].count
		index[i], block = block%n, block/n
	}
	return index
}

// Total is the number of configurations of all shards.
func (p *Plan) Total() int { return p.starts[len(p.starts)-1] }

// Len is the number of configurations.
func (p *Plan) Len() int { return (p.Total() - p.shard.Index + p.shard.Of) / p.shard.Of }

// Parameters are the names of what Configuration.Values holds: graph, gpu, and
// everything that is varied.
func (p *Plan) Parameters() []string {
	var names []string
	for _, a := range p.axes {
		names = append(names, a.name)
	}
	if p.space.Occupancies != ListedOccupancies {
		names = append(names, axisConcurrent)
	}
	return names
}

// Configuration returns the k-th configuration, from 0.
func (p *Plan) Configuration(k int) Configuration {
	number := k*p.shard.Of + p.shard.Index - 1
	block := sort.SearchInts(p.starts, number+1) - 1
	c := Configuration{Number: number + 1, mapping: block / p.perMap, config: p.space.Base}
	index := p.combination(block)
	for i, a := range p.axes {
		text := a.text(index[i])
		if a.name == axisGPU {
			text = p.space.device(index[0], index[1]).Name
		}
		c.Values = append(c.Values, text)
		if a.set != nil {
			a.set(&c.config, index[i])
		}
	}
	if p.space.Occupancies != ListedOccupancies {
		c.config.Concurrent = p.occupancies[block][number-p.starts[block]]
		c.Values = append(c.Values, whole(c.config.Concurrent))
	}
	c.Key = p.key(index, &c.config)
	return c
}

// Device is what a configuration is simulated on.
func (p *Plan) Device(c *Configuration) *latencies.Device {
	index := p.combination(c.mapping * p.perMap)
	return p.space.device(index[0], index[1])
}

// rules are those of a combination, the varied ones last.
func (p *Plan) rules(index []int) []latencies.Rule {
	rules := slices.Clone(p.space.Rules)
	for i, a := range p.axes {
		if a.rule != nil {
			rules = append(rules, a.rule(index[i]))
		}
	}
	return rules
}

// keyBytes is the length of a key before it is printed: among MaxConfigurations
// keys two are equal with a probability below 10^-16.
const keyBytes = 12

func (p *Plan) key(index []int, cfg *simulate.Config) string {
	h := sha256.New()
	// A later version that gives other numbers or columns changes the first word.
	fmt.Fprintf(h, "sweep-4 %q %q %t", p.space.Graphs[index[0]].Digest, p.devices[p.space.device(index[0], index[1])],
		p.space.Warm)
	for _, r := range p.rules(index) {
		fmt.Fprintf(h, " %q", r.Text)
	}
	fmt.Fprintf(h, " %+v", *cfg)
	return hex.EncodeToString(h.Sum(nil)[:keyBytes])
}

// DeviceDigest is a checksum of what a device says, wherever its file lies.
func DeviceDigest(d *latencies.Device) (string, error) {
	c := *d
	c.Origins, c.References, c.Warnings = nil, nil, nil
	c.Instructions = slices.Clone(d.Instructions)
	for i := range c.Instructions {
		c.Instructions[i].Pos = diag.Pos{}
	}
	text, err := json.Marshal(&c)
	if err != nil {
		return "", diag.AsDefect(fmt.Errorf("device %s: %w", d.Name, err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
