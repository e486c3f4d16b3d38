//go:build !(linux || darwin || freebsd)

package driver

import "errors"

// Library is an open shared library, which this system cannot open.
type Library struct{}

// ErrNoLibrary is that none of a driver's libraries is installed.
var ErrNoLibrary = errors.New("not supported on this system")

// Open fails.
func Open(...string) (*Library, error) { return nil, ErrNoLibrary }

// Function is a function of a library and the variable of function type that calls it.
type Function struct {
	Name string
	Into any
}

// Bind fails.
func (*Library) Bind([]Function) error { return ErrNoLibrary }
