//go:build linux || darwin || freebsd

package driver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ebitengine/purego"
)

// Library is an open shared library.
type Library struct {
	name   string
	handle uintptr
}

// ErrNoLibrary is that none of a driver's libraries is installed.
var ErrNoLibrary = errors.New("not installed")

// Open opens the first library of the names that exists.
func Open(names ...string) (*Library, error) {
	var reasons []string
	for _, name := range names {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return &Library{name, handle}, nil
		}
		reasons = append(reasons, err.Error())
	}
	return nil, fmt.Errorf("%w: %s", ErrNoLibrary, strings.Join(reasons, "; "))
}

// Function is a function of a library and the variable of function type that calls it.
type Function struct {
	Name string
	Into any
}

// Bind looks the functions up; a library that lacks one is an error.
func (l *Library) Bind(functions []Function) error {
	for _, f := range functions {
		address, err := purego.Dlsym(l.handle, f.Name)
		if err != nil {
			return fmt.Errorf("%s has no function %s: its version is not supported", l.name, f.Name)
		}
		purego.RegisterFunc(f.Into, address)
	}
	return nil
}
