package measure

import (
	"context"
	"strconv"
	"strings"
)

// Properties are what a device tells about itself. A number of 0 is not known.
type Properties struct {
	Name, Vendor, Driver string
	Type                 string  // "GPU", "CPU" or another word
	API                  string  // "OpenCL" or "CUDA", with its version
	Capability           string  // compute capability of NVIDIA's, such as "8.6"
	ComputeUnits         int     // that the launches spread over
	ClockMHz             float64 // highest clock of the compute units
	WarpSize             int     // work items
	MaxGroupSize         int     // work items in a group
	MaxWarps             int     // resident on a compute unit
	MaxGroups            int     // resident on a compute unit
	LocalBytes           int     // local memory that a group can have
	LocalBytesPerUnit    int     // local memory of a compute unit
	Registers            int     // 32-bit registers of a compute unit
	GlobalBytes          int64   // device memory
	MaxBufferBytes       int64   // of one buffer
	L2Bytes              int64   // last cache before device memory
	Features             string  // keywords of those that it has, with blanks between
	Former               bool    // of version 1 of the samples, whose classes measured other things besides
}

// Point is a launch to measure.
type Point struct {
	Class        Class
	Chains       int
	GroupSize    int   // work items in a group
	Groups       int   // groups per compute unit in all
	WarpsPerUnit int   // resident warps of a compute unit; of Placement, those that are active
	Instructions int64 // of the class, that each warp should execute; the device rounds to what its loop executes
	Repetition   int   // from 0; -1 while the number of instructions is being chosen
	Attempt      int   // from 0: a repetition whose clock moved is measured again
}

// Reading is what a device measured at a point, as in a Sample.
type Reading struct {
	Instructions            int64 // that each warp executed
	Seconds, Cycles         float64
	ClockBefore, ClockAfter float64
}

// Bench is a device that executes microbenchmarks.
type Bench interface {
	Properties() Properties
	// Skip says why the device cannot execute the class, or returns "".
	Skip(Class) string
	// Time executes one repetition. An error that is a *LostError ends the run: the device answers no more.
	Time(context.Context, Point) (Reading, error)
}

// Preparer is a Bench that uses what is told of the launches to come, as to compile their programs beforehand.
type Preparer interface{ Prepare(plan []Point) }

// field is one of the properties as text.
type field struct {
	name string
	get  func() string
	set  func(string) error
}

// fields are the properties in the order of the file.
func (p *Properties) fields() []field {
	text := func(name string, into *string) field {
		return field{name, func() string { return strings.Join(strings.Fields(*into), " ") },
			func(s string) error { *into = s; return nil }}
	}
	whole := func(name string, into *int) field {
		return field{name, func() string { return strconv.Itoa(*into) },
			func(s string) (err error) { *into, err = strconv.Atoi(s); return err }}
	}
	bytes := func(name string, into *int64) field {
		return field{name, func() string { return strconv.FormatInt(*into, 10) },
			func(s string) (err error) { *into, err = strconv.ParseInt(s, 10, 64); return err }}
	}
	return []field{
		text("device", &p.Name), text("vendor", &p.Vendor), text("driver", &p.Driver), text("type", &p.Type),
		text("api", &p.API), text("capability", &p.Capability),
		whole("compute_units", &p.ComputeUnits),
		{"clock_mhz", func() string { return strconv.FormatFloat(p.ClockMHz, 'g', -1, 64) },
			func(s string) (err error) { p.ClockMHz, err = strconv.ParseFloat(s, 64); return err }},
		whole("warp_size", &p.WarpSize), whole("max_group_size", &p.MaxGroupSize), whole("max_warps", &p.MaxWarps),
		whole("max_groups", &p.MaxGroups),
		whole("local_bytes", &p.LocalBytes), whole("local_bytes_per_unit", &p.LocalBytesPerUnit),
		whole("registers", &p.Registers),
		bytes("global_bytes", &p.GlobalBytes), bytes("max_buffer_bytes", &p.MaxBufferBytes),
		bytes("l2_bytes", &p.L2Bytes),
		text("features", &p.Features),
	}
}
