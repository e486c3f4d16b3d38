package ast

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
)

// Unit is a parsed and typed translation unit.
type Unit struct {
	Dialect  Dialect
	Kernels  []*Function // in source order
	Globals  []*Object   // program-scope variables (constant tables), in source order
	Broken   []Broken    // kernels that cannot be used, in source order
	Warnings diag.List   // notes and warnings; never errors
	Target   target.Target
	// Constants are those of OpenCL C that had to be computed: array sizes, enumerators and case labels.
	Constants []Constant
}

// Constant is the value of a constant expression that begins at Pos.
type Constant struct {
	Pos   diag.Pos
	Value int64
}

// Broken is a kernel that was found but cannot be used, and why. The other
// kernels of the unit are not affected.
type Broken struct {
	Name string
	Pos  diag.Pos
	Err  error // a diag.List
}

// Kernel returns the kernel called name, or nil. For n::k<float, 16>, a copy of a template in a
// namespace, k will do where it is the only one.
func (u *Unit) Kernel(name string) *Function {
	var called []*Function
	for _, k := range u.Kernels {
		if k.Name == name {
			return k
		}
		if IsCalled(k.Name, name) {
			called = append(called, k)
		}
	}
	if len(called) == 1 {
		return called[0]
	}
	return nil
}

// IsCalled reports whether a kernel is called name without its namespaces, template arguments and parameters.
func IsCalled(kernel, name string) bool {
	bare, _, _ := strings.Cut(kernel, "<")
	bare, _, _ = strings.Cut(bare, "(")
	return bare == name || strings.HasSuffix(bare, "::"+name)
}

// BrokenKernel returns the kernel called name that cannot be used, else the first called so as in Kernel, or nil.
func (u *Unit) BrokenKernel(name string) *Broken {
	i := slices.IndexFunc(u.Broken, func(b Broken) bool { return b.Name == name })
	if i < 0 {
		i = slices.IndexFunc(u.Broken, func(b Broken) bool { return IsCalled(b.Name, name) })
	}
	if i < 0 {
		return nil
	}
	return &u.Broken[i]
}

// Function is a kernel or a helper function.
type Function struct {
	Name   string
	Pos    diag.Pos
	Params []*Object
	Result *ctypes.Type
	Body   *Block // nil: declared but not defined
	Kernel bool
	// WorkGroupSize is reqd_work_group_size or, for one dimension, the first
	// argument of __launch_bounds__ (MaxWorkItems); zeros = not given.
	WorkGroupSize [3]int64
	MaxWorkItems  int64
	// MinResident is the second argument of __launch_bounds__: groups that a compute unit is
	// to have room for, in HIP wavefronts that a SIMD is; 0 = not given.
	MinResident  int64
	Launch       *LaunchDirective // nil = none
	HostLaunches []HostLaunch     // CUDA: those of the file's host code, in its order of execution
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
	Pos          diag.Pos
	Local        []int64 // work items per group; nil = not given
	Global       []int64 // work items in all
	Groups       []int64 // work groups
	DynamicLocal int64   // bytes
	Args         []DirectiveArg
	Reference    string // kernel of the file that computes the same; "" = none
}

// DirectiveArg is "arg.NAME=EXPRESSION" of a directive.
type DirectiveArg struct {
	Name  string
	Value ctypes.Value
}

// Object is a variable, parameter or array.
type Object struct {
	Name  string
	Type  *ctypes.Type
	Space idg.Space // where the object itself lives: private for ordinary variables
	Pos   diag.Pos
	Param bool
	Const bool
	// Volatile: each access in the source is executed, none is merged with another.
	Volatile bool
	// Dynamic marks an array whose size is given at launch (extern __shared__,
	// incomplete __local).
	Dynamic bool
	// AddressTaken is true when & is applied to it (it then lives in memory).
	AddressTaken bool
	// Init is the initialiser of a program-scope object (constant tables).
	Init Expr
	// Constant is the value of a constant number, if the compiler knows it; else nil.
	Constant *ctypes.Value
}

// HostLaunch is a launch of a kernel in the host code of its file, as far as constants decide
// it: literals, macros, constants, variables that are computed from these, and functions of the
// file of such arguments. What comes from the command line, files or the device is not known.
type HostLaunch struct {
	Pos          diag.Pos // to the line
	Groups       [3]int64 // the grid, in work groups; zeros = not known
	Local        [3]int64 // the block, in work items; zeros = not known
	DynamicLocal int64    // bytes; -1 = not known
	Args         []DirectiveArg
	// Unknown says of the groups, of the work items and of the dynamic local memory, in this
	// order, why they are not known, if so.
	Unknown []string
	// NoArguments says that some of this is so in a run of the program without arguments only.
	NoArguments bool
	// FirstOf says where the loop is in the first iteration of which some of this is so; "" = there is none.
	FirstOf string
}

// Known reports whether the launch's sizes are known.
func (h *HostLaunch) Known() bool { return h.Groups[0] > 0 && h.Local[0] > 0 }
