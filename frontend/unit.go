package frontend

import (
	"io/fs"
	"strings"

	"gpupipe/frontend/tensor"
	"gpupipe/internal/diag"
)

// Pos is a position in the user's source text.
type Pos = diag.Pos

// Dialect is the language of the source.
type Dialect uint8

// The dialects. The zero value is invalid.
const (
	OpenCL Dialect = iota + 1 // OpenCL C 1.2
	CUDA                      // CUDA C
)

func (d Dialect) String() string {
	switch d {
	case OpenCL:
		return "opencl"
	case CUDA:
		return "cuda"
	}
	return "invalid dialect"
}

// Config says what to parse. File, Text and Dialect are required.
type Config struct {
	File     string   // name for positions
	Text     string   // the source
	Dialect  Dialect  //
	Defines  []string // as after -D: "NAME" or "NAME=VALUE"
	Undefs   []string // as after -U
	Includes []string // names of files included before the text (--include)
	// Templates are arguments of kernel templates (CUDA): "T=float,N=16" for
	// every kernel that has such parameters, or "kernel:T=float,N=16". A kernel
	// without any takes the arguments that the host code of the file launches it
	// with, else its parameters' defaults, else float, true and 16, with a note.
	Templates []string
	// FS resolves #include. Paths are slash-separated and relative to it. nil =
	// no file can be included.
	FS fs.FS
	// IncludePaths are directories of FS searched for #include, after the
	// directory of the including file.
	IncludePaths []string
	// Architecture is the GPU's as its vendor calls it, a compute capability ("8.6") or
	// "gfx90a": what __CUDA_ARCH__ and clang's macros for AMD's GPUs say. Of no device
	// (empty, or another vendor's), CUDA C has the macros of 7.0. -D has the last word.
	Architecture string
	// SinglePrecision makes unsuffixed floating literals float instead of
	// double (-cl-single-precision-constant).
	SinglePrecision bool
}

// Unit is a parsed and typed translation unit.
type Unit struct {
	Dialect  Dialect
	Kernels  []*Function // in source order
	Globals  []*Object   // program-scope variables (constant tables), in source order
	Broken   []Broken    // kernels that cannot be used, in source order
	Warnings diag.List   // notes and warnings; never errors
	// TensorCores is what matrix products become; it may be set before lowering.
	TensorCores tensor.Cores
	// FastMath says that single precision is compiled for speed (nvcc -use_fast_math,
	// -cl-fast-relaxed-math); it may be set before lowering.
	FastMath bool

	loaded *loader // until the launches of its kernels have been found
}

// Broken is a kernel that was found but cannot be used, and why. The other
// kernels of the unit are not affected.
type Broken struct {
	Name string
	Pos  Pos
	Err  error // a diag.List
}

// Kernel returns the kernel called name, or nil. The copy of a kernel template
// is called k<float, 16>; where it is the only one, k will do.
func (u *Unit) Kernel(name string) *Function {
	var copies []*Function
	for _, k := range u.Kernels {
		if k.Name == name {
			return k
		}
		if strings.HasPrefix(k.Name, name+"<") {
			copies = append(copies, k)
		}
	}
	if len(copies) == 1 {
		return copies[0]
	}
	return nil
}

// BrokenKernel returns the kernel called name that cannot be used, or nil.
func (u *Unit) BrokenKernel(name string) *Broken {
	for i := range u.Broken {
		if u.Broken[i].Name == name {
			return &u.Broken[i]
		}
	}
	return nil
}

// Function is a kernel or a helper function.
type Function struct {
	Name   string
	Pos    Pos
	Params []*Object
	Result *Type
	Body   *Block // nil: declared but not defined
	Kernel bool
	// WorkGroupSize is reqd_work_group_size or, for one dimension, the first
	// argument of __launch_bounds__ (MaxWorkItems); zeros = not given.
	WorkGroupSize [3]int64
	MaxWorkItems  int64
	Launch        *LaunchDirective // nil = none
	HostLaunches  []HostLaunch     // CUDA: those of the file's host code, in its order of execution
}

// Work items of the largest group that clang compiles a kernel for where neither the
// kernel nor a flag says another size (clang, AMDGPUTargetCodeGenInfo: 256 for OpenCL, and for
// HIP the default of --gpu-max-threads-per-block).
const (
	clangGroupOpenCL = 256
	clangGroupHIP    = 1024
)

// ClangGroup is how many work items the largest group has that clang compiles a
// kernel for: what reqd_work_group_size or __launch_bounds__ says, or its default.
func (f *Function) ClangGroup(d Dialect) int64 {
	switch w := f.WorkGroupSize; {
	case f.MaxWorkItems > 0:
		return f.MaxWorkItems
	case w[0] > 0:
		return w[0] * w[1] * w[2]
	case d == CUDA:
		return clangGroupHIP
	}
	return clangGroupOpenCL
}

// LaunchDirective is the content of the "// idgen:" comments before a kernel,
// its expressions evaluated.
type LaunchDirective struct {
	Pos          Pos
	Local        []int64 // work items per group; nil = not given
	Global       []int64 // work items in all
	Groups       []int64 // work groups
	DynamicLocal int64   // bytes
	Args         []DirectiveArg
}

// DirectiveArg is "arg.NAME=EXPRESSION" of a directive.
type DirectiveArg struct {
	Name  string
	Value Value
}

// Object is a variable, parameter or array.
type Object struct {
	Name  string
	Type  *Type
	Space Space // where the object itself lives: private for ordinary variables
	Pos   Pos
	Param bool
	Const bool
	// Dynamic marks an array whose size is given at launch (extern __shared__,
	// incomplete __local).
	Dynamic bool
	// AddressTaken is true when & is applied to it (it then lives in memory).
	AddressTaken bool
	// Init is the initialiser of a program-scope object (constant tables).
	Init Expr

	constant *Value // of a constant number whose value the compiler knows
}
