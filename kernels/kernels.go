package kernels

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.cl *.cu
var files embed.FS

// Dialect is the language a kernel is written in. The zero value is invalid.
type Dialect uint8

// The dialects.
const (
	OpenCL Dialect = iota + 1 // OpenCL C 1.2
	CUDA                      // CUDA C, without templates and other C++
)

// String returns the dialect as the -x flag spells it: "opencl" or "cuda".
func (d Dialect) String() string {
	switch d {
	case OpenCL:
		return "opencl"
	case CUDA:
		return "cuda"
	default:
		return "invalid"
	}
}

// Kernel is the catalogue entry of one built-in kernel.
type Kernel struct {
	Name     string   // unique name, such as "transpose-naive" or "vadd-cuda"
	File     string   // file in FS, such as "transpose.cl"
	Function string   // kernel function in File
	Dialect  Dialect  // language of File
	Defines  []string // macros this entry defines, as in -D: "STRIDE=32"; usually none
	Summary  string   // what the kernel computes: the first sentence of its header
	Source   string   // paper, section and figure the kernel comes from; may be empty
	Golden   []int    // numbers of the published results that the kernel shows; may be empty
	Launch   string   // fields of the kernel's launch directives, separated by blanks
}

// List returns all built-in kernels, sorted by name. The caller may change the
// returned slice.
func List() []Kernel {
	list := make([]Kernel, 0, len(catalogue))
	for _, e := range catalogue {
		list = append(list, e.kernel())
	}
	slices.SortFunc(list, func(a, b Kernel) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Lookup returns the built-in kernel of that name. The error for an unknown
// name is an *UnknownNameError.
func Lookup(name string) (Kernel, error) {
	for _, e := range catalogue {
		if e.name == name {
			return e.kernel(), nil
		}
	}
	return Kernel{}, &UnknownNameError{Name: name, Suggestions: suggest(name)}
}

// FS returns the kernels' files: a flat folder of .cl and .cu files.
func FS() fs.FS { return files }
