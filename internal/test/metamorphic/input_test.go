package metamorphic

import "fmt"

// input is what a compiler is given of a kernel: its tree and the target. No launch may change it.
func input(k *prepared) string {
	return fmt.Sprintf("%+v\n%v", k.Options.Target, k.Lowered)
}
