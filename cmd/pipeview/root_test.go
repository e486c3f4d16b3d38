package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/cmd/internal/console"
)

// TestOpen: the address is printed, the files of the command line are on the page, and the server ends with its
// context.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mine.cl")
	if err := os.WriteFile(name, []byte("__kernel void k(__global int *a) { a[0] = 1; }"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- open(ctx, console.New("pipeview", strings.NewReader(""), in, io.Discard), []string{name}, false)
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/\n$`).MatchString(address) {
		t.Fatalf("%q, %v", address, err)
	}
	if status, text, _ := call(t, "GET", strings.TrimSpace(address)+"catalogue.js", ""); status != 200 ||
		!strings.Contains(text, `"file":"mine.cl"`) {
		t.Errorf("%d %.200s", status, text)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
