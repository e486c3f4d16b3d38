package kernels_test

import (
	"fmt"
	"io/fs"

	"gpupipe/kernels"
)

// The source of a built-in kernel, by the kernel's name.
func Example() {
	k, err := kernels.Lookup("transpose-naive")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := fs.ReadFile(kernels.FS(), k.File)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Function, "of", k.File, "in", k.Dialect, len(text) > 0)
	// Output:
	// transpose_naive of transpose.cl in opencl true
}
