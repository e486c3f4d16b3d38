package timed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gpupipe/internal/diag"
	"gpupipe/internal/measure/driver"
)

// Options are how a kernel is timed.
type Options struct {
	Repetitions int           // of each occupancy
	Limit       time.Duration // of a launch
}

// Row are the times at one occupancy.
type Row struct {
	Groups     int       // resident on a compute unit
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
	o.program.Close()
}

// launch executes the kernel with so many bytes of local memory that it does not use.
func (o *open) launch(ctx context.Context, unused int) (float64, error) {
	l := driver.Launch{Args: o.args.list, LocalBytes: int(o.Job.kernel.Options.DynamicLocal), Limit: o.limit}
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

// occupancies are the numbers of resident groups that a device can be limited to, with the local memory that does
// it. What limits them further, such as registers, is asked of the driver where it tells.
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
	own := int(o.static + o.Job.kernel.Options.DynamicLocal)
	unit := max(p.LocalBytesPerUnit, p.LocalBytes)
	if own > 0 {
		most = min(most, unit/own)
	}
	if p.Type == "CPU" || o.Dialect() == driver.OpenCL && !o.padded {
		return []Row{{Groups: max(1, most)}} // groups of a CPU do not share a compute unit
	}
	var rows []Row
	for k := 1; k <= max(1, most); k++ {
		unused := min(unit/k-system, p.LocalBytes) / step * step
		rows = append(rows, Row{Groups: k, LocalBytes: max(0, unused-own)})
		if resident := o.kernel.Resident(int(o.items()), max(0, unused-own)+
			int(o.Job.kernel.Options.DynamicLocal)); resident > 0 {
			rows[len(rows)-1].Groups = resident
		}
	}
	return slices.CompactFunc(rows, func(a, b Row) bool { return a.Groups == b.Groups })
}

// Time measures a kernel at all occupancies; done is told each.
func (j *Job) Time(ctx context.Context, d driver.Device, t Options, done func(Row)) error {
	o, err := j.open(ctx, d, t.Limit)
	if err != nil {
		return err
	}
	defer o.close()
	for _, r := range o.occupancies() {
		if _, err := o.launch(ctx, r.LocalBytes); err != nil { // the first launch is slower than the others
			return fmt.Errorf("%d groups per compute unit: %w", r.Groups, err)
		}
		for range t.Repetitions {
			seconds, err := o.launch(ctx, r.LocalBytes)
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
