// Package script runs the script tests of the commands: txtar files with
// command lines, their inputs and what is expected of them (package testscript
// of rogpeppe/go-internal explains the language).
//
// Beyond testscript's own commands there are
//
//	exits STATUS COMMAND...   the command ends with exactly that status
//	fill FILE COUNT TEXT      writes a file of so many copies of a text
//	columns N                 standard output has no line longer than N, no
//	                          blanks at the end of lines, no tabs
//
// With -update, files that cmp compares with outputs are rewritten.
package script

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"gpupipe/cmd/internal/console"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite the expected outputs of script tests")

// Main runs the tests of a command's package. Scripts run the command itself,
// from the test binary, and the commands of the other packages, which are built
// for them.
func Main(m *testing.M, name string, main func(), others ...string) {
	testscript.Main(&tests{m, others}, map[string]func(){name: main})
}

// tests are a package's tests with the commands they need besides their own.
type tests struct {
	m      *testing.M
	others []string
}

// Run builds the other commands and runs the tests.
func (t *tests) Run() int {
	if len(t.others) > 0 {
		dir, err := os.MkdirTemp("", "commands")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		build := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)},
			t.others...)...)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "building", t.others, "failed:", err)
			return 1
		}
		if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return t.m.Run()
}

// Run runs the scripts of a folder.
func Run(t *testing.T, dir string) { RunWith(t, dir, nil) }

// RunWith runs the scripts of a folder with variables of the environment.
func RunWith(t *testing.T, dir string, environment map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOGC", "400") // which is not passed on; most of what short runs collect would end with them
			for name, value := range environment {
				e.Setenv(name, value)
			}
			return nil
		},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"fill":    fill,
			"columns": columns,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fill FILE COUNT TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], n)), 0o644))
}

func columns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: columns N")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i, line := range strings.Split(ts.ReadFile("stdout"), "\n") {
		if why := lineFault(line, n); why != "" {
			ts.Fatalf("line %d of the output %s: %q", i+1, why, line)
		}
	}
}

// lineFault says why a line is not set well, empty if it is.
func lineFault(line string, columns int) string {
	switch {
	case utf8.RuneCountInString(line) > columns:
		return fmt.Sprintf("has %d columns", utf8.RuneCountInString(line))
	case strings.TrimRight(line, " \t\r") != line:
		return "ends in blanks"
	case strings.Contains(line, "\t"):
		return "has a tab"
	}
	return ""
}

// Manual compares the pages of the manual with the help of a command, or rewrites them with -update.
func Manual(t *testing.T, name string, build func(*console.Console) *cobra.Command) {
	c := console.New(name, strings.NewReader(""), io.Discard, io.Discard)
	root := build(c)
	c.Complete(root)
	for file, want := range pages(root, "go test ./cmd/"+name+" -run TestManual -update") {
		folder := "../../docs/reference/commands"
		if filepath.Ext(file) == ".1" {
			folder = "../../docs/reference/man"
		}
		Current(t, filepath.Join(folder, file), want)
	}
}

// Current compares a generated file with what it should hold, or rewrites it with -update.
func Current(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not current (-want +got); run with -update:\n%s", file, diff)
	}
}
