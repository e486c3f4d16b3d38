package metamorphic

import (
	"fmt"
	"strings"

	"gpupipe/lower/build"
	"gpupipe/lower/ir"
)

// input is what a compiler is given of a kernel: its code and the target. No launch may change it.
func input(k *prepared) string {
	var b strings.Builder
	if err := ir.Format(&b, build.Build(k.Lowered)); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%+v\n%s", k.Options.Target, &b)
}
