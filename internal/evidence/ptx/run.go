package ptx

import (
	"fmt"
)

// Launch says for which warp of which launch a kernel is counted.
type Launch struct {
	Local, Groups [3]int64 // work items per group, groups; all at least 1
	Group         [3]int64 // the group whose warp is executed
	Warp          int64    // of the group
	WarpSize      int64
	// Args are the integer arguments by position; a parameter without one is
	// not known.
	Args map[int]int64
	// Limit bounds the instructions that one work item executes.
	Limit int
}

// Run returns how often the warp executes each block.
func (k *Kernel) Run(l Launch) ([]int64, error) {
	p := k.decode(l.Args)
	counts := make([]int64, len(k.Blocks))
	items := l.Local[0] * l.Local[1] * l.Local[2]
	for lane := range l.WarpSize {
		linear := l.Warp*l.WarpSize + lane
		if linear >= items {
			break
		}
		t := thread{program: p, regs: make([]value, p.registers), counts: make([]int64, len(k.Blocks)), left: l.Limit}
		t.local = [3]int64{linear % l.Local[0], linear / l.Local[0] % l.Local[1], linear / (l.Local[0] * l.Local[1])}
		t.launch = &l
		if err := t.run(); err != nil {
			return nil, err
		}
		for i, n := range t.counts {
			counts[i] = max(counts[i], n)
		}
	}
	return counts, nil
}

// value is an integer of up to 64 bits, zero-extended, or not known.
type value struct {
	bits  uint64
	known bool
}

// thread is one work item.
type thread struct {
	*program
	launch *Launch
	local  [3]int64
	regs   []value
	counts []int64
	left   int
}

func (t *thread) run() error {
	for b := 0; b < len(t.blocks); {
		t.counts[b]++
		blk := &t.blocks[b]
		next := b + 1
		for i := range blk.code {
			in := &blk.code[i]
			if t.left--; t.left < 0 {
				return fmt.Errorf("more than %d instructions", t.launch.Limit)
			}
			if in.guard >= 0 {
				g := t.regs[in.guard]
				switch {
				case !g.known && (in.branch || in.ends):
					return fmt.Errorf("a branch depends on data: %s", in.text)
				case !g.known:
					t.set(in, value{})
					continue
				case (g.bits&1 == 1) == in.negated:
					continue
				}
			}
			switch {
			case in.ends:
				return nil
			case in.branch:
				next = blk.target
			default:
				t.set(in, t.evaluate(in))
			}
		}
		b = next
	}
	return nil
}

// set assigns an instruction's results.
func (t *thread) set(in *operation, v value) {
	for _, d := range in.dsts {
		t.regs[d] = v
	}
}

func (t *thread) operand(o operand) value {
	switch o.kind {
	case operandReg:
		return t.regs[o.reg]
	case operandImm:
		return value{o.imm, true}
	case operandLocalID:
		return value{uint64(t.local[o.reg]), true}
	case operandGroupID:
		return value{uint64(t.launch.Group[o.reg]), true}
	case operandLocalSize:
		return value{uint64(t.launch.Local[o.reg]), true}
	case operandGroups:
		return value{uint64(t.launch.Groups[o.reg]), true}
	}
	return value{}
}
