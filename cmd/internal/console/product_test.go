package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gpupipe/internal/diag"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestEmitToStandardOutput(t *testing.T) {
	for _, name := range []string{"", "-"} {
		c, stdout, _ := testConsole()
		if err := c.Emit(name, text("product")); err != nil || stdout.String() != "product" {
			t.Errorf("%q: %v, %q", name, err, stdout)
		}
	}
}

func TestEmitReplacesFilesWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	c, stdout, _ := testConsole()
	if err := c.Emit(file, text("first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	failure := diag.Errorf(diag.Pos{}, "X", "no")
	err := c.Emit(file, func(w io.Writer) error {
		_, _ = w.Write(make([]byte, 1<<20))
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(file); string(b) != "first" {
		t.Errorf("a failed product replaced the file: %d bytes", len(b))
	}
	if err := c.Emit(file, text("second")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(file); string(b) != "second" {
		t.Errorf("the file holds %q", b)
	}
	if got := files(t, filepath.Dir(file)); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode became %v", info.Mode())
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output got %q", stdout)
	}
}

func TestEmitThroughSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	c, _, _ := testConsole()
	if err := c.Emit(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info, err)
	}
	if b, _ := os.ReadFile(target); string(b) != "new" {
		t.Errorf("the target holds %q", b)
	}
}

func TestEmitThroughDanglingLink(t *testing.T) {
	dir := t.TempDir()
	first, second, target := filepath.Join(dir, "first"), filepath.Join(dir, "second"), filepath.Join(dir, "target")
	if err := errors.Join(os.Symlink("second", first), os.Symlink(target, second)); err != nil {
		t.Skip(err)
	}
	c, _, _ := testConsole()
	if err := c.Emit(first, text("new")); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{first, second} {
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link was replaced: %v %v", info, err)
		}
	}
	if b, _ := os.ReadFile(target); string(b) != "new" {
		t.Errorf("the target holds %q", b)
	}
}

func TestEmitToDeviceKeepsTheDevice(t *testing.T) {
	for _, device := range []string{os.DevNull, "/dev/zero"} {
		before, err := os.Stat(device)
		if err != nil || before.Mode()&os.ModeDevice == 0 {
			continue // some containers have a file in its place
		}
		c, _, _ := testConsole()
		if err := c.Emit(device, text("product")); err != nil {
			t.Fatal(err)
		}
		if after, err := os.Stat(device); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s became %v (%v)", device, after.Mode(), err)
		}
		return
	}
	t.Skip("no device that takes everything")
}

func TestEmitKeepsPermissions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	for _, mode := range []os.FileMode{0o666, 0o600} { // 0666 is more than most processes may give
		if err := errors.Join(os.WriteFile(name, nil, 0o600), os.Chmod(name, mode)); err != nil {
			t.Fatal(err)
		}
		c, _, _ := testConsole()
		if err := c.Emit(name, text("product")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("%v became %v (%v)", mode, info.Mode(), err)
		}
	}
}

func TestEmitReportsWhereItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(dir, "no", "out"): "no such file or directory",
		dir:                             "is a directory",
	} {
		c, _, stderr := testConsole()
		err := c.Emit(name, text("product"))
		if StatusOf(err) != NotWritten {
			t.Errorf("%s: status %d", name, StatusOf(err))
		}
		c.Report(err)
		if got := stderr.String(); !strings.Contains(got, name+": error[OUTPUT]: cannot write: ") ||
			!strings.Contains(got, want) {
			t.Errorf("got %q", got)
		}
	}
}

// failingWriter accepts some bytes and fails then.
type failingWriter struct {
	room int
	err  error
}

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.room -= len(b); w.room < 0 {
		return 0, w.err
	}
	return len(b), nil
}

func TestClosedPipeIsQuiet(t *testing.T) {
	c, _, stderr := testConsole()
	c.Stdout = &failingWriter{room: 1 << 17, err: &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}}
	err := c.Emit("-", text(strings.Repeat("x", 1<<20)))
	if StatusOf(err) != Done || !errors.Is(err, errClosedPipe) {
		t.Errorf("status %d: %v", StatusOf(err), err)
	}
	c.Stdout = &failingWriter{err: syscall.ENOSPC}
	err = c.Emit("-", text("x"))
	if StatusOf(err) != NotWritten || !strings.Contains(err.Error(),
		"standard output: error[OUTPUT]: cannot write: no space left") {
		t.Errorf("status %d: %v", StatusOf(err), err)
	}
	if stderr.Len() > 0 {
		t.Errorf("Emit printed %q", stderr)
	}
}

// TestEmitToNull: the null device takes what is written, however it was opened: the runners of many services open it for
// reading and writing.
func TestEmitToNull(t *testing.T) {
	for _, flag := range []int{os.O_RDWR, os.O_WRONLY} {
		f, err := os.OpenFile(os.DevNull, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, _, _ := testConsole()
		c.Stdout = f
		if err := c.Emit("", text("product")); err != nil {
			t.Errorf("%v: %v", flag, err)
		}
	}
}
