package driver

import (
	"context"
	"errors"
	"testing"
	"time"

	"gpupipe/internal/measure"
)

// TestAwait: a call that does not return in time makes the device a lost one.
func TestAwait(t *testing.T) {
	failed := errors.New("failed")
	if err := Await(context.Background(), "it", 0, func() error { return failed }); err != failed {
		t.Errorf("a call that fails: %v", err)
	}
	block := make(chan bool)
	defer close(block)
	err := Await(context.Background(), "it", time.Millisecond, func() error { <-block; return nil })
	if _, lost := errors.AsType[*measure.LostError](err); !lost {
		t.Errorf("a call that does not end: %v", err)
	}
}

// TestArgs: scalars are little-endian.
func TestArgs(t *testing.T) {
	for _, c := range []struct {
		got  Arg
		want string
	}{
		{Int(-2), "\xfe\xff\xff\xff"}, {Uint(1), "\x01\x00\x00\x00"}, {Float(1), "\x00\x00\x80\x3f"},
		{DoubleArg(-2), "\x00\x00\x00\x00\x00\x00\x00\xc0"},
	} {
		if string(c.got.Value) != c.want {
			t.Errorf("%x, want %x", c.got.Value, c.want)
		}
	}
}

// TestOpen: a library that is missing, and a function that a library lacks, are errors.
func TestOpen(t *testing.T) {
	if _, err := Open("libNoSuchLibrary.so"); !errors.Is(err, ErrNoLibrary) {
		t.Errorf("a missing library: %v", err)
	}
	lib, err := Open("libc.so.6", "libSystem.B.dylib")
	if err != nil {
		t.Skip(err)
	}
	var math struct {
		abs func(int32) int32 `c:"abs"`
	}
	if err := lib.Bind("", &math); err != nil || math.abs(-3) != 3 {
		t.Errorf("abs: %v", err)
	}
	var none struct {
		suchFunction func()
	}
	if err := lib.Bind("no", &none); err == nil {
		t.Error("a function that does not exist is bound")
	}
}
