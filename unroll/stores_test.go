package unroll_test

import (
	"container/list"
	"fmt"
	"testing"

	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// sectorCache evicts the least recently used sector; stores allocate theirs without fetching them.
type sectorCache struct {
	room    int
	order   *list.List // of sectors, the last touched first
	at      map[[2]int]*list.Element
	fetched int64
}

func (c *sectorCache) touch(buffer, sector int, store bool) {
	x := [2]int{buffer, sector}
	if e := c.at[x]; e != nil {
		c.order.MoveToFront(e)
		return
	}
	if !store {
		c.fetched++
	}
	c.at[x] = c.order.PushFront(x)
	if c.order.Len() > c.room {
		e := c.order.Back()
		delete(c.at, e.Value.([2]int))
		c.order.Remove(e)
	}
}

// passes is a kernel of which a group of 256 work items reads the rows of a tile, stores n rows, and reads the tile
// that lies so many groups ahead.
type passes struct{ rows, n, ahead int }

// source has the stores at known addresses, or at addresses loaded from memory.
func (p passes) source(known bool) string {
	base := "o[0]"
	if known {
		base = "0"
	}
	return fmt.Sprintf(
		`kernel void k(global const float *a, global float *b, global const int *o, global float *c, int n) {
  int l = get_local_id(0), g = get_group_id(0), base = %s;
  float s = 0;
  for (int i = 0; i < %d; i++) s += a[(g * %d + i) * 256 + l];
  for (int i = 0; i < n; i++) b[base + (g * n + i) * 256 + l] = s;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int i = 0; i < %d; i++) s += a[((g + %d) * %d + i) * 256 + l];
  c[g * 256 + l] = s;
}`, base, p.rows, p.rows, p.rows, p.ahead, p.rows)
}

// fetched is how many bytes of a tile groups in step fetch into a cache of so many bytes.
func (p passes) fetched(groups, bytes int) int64 {
	c := sectorCache{room: bytes / 32, order: list.New(), at: map[[2]int]*list.Element{}}
	row := func(buffer int, number func(group int) int, store bool) {
		for g := range groups {
			for i := range 256 * 4 / 32 {
				c.touch(buffer, number(g)*256*4/32+i, store)
			}
		}
	}
	for i := range p.rows {
		row(1, func(g int) int { return g*p.rows + i }, false)
	}
	for i := range p.n {
		row(2, func(g int) int { return g*p.n + i }, true)
	}
	for i := range p.rows {
		row(1, func(g int) int { return (g+p.ahead)*p.rows + i }, false)
	}
	return c.fetched * 32
}

// What is read again, by the group or by another one that has begun with it, is in L2 unless the resident groups have
// touched more than it holds since, stores at known addresses and at others alike. Where half of L2 or twice as much
// would show something else, distances rounded up decide.
func TestStoresPushReadsOut(t *testing.T) {
	const groups, l2 = 32, 5 << 20 // of an RTX 3080
	decided := map[bool]int{}
	for _, ahead := range []int{1, 3, 0}[:tools.Cases(3, 1)] {
		for _, n := range []int{1, 512, 150}[:tools.Cases(3, 2)] {
			p := passes{rows: 32, n: n, ahead: ahead}
			least, most := p.fetched(groups, 2*l2), p.fetched(groups, l2/2)
			if least == most {
				decided[n > 150]++
			}
			for _, known := range []bool{true, false} {
				opt := parseOptions(t, fmt.Sprintf("--local 256 --groups %d --arg n=%d", groups, n))
				opt.Locality = unroll.LaunchLocality
				got, err := mapper(t).Map(resolve(t, lowerKernel(t, p.source(known)), opt).Graph)
				if err != nil {
					t.Fatal(err)
				}
				read, least, most := got.Traffic.ReadBytes, least, most
				if !known {
					most += 32 // o[0]
				}
				if read < least || read > most {
					t.Errorf("known %v, %d ahead, %d stores: %d bytes are read, a cache fetches %d to %d", known, ahead,
						n, read, least, most)
				}
			}
		}
	}
	if least := tools.Cases(3, 1); decided[false] < least || decided[true] < least {
		t.Errorf("%d cases are known to hit and %d to miss", decided[false], decided[true])
	}
}
