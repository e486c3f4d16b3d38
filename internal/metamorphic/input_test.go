package metamorphic

import "fmt"

// input is what a compiler is given of a kernel: its tree and the target. No launch may change it.
func input(k *prepared) string {
	t := k.Options.Target
	t.Measured = nil // a function of the device, which no launch changes
	return fmt.Sprintf("%+v\n%v", t, k.Lowered)
}
