//go:build !(linux || darwin || freebsd)

package driver

import "errors"

// Library is an open shared library, which this system cannot open.
type Library struct{}

// ErrNoLibrary is that none of a driver's libraries is installed.
var ErrNoLibrary = errors.New("not supported on this system")

// Open fails.
func Open(...string) (*Library, error) { return nil, ErrNoLibrary }

// Bind fails.
func (*Library) Bind(string, any) error { return ErrNoLibrary }
