package tensor

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/target"
)

// Fragment describes a type of fragments.
type Fragment struct {
	Use      byte        // 'a', 'b' or 'c', the accumulator
	M, N, K  int         // of the product
	Factor   Factor      // what a and b hold; of an accumulator none, since several may have it
	Elem     ctypes.Kind // of an element in memory
	ColMajor bool        // 'a' and 'b'
}

// Factor is the type of the elements of a and b.
type Factor uint8

// The types. The zero value is that of an accumulator, which has none.
const (
	Half   Factor = iota + 1
	BFloat        // __nv_bfloat16
	TF32          // precision::tf32: float in memory
	Double
	Char  // signed char
	UChar // unsigned char
)

// fragmentFormat is what fragments of a type of factors can be.
type fragmentFormat struct {
	factor Factor
	word   string      // in the struct's name
	elem   ctypes.Kind // of a and b in memory
	sums   []ctypes.Kind
	shapes [][3]int // M, N, K
	since  target.TensorCores
}

var (
	wideShapes      = [][3]int{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}}
	fragmentFormats = []fragmentFormat{
		{Half, "half", ctypes.Half, []ctypes.Kind{ctypes.Half, ctypes.Float}, wideShapes, target.Volta},
		{BFloat, "bf16", ctypes.Half, []ctypes.Kind{ctypes.Float}, wideShapes, target.Ampere},
		{TF32, "tf32", ctypes.Float, []ctypes.Kind{ctypes.Float}, [][3]int{{16, 16, 8}}, target.Ampere},
		{Double, "double", ctypes.Double, []ctypes.Kind{ctypes.Double}, [][3]int{{8, 8, 4}}, target.Ampere},
		{Char, "schar", ctypes.Char, []ctypes.Kind{ctypes.Int}, wideShapes, target.Turing},
		{UChar, "uchar", ctypes.UChar, []ctypes.Kind{ctypes.Int}, wideShapes, target.Turing},
	}
)

const (
	fragmentPrefix = "__kl_frag_"
	// fragmentWords are the registers that hold a work item's part of a or b at most.
	fragmentWords = 8
)

// Since is the first generation of tensor cores that takes the factors.
func (f *Fragment) Since() target.TensorCores {
	for _, format := range fragmentFormats {
		if format.factor == f.Factor {
			return format.since
		}
	}
	return target.Volta
}

// Elements are the elements that a work item holds of an accumulator, or of a factor whose elements
// have registers of their own; of another factor its words.
func (f *Fragment) Elements() int {
	const warp = 32
	switch {
	case f.Use == 'c':
		return f.M * f.N / warp
	case f.Factor == TF32:
		return f.M * f.K / warp
	case f.Factor == Double:
		return 1
	}
	return fragmentWords
}

// Separate reports whether elements have registers of their own.
func (f *Fragment) Separate() bool {
	return f.Use == 'c' || f.Factor == TF32 || f.Factor == Double
}

// fragments are all types of fragments by name.
var fragments, fragmentNames = func() (map[string]*Fragment, []string) {
	all, names := map[string]*Fragment{}, []string(nil)
	add := func(f Fragment, use, elem, layout string) {
		name := fmt.Sprintf("%s%s_%d_%d_%d_%s_%s", fragmentPrefix, use, f.M, f.N, f.K, elem, layout)
		if all[name] == nil {
			all[name] = &f
			names = append(names, name)
		}
	}
	for _, format := range fragmentFormats {
		for _, s := range format.shapes {
			for _, use := range []string{"a", "b"} {
				f := Fragment{use[0], s[0], s[1], s[2], format.factor, format.elem, false}
				add(f, "matrix_"+use, format.word, "row_major")
				f.ColMajor = true
				add(f, "matrix_"+use, format.word, "col_major")
			}
			for _, sum := range format.sums {
				add(Fragment{'c', s[0], s[1], s[2], 0, sum, false}, "accumulator", ctypes.Scalar(sum).String(), "none")
			}
		}
	}
	return all, names
}()

// FragmentOf returns what kind of fragment a type is, nil if it is none.
func FragmentOf(t *ctypes.Type) *Fragment {
	if t.Kind != ctypes.Struct {
		return nil
	}
	return fragments[t.Name[strings.LastIndexByte(t.Name, ':')+1:]]
}

// Accumulates reports whether an accumulator is of the products of a factor.
func (f *Fragment) Accumulates(factor *Fragment) bool {
	if [3]int{f.M, f.N, f.K} != [3]int{factor.M, factor.N, factor.K} {
		return false
	}
	for _, format := range fragmentFormats {
		if format.factor == factor.Factor {
			return slices.Contains(format.sums, f.Elem)
		}
	}
	return false
}
