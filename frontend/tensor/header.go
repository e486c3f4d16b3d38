package tensor

import (
	"fmt"
	"strings"
	"sync"

	"gpupipe/frontend/ctypes"
)

// headerTypes are the types of elements, as C++ writes them, by their words.
var headerTypes = map[string]string{
	"half": "half", "bf16": "__nv_bfloat16", "tf32": "precision::tf32", "double": "double", "float": "float",
	"int":   "int",
	"schar": "signed char", "uchar": "unsigned char",
}

// Header declares the types of fragments in C++: for each a struct that lowering knows by its name, and the
// specialisation of the template that programs name.
func Header() string { return header() }

var header = sync.OnceValue(func() string {
	var b strings.Builder
	for _, name := range fragmentNames {
		f := fragments[name]
		part := fmt.Sprintf("unsigned int __kl_words[%d];", f.Elements())
		count := ""
		if f.Separate() {
			part = fmt.Sprintf("%v x[%d];", ctypes.Scalar(f.Elem), f.Elements())
			count = fmt.Sprintf(" static constexpr int num_elements = %d;", f.Elements())
		}
		words := strings.Split(strings.TrimPrefix(name, fragmentPrefix), "_")
		use, shape, layout := "accumulator", words[1:4], "void"
		if f.Use != 'c' {
			use, shape, layout = "matrix_"+string(f.Use), words[2:5], "row_major"
			if f.ColMajor {
				layout = "col_major"
			}
		}
		elem := headerTypes[words[len(words)-3]]
		if f.Use == 'c' {
			elem = ctypes.Scalar(f.Elem).String()
		}
		value := elem
		if f.Factor == TF32 {
			value = "float"
		}
		fmt.Fprintf(&b, "struct %s { %s };\n", name, part)
		fmt.Fprintf(&b, "template <> struct fragment<%s, %s, %s, %s> : %s { "+
			"typedef %s part; typedef %s element_type;%s };\n",
			use, strings.Join(shape, ", "), elem, layout, name, name, value, count)
	}
	return b.String()
})
