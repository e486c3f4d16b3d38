package generate

import (
	"io/fs"

	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/lower/arrange"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Options say how a source becomes a graph. Zero values take the documented defaults.
type Options struct {
	// FS holds the files of #include, which are searched in the folders IncludeDirs; nil = no file.
	// Includes are read before the source.
	FS                    fs.FS
	IncludeDirs, Includes []string
	Undefs                []string
	SinglePrecision       bool     // literals without a suffix are of single precision (-cl-single-precision-constant)
	Templates             []string // as of frontend.Config
	CommandLine           []string // as of frontend.Config

	Local, Global, Groups Sizes // of the launch; nil = what the source says
	HostLaunch            HostLaunch
	Args                  []Argument
	Contents              []Content
	ManyKernels           bool  // Args may be those of other kernels
	DynamicLocal          int64 // bytes; -1 = not given
	Registers             Registers

	// Device is the device that the code is for; nil = none. Where it is given, it decides what the target
	// leaves open.
	Device *latencies.Device
	target.Target

	Warps           Warps
	Kinds           unroll.KindChoice // SampledIfUneven
	Locality        unroll.LocalityChoice
	Trips           []unroll.TripChoice
	AssumeTrips     int64
	Unrolls         []unroll.UnrollChoice
	Branches        []unroll.BranchChoice
	MaxInstructions int
	Strict          bool         // what would have to be assumed is an error
	Ended           func() error // unroll.Options
	Before          func(*idg.Graph) error
	// Chosen is asked whether to go on with the instructions of a launch: once they are selected and once they are
	// arranged. Nothing is told of registers. Its error ends the work.
	Chosen func(*machine.Code, *idg.Header) error
	// Known are forms of codes that programs like this one share; nil = each is compiled by itself.
	Known *arrange.Forms
}

// Content is what a buffer holds when the kernel starts.
type Content struct {
	Name  string // of the buffer
	Bytes []byte // little-endian
}

// Registers is what limits the registers of a work item; the zero value is an estimate.
type Registers struct {
	Number  int  // 0 = not given
	Unknown bool // registers limit nothing
}

// Warps are the warps of a group that are traced.
type Warps struct {
	Choice unroll.WarpChoice // 0 = every warp
	List   []uint32
}

// groupKinds is the choice of groups to trace.
func (o *Options) groupKinds() unroll.KindChoice {
	if o.Kinds == 0 {
		return unroll.SampledIfUneven
	}
	return o.Kinds
}
