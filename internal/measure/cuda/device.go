package cuda

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/clock"
	"gpupipe/internal/measure/driver"
)

// device is an open device with the thread that its context belongs to.
type device struct {
	*api
	id         int32
	properties measure.Properties
	clock      clock.Source
	calls      chan call
	own        *float64 // seconds between two events with nothing between them; nil = not measured yet
}

// call is work for the device's thread.
type call struct {
	do   func() error
	done chan error
}

var _ driver.Device = (*device)(nil)

// open opens a device.
func (a *api) open(id int32, p measure.Properties) (driver.Device, error) {
	d := &device{api: a, id: id, properties: p, calls: make(chan call)}
	go d.serve()
	err := d.on(func() error {
		var context handle
		if err := d.check("cuDevicePrimaryCtxRetain", d.devicePrimaryCtxRetain(&context, d.id)); err != nil {
			return err
		}
		return d.check("cuCtxSetCurrent", d.ctxSetCurrent(context))
	})
	if err != nil {
		close(d.calls)
		return nil, err
	}
	d.clock = clock.Find(d.properties)
	return d, nil
}

// serve makes the calls, all on one thread.
func (d *device) serve() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for c := range d.calls {
		c.done <- c.do()
	}
}

// on makes a call on the device's thread.
func (d *device) on(do func() error) error {
	c := call{do, make(chan error, 1)}
	d.calls <- c
	return <-c.done
}

// await is on with a watchdog; a status after which the device answers no more is a *measure.LostError.
func (d *device) await(ctx context.Context, what string, limit time.Duration, do func() error) error {
	err := driver.Await(ctx, what, limit, func() error { return d.on(do) })
	if s, ok := errors.AsType[*status](err); ok && lost[s.code] {
		return &measure.LostError{Reason: what + ": " + s.Error()}
	}
	return err
}

func (d *device) Properties() measure.Properties { return d.properties }

func (d *device) Dialect() driver.Dialect { return driver.CUDA }

func (d *device) Clock() float64 { return d.clock.MHz() }

// Close gives the context back. A device whose thread is busy with a kernel that does not end is left as it is.
func (d *device) Close() {
	d.clock.Close()
	select {
	case d.calls <- call{func() error { d.releaseContext(d.id); return nil }, make(chan error, 1)}:
		close(d.calls)
	default:
	}
}

// buffer is memory of the device.
type buffer struct {
	d       *device
	address uint64
	bytes   int64
}

// copyLimit is after how long a copy counts as one that does not end.
const copyLimit = time.Minute

func (d *device) NewBuffer(bytes int64) (driver.Buffer, error) {
	b := &buffer{d: d, bytes: bytes}
	err := d.await(context.Background(), "allocating memory", copyLimit, func() error {
		return d.check(fmt.Sprintf("cuMemAlloc of %d bytes", bytes), d.allocate(&b.address, uintptr(bytes)))
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (b *buffer) Bytes() int64 { return b.bytes }

func (b *buffer) Write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return b.d.await(context.Background(), "writing memory", copyLimit, func() error {
		return b.d.check("cuMemcpyHtoD", b.d.copyToDevice(b.address, unsafe.Pointer(&data[0]), uintptr(len(data))))
	})
}

func (b *buffer) Read(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return b.d.await(context.Background(), "reading memory", copyLimit, func() error {
		return b.d.check("cuMemcpyDtoH", b.d.copyToHost(unsafe.Pointer(&data[0]), b.address, uintptr(len(data))))
	})
}

// Close frees the memory; of a lost device it is gone.
func (b *buffer) Close() {
	_ = b.d.await(context.Background(), "freeing memory", copyLimit, func() error {
		return b.d.check("cuMemFree", b.d.free(b.address))
	})
}
