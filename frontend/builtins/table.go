package builtins

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Overload is one way to call a function of the language.
type Overload struct {
	Name      string    // as the source calls it
	Signature string    // see SplitSignature
	Function  *Function // canonical name and class
	Implicit  []int64   // literal int arguments put behind those of the source
}

// Table holds the functions of one dialect.
type Table struct {
	Overloads []Overload // sorted by name; overloads of one name in order of preference
	Names     []string   // sorted, unique
}

// group is a set of functions that share a class and a signature. A
// name may be written NAME=CANONICAL.
type group struct {
	class     Class
	signature string
	names     string
}

var (
	openCLTable = sync.OnceValue(func() *Table { return newTable(openCL) })
	cudaTable   = sync.OnceValue(func() *Table { return newTable(cuda, cudaFloatVariants(), cudaRounded()) })
)

// OpenCL returns the functions of OpenCL C.
func OpenCL() *Table { return openCLTable() }

// CUDA returns the device functions of CUDA C++.
func CUDA() *Table { return cudaTable() }

func newTable(groups ...[]group) *Table {
	t := &Table{}
	canonical := map[string]*Function{}
	for _, g := range slices.Concat(groups...) {
		for _, name := range strings.Fields(g.names) {
			o := Overload{Signature: g.signature}
			var as string
			if o.Name, as, _ = strings.Cut(name, "="); as == "" {
				as = o.Name
			}
			if canonical[as] == nil {
				canonical[as] = &Function{Name: as, Class: g.class}
			}
			o.Function = canonical[as]
			if g.class == Barrier && o.Name != as {
				o.Implicit = []int64{syncthreadsFlags}
			}
			t.Overloads = append(t.Overloads, o)
		}
	}
	slices.SortStableFunc(t.Overloads, func(a, b Overload) int { return cmp.Compare(a.Name, b.Name) })
	for _, o := range t.Overloads {
		t.Names = append(t.Names, o.Name)
	}
	t.Names = slices.Compact(t.Names)
	return t
}

// syncthreadsFlags is what __syncthreads() orders: local and global memory
// (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE).
const syncthreadsFlags = 1 | 2

// Find returns the overloads of a name.
func (t *Table) Find(name string) []Overload {
	lo, found := slices.BinarySearchFunc(t.Overloads, name, func(o Overload,
		name string) int {
		return cmp.Compare(o.Name, name)
	})
	if !found {
		return nil
	}
	hi := lo
	for hi < len(t.Overloads) && t.Overloads[hi].Name == name {
		hi++
	}
	return t.Overloads[lo:hi]
}
