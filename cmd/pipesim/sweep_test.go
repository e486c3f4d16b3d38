package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gpupipe/internal/sheet"
	"gpupipe/internal/test/tools"
	"gpupipe/simulate/sweep"
)

// graphFile writes the graph of a built-in kernel to a file.
func graphFile(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	cmd := exec.Command("idgen", append(args, "-o", file)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("idgen %v: %v\n%s", args, err, out)
	}
	return file
}

// sweepOf runs a sweep and returns what it writes to standard output.
func sweepOf(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(append([]string{"sweep"}, args...), strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("pipesim sweep %v: status %d\n%s", args, status, &stderr)
	}
	return stdout.String()
}

// TestResumeAnywhere cuts a file of results after many a byte of its last two
// lines, continues it, and holds that the file is again what it was.
func TestResumeAnywhere(t *testing.T) {
	dir := t.TempDir()
	graph := graphFile(t, dir, "vadd.json", "--builtin", "vadd", "--groups", "40")
	for _, format := range []string{"csv", "jsonl"} {
		args := []string{graph, "--format", format, "--concurrent", "1..3", "--issue", "all"}
		want := sweepOf(t, args...)
		all := strings.SplitAfter(strings.TrimSuffix(want, "\n"), "\n")
		tail := len(want) - 1 - len(all[len(all)-1]) - len(all[len(all)-2])
		file := filepath.Join(dir, "rows."+format)
		for cut := tail; cut <= len(want); cut += tools.Cases(3, 7) {
			if err := os.WriteFile(file, []byte(want[:cut]), 0o644); err != nil {
				t.Fatal(err)
			}
			if out := sweepOf(t, append(args, "--resume", file)...); out != "" {
				t.Errorf("standard output: %q", out)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != want {
				t.Fatalf("%s cut after %d of %d bytes, continued to\n%s\n%v\nwant\n%s", format, cut, len(want),
					got, err, want)
			}
		}
	}
}

// TestInterruptedSweep interrupts a sweep in the middle: its file holds whole
// rows, the first ones, and --resume makes it complete.
func TestInterruptedSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted alone on Windows")
	}
	dir := t.TempDir()
	graph := graphFile(t, dir, "mmul.json", "--builtin", "mmul-08")
	args := []string{graph, "--vary", "ld.global:latency=1..600", "--concurrent", "32"}
	file := filepath.Join(dir, "rows.csv")
	cmd := exec.Command("pipesim", append([]string{"sweep", "-o", file}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	begun := func() bool {
		text, _ := os.ReadFile(file)
		return bytes.Count(text, []byte{'\n'}) > 1
	}
	for !begun() {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("the process ended with %v, want status 130", err)
	}
	want := "pipesim: interrupted\n\tits first rows are in " + file + "; the same arguments with --resume " + file +
		" continue it\n"
	if stderr.String() != want || stdout.Len() > 0 {
		t.Errorf("stderr %q, want %q; stdout %q", &stderr, want, &stdout)
	}
	partial, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := bytes.Count(partial, []byte{'\n'}) - 1
	if !bytes.HasSuffix(partial, []byte{'\n'}) || rows < 1 || rows >= 600 {
		t.Fatalf("%d rows, the file ends in %q", rows, partial[max(0, len(partial)-20):])
	}
	// Completing all of it would take long: what was there is kept and goes on.
	cmd = exec.Command("pipesim", append([]string{"sweep", "--resume", file}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		text, _ := os.ReadFile(file)
		if !bytes.HasPrefix(text, partial) {
			t.Error("earlier rows were not kept")
			break
		}
		if len(text) > len(partial) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text[len(partial):]),
		strings.Split(sweepOf(t, append(args, "--shard", nth(rows+1))...), "\n")[1]) {
		t.Errorf("row %d after the interrupt is not that of the sweep: %q, %v", rows+1, text[len(partial):], err)
	}
}

// nth is the shard that begins with a row.
func nth(row int) string { return strconv.Itoa(row) + "/600" }

// TestPlotsAreValid decodes plots with the standard library, also with names
// that XML must escape.
func TestPlotsAreValid(t *testing.T) {
	dir := t.TempDir()
	graph := graphFile(t, dir, `a<b & "c".json`, "--builtin", "vadd")
	other := graphFile(t, dir, "fig1.json", "--builtin", "fig1")
	svg := filepath.Join(dir, "p.svg")
	sweepOf(t, graph, other, "--gpu", "gtx480,gtx1060", "--issue", "all", "--plot", svg)
	text, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	elements, paths, shown := 0, 0, ""
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			elements++
			if elements == 1 && e.Name.Local != "svg" {
				t.Errorf("the document is %s", e.Name.Local)
			}
			if e.Name.Local == "path" {
				paths++
			}
		case xml.CharData:
			shown += string(e)
		}
	}
	for _, want := range []string{`a<b & "c".json on gtx480`, "fig1.json on gtx1060", "resident warps",
		"speed-up over ", "issue=in-order, best ", "what pipelines, issue limit and latency allow"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the plot lacks the text %q", want)
		}
	}
	if paths < 4*3 { // a line and a roof for each curve, at least
		t.Errorf("%d paths in %d elements", paths, elements)
	}
	for file := range map[string]bool{"p.png": true, "P2.PNG": true} {
		file = filepath.Join(dir, file)
		sweepOf(t, graph, "--plot", file)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if m, err := png.Decode(f); err != nil || m.Bounds().Dx() < 300 {
			t.Errorf("%v, %v", m, err)
		}
	}
}

// TestChart draws a panel with known points: marks stand where they belong, no
// line is too long, and the roof is above.
func TestChart(t *testing.T) {
	panel := sweep.Panel{Title: "k on d", X: "resident warps"}
	for i := range 30 {
		panel.Series = append(panel.Series, sweep.Series{Name: "s" + strconv.Itoa(i), Points: []sweep.Point{
			{X: 1, Y: 0.1, Roof: 0.5}, {X: 11, Y: 0.5, Roof: 1},
		}})
	}
	var out strings.Builder
	if err := writeChart(&out, []sweep.Panel{panel,
		{Title: "one", X: "x", Series: []sweep.Series{{Points: []sweep.Point{{X: 4, Y: 1, Roof: 1}}}}}}, nil,
		sheet.Layout{Width: 60}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 60 || strings.TrimRight(line, " ") != line {
			t.Errorf("badly set line %q", line)
		}
	}
	last := []rune(lines[2+7]) // the middle: 0.5, at the right
	if last[len(last)-1] != chartMarks[len(chartMarks)-1] || !strings.HasPrefix(strings.TrimLeft(lines[2+7], " "),
		"0.5 │·") {
		t.Errorf("the row of 0.5 is %q", lines[2+7])
	}
	if top := lines[2]; !strings.Contains(top, "1.00 │") || !strings.HasSuffix(top, "·") {
		t.Errorf("the top row is %q", top)
	}
	if want := "and " + strconv.Itoa(30-len(chartMarks)) + " curves that are not drawn"; !strings.Contains(
		out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}
