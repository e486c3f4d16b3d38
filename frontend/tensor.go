package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Matrix products by tensor cores (CUDA C++ Programming Guide, Warp Matrix Functions). A fragment
// is a struct of the prelude for each use, shape, type and layout.

// TensorCores says which matrix instruction the code is for.
type TensorCores uint8

// The generations. The zero value is taken for AmpereTensorCores, and for HopperTensorCores where those alone have an instruction.
const (
	NoTensorCores     TensorCores = iota + 1
	VoltaTensorCores              // HMMA.884: compute capability 7.0
	TuringTensorCores             // HMMA.1688: 7.5
	AmpereTensorCores             // HMMA.16816: 8.0 on
	HopperTensorCores             // and HGMMA, of warp groups: 9.0
)

// Fragment describes a type of fragments.
type Fragment struct {
	Use      byte   // 'a', 'b' or 'c', the accumulator
	M, N, K  int    // of the product
	Factor   Factor // what a and b hold; of an accumulator none, since several may have it
	Elem     Kind   // of an element in memory
	ColMajor bool   // 'a' and 'b'
}

// Factor is the type of the elements of a and b.
type Factor uint8

// The types. The zero value is that of an accumulator, which has none.
const (
	HalfFactor   Factor = iota + 1
	BFloatFactor        // __nv_bfloat16
	TF32Factor          // precision::tf32: float in memory
	DoubleFactor
	CharFactor  // signed char
	UCharFactor // unsigned char
)

// fragmentFormat is what fragments of a type of factors can be.
type fragmentFormat struct {
	factor Factor
	word   string // in the struct's name
	elem   Kind   // of a and b in memory
	sums   []Kind
	shapes [][3]int // M, N, K
	since  TensorCores
}

var (
	wideShapes      = [][3]int{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}}
	fragmentFormats = []fragmentFormat{
		{HalfFactor, "half", Half, []Kind{Half, Float}, wideShapes, VoltaTensorCores},
		{BFloatFactor, "bf16", Half, []Kind{Float}, wideShapes, AmpereTensorCores},
		{TF32Factor, "tf32", Float, []Kind{Float}, [][3]int{{16, 16, 8}}, AmpereTensorCores},
		{DoubleFactor, "double", Double, []Kind{Double}, [][3]int{{8, 8, 4}}, AmpereTensorCores},
		{CharFactor, "schar", Char, []Kind{Int}, wideShapes, TuringTensorCores},
		{UCharFactor, "uchar", UChar, []Kind{Int}, wideShapes, TuringTensorCores},
	}
	// fragmentTypes are the words of the types of elements, of factors and sums, by how programs
	// write them.
	fragmentTypes = map[string]string{
		"half": "half", "__half": "half", "__nv_bfloat16": "bf16", "nv_bfloat16": "bf16", "tf32": "tf32", "double": "double", "float": "float",
		"int": "int", "int32_t": "int", "char": "schar", "signed char": "schar", "int8_t": "schar", "unsigned char": "uchar", "uint8_t": "uchar", "uchar": "uchar",
	}
)

const (
	fragmentPrefix = "__kl_frag_"
	fragmentMacro  = "__kl_fragment"
	// fragmentWords are the registers that hold a work item's part of a or b at most.
	fragmentWords = 8
	// fragmentAdvice is what fragments can be.
	fragmentAdvice = "half, __nv_bfloat16, signed and unsigned char with 16x16x16, 32x8x16 or 8x32x16, precision::tf32 with 16x16x8 and double with 8x8x4 are"
)

// Since is the first generation of tensor cores that takes the factors.
func (f *Fragment) Since() TensorCores {
	for _, format := range fragmentFormats {
		if format.factor == f.Factor {
			return format.since
		}
	}
	return VoltaTensorCores
}

// Elements are the elements that a work item holds of an accumulator, or of a factor whose elements
// have registers of their own; of another factor its words.
func (f *Fragment) Elements() int {
	const warp = 32
	switch {
	case f.Use == 'c':
		return f.M * f.N / warp
	case f.Factor == TF32Factor:
		return f.M * f.K / warp
	case f.Factor == DoubleFactor:
		return 1
	}
	return fragmentWords
}

// Separate reports whether elements have registers of their own.
func (f *Fragment) Separate() bool {
	return f.Use == 'c' || f.Factor == TF32Factor || f.Factor == DoubleFactor
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
				add(Fragment{'c', s[0], s[1], s[2], 0, sum, false}, "accumulator", Scalar(sum).String(), "none")
			}
		}
	}
	return all, names
}()

// FragmentOf returns what kind of fragment a type is, nil if it is none.
func FragmentOf(t *Type) *Fragment {
	if t.Kind != Struct {
		return nil
	}
	return fragments[t.Name]
}

// tensorPrelude declares the types, a macro that makes their names of template arguments,
// which may be macros, and what rounds to tf32.
func tensorPrelude(b *strings.Builder) {
	fmt.Fprintf(b, "#define %s(...) %s_(__VA_ARGS__, none, none)\n", fragmentMacro, fragmentMacro)
	fmt.Fprintf(b, "#define %s_(u, m, n, k, t, l, ...) %s__(u, m, n, k, t, l)\n", fragmentMacro, fragmentMacro)
	fmt.Fprintf(b, "#define %s__(u, m, n, k, t, l) %s##u##_##m##_##n##_##k##_##t##_##l\n", fragmentMacro, fragmentPrefix)
	for _, name := range fragmentNames {
		f := fragments[name]
		member := fmt.Sprintf("unsigned int __kl_words[%d]", f.Elements())
		if f.Separate() {
			member = fmt.Sprintf("%v x[%d]", Scalar(f.Elem), f.Elements())
		}
		fmt.Fprintf(b, "typedef struct %s { %s; } %s;\n", name, member, name)
	}
	b.WriteString("enum { mem_row_major, mem_col_major };\n")
	b.WriteString("#define __float_to_tf32(x) ({ float __kl_x = (x); unsigned int __kl_bits = __float_as_uint(__kl_x); " +
		"__kl_bits = fabsf(__kl_x) < INFINITY ? __kl_bits + 0x1000u : __kl_bits; __uint_as_float(__kl_bits & 0xffffe000u); })\n")
}

// fragment rewrites wmma::fragment<use, m, n, k, type, layout> to the macro's call.
func (r *rewriter) fragment(i, n int) bool {
	gt := r.angle(n)
	if gt < 0 {
		return false
	}
	args := r.arguments(n, gt)
	if len(args) < 5 {
		return false
	}
	known := true
	var numbers [3]int
	for k := range 3 {
		a := args[k+1]
		of := a[len(a)-1]
		text := r.At(of)
		if words, ok := r.l.ConstantWords(text); ok && len(words) == 1 {
			text = words[0]
			r.replace(of, text)
		}
		numbers[k], _ = strconv.Atoi(text) // 0: a macro's name, say
	}
	element := args[4]
	last := element[len(element)-1]
	text := r.At(last)
	if len(element) > 1 && (r.Is(element[len(element)-2], "signed") || r.Is(element[len(element)-2], "unsigned")) {
		text = r.At(element[len(element)-2]) + " " + text
		r.replace(element[len(element)-2], "")
	}
	if word := fragmentTypes[text]; word != "" {
		known = fragmentShape(r.At(args[0][len(args[0])-1]) == "accumulator", word, numbers)
		r.replace(last, word)
	} else if r.l.Words.Types[text] || text == "u4" || text == "s4" || text == "b1" {
		known = false
	}
	if !known {
		r.unsupported(i, "a fragment of this shape or type is", fragmentAdvice)
		return true
	}
	r.replace(i, fragmentMacro)
	r.replace(n, "(")
	r.replace(gt, ")")
	return true
}

// fragmentShape reports whether there are fragments of a type of elements with a shape, of
// which 0 is a number that is not known yet.
func fragmentShape(accumulator bool, word string, numbers [3]int) bool {
	for _, format := range fragmentFormats {
		words := []string{format.word}
		if accumulator {
			words = words[:0]
			for _, sum := range format.sums {
				words = append(words, Scalar(sum).String())
			}
		}
		if !slices.Contains(words, word) {
			continue
		}
		for _, shape := range format.shapes {
			fits := true
			for k, n := range numbers {
				fits = fits && (n == 0 || n == shape[k])
			}
			if fits {
				return true
			}
		}
	}
	return false
}

// arguments are the tokens of the template arguments between < at n and > at gt.
func (r *rewriter) arguments(n, gt int) (args [][]int) {
	var one []int
	for k := r.Next(n); k < gt; k = r.Next(k) {
		if r.Is(k, ",") {
			args, one = append(args, one), nil
			continue
		}
		one = append(one, k)
	}
	return append(args, one)
}

// tensorCall types the functions of fragments; false means that the name is none of them.
func (c *checker) tensorCall(name string, args []Expr, pos Pos) (Expr, bool) {
	if len(args) < 2 || isInvalid(args...) {
		return nil, false
	}
	void := Scalar(Void)
	call := func(b string, args ...Expr) (Expr, bool) {
		if isInvalid(args...) {
			return invalidAt(pos), true
		}
		return &BuiltinCall{typed{void, pos}, &Builtin{Name: b, Class: Tensor}, args}, true
	}
	at := func(e Expr) Expr { return c.addressOf(e, pos) }
	number := func(e Expr) Expr { return c.convert(e, Scalar(UInt), name) }
	first := FragmentOf(args[0].Type())
	switch {
	case name == "fill_fragment" && first != nil && len(args) == 2:
		elem := first.Elem
		return call("fill", at(args[0]), c.convert(args[1], Scalar(elem), name))
	case name == "load_matrix_sync" && first != nil && (len(args) == 3 || len(args) == 4):
		return call("load", append([]Expr{at(args[0]), c.tensorMemory(args[1], first, pos), number(args[2])}, c.memoryLayout(first, args[3:], pos)...)...)
	case name == "store_matrix_sync" && len(args) == 4 && FragmentOf(args[1].Type()) != nil:
		f := FragmentOf(args[1].Type())
		return call("store", append([]Expr{at(args[1]), c.tensorMemory(args[0], f, pos), number(args[2])}, c.memoryLayout(f, args[3:], pos)...)...)
	case (name == "mma_sync") && first != nil && (len(args) == 4 || len(args) == 5):
		a, b, sum := FragmentOf(args[1].Type()), FragmentOf(args[2].Type()), FragmentOf(args[3].Type())
		if first.Use != 'c' || a == nil || b == nil || sum == nil || a.Use != 'a' || b.Use != 'b' || *sum != *first || !first.sums(a) || !first.sums(b) || a.Factor != b.Factor {
			return c.fail(pos, "mma_sync: fragments of one shape and of types that go together are needed: accumulator, matrix_a, matrix_b and accumulator"), true
		}
		return call("mma", at(args[0]), at(args[1]), at(args[2]), at(args[3]))
	}
	return nil, false
}

// sums reports whether an accumulator is of the products of a factor.
func (f *Fragment) sums(factor *Fragment) bool {
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

// tensorMemory checks the pointer of a fragment's matrix in memory.
func (c *checker) tensorMemory(p Expr, f *Fragment, pos Pos) Expr {
	p = c.rvalue(p)
	if t := p.Type(); t.Kind != Pointer || t.Elem.Kind != f.Elem {
		return c.fail(pos, "a pointer to %v is needed for this fragment, this is %v", Scalar(f.Elem), t)
	}
	return p
}

// memoryLayout is whether the matrix of a fragment is column-major in memory, as a number.
func (c *checker) memoryLayout(f *Fragment, given []Expr, pos Pos) []Expr {
	col := f.ColMajor
	if f.Use == 'c' {
		if len(given) == 0 {
			return []Expr{c.fail(pos, "the layout of an accumulator in memory is needed: mem_row_major or mem_col_major")}
		}
		lit, ok := c.rvalue(given[0]).(*Literal)
		if !ok {
			c.unsupported(pos, "a layout that is not constant is", "write mem_row_major or mem_col_major")
			return []Expr{invalidAt(pos)}
		}
		col = lit.Value.Int != 0
	}
	if col {
		return []Expr{c.number(UInt, 1, pos)}
	}
	return []Expr{c.number(UInt, 0, pos)}
}
