// Package irtest tells whether a change of the IR keeps what a kernel does: it executes both versions with the
// same random memory and compares what they leave. It consumes functions of package ir. For tests.
package irtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/ir/interp"
)

// bufferSize is that of each buffer: room for a few thousand numbers, which is what kernels with small extents
// touch.
const bufferSize = 1 << 15

// lanes is how many work items a launch has: several, so that barriers and shuffles mean something.
const lanes = 4

// Launch makes one of a kernel with random arguments. All numbers are small and whole, so that sums and products
// of floats are exact in whatever order, and rounded once or twice.
func Launch(f *ir.Func, seed int) *interp.Launch {
	rng := rand.New(rand.NewPCG(uint64(seed), 7))
	l := &interp.Launch{Buffers: map[string][]byte{}, Scalars: map[string]uint64{}, Lanes: lanes, MaxSteps: 200_000}
	for _, p := range f.Params {
		if p.Object != 0 {
			b := make([]byte, bufferSize)
			fill(b, f.Object(p.Object).Elem, rng)
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

// small is a small number of a type as memory has it.
func small(t ir.Type, n int) uint64 {
	if t.IsFloat() {
		return lower.ConstFloat(t, float64(n)).Bits
	}
	return lower.ConstInt(t, int64(n)).Bits
}

// fill writes small numbers of a type; words where a buffer has no single type.
func fill(b []byte, t ir.Type, rng *rand.Rand) {
	if t == 0 || t == lower.Ptr {
		t = lower.U32
	}
	for size := int(t.Size()); len(b) >= size; b = b[size:] {
		n := rng.IntN(20)
		if t.IsFloat() || t.IsSigned() {
			n -= 5
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], small(t, n))
		copy(b, word[:size])
	}
}

// Same executes a kernel before and after a change with the inputs of some seeds and compares the buffers. Where
// the kernel as it was before ends in an error, nothing is compared; executed is how often it did not. The error
// is that of a difference.
func Same(before, after *ir.Func, seeds int) (executed int, err error) {
	for seed := range seeds {
		was, is := Launch(before, seed), Launch(before, seed)
		if interp.Execute(before, was) != nil {
			continue
		}
		executed++
		is.MaxSteps *= 4
		if err := interp.Execute(after, is); err != nil {
			return executed, fmt.Errorf("seed %d: only after it: %w", seed, err)
		}
		for _, p := range before.Params {
			if p.Object == 0 {
				continue
			}
			if err := equal(was.Buffers[p.Name], is.Buffers[p.Name], before.Object(p.Object).Elem); err != nil {
				return executed, fmt.Errorf("seed %d: %s%w", seed, p.Name, err)
			}
		}
	}
	return executed, nil
}

// equal compares two buffers; floats but for some roundings.
func equal(a, b []byte, t ir.Type) error {
	if slices.Equal(a, b) {
		return nil
	}
	if t == 0 {
		t = lower.F32
	}
	size := int(t.Size())
	for i := 0; i+size <= len(a); i += size {
		if slices.Equal(a[i:i+size], b[i:i+size]) {
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
func Clone(f *ir.Func) (*ir.Func, error) { return ir.Parse(f.String()) }
