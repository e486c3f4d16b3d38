package arrange

import (
	"gpupipe/idg"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// aliasClass is a set of locations: accesses of different classes touch each other only where meets says so.
type aliasClass struct {
	space  ir.Space
	object ir.ObjectID // 0: whatever a pointer may lead to
	kind   aliasKind
}

type aliasKind uint8

const (
	anything  aliasKind = iota // pointers that come from elsewhere
	arguments                  // buffers behind arguments that may lead to the same
	distinct                   // an object that only its own pointers lead to
	spills                     // no pointer leads there
)

// aliasOf is the class of an access.
func aliasOf(c *machine.Code, in *machine.Instr) aliasClass {
	m := in.Mem
	if in.Spill {
		return aliasClass{space: m.Space, kind: spills}
	}
	a := aliasClass{space: m.Space, kind: anything}
	if m.Object == 0 || int(m.Object) > len(c.Func.Objects) {
		if m.Object != 0 {
			a.object, a.kind = m.Object, distinct
		}
		return a
	}
	o := c.Func.Object(m.Object)
	for i := range c.Func.Params {
		if c.Func.Params[i].Object == m.Object && !o.Restrict {
			a.kind = arguments
			return a
		}
	}
	a.object, a.kind = m.Object, distinct
	return a
}

func (a aliasClass) meets(b aliasClass) bool {
	if a.space != b.space && a.space != 0 && b.space != 0 {
		return false
	}
	if a.kind == spills || b.kind == spills {
		return a == b
	}
	return a == b || a.kind == anything || b.kind == anything
}

// baseKey is the address of an access but for its constant.
type baseKey struct {
	word    [3]int32
	version [3]int32
}

// traffic is the accesses of a class.
type traffic struct {
	key           baseKey
	loads, stores []int32 // since all of them had another address
	byOffset      map[int64]*[2][]int32
	// stored and touched stand for all stores, and all accesses, from before that; -1: none
	stored, touched int32
}

// group is a node that stands for several.
func (d *depender) group(before int32, lists ...[]int32) int32 {
	n := before
	for _, list := range lists {
		for _, i := range list {
			if n == before {
				n = d.nodes
				d.nodes++
				d.edge(before, n, 0)
			}
			d.edge(i, n, 1)
		}
	}
	return n
}

// settle makes all accesses so far ones from before.
func (t *traffic) settle(d *depender) {
	stores := d.group(t.stored, t.stores)
	if len(t.loads) > 0 || t.touched != t.stored {
		t.touched = d.group(t.touched, t.stores, t.loads)
	} else {
		t.touched = stores
	}
	t.stored = stores
	t.loads, t.stores = t.loads[:0], t.stores[:0]
	clear(t.byOffset)
}

func (d *depender) traffic(a aliasClass) *traffic {
	t := d.memory[a]
	if t == nil {
		t = &traffic{stored: d.sync, touched: d.sync, byOffset: map[int64]*[2][]int32{}}
		d.memory[a] = t
		d.classes = append(d.classes, a)
	}
	return t
}

// barrier orders all memory that other lanes see; loads of memory that nobody writes pass.
func (d *depender) barrier(i int32) {
	for _, a := range d.classes {
		t := d.memory[a]
		if a.space == idg.SpacePrivate {
			continue
		}
		t.settle(d)
		d.edge(t.stored, i, 0)
		d.edge(t.touched, i, 0)
		t.stored, t.touched = i, i
	}
	d.edge(d.sync, i, 0)
	d.edge(d.watched, i, 0)
	d.sync = i
}

// access orders one access of memory.
func (d *depender) access(i int32, in *machine.Instr, key baseKey) {
	m := in.Mem
	if m.Volatile {
		d.edge(d.watched, i, 1)
		d.watched = i
	}
	if (m.Constant || m.Space == idg.SpaceConstant) && !m.Volatile && !m.Store {
		return
	}
	a := aliasOf(d.l.code, in)
	writes := m.Store || m.Atomic
	own := d.traffic(a)
	for _, b := range d.classes {
		if b == a || !a.meets(b) {
			continue
		}
		if t := d.memory[b]; writes {
			t.settle(d)
			d.edge(t.touched, i, 1)
		} else if len(t.stores) > 0 || t.stored >= 0 {
			t.settle(d)
			d.edge(t.stored, i, 1)
		}
	}
	if own.key != key {
		if writes || len(own.stores) > 0 {
			own.settle(d)
		}
		if len(own.loads) > 0 {
			key = baseKey{} // loads with several addresses, and no store so far
		}
		own.key = key
	}
	own.add(d, i, m, writes)
}

// add orders an access behind those of its class that may touch the same bytes.
func (t *traffic) add(d *depender, i int32, m *machine.Mem, writes bool) {
	if writes {
		d.edge(t.touched, i, 0)
	}
	d.edge(t.stored, i, 0)
	bytes, parts := max(1, m.Bytes), []int64{m.Offset}
	if m.Apart != 0 {
		bytes, parts = m.Bytes/2, append(parts, m.Offset+m.Apart)
	}
	for _, from := range parts {
		t.touch(d, i, from, bytes, writes)
	}
	if writes {
		t.stores = append(t.stores, i)
	} else {
		t.loads = append(t.loads, i)
	}
}

// touch orders an access behind those that touch the same words.
func (t *traffic) touch(d *depender, i int32, from, bytes int64, writes bool) {
	for at := from >> 2; at<<2 < from+bytes; at++ {
		p := t.byOffset[at]
		if p == nil {
			p = &[2][]int32{}
			t.byOffset[at] = p
		}
		for _, k := range p[1] {
			d.edge(k, i, 1)
		}
		if writes {
			for _, k := range p[0] {
				d.edge(k, i, 0)
			}
			p[0], p[1] = p[0][:0], append(p[1][:0], i)
		} else {
			p[0] = append(p[0], i)
		}
	}
}

// key is the address of an access: the first register that it reads, and those that all lanes share.
func (d *depender) key(in *machine.Instr) baseKey {
	k := baseKey{word: [3]int32{1, 0, 0}}
	if in.Mem == nil {
		return k
	}
	n := 0
	for i := range in.Uses {
		o := &in.Uses[i]
		if o.Kind != machine.InReg || n > 0 && d.l.code.Reg(o.Reg).Class != machine.Uniform || n == len(k.word) {
			continue
		}
		word, _ := wordsRead(o, d.l.code)
		w := d.l.base[o.Reg-1] + int32(word)
		k.word[n], k.version[n] = w+2, d.word(w).version
		n++
	}
	return k
}
