package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gpupipe/internal/diag"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// testConsole is a console with its outputs in buffers.
func testConsole() (c *Console, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return New("tool", strings.NewReader(""), stdout, stderr), stdout, stderr
}

func TestStatusOf(t *testing.T) {
	usage := Usagef("unknown flag")
	input := diag.Errorf(diag.Pos{File: "k.cl", Line: 1}, "SYNTAX", "no")
	assumed := diag.Errorf(diag.Pos{}, "ASSUMED-TRIPS", "16 assumed")
	warning := diag.Warningf(diag.Pos{}, "PRAGMA", "no effect")
	for _, c := range []struct {
		name string
		err  error
		want Status
	}{
		{"none", nil, Done},
		{"closed pipe", fmt.Errorf("report: %w", errClosedPipe), Done},
		{"usage", usage, Usage},
		{"input", input, BadInput},
		{"plain", errors.New("no"), BadInput},
		{"assumption", assumed, Incomplete},
		{"assumptions and a warning", diag.List{warning, assumed, assumed}, Incomplete},
		{"assumption before input", diag.List{assumed, input}, BadInput},
		{"input before assumption", diag.List{input, assumed}, BadInput},
		{"usage counts most", diag.List{input, usage}, Usage},
		{"wrapped", fmt.Errorf("reading: %w", input), BadInput},
		{"output", OutputError("x", syscall.ENOSPC), NotWritten},
		{"gate", diag.Errorf(diag.Pos{}, CodeGate, "x"), Failed},
		{"defect", diag.AsDefect(errors.New("no")), Defect},
		{"defect that an input brings out", diag.List{input, diag.Errorf(diag.Pos{}, diag.CodeInternal, "x")}, Defect},
		{"no defect", diag.AsDefect(nil), Done},
		{"interrupt", fmt.Errorf("run: %w", context.Canceled), Interrupted},
	} {
		if got := StatusOf(c.err); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
}

func TestReportPrintsPositionCodeAndNotes(t *testing.T) {
	c, _, stderr := testConsole()
	c.Report(nil)
	c.Report(diag.List(nil))
	c.Report(diag.List{
		diag.Warningf(diag.Pos{File: "k.cl", Line: 3, Column: 7}, "PRAGMA", "no effect").WithNote("write 4"),
		diag.Notef(diag.Pos{}, "NOTE", "assumed"),
	})
	c.Report(errors.New("plain"))
	want := "k.cl:3:7: warning[PRAGMA]: no effect\n\twrite 4\ntool: note[NOTE]: assumed\ntool: plain\n"
	if got := stderr.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReportIsCapped(t *testing.T) {
	c, _, stderr := testConsole()
	var l diag.List
	for i := range diag.MaxPrinted + 3 {
		l.Add(diag.Notef(diag.Pos{File: "k.cl", Line: i + 1}, "N", "x"))
	}
	c.Report(l)
	if n := strings.Count(stderr.String(), "\n"); n != diag.MaxPrinted+1 {
		t.Errorf("%d lines", n)
	}
	if !strings.HasSuffix(stderr.String(), "... and 3 more\n") {
		t.Errorf("got %q", stderr)
	}
}

func TestRunRecoversPanics(t *testing.T) {
	c, stdout, stderr := testConsole()
	file := filepath.Join(t.TempDir(), "out")
	status := c.Run(func(context.Context) error {
		return c.Emit(file, func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 1<<20))
			panic("index out of range")
		})
	})
	if status != Defect || stdout.Len() > 0 {
		t.Errorf("status %d, %d bytes of output", status, stdout.Len())
	}
	for _, want := range []string{"tool: internal error: index out of range", "Please report it", "console_test.go"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("the message lacks %q:\n%s", want, stderr)
		}
	}
	if left := files(t, filepath.Dir(file)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunAsksForReportOfDefects(t *testing.T) {
	c, _, stderr := testConsole()
	status := c.Run(func(context.Context) error { return diag.AsDefect(errors.New("sum is wrong")) })
	if status != Defect || !strings.Contains(stderr.String(), "internal error: sum is wrong") ||
		!strings.Contains(stderr.String(), "Please report it") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestInterruptLeavesNothing interrupts a command in the middle of its product
// and after it, while it is busy.
func TestInterruptLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c, _, stderr := testConsole()
	release := make(chan struct{})
	ended := make(chan error, 2)
	status := c.runIn(ctx, func(context.Context) error {
		err := c.Emit(file, func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 1<<20))
			cancel()
			<-release // busy, and does not look at the context
			_, err := w.Write(make([]byte, 1<<20))
			return err
		})
		ended <- err
		ended <- c.Emit(file, func(w io.Writer) error { return nil })
		return err
	})
	if status != Interrupted || stderr.String() != "tool: interrupted\n" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	close(release)
	for range 2 {
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("writing went on after the interrupt: %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the abandoned command does not end")
		}
	}
	if got := files(t, dir); len(got) != 1 || got[0] != "out" {
		t.Errorf("left behind: %v", got)
	}
	if b, _ := os.ReadFile(file); string(b) != "old" {
		t.Errorf("the old file was touched: %d bytes", len(b))
	}
}

// TestTimeoutEnds: a command that is busy ends when its time is up, and so does one that looks at
// its context.
func TestTimeoutEnds(t *testing.T) {
	for _, wait := range []func(context.Context) error{
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		func(context.Context) error { select {} },
	} {
		c, _, stderr := testConsole()
		c.AdviseAfterInterrupt("go on with --resume")
		status := c.runIn(context.Background(), func(ctx context.Context) error {
			c.LimitTime(time.Millisecond)
			return wait(ctx)
		})
		const want = "tool: not finished within 1ms (--timeout)\n\tgo on with --resume\n"
		if status != TimedOut || stderr.String() != want {
			t.Errorf("status %d, stderr %q", status, stderr)
		}
	}
}

// files lists the names in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestShortHelp: --help has the flags of the examples, --help-all all of them.
func TestShortHelp(t *testing.T) {
	help := func(flag string) string {
		var out strings.Builder
		c := New("x", strings.NewReader(""), &out, io.Discard)
		if status := c.Execute(func(*Console) *cobra.Command {
			root := &cobra.Command{Use: "x", Example: "  x --f3 1\n  x -o FILE", Run: func(*cobra.Command, []string) {}}
			Section(root, "Numbers", func(f *pflag.FlagSet) {
				for i := range 2 * fewFlags {
					f.Int(fmt.Sprintf("f%d", i), 0, "a number")
				}
				f.StringP("output", "o", "", "a file")
			})
			return root
		}, []string{flag}); status != 0 {
			t.Errorf("%s: status %d", flag, status)
		}
		return out.String()
	}
	short, all := help("--help"), help("--help-all")
	for _, x := range []struct {
		text, flag string
		want       bool
	}{{short, "--f3 ", true}, {short, "--output", true}, {short, "--f4 ", false}, {short, "--help-all", true},
		{all, "--f4 ", true}} {
		if strings.Contains(x.text, x.flag) != x.want {
			t.Errorf("%s: %v, want %v:\n%s", x.flag, !x.want, x.want, x.text)
		}
	}
}
