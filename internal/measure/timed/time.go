package timed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gpupipe/internal/diag"
	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
	"gpupipe/latencies"
)

// Options are how a kernel is timed.
type Options struct {
	Repetitions int           // of each occupancy
	Limit       time.Duration // of a launch
	Full        bool          // only the largest occupancy is timed
	Cold        bool          // L2 is overwritten before each launch; else it is as the last launch leaves it
}

// Row are the times at one occupancy.
type Row struct {
	Groups     int       // resident on a compute unit, as far as they can be limited
	Seconds    []float64 // of each repetition, ascending
	Clock      float64   // MHz behind the last one; 0 if it is not known
	LocalBytes int       // that were added
}

// Median is the time in the middle.
func (r Row) Median() float64 { return r.Seconds[len(r.Seconds)/2] }

// open is a job on a device.
type open struct {
	*Job
	device  driver.Device
	program driver.Program
	kernel  driver.Kernel
	args    *arguments
	limit   time.Duration
	other   driver.Buffer // that takes L2 from the kernel's data; nil = not needed yet
	zeros   []byte        // its contents
}

func (j *Job) open(ctx context.Context, d driver.Device, limit time.Duration) (*open, error) {
	if d.Dialect() != j.Dialect() {
		return nil, diag.Errorf(j.Function.Pos, codeKernel, "the kernel is %s, which this device does not read",
			j.Source.Dialect)
	}
	if p := d.Properties(); j.items() > int64(p.MaxGroupSize) {
		return nil, diag.Errorf(j.Function.Pos, codeKernel, "the work group has %d work items; the device allows %d",
			j.items(), p.MaxGroupSize)
	}
	o := &open{Job: j, device: d, limit: limit}
	var err error
	if o.program, err = d.Build(ctx, j.source()); err != nil {
		return nil, err
	}
	if o.kernel, err = o.program.Kernel(j.Name); err == nil {
		o.args, err = j.arguments(d)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *open) close() {
	if o.args != nil {
		o.args.close()
	}
	if o.kernel != nil {
		o.kernel.Close()
	}
	if o.other != nil {
		o.other.Close()
	}
	o.program.Close()
}

// launch executes the kernel with so many bytes of local memory that it does not use, behind so many others.
func (o *open) launch(ctx context.Context, unused, behind int) (float64, error) {
	l := driver.Launch{Args: o.args.list, LocalBytes: int(o.Job.kernel.Options.DynamicLocal), Limit: o.limit,
		Behind: behind}
	for i := range l.Groups {
		l.Groups[i], l.GroupSize[i] = int(o.Groups[i]), int(o.Local[i])
	}
	switch {
	case o.Dialect() == driver.CUDA:
		l.LocalBytes += unused
	case o.padded:
		l.Args = append(slices.Clone(l.Args), driver.Arg{LocalBytes: max(1, unused)})
	}
	return o.kernel.Launch(ctx, l)
}

// unit is the local memory of a compute unit, bytes: what the driver tells, or the built-in device of that name;
// OpenCL tells what a group can take. 0 = not known.
func unit(p measure.Properties) int {
	if p.LocalBytesPerUnit > 0 {
		return p.LocalBytesPerUnit
	}
	if d, err := latencies.Builtin(p.Name); err == nil {
		return int(d.Limits.LocalBytes)
	}
	return 0
}

// occupancies are the numbers of resident groups that a device can be limited to, with the local memory that does
// it. A group that can take less than its share of a compute unit's cannot keep others off it. What limits them
// further, such as registers, is asked of the driver where it tells.
func (o *open) occupancies() []Row {
	p := o.device.Properties()
	warps := max(1, (int(o.items())+max(1, p.WarpSize)-1)/max(1, p.WarpSize))
	const step, system = 256, 1024 // of allocation; what the system takes of each group's
	const assumed = 16
	most := assumed
	if p.MaxGroups > 0 {
		most = p.MaxGroups
	}
	if p.MaxWarps > 0 {
		most = min(most, p.MaxWarps/warps)
	}
	own, unit := int(o.static+o.Job.kernel.Options.DynamicLocal), unit(p)
	if own > 0 && unit > 0 {
		most = min(most, unit/own)
	}
	if unit == 0 || p.Type == "CPU" || o.Dialect() == driver.OpenCL && !o.padded {
		return []Row{{Groups: max(1, most)}} // groups of a CPU do not share a compute unit
	}
	var rows []Row
	for k := 1; k <= max(1, most); k++ {
		unused := max(0, min(unit/k-system, p.LocalBytes)/step*step-own)
		r := Row{Groups: min(unit/(own+unused+system), max(1, most)), LocalBytes: unused}
		if own+unused == 0 {
			r.Groups = max(1, most)
		}
		if n := o.kernel.Resident(int(o.items()), unused+int(o.Job.kernel.Options.DynamicLocal)); n > 0 {
			r.Groups = n
		}
		rows = append(rows, r)
	}
	return slices.CompactFunc(rows, func(a, b Row) bool { return a.Groups == b.Groups })
}

// flush overwrites what L2 holds, if that is asked for.
func (o *open) flush(t Options) error {
	if !t.Cold {
		return nil
	}
	const assumed, times = 8 << 20, 2
	if o.other == nil {
		size := times * max(o.device.Properties().L2Bytes, assumed)
		var err error
		if o.other, err = o.device.NewBuffer(size); err != nil {
			return err
		}
		o.zeros = make([]byte, size)
	}
	return o.other.Write(o.zeros)
}

// Time measures a kernel at all occupancies; done is told each.
func (j *Job) Time(ctx context.Context, d driver.Device, t Options, done func(Row)) error {
	o, err := j.open(ctx, d, t.Limit)
	if err != nil {
		return err
	}
	defer o.close()
	rows := o.occupancies()
	if t.Full {
		rows = []Row{{Groups: rows[len(rows)-1].Groups}}
	}
	for _, r := range rows {
		behind, err := o.warm(ctx, r)
		if err != nil {
			return fmt.Errorf("%d groups per compute unit: %w", r.Groups, err)
		}
		if t.Cold { // what is in front would leave its data in L2
			behind = 0
		}
		for range t.Repetitions {
			if err := o.flush(t); err != nil {
				return err
			}
			seconds, err := o.launch(ctx, r.LocalBytes, behind)
			if err != nil {
				return fmt.Errorf("%d groups per compute unit: %w", r.Groups, err)
			}
			r.Seconds = append(r.Seconds, seconds)
		}
		slices.Sort(r.Seconds)
		r.Clock = d.Clock()
		done(r)
	}
	return nil
}

// warm launches a kernel until it is as fast as it will be: the first launches find the clock low and translations of
// addresses missing. It returns how many launches of it take the time in which the host asks for one.
func (o *open) warm(ctx context.Context, r Row) (behind int, err error) {
	const launches, seconds, most = 3, 0.005, 500
	const asking, long = 50e-6, 0.01
	last := 0.0
	for n, sum := 0, 0.0; n < launches || n < most && sum < seconds; n++ {
		if last, err = o.launch(ctx, r.LocalBytes, 0); err != nil {
			return 0, err
		}
		sum += last
	}
	if last >= long { // which asking adds nothing to
		return 0, nil
	}
	return int(asking/max(last, asking/16)) + 1, nil
}
