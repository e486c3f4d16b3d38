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

// field is a property, or a value of a sample: a pointer to it.
type field struct {
	name string
	at   any
}

// String is the value as text.
func (f field) String() string {
	switch at := f.at.(type) {
	case *string:
		return strings.Join(strings.Fields(*at), " ")
	case *float64:
		return strconv.FormatFloat(*at, 'g', -1, 64)
	case *int:
		return strconv.Itoa(*at)
	default:
		return strconv.FormatInt(*f.at.(*int64), 10)
	}
}

func (f field) set(text string) (err error) {
	switch at := f.at.(type) {
	case *string:
		*at = text
	case *float64:
		*at, err = strconv.ParseFloat(text, 64)
	case *int:
		*at, err = strconv.Atoi(text)
	default:
		*f.at.(*int64), err = strconv.ParseInt(text, 10, 64)
	}
	return err
}

// fields are the properties in the order of the file.
func (p *Properties) fields() []field {
	return []field{
		{"device", &p.Name}, {"vendor", &p.Vendor}, {"driver", &p.Driver}, {"type", &p.Type}, {"api", &p.API},
		{"capability", &p.Capability}, {"compute_units", &p.ComputeUnits}, {"clock_mhz", &p.ClockMHz},
		{"warp_size", &p.WarpSize}, {"max_group_size", &p.MaxGroupSize}, {"max_warps", &p.MaxWarps},
		{"max_groups", &p.MaxGroups}, {"local_bytes", &p.LocalBytes}, {"local_bytes_per_unit", &p.LocalBytesPerUnit},
		{"registers", &p.Registers}, {"global_bytes", &p.GlobalBytes}, {"max_buffer_bytes", &p.MaxBufferBytes},
		{"l2_bytes", &p.L2Bytes}, {"features", &p.Features},
	}
}
