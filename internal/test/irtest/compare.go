// Package irtest tells whether a change of the IR keeps what a kernel does: it executes both versions with the
// same random memory, compares what they leave, and makes a kernel of which that differs smaller. It reads the text
// of package ir (Parse). It consumes functions of that package. For tests.
package irtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"gpupipe/internal/test/interp"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// bufferSize is that of each buffer: room for a few thousand numbers, which is what kernels with small extents
// touch.
const bufferSize = 1 << 15

// lanes is how many work items a launch has: several, so that barriers and shuffles mean something.
const lanes = 4

// Launch makes one of a kernel with random arguments. Numbers are small and whole, so that sums and products of
// floats are exact in whatever order, and rounded once or twice. Of three seeds one has all pointers to one type that
// are not declared restrict point to the same buffer, and one extreme integers.
func Launch(f *ir.Func, seed int) *interp.Launch {
	rng := rand.New(rand.NewPCG(uint64(seed), 7))
	l := &interp.Launch{Buffers: map[string][]byte{}, Scalars: map[string]uint64{}, Lanes: lanes, MaxSteps: 200_000}
	shared := map[ir.Type][]byte{}
	for _, p := range f.Params {
		if p.Object != 0 {
			o := f.Object(p.Object)
			b := shared[o.Elem]
			if b == nil || o.Restrict {
				b = make([]byte, bufferSize)
				fill(b, o.Elem, rng, seed%3 == 2)
			}
			if seed%3 == 1 && !o.Restrict && o.Elem != 0 {
				shared[o.Elem] = b
			}
			l.Buffers[p.Name] = b
			continue
		}
		l.Scalars[p.Name] = small(p.Type, rng.IntN(17))
	}
	group := uint64(rng.IntN(3))
	l.Index = map[string]uint64{"get_group_id 0": group, "get_global_id 0": group * lanes,
		"get_local_size 0": lanes, "get_num_groups 0": 3, "get_global_size 0": 3 * lanes}
	for _, dim := range []string{" 1", " 2"} {
		for _, fn := range []string{"get_local_size", "get_num_groups", "get_global_size"} {
			l.Index[fn+dim] = 1
		}
	}
	return l
}

// again is a launch with memory of its own; parameters with the same buffer have the same one.
func again(l *interp.Launch) *interp.Launch {
	c, copies := *l, map[*byte][]byte{}
	c.Buffers = map[string][]byte{}
	for name, b := range l.Buffers {
		if copies[&b[0]] == nil {
			copies[&b[0]] = bytes.Clone(b)
		}
		c.Buffers[name] = copies[&b[0]]
	}
	return &c
}

// small is a small number of a type as memory has it.
func small(t ir.Type, n int) uint64 {
	if t.IsFloat() {
		return lower.ConstFloat(t, float64(n)).Bits
	}
	return lower.ConstInt(t, int64(n)).Bits
}

// extremes are what integers of every third seed are now and then, wrapped to their type.
var extremes = []int64{1 << 30, -1 << 30, 1<<31 - 1, -1 << 31, 1<<63 - 1, -1 << 63, 255, -128, 32767, -32768}

// fill writes small numbers of a type, extreme ones too where that is wanted; words where a buffer has no single
// type.
func fill(b []byte, t ir.Type, rng *rand.Rand, extreme bool) {
	if t == 0 || t == lower.Ptr {
		t = lower.U32
	}
	least := 0
	if t.IsFloat() || t.IsSigned() {
		least = -5
	}
	var numbers [20]uint64
	for i := range numbers {
		numbers[i] = small(t, least+i)
	}
	for size := int(t.Size()); len(b) >= size; b = b[size:] {
		bits := numbers[rng.IntN(len(numbers))]
		if extreme && t.IsInteger() && rng.IntN(4) == 0 {
			bits = lower.ConstInt(t, extremes[rng.IntN(len(extremes))]).Bits
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		copy(b, word[:size])
	}
}

// Expected is what a kernel leaves in its buffers for the inputs of some seeds.
type Expected struct {
	// Executed is for how many seeds the kernel ends; where it ends in an error, nothing is expected.
	Executed int
	inputs   []*interp.Launch    // by seed; nil: an error
	buffers  []map[string][]byte // by seed
	elements map[string]ir.Type  // of the buffers
	names    []string
}

// Expect executes a kernel with the inputs of some seeds.
func Expect(f *ir.Func, seeds int) *Expected {
	e := &Expected{inputs: make([]*interp.Launch, seeds), buffers: make([]map[string][]byte, seeds),
		elements: map[string]ir.Type{}}
	for _, p := range f.Params {
		if p.Object != 0 {
			e.names = append(e.names, p.Name)
			e.elements[p.Name] = f.Object(p.Object).Elem
		}
	}
	for seed := range seeds {
		input := Launch(f, seed)
		l := again(input)
		l.Strict = true
		if interp.Execute(f, l) == nil {
			e.inputs[seed], e.buffers[seed] = input, l.Buffers
			e.Executed++
		}
	}
	return e
}

// Check executes a kernel after a change. The error is that of a difference.
func (e *Expected) Check(after *ir.Func) error {
	for seed, input := range e.inputs {
		if input == nil {
			continue
		}
		l, was := again(input), e.buffers[seed]
		l.MaxSteps *= 4
		if err := interp.Execute(after, l); err != nil {
			return fmt.Errorf("seed %d: only after it: %w", seed, err)
		}
		for _, name := range e.names {
			if err := equal(was[name], l.Buffers[name], e.elements[name]); err != nil {
				return fmt.Errorf("seed %d: %s%w", seed, name, err)
			}
		}
	}
	return nil
}

// equal compares two buffers; floats but for some roundings.
func equal(a, b []byte, t ir.Type) error {
	if bytes.Equal(a, b) {
		return nil
	}
	if t == 0 {
		t = lower.F32
	}
	size := int(t.Size())
	for i := 0; i+size <= len(a); i += size {
		if bytes.Equal(a[i:i+size], b[i:i+size]) {
			continue
		}
		x, y := element(a[i:i+size], t), element(b[i:i+size], t)
		if !t.IsFloat() || !close(lower.Operand{Type: t, Bits: x}.Float(), lower.Operand{Type: t, Bits: y}.Float()) {
			return fmt.Errorf("[%d] is %s, was %s", i/size, text(t, y), text(t, x))
		}
	}
	return nil
}

func element(b []byte, t ir.Type) uint64 {
	var word [8]byte
	copy(word[:], b)
	bits := binary.LittleEndian.Uint64(word[:])
	if t.IsInteger() {
		return lower.ConstInt(t, int64(bits)).Bits
	}
	return bits
}

func text(t ir.Type, bits uint64) string {
	switch {
	case t.IsFloat():
		return fmt.Sprint(lower.Operand{Type: t, Bits: bits}.Float())
	case t.IsSigned():
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}

// close reports whether two numbers differ by no more than roundings.
func close(x, y float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-4*math.Max(math.Abs(x), math.Abs(y))
}

// Clone is a copy of a kernel.
func Clone(f *ir.Func) (*ir.Func, error) { return Parse(f.String()) }
