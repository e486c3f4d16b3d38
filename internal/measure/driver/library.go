//go:build linux || darwin || freebsd

package driver

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
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

// Bind looks up the functions that the fields of a struct call: those of a field's name behind a prefix, getName of
// "cl" is clGetName, or of its tag, such as `c:"cuMemAlloc_v2"`. A library that lacks one is an error.
func (l *Library) Bind(prefix string, functions any) error {
	v := reflect.ValueOf(functions).Elem()
	for i := range v.NumField() {
		into, field := v.Field(i), v.Type().Field(i)
		name := cmp.Or(field.Tag.Get("c"), prefix+strings.ToUpper(field.Name[:1])+field.Name[1:])
		address, err := purego.Dlsym(l.handle, name)
		if err != nil {
			return fmt.Errorf("%s has no function %s: its version is not supported", l.name, name)
		}
		purego.RegisterFunc(reflect.NewAt(into.Type(), into.Addr().UnsafePointer()).Interface(), address)
	}
	return nil
}
