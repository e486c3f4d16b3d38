package micro

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// Bench is a device that executes the microbenchmarks.
type Bench struct {
	device     driver.Device
	properties measure.Properties
	memory     memory
	limit      time.Duration

	programs programs
	built    key // what the kernel is of
	spec     *spec
	kernel   driver.Kernel
	filler   driver.Kernel // writes tables; nil = not built yet
	clock    float64       // MHz behind the last launch; 0 = not known
	out      driver.Buffer
	data     driver.Buffer
	filled   table
	counters driver.Buffer
}

var (
	_ measure.Bench    = (*Bench)(nil)
	_ measure.Preparer = (*Bench)(nil)
)

// New makes a bench of an open device. A launch that takes longer than the limit ends the measurement.
func New(d driver.Device, limit time.Duration) *Bench {
	p := d.Properties()
	b := &Bench{device: d, properties: p, memory: memoryOf(p), limit: limit}
	b.programs = programs{compile: b.compile}
	return b
}

// Prepare has the programs of a plan compiled while others are measured.
func (b *Bench) Prepare(plan []measure.Point) {
	for _, p := range plan {
		if b.Skip(p.Class) == "" {
			b.programs.expect(key{p.Class.Name, p.Chains})
		}
	}
}

// memoryOf chooses tables that fit the device.
func memoryOf(p measure.Properties) memory {
	const (
		least, most  = 16 << 20, 1 << 30
		times, few   = 32, 4   // L2 that a table has: what is written is written again late, of which L2 keeps little
		assumedL2    = 4 << 20 // of a device that does not tell
		inL1         = 8 << 10
		itemsPerUnit = 2048
	)
	l2 := max(p.L2Bytes, 1<<20)
	if p.L2Bytes == 0 {
		l2 = assumedL2
	}
	large := int64(times) * l2
	if p.Type == "CPU" { // which fills it itself
		large = few * l2
	}
	large = min(max(large, least), most)
	if p.MaxBufferBytes > 0 {
		large = min(large, p.MaxBufferBytes/2)
	}
	if p.GlobalBytes > 0 {
		large = min(large, p.GlobalBytes/4)
	}
	return memory{cpu: p.Type == "CPU", large: floorPower(large), l2: floorPower(l2 / 2), l1: inL1,
		maxItems: max(1, p.ComputeUnits) * max(itemsPerUnit, p.MaxWarps*p.WarpSize)}
}

func floorPower(n int64) uint32 { return 1 << (bits.Len64(uint64(n)) - 1) }

// Properties are the device's.
func (b *Bench) Properties() measure.Properties { return b.properties }

// Skip says why the device cannot execute the class.
func (b *Bench) Skip(c measure.Class) string {
	if c.Needs != 0 && !slices.Contains(strings.Fields(b.properties.Features), c.Needs.Keyword()) {
		return "the device has no " + c.Needs.String()
	}
	if o, ok := operations[c.Name]; ok && b.device.Dialect() == driver.CUDA && o.cuda == "-" {
		return "CUDA has no instruction for it"
	}
	return ""
}

// Close releases what the bench holds on the device, and the device.
func (b *Bench) Close() {
	b.drop()
	b.programs.close()
	for _, buffer := range []driver.Buffer{b.out, b.data, b.counters} {
		if buffer != nil {
			buffer.Close()
		}
	}
	b.device.Close()
}

func (b *Bench) drop() {
	if b.kernel != nil {
		b.kernel.Close()
	}
	b.programs.drop(b.built)
	b.kernel, b.built, b.clock = nil, key{}, 0
}

// compile makes the program of a microbenchmark.
func (b *Bench) compile(ctx context.Context, k key) (*spec, driver.Program, error) {
	c, _ := measure.Lookup(k.class)
	s, err := specOf(c, k.chains, b.device.Dialect(), b.memory, b.properties.WarpSize)
	if err != nil {
		return nil, nil, err
	}
	program, err := b.device.Build(ctx, driver.Source{Name: k.class, Text: s.text(b.device.Dialect(), k.chains),
		Special: c.Needs == measure.Group})
	return s, program, err
}

// build makes the kernel of a microbenchmark, unless it is that of the last launch.
func (b *Bench) build(ctx context.Context, k key) (err error) {
	if b.built == k {
		return nil
	}
	b.drop()
	p, err := b.programs.get(ctx, k)
	if err != nil {
		return err
	}
	if b.kernel, err = p.program.Kernel("bench"); err != nil {
		b.programs.drop(k)
		return err
	}
	b.built, b.spec = k, p.spec
	return b.fill(ctx, b.spec.table)
}

// Time executes the microbenchmark once. It verifies the output of the first repetition, whose launch the others
// repeat.
func (b *Bench) Time(ctx context.Context, p measure.Point) (measure.Reading, error) {
	if err := b.build(ctx, key{p.Class.Name, p.Chains}); err != nil {
		return measure.Reading{}, err
	}
	s := b.spec
	iterations := max(1, p.Instructions/(int64(s.unroll*p.Chains)*s.counted))
	if p.Class.Kind == measure.Launch {
		iterations = 0
	}
	if iterations > math.MaxInt32 {
		return measure.Reading{}, fmt.Errorf("%d iterations of %s are too many", iterations, p.Class.Name)
	}
	groups := p.Groups * b.properties.ComputeUnits
	at := place{size: p.GroupSize, items: groups * p.GroupSize, steps: iterations * int64(s.unroll), chains: p.Chains}
	local := b.local(p)
	launch := driver.Launch{Groups: [3]int{groups, 1, 1}, GroupSize: [3]int{p.GroupSize, 1, 1}, LocalBytes: local,
		Limit: b.limit}
	switch p.Class.Kind {
	case measure.Stream:
		launch.Behind = 1
	case measure.Launch: // which take a few microseconds, and asking for one some more
		launch.Behind = 32
	}
	if err := b.buffers(at); err != nil {
		return measure.Reading{}, err
	}
	launch.Args = []driver.Arg{{Buffer: b.out}, {Buffer: b.data}, driver.Int(int32(iterations)), s.parameter(s.a),
		s.parameter(s.b)}
	if b.device.Dialect() == driver.CUDA {
		launch.Args = append(launch.Args, driver.Arg{Buffer: b.counters})
	} else {
		launch.Args = append(launch.Args, driver.Arg{LocalBytes: local})
	}
	if b.clock == 0 {
		b.clock = b.device.Clock()
	}
	r := measure.Reading{Instructions: iterations * int64(s.unroll*p.Chains) * s.counted, ClockBefore: b.clock}
	var err error
	if r.Seconds, err = b.kernel.Launch(ctx, launch); err != nil {
		return measure.Reading{}, err
	}
	b.clock = b.device.Clock()
	r.ClockAfter = b.clock
	if r.Cycles, err = b.cycles(); err != nil {
		return measure.Reading{}, err
	}
	if p.Repetition != 0 {
		return r, nil
	}
	return r, b.verify(p, at)
}

// local is the local memory of a group: what the microbenchmark uses, and as much that no more groups fit
// on a compute unit than are asked for. More would fit if a compute unit has more than a device tells.
func (b *Bench) local(p measure.Point) int {
	resident := max(1, p.WarpsPerUnit*b.properties.WarpSize/p.GroupSize)
	if p.Class.Kind == measure.Placement {
		resident = 1
	}
	unit := max(b.properties.LocalBytesPerUnit, b.properties.LocalBytes)
	const step = 256 // of allocation; each group needs some bytes of the system's beside
	const system = 1024
	limited := min(unit/resident-system, b.properties.LocalBytes) / step * step
	return max(16, b.spec.local, limited)
}

func (s *spec) parameter(v float64) driver.Arg {
	switch s.typ {
	case f64:
		return driver.DoubleArg(v)
	case s32:
		return driver.Int(int32(v))
	case word:
		return driver.Uint(uint32(v))
	}
	return driver.Float(float32(v))
}

// buffers makes room for the output and what each launch starts from.
func (b *Bench) buffers(at place) (err error) {
	if err := b.ensure(&b.out, int64(at.items*at.chains*b.spec.typ.bytes())); err != nil {
		return err
	}
	if b.data == nil {
		if err := b.ensure(&b.data, 64); err != nil {
			return err
		}
	}
	if b.spec.table.zero {
		if err := b.data.Write(make([]byte, 4*at.items*at.chains)); err != nil {
			return err
		}
	}
	if b.device.Dialect() != driver.CUDA {
		return nil
	}
	if err := b.ensure(&b.counters, 16*maxUnits); err != nil {
		return err
	}
	var first [16 * maxUnits]byte
	for i := range maxUnits {
		binary.LittleEndian.PutUint64(first[16*i:], math.MaxUint64)
	}
	return b.counters.Write(first[:])
}

// maxUnits is more than the numbers of all compute units.
const maxUnits = 1024

// cycles is the time of the compute unit that was busy longest, by its own counter; 0 if there is none.
func (b *Bench) cycles() (float64, error) {
	if b.counters == nil {
		return 0, nil
	}
	var data [16 * maxUnits]byte
	if err := b.counters.Read(data[:]); err != nil {
		return 0, err
	}
	var longest uint64
	for i := range maxUnits {
		first, last := binary.LittleEndian.Uint64(data[16*i:]), binary.LittleEndian.Uint64(data[16*i+8:])
		if last > first {
			longest = max(longest, last-first)
		}
	}
	return float64(longest), nil
}

// ensure makes a buffer at least as large.
func (b *Bench) ensure(buffer *driver.Buffer, bytes int64) (err error) {
	if *buffer != nil {
		if (*buffer).Bytes() >= bytes {
			return nil
		}
		(*buffer).Close()
		*buffer = nil
	}
	*buffer, err = b.device.NewBuffer(bytes)
	return err
}

// fill writes a table into device memory, unless it is there.
func (b *Bench) fill(ctx context.Context, t table) error {
	if t == (table{}) || t == b.filled {
		return nil
	}
	whole := t
	b.filled = table{}
	if err := b.ensure(&b.data, t.bytes()); err != nil {
		return err
	}
	switch {
	case t.zero || t.mul == 1 && t.add == 0: // written by the host or by the kernel
		return nil
	case t.pattern != 0:
		t.elements, t.size = t.elements*uint32(t.size)/4, 4
	}
	if b.filler == nil {
		program, err := b.device.Build(ctx, driver.Source{Name: "fill", Text: fillText(b.device.Dialect())})
		if err != nil {
			return err
		}
		if b.filler, err = program.Kernel("fill"); err != nil { // the device's end is the program's
			return err
		}
	}
	const groupSize, groups = 64, 1024
	args := []driver.Arg{{Buffer: b.data}, driver.Uint(t.elements), driver.Uint(uint32(t.size)), driver.Uint(t.mul),
		driver.Uint(t.add), driver.Uint(uint32(t.unaligned)), driver.Uint(t.pattern)}
	if _, err := b.filler.Launch(ctx, driver.Launch{Groups: [3]int{groups, 1, 1}, GroupSize: [3]int{groupSize, 1, 1},
		Args: args, Limit: b.limit}); err != nil {
		return err
	}
	b.filled = whole
	return nil
}

// verify compares what the launch computed.
func (b *Bench) verify(p measure.Point, at place) error {
	out := make([]byte, at.items*at.chains*b.spec.typ.bytes())
	if err := b.out.Read(out); err != nil {
		return err
	}
	if err := b.spec.check(p.Class.Name, out, at); err != nil {
		return err
	}
	if !b.spec.sums {
		return nil
	}
	var sum [4]byte
	return errors.Join(b.data.Read(sum[:]), checkSum(p.Class.Name, sum[:], at))
}
