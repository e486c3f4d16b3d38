package kernels

import (
	"fmt"

	"gpupipe/internal/spelling"
)

// UnknownNameError says that no built-in kernel has a name.
type UnknownNameError struct {
	Name        string
	Suggestions []string // similar names, best first; may be empty
}

// Error names the similar kernels, or how to see them all.
func (e *UnknownNameError) Error() string {
	text := fmt.Sprintf("no built-in kernel is called %q", e.Name)
	if s := spelling.DidYouMean(e.Name, names()); s != "" {
		text += "; " + s
	}
	return text
}

// suggest returns the names most like an unknown one.
func suggest(unknown string) []string { return spelling.Nearest(unknown, names()) }

func names() []string {
	list := make([]string, 0, len(catalogue))
	for _, e := range catalogue {
		list = append(list, e.name)
	}
	return list
}
