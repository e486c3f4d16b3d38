package timeline

import (
	"fmt"
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate"
)

// Link is an instruction of a warp's critical sequence, with its further executions in a row or in a loop.
type Link struct {
	Op     string
	Pos    idg.Pos // source line, Column 0
	Times  int64
	At     float64 // cycles from the warp's start to its first issue
	Waited float64 // cycles in all, from the issue of the link before until this one was ready
	Queued float64 // cycles in all, from then until it was issued
	Order  bool    // it waited for the link before to be issued, not for its result
}

// alike reports whether two links are the same but for their times.
func (l *Link) alike(m *Link) bool { return l.Op == m.Op && l.Pos == m.Pos && l.Order == m.Order }

// Critical is the chain of instructions that decided how long one warp lived. Its waiting and queueing add up to
// the warp's life, with what the last instruction takes.
type Critical struct {
	Warp  Lifetime
	Links []Link
	Last  float64 // cycles from the last issue to the end of the warp
}

// NewCritical follows, in the profile of a graph's run, the warp whose life is nearest the mean back from its last
// instruction: from each to the one that it was waiting for.
func NewCritical(p *simulate.Profile, g *idg.Graph) (*Critical, error) {
	t, err := New(p)
	if err != nil {
		return nil, err
	}
	c := &Critical{Warp: t.average()}
	byNode := map[idg.NodeID]*simulate.Issue{}
	var last *simulate.Issue
	for i := range p.Issues {
		if x := &p.Issues[i]; x.Group == c.Warp.Group && x.Warp == c.Warp.Warp {
			byNode[x.Node] = x
			if last == nil || x.Complete > last.Complete {
				last = x
			}
		}
	}
	program := g.GroupKinds()[last.Kind].Graph.ProgramOf(int64(last.Warp))
	if program == nil {
		return nil, fmt.Errorf("timeline: warp %d has no program", last.Warp)
	}
	flat, err := program.Expanded(idg.MaxExpanded)
	if err != nil {
		return nil, err
	}
	c.Last = cycles(p, last.Complete-last.Issued)
	for x := last; x != nil; {
		before, order := producer(flat, byNode, x)
		since := c.Warp.Start
		if before != nil {
			since = cycles(p, before.Issued)
		}
		class := &p.Classes[x.Instr-1]
		c.Links = append(c.Links, Link{
			Op: class.Op, Pos: idg.Pos{File: class.Pos.File, Line: class.Pos.Line}, Times: 1,
			At:     cycles(p, x.Issued) - c.Warp.Start,
			Waited: cycles(p, x.Ready) - since, Queued: cycles(p, x.Issued-x.Ready), Order: order,
		})
		x = before
	}
	slices.Reverse(c.Links)
	c.Links = condense(c.Links)
	return c, nil
}

// average is the life that is nearest the mean.
func (t *Timeline) average() Lifetime {
	mean := t.Lives().Mean
	best := t.Lifetimes[0]
	for _, l := range t.Lifetimes {
		if math.Abs(l.Cycles()-mean) < math.Abs(best.Cycles()-mean) {
			best = l
		}
	}
	return best
}

// producer is the instruction that x became ready after, nil for none.
func producer(flat *idg.Flat, byNode map[idg.NodeID]*simulate.Issue, x *simulate.Issue) (last *simulate.Issue,
	order bool) {
	from, kind := flat.Preds(x.Node)
	var at simulate.Tick
	for i, v := range from {
		u := byNode[v]
		if u == nil {
			continue
		}
		done := u.Complete
		if kind[i] == idg.Order {
			done = u.Released()
		}
		if last == nil || done > at {
			last, at, order = u, done, kind[i] == idg.Order
		}
	}
	return last, order
}

// longestPart is how many links a part of the sequence has at most that is told once.
const longestPart = 64

// condense joins repetitions, those of single links first, until there are no more.
func condense(links []Link) []Link {
	links = foldLinks(links, 1)
	for n := 0; n != len(links); {
		n = len(links)
		links = foldLinks(links, longestPart)
	}
	return links
}

// foldLinks joins parts of at most so many links that stand there several times in a row.
func foldLinks(links []Link, longest int) []Link {
	var out []Link
	for i := 0; i < len(links); {
		length, times := repeated(links[i:], longest)
		for k := range length {
			l := links[i+k]
			for n := 1; n < times; n++ {
				again := links[i+n*length+k]
				l.Times += again.Times
				l.Waited += again.Waited
				l.Queued += again.Queued
			}
			out = append(out, l)
		}
		i += length * times
	}
	return out
}

// repeated is the shortest part at the beginning that stands there at least twice, and how often.
func repeated(links []Link, longest int) (length, times int) {
	for length := 1; length <= min(longest, len(links)/2); length++ {
		n := length
		for n < len(links) && links[n].alike(&links[n-length]) {
			n++
		}
		if n >= 2*length {
			return length, n / length
		}
	}
	return 1, 1
}

// Verify checks that the sequence adds up to the warp's life.
func (c *Critical) Verify() error {
	sum := c.Last
	for _, l := range c.Links {
		sum += l.Waited + l.Queued
	}
	if math.Abs(sum-c.Warp.Cycles()) > 1e-6*(1+c.Warp.Cycles()) {
		return fmt.Errorf("timeline: the critical sequence takes %v of %v cycles", sum, c.Warp.Cycles())
	}
	return nil
}
