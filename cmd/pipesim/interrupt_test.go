package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestInterruptedProcess interrupts a pipesim that waits for the rest of its
// graph: it ends at once with the documented status and leaves no file.
func TestInterruptedProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted alone on Windows")
	}
	dir := t.TempDir()
	cmd := exec.Command("pipesim", "-o", filepath.Join(dir, "out.json"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when it is written, the process is reading.
	if _, err := io.Copy(stdin, bytes.NewReader(bytes.Repeat([]byte{' '}, 1<<20))); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("the process ended with %v, want status 130", err)
	}
	if got := stderr.String(); got != "pipesim: interrupted\n" || stdout.Len() > 0 {
		t.Errorf("stderr %q, stdout %q", got, &stdout)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
