package interp

import (
	"fmt"
	"iter"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// fault is an error of the kernel on its way out of the lane.
type fault string

func fail(in *ir.Instr, format string, args ...any) {
	panic(fault(fmt.Sprintf("%v: %v: %s", in.Pos, in.Op, fmt.Sprintf(format, args...))))
}

// start prepares the lane to run.
func (l *lane) start() {
	l.next, l.stop = iter.Pull(func(yield func(*ir.Instr) bool) {
		defer func() {
			switch r := recover().(type) {
			case nil, stopped:
			case fault:
				l.err = fmt.Errorf("%s", string(r))
			default:
				panic(r)
			}
		}()
		e := &executor{lane: l, wait: func(in *ir.Instr) {
			if !yield(in) {
				panic(stopped{})
			}
		}}
		e.block(l.g.f.Body)
	})
}

// stopped unwinds a lane that nobody waits for.
type stopped struct{}

// advance runs the lane up to where it waits or ends.
func (l *lane) advance() {
	at, ok := l.next()
	if !ok {
		at = nil
	}
	l.at = at
}

// executor runs one lane.
type executor struct {
	*lane
	wait func(*ir.Instr)
	held []uint64 // operands
}

// block executes one and returns the leave or continue that ended it, nil if a yield did.
func (e *executor) block(b *ir.Block) (jump *ir.Instr) {
	limit := e.g.launch.MaxSteps
	if limit == 0 {
		limit = 1_000_000
	}
	for _, in := range b.Instrs {
		if e.steps++; e.steps > limit {
			fail(in, "more than %d steps", limit)
		}
		switch in.Op {
		case lower.OpIf:
			side := in.Blocks[0]
			if e.value(in.Args[0]) == 0 {
				side = in.Blocks[1]
			}
			jump = e.block(side)
		case lower.OpSwitch:
			jump = e.block(in.Blocks[chosen(in, int64(e.value(in.Args[0])))])
		case lower.OpRegion:
			if jump = e.block(in.Blocks[0]); jump != nil && jump.Target == in {
				jump = nil
			}
		case lower.OpLoop:
			jump = e.loop(in)
		case lower.OpYield:
			if b.Owner != nil {
				e.assign(b.Owner.Results, in.Args)
			}
			return nil
		case lower.OpLeave:
			e.assign(in.Target.Results, in.Args)
			return in
		case lower.OpContinue:
			e.assign(in.Target.Blocks[0].Params, in.Args)
			return in
		default:
			e.operation(in)
		}
		if jump != nil {
			return jump
		}
	}
	return nil
}

// loop executes one until something leaves it.
func (e *executor) loop(in *ir.Instr) *ir.Instr {
	e.assign(in.Blocks[0].Params, in.Args)
	for {
		jump := e.block(in.Blocks[0])
		switch {
		case jump == nil:
			fail(in, "its block ends in no jump")
		case jump.Target != in:
			return jump
		case jump.Op == lower.OpLeave:
			return nil
		}
	}
}

// chosen is the number of a switch's block for a value.
func chosen(in *ir.Instr, x int64) int {
	for i, c := range in.Cases {
		for _, v := range c {
			if v == x {
				return i
			}
		}
	}
	return len(in.Cases)
}

// assign gives values those of others, all at once.
func (e *executor) assign(to, from []*ir.Value) {
	held := e.all(from)
	for i, v := range to {
		e.values[v.ID] = held[i]
	}
}
