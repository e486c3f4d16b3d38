package driver

import (
	"fmt"
	"strings"
)

// BuildError is what a compiler says about a program that it refuses.
type BuildError struct {
	Name string // of the source
	Log  string // the compiler's, as it wrote it
}

func (e *BuildError) Error() string {
	log := strings.TrimSpace(e.Log)
	if log == "" {
		log = "the compiler gives no reason"
	}
	return fmt.Sprintf("%s: the device's compiler refuses the kernel:\n%s", e.Name, log)
}
