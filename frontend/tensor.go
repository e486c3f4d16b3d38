package frontend

import (
	"fmt"
	"strings"
)

// Matrix products by tensor cores (CUDA C++ Programming Guide, Warp Matrix Functions). A fragment
// is a struct of the prelude for each use, shape, type and layout.

// TensorCores says which matrix instruction the code is for.
type TensorCores uint8

// The generations. The zero value is taken for AmpereTensorCores.
const (
	NoTensorCores     TensorCores = iota + 1
	VoltaTensorCores              // HMMA.884: compute capability 7.0
	TuringTensorCores             // HMMA.1688: 7.5
	AmpereTensorCores             // HMMA.16816: 8.0 on
)

// Fragment describes a type of fragments.
type Fragment struct {
	Use      byte // 'a', 'b' or 'c', the accumulator
	M, N     int  // of the product; K is 16
	Elem     Kind // Half, or Float in an accumulator
	ColMajor bool // 'a' and 'b'
}

// fragmentShapes are those of half precision.
var fragmentShapes = [][2]int{{16, 16}, {32, 8}, {8, 32}}

const (
	fragmentDepth  = 16
	fragmentPrefix = "__kl_frag_"
	fragmentMacro  = "__kl_fragment"
	// FragmentWords are the registers that hold a work item's part of a or b at most,
	// FragmentElements its elements of an accumulator.
	FragmentWords    = 8
	FragmentElements = 8
)

// name is that of the struct.
func (f *Fragment) name() string {
	use, layout := map[byte]string{'a': "matrix_a", 'b': "matrix_b", 'c': "accumulator"}[f.Use], "none"
	if f.Use != 'c' {
		layout = map[bool]string{false: "row_major", true: "col_major"}[f.ColMajor]
	}
	elem := map[Kind]string{Half: "half", Float: "float"}[f.Elem]
	return fmt.Sprintf("%s%s_%d_%d_%d_%s_%s", fragmentPrefix, use, f.M, f.N, fragmentDepth, elem, layout)
}

// fragments are all types of fragments by name.
var fragments, fragmentNames = func() (map[string]*Fragment, []string) {
	all, names := map[string]*Fragment{}, []string(nil)
	add := func(f Fragment) {
		all[f.name()] = &f
		names = append(names, f.name())
	}
	for _, s := range fragmentShapes {
		for _, use := range []byte{'a', 'b'} {
			add(Fragment{use, s[0], s[1], Half, false})
			add(Fragment{use, s[0], s[1], Half, true})
		}
		add(Fragment{'c', s[0], s[1], Half, false})
		add(Fragment{'c', s[0], s[1], Float, false})
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

// tensorPrelude declares the types, and a macro that makes their names of template arguments,
// which may be macros.
func tensorPrelude(b *strings.Builder) {
	fmt.Fprintf(b, "#define %s(...) %s_(__VA_ARGS__, none, none)\n", fragmentMacro, fragmentMacro)
	fmt.Fprintf(b, "#define %s_(u, m, n, k, t, l, ...) %s__(u, m, n, k, t, l)\n", fragmentMacro, fragmentMacro)
	fmt.Fprintf(b, "#define %s__(u, m, n, k, t, l) %s##u##_##m##_##n##_##k##_##t##_##l\n", fragmentMacro, fragmentPrefix)
	for _, name := range fragmentNames {
		member := fmt.Sprintf("unsigned int __kl_words[%d]", FragmentWords)
		if f := fragments[name]; f.Use == 'c' {
			member = fmt.Sprintf("%s x[%d]", map[Kind]string{Half: "half", Float: "float"}[f.Elem], FragmentElements)
		}
		fmt.Fprintf(b, "typedef struct %s { %s; } %s;\n", name, member, name)
	}
	b.WriteString("enum { mem_row_major, mem_col_major };\n")
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
	for k, a := range args {
		text, of := r.at(a[len(a)-1]), a[len(a)-1]
		if words, ok := r.l.constantWords(text); ok && len(words) == 1 && k >= 1 && k <= 3 {
			text = words[0]
			r.replace(of, text)
		}
		if text == "__half" {
			text = "half"
			r.replace(of, text)
		}
		number := text != "" && text[0] >= '0' && text[0] <= '9'
		if k == 4 && text != "half" && r.kindOf(of) == tokIdent && (r.l.words.types[text] && text != "float" || strings.HasSuffix(text, "bfloat16") || text == "tf32" || text == "u4" || text == "s4" || text == "b1") ||
			k >= 1 && k <= 3 && number && text != "16" && text != "32" && text != "8" || k == 3 && number && text != "16" {
			r.unsupported(i, "a fragment of this shape or type is", "half with 16x16x16, 32x8x16 or 8x32x16 is, with sums in half or float")
			return true
		}
	}
	r.replace(i, fragmentMacro)
	r.replace(n, "(")
	r.replace(gt, ")")
	return true
}

// arguments are the tokens of the template arguments between < at n and > at gt.
func (r *rewriter) arguments(n, gt int) (args [][]int) {
	var one []int
	for k := r.next(n); k < gt; k = r.next(k) {
		if r.is(k, ",") {
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
		return &BuiltinCall{typed{void, pos}, &Builtin{b, Tensor}, args}, true
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
		if first.Use != 'c' || a == nil || b == nil || sum == nil || a.Use != 'a' || b.Use != 'b' || *sum != *first || [2]int{a.M, a.N} != [2]int{first.M, first.N} || [2]int{b.M, b.N} != [2]int{first.M, first.N} {
			return c.fail(pos, "mma_sync: fragments of one shape are needed: accumulator, matrix_a, matrix_b and accumulator"), true
		}
		return call("mma", at(args[0]), at(args[1]), at(args[2]), at(args[3]))
	}
	return nil, false
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
