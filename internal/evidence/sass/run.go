package sass

import (
	"cmp"
	"fmt"
)

// Launch says for which warp of which launch a kernel is counted.
type Launch struct {
	Local, Groups [3]int64 // work items per group, groups; all at least 1
	Group         [3]int64 // the group whose warp is executed
	Warp          int64    // of the group
	WarpSize      int64
	// Params are words of the parameters by their offset in bytes; one that is
	// missing is not known.
	Params map[int64]uint32
	// FirstParam is where the parameters begin in constant bank 0, in bytes; 0 = where they do before
	// compute capability 9.0.
	FirstParam int64
	// Number is what a work item's loads of global memory give, by lane and number of the
	// load, as a number of single precision, or of double where it is of 64 bits; nil = what
	// is not known.
	Number func(lane, load int64) float64
	// Limit bounds the instructions that one work item executes.
	Limit int
}

// Executed is how often a warp issues an instruction, and how often of these some work
// item's predicate is true. Of a branch both are the same.
type Executed struct{ Issued, Active int64 }

// Run returns how often the warp executes each instruction.
func (k *Kernel) Run(l Launch) ([]Executed, error) {
	code := make([]operation, len(k.Code))
	for i := range k.Code {
		var err error
		if code[i], err = decode(&k.Code[i]); err != nil {
			return nil, err
		}
	}
	counts := make([]Executed, len(code))
	items := l.Local[0] * l.Local[1] * l.Local[2]
	for lane := range l.WarpSize {
		linear := l.Warp*l.WarpSize + lane
		if linear >= items {
			break
		}
		t := &thread{code: code, launch: &l, counts: make([]Executed, len(code)), left: l.Limit}
		t.local = [3]int64{linear % l.Local[0], linear / l.Local[0] % l.Local[1], linear / (l.Local[0] * l.Local[1])}
		t.lane = lane
		if err := t.run(); err != nil {
			return nil, err
		}
		for i, n := range t.counts {
			counts[i].Issued, counts[i].Active = max(counts[i].Issued, n.Issued), max(counts[i].Active, n.Active)
		}
	}
	return counts, nil
}

// value is a word, or not known.
type value struct {
	bits  uint32
	known bool
}

// thread is one work item.
type thread struct {
	code   []operation
	launch *Launch
	local  [3]int64
	lane   int64
	regs   [registers]value // R0 to R254, UR0 to UR62, predicates as 0 and 1
	counts []Executed
	loads  int64 // of global memory, so far
	left   int
}

func (t *thread) run() error {
	for at := 0; at < len(t.code); {
		in := &t.code[at]
		if t.left--; t.left < 0 {
			return fmt.Errorf("more than %d instructions", t.launch.Limit)
		}
		count := &t.counts[at]
		count.Issued++
		at++
		guard := t.read(in.guard)
		switch {
		case !guard.known && in.branches():
			return fmt.Errorf("a branch depends on data: %s", in.text)
		case !guard.known:
			count.Active++
			t.forget(in)
			continue
		case guard.bits != 0 || in.branches():
			count.Active++
		}
		if guard.bits == 0 {
			continue
		}
		switch in.name {
		case "EXIT":
			return nil
		case "BRA":
			p := value{1, true} // BRA !UP0, 0x100: a second condition
			if len(in.args) > 0 {
				p = t.read(in.args[0])
			}
			if !p.known {
				return fmt.Errorf("a branch depends on data: %s", in.text)
			}
			if p.bits != 0 {
				at = in.target
			}
		case "CALL", "RET", "BRX", "JMP":
			return fmt.Errorf("not followed: %s", in.text)
		default:
			t.execute(in)
		}
	}
	return nil
}

// forget makes an instruction's results unknown.
func (t *thread) forget(in *operation) {
	for _, d := range in.dsts {
		t.write(d, value{})
	}
	for _, d := range in.pred {
		t.write(d, value{})
	}
}

func (t *thread) write(reg int, v value) {
	if reg >= 0 {
		t.regs[reg] = v
	}
}

// read evaluates an operand.
func (t *thread) read(o operand) value {
	var v value
	switch o.kind {
	case operandReg:
		v = t.regs[o.reg]
	case operandImm:
		v = value{uint32(o.reg), true}
	case operandConstant:
		v = t.constant(int64(o.reg))
	case operandSpecial:
		v = t.special(o.reg)
	}
	if o.not {
		v.bits ^= 1
	}
	if o.invert {
		v.bits = ^v.bits
	}
	return v
}

// Where the parameters begin in constant bank 0: before compute capability 9.0, and from then on.
const (
	firstParam   = 0x160
	FirstParam90 = 0x210
)

// constant reads a word of constant bank 0: group size, number of groups,
// parameters.
func (t *thread) constant(offset int64) value {
	first := cmp.Or(t.launch.FirstParam, firstParam)
	switch {
	case offset >= first:
		w, ok := t.launch.Params[offset-first]
		return value{w, ok}
	case offset < 12:
		return value{uint32(t.launch.Local[offset/4]), true}
	case offset < 24:
		return value{uint32(t.launch.Groups[offset/4-3]), true}
	}
	return value{}
}

// special reads a special register.
func (t *thread) special(id int) value {
	switch {
	case id < 3:
		return value{uint32(t.local[id]), true}
	case id < 6:
		return value{uint32(t.launch.Group[id-3]), true}
	case id == 6:
		return value{uint32(t.lane), true}
	case id == 7:
		return value{0, true}
	}
	return value{}
}

// specials are the special registers that are known.
var specials = map[string]int{
	"SR_TID.X": 0, "SR_TID.Y": 1, "SR_TID.Z": 2, "SR_CTAID.X": 3, "SR_CTAID.Y": 4, "SR_CTAID.Z": 5,
	"SR_LANEID": 6, "SRZ": 7,
}
