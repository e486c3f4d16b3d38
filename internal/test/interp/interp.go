// Package interp executes the IR of a kernel for some work items, lane after lane, as the oracle of the tests of
// the packages that build and change it: obvious, one operation at a time. It consumes an [ir.Func] and memory,
// and leaves in memory what the kernel does. For tests.
//
// A lane runs until it ends or reaches a barrier or an operation among lanes (SubGroup), which all lanes that
// have not ended have to reach before they go on. Operations on numbers are those of package arithmetic. What
// C leaves undefined is one of: the result that arithmetic gives (shifts count modulo the width), an error
// (division by zero, accesses outside of an object or not aligned as they claim), zero (undefined values),
// 0xa5 in each byte (memory that nobody wrote). Functions that arithmetic does not know, tensor cores and reads
// of images give what depends on the operands alone, without a meaning: equal code still gives equal memory.
// Asynchronous copies are done at once.
package interp

import (
	"errors"
	"fmt"
	"strconv"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// Launch is what a kernel is executed with.
type Launch struct {
	Buffers map[string][]byte // by pointer parameter, changed; others have 256 bytes of their own
	Scalars map[string]uint64 // bits, by parameter; others are 0
	// Index is what work-item functions return, by name and dimension ("get_group_id 0"); others return 0.
	Index map[string]uint64
	// Lanes is the number of work items; 0 is one. Each of more than one has its number as "get_local_id 0" and,
	// behind Index's, as "get_global_id 0"; they are one warp.
	Lanes int
	// Strict makes signed sums, differences, products and quotients that overflow an error, as C leaves them
	// undefined (C11, 6.5 p5) and compilers rely on that; else they wrap.
	Strict bool
	// MaxSteps bounds the instructions of each lane; 0: a million.
	MaxSteps int
	// Watch is told of each access of memory that a lane executes, of its first address: the number of the object
	// times 2^40 and the offset. It may be nil.
	Watch func(lane int, in *ir.Instr, address uint64)
}

// Run executes a kernel for one work item.
func Run(f *ir.Func, buffers map[string][]byte, scalars map[string]uint64, index map[string]uint64) error {
	return Execute(f, &Launch{Buffers: buffers, Scalars: scalars, Index: index})
}

// Execute executes a kernel. The error is one of the kernel: an access outside of an object, a division by
// zero, too many steps.
func Execute(f *ir.Func, l *Launch) error {
	g := &group{f: f, launch: l, memory: make([][]byte, len(f.Objects))}
	for i := range f.Objects {
		if f.Objects[i].Space != idg.SpacePrivate {
			g.memory[i] = fresh(&f.Objects[i])
		}
	}
	for _, p := range f.Params {
		if b := l.Buffers[p.Name]; p.Object != 0 && b != nil {
			g.memory[p.Object-1] = b
		}
	}
	for i := range max(1, l.Lanes) {
		g.lanes = append(g.lanes, newLane(g, i))
	}
	return g.run()
}

// unwritten is each byte of memory that nobody wrote.
const unwritten = 0xa5

// fresh is the memory of an object; 256 bytes where its size is not known.
func fresh(o *ir.Object) []byte {
	size := o.Size
	if size == 0 {
		size = 256
	}
	b := make([]byte, size)
	for i := range b {
		b[i] = unwritten
	}
	copy(b, o.Init)
	return b
}

// group is all work items of a launch.
type group struct {
	f      *ir.Func
	launch *Launch
	memory [][]byte // by ObjectID - 1; nil: private
	lanes  []*lane
}

// run executes the lanes until each has ended: all up to where they wait, then the first that waits and those
// that wait at the same operation.
func (g *group) run() (err error) {
	defer func() {
		for _, l := range g.lanes {
			l.stop()
		}
		switch r := recover().(type) {
		case nil:
		case fault:
			err = errors.New(string(r))
		default:
			panic(r)
		}
	}()
	for running := g.lanes; len(running) > 0; {
		for _, l := range running {
			if l.advance(); l.err != nil {
				return fmt.Errorf("lane %d: %w", l.number, l.err)
			}
		}
		waiting := keep(g.lanes, func(l *lane) bool { return l.at != nil })
		if len(waiting) == 0 {
			return nil
		}
		at := waiting[0].at
		for _, l := range waiting { // operations among lanes first: barriers are for all
			if l.at.Op == lower.SubGroup {
				at = l.at
				break
			}
		}
		running = keep(waiting, func(l *lane) bool { return l.at == at || at.Op == lower.Barrier })
		if at.Op == lower.SubGroup {
			exchange(at, running)
		}
	}
	return nil
}

func keep(list []*lane, wanted func(*lane) bool) []*lane {
	var out []*lane
	for _, l := range list {
		if wanted(l) {
			out = append(out, l)
		}
	}
	return out
}

// lane is one work item.
type lane struct {
	g       *group
	number  int
	values  []uint64 // by Value.ID: lane values of package arithmetic
	private [][]byte // by ObjectID - 1
	steps   int

	at   *ir.Instr // what it waits at; nil: it has ended
	err  error
	next func() (*ir.Instr, bool)
	stop func()
}

func newLane(g *group, number int) *lane {
	l := &lane{g: g, number: number, values: make([]uint64, g.f.NumValues()), private: make([][]byte, len(g.f.Objects))}
	for i := range g.f.Objects {
		if g.memory[i] == nil {
			l.private[i] = fresh(&g.f.Objects[i])
		}
	}
	for i, p := range g.f.Params {
		v := uint64(p.Object) << offsetBits
		if p.Object == 0 {
			v = arithmetic.LaneBits(p.Type, g.launch.Scalars[p.Name])
		}
		l.values[g.f.Args[i].ID] = v
	}
	l.start()
	return l
}

// index is what a work-item function returns.
func (l *lane) index(in *ir.Instr) uint64 {
	name := in.Fn + " " + strconv.Itoa(int(in.Dim))
	v := l.g.launch.Index[name]
	if l.g.launch.Lanes > 1 {
		switch name {
		case "get_local_id 0":
			v = uint64(l.number)
		case "get_global_id 0":
			v += uint64(l.number)
		}
	}
	return v
}
