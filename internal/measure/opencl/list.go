package opencl

import (
	"bytes"
	"strings"
	"unsafe"

	"gpupipe/internal/measure/driver"
)

// Libraries are the names under which the library is installed.
var Libraries = []string{"libOpenCL.so.1", "libOpenCL.so"}

// List returns the devices of all platforms, in their order.
func List(libraries []string) ([]driver.Found, error) {
	a, err := load(libraries)
	if err != nil {
		return nil, err
	}
	var count uint32
	switch code := a.getPlatformIDs(0, nil, &count); {
	case code == -1001 || code == 0 && count == 0:
		return nil, nil
	case code != 0:
		return nil, check("clGetPlatformIDs", code)
	}
	platforms := make([]handle, count)
	if err := check("clGetPlatformIDs", a.getPlatformIDs(count, &platforms[0], nil)); err != nil {
		return nil, err
	}
	var found []driver.Found
	for _, p := range platforms {
		name := infoText(func(size uintptr, value unsafe.Pointer, returned *uintptr) int32 {
			return a.getPlatformInfo(p, platformName, size, value, returned)
		})
		if a.getDeviceIDs(p, deviceTypeAll, 0, nil, &count) != 0 || count == 0 {
			continue // a platform without a device says so by a status
		}
		devices := make([]handle, count)
		if err := check("clGetDeviceIDs", a.getDeviceIDs(p, deviceTypeAll, count, &devices[0], nil)); err != nil {
			return nil, err
		}
		for _, d := range devices {
			if a.number(d, deviceAvailable) != 0 {
				p := a.properties(name, d)
				found = append(found, driver.Found{Properties: p, Open: func() (driver.Device, error) {
					return a.open(d, p)
				}})
			}
		}
	}
	return found, nil
}

// infoText reads a text by its size; "" if there is none.
func infoText(get func(size uintptr, value unsafe.Pointer, returned *uintptr) int32) string {
	var size uintptr
	if get(0, nil, &size) != 0 || size == 0 {
		return ""
	}
	text := make([]byte, size)
	if get(size, unsafe.Pointer(&text[0]), nil) != 0 {
		return ""
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	return strings.TrimSpace(string(text))
}

func (a *api) text(device handle, name uint32) string {
	return infoText(func(size uintptr, value unsafe.Pointer, returned *uintptr) int32 {
		return a.getDeviceInfo(device, name, size, value, returned)
	})
}

// number reads a number of 4 or 8 bytes; 0 if the device does not know the question.
func (a *api) number(device handle, name uint32) int64 {
	var size uintptr
	if a.getDeviceInfo(device, name, 0, nil, &size) != 0 || size == 0 || size > 8 {
		return 0
	}
	var value [8]byte
	if a.getDeviceInfo(device, name, size, unsafe.Pointer(&value[0]), nil) != 0 {
		return 0
	}
	var n int64
	for i := int(size) - 1; i >= 0; i-- {
		n = n<<8 | int64(value[i])
	}
	return n
}
