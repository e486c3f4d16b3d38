package arrange

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// execution runs machine code for one lane with numbers that stand for values: what an instruction gives is a hash
// of what it reads. Registers are virtual ones before allocation, physical ones behind it; spilled ones really go
// through memory. What is stored is summed up, since stores may change places.
type execution struct {
	c        *machine.Code
	physical bool
	regs     map[place]uint64
	slots    map[int64]uint64
	sum      uint64
	stores   int
	left     int // branches to come until it is stopped
	target   *ir.Instr
	again    bool
	failed   string
}

// execute runs a kernel for so many branches.
func execute(c *machine.Code, physical bool, branches int) *execution {
	e := &execution{c: c, physical: physical, regs: map[place]uint64{}, slots: map[int64]uint64{}, left: branches}
	e.block(c.Body)
	return e
}

func (e *execution) place(r machine.Reg, word int) place {
	info := e.c.Reg(r)
	if !e.physical {
		return place{info.Class, int(r)*16 + word}
	}
	if info.Phys < 0 {
		e.failed = fmt.Sprintf("%s has no register", info.Name)
	}
	class := info.Class
	if class == machine.Predicate && e.c.Target.Has("scalar unit") {
		class = machine.Uniform
	}
	return place{class, info.Phys + word}
}

func (e *execution) holds(g machine.Guard) bool {
	if g.Reg == 0 {
		return true
	}
	return (e.regs[e.place(g.Reg, 0)]%3 != 0) != g.Not
}

func (e *execution) instr(in *machine.Instr) {
	if in == nil || !e.holds(in.Guard) {
		return
	}
	if in.Spill {
		e.spilled(in)
		return
	}
	h := fnv.New64a()
	fmt.Fprint(h, in.Op, in.Pos.Line)
	for _, o := range in.Uses {
		if o.Kind != machine.InReg {
			fmt.Fprint(h, o.Bits, o.Name)
			continue
		}
		word, span := wordsRead(&o, e.c)
		for k := range span {
			fmt.Fprint(h, e.regs[e.place(o.Reg, word+k)], " ")
		}
	}
	value := h.Sum64()
	for i, d := range in.Defs {
		word, span := wordsWritten(in, e.c, i)
		for k := range span {
			e.regs[e.place(d, word+k)] = value + uint64(k)*0x9e3779b97f4a7c15 + uint64(i)
		}
	}
	if in.Mem != nil && in.Mem.Store {
		e.sum += value
		e.stores++
	}
}

// spilled executes what spilling made.
func (e *execution) spilled(in *machine.Instr) {
	switch {
	case in.Mem == nil: // of another file in a vector register
		word, span := wordsRead(&in.Uses[0], e.c)
		at, _ := wordsWritten(in, e.c, 0)
		for k := range span {
			e.regs[e.place(in.Defs[0], at+k)] = e.regs[e.place(in.Uses[0].Reg, word+k)]
		}
	case in.Mem.Store:
		for k := range int(in.Mem.Bytes / 4) {
			e.slots[in.Mem.Offset+int64(4*k)] = e.regs[e.place(in.Uses[0].Reg, k)]
		}
	default:
		for k := range int(in.Mem.Bytes / 4) {
			e.regs[e.place(in.Defs[0], k)] = e.slots[in.Mem.Offset+int64(4*k)]
		}
	}
}

// block executes nodes until a jump is taken or the end comes.
func (e *execution) block(b *machine.Block) {
	for _, n := range b.Nodes {
		if e.left <= 0 || e.target != nil || e.failed != "" {
			return
		}
		switch n := n.(type) {
		case *machine.Instr:
			e.instr(n)
		case *machine.If:
			e.left--
			if e.holds(n.Cond) {
				e.block(n.Then)
			} else {
				e.block(n.Else)
			}
		case *machine.Loop:
			for again := true; again && e.left > 0; {
				e.block(n.Body)
				again = e.target == nil || e.target == n.From && e.again
				if e.target == n.From {
					e.target = nil
				}
				if e.target != nil {
					break
				}
			}
		case *machine.Region:
			e.block(n.Body)
			if e.target == n.From {
				e.target = nil
			}
		case *machine.Jump:
			e.left--
			if e.holds(n.Guard) {
				e.target, e.again = n.Target, n.Continue
			}
		}
	}
}

// TestArrangeKeepsMeaning executes random code before and after it was ordered, and registers given or spilled.
func TestArrangeKeepsMeaning(t *testing.T) {
	spills := 0
	for seed := range uint64(60) {
		target := [...]string{"sm_90", "sm_61", "gfx90a"}[seed%3]
		c := randomCode(t, target, rand.New(rand.NewPCG(seed, 2)), 30)
		want := execute(c, false, 300)
		limit := [...]int{0, 28, 22}[seed/3%3]
		if err := Code(c, &machine.Options{MaxRegisters: limit}, nil); err != nil {
			t.Fatal(err)
		}
		verifyAllocation(t, c)
		if got := c.Resources.Registers; limit > 0 && got > limit {
			t.Errorf("seed %d: %d registers, %d are allowed", seed, got, limit)
		}
		if c.Resources.Predicates > c.Target.Predicates {
			t.Errorf("seed %d: %d predicates", seed, c.Resources.Predicates)
		}
		spills += c.Resources.SpillLoads
		got := execute(c, true, 300)
		if got.failed != "" || got.sum != want.sum || got.stores != want.stores {
			t.Fatalf("seed %d: %s, sum of %d stores %x, was %x of %d\n%v", seed, got.failed, got.stores, got.sum,
				want.sum,
				want.stores, c)
		}
	}
	if spills == 0 {
		t.Error("nothing was spilled")
	}
}
