package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// exported is the folder of an exported site.
func exported(t testing.TB) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	t.Chdir(t.TempDir()) // it needs no module around it
	if err := export(t.Context(), console.New("pipeview", strings.NewReader(""), io.Discard, io.Discard),
		dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSite drives the exported site, which computes in the browser: opened from disk, and by a web server.
func TestSite(t *testing.T) {
	tools.Heavy(t)
	b := browser.Start(t)
	dir := exported(t)
	info, err := os.Stat(filepath.Join(dir, "pipeview.js"))
	if err != nil || info.Size() > 10<<20 {
		t.Errorf("the code has %d bytes (%v), more than 10 MB", info.Size(), err)
	}
	t.Logf("%d bytes of code", info.Size())
	drive(t, b, browser.FileURL(t, filepath.Join(dir, "index.html")))
	lesson := b.Open(t, browser.FileURL(t, filepath.Join(dir, "lessons.html")), browser.View{Site: true})
	if points := curveOf(t, lesson); len(points) != 16 {
		t.Errorf("the curve of a lesson has %d points", len(points))
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	d := driver{b.Open(t, server.URL+"/#builtin=vadd", browser.View{}), t}
	d.answered()
	d.shows(0, "--builtin", "vadd", "--gpu", latencies.Default)
}

// TestNoGo: without the Go command there is one clear sentence, and no site.
func TestNoGo(t *testing.T) {
	t.Setenv("PATH", "")
	dir := filepath.Join(t.TempDir(), "site")
	err := export(t.Context(), console.New("pipeview", strings.NewReader(""), io.Discard, io.Discard), dir)
	if err == nil || !strings.Contains(err.Error(), "the Go command must be installed") {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("there is a site")
	}
}

// BenchmarkKeystroke measures the time from a key to the new numbers, to the report, and to all of the page, with the
// pause in which the page waits for another key.
func BenchmarkKeystroke(b *testing.B) {
	for _, c := range []struct {
		name    string
		address func(testing.TB) string
	}{
		{"server", func(t testing.TB) string { return started(t) + "/" }},
		{"wasm", func(t testing.TB) string { return browser.FileURL(t, filepath.Join(exported(t), "index.html")) }},
	} {
		b.Run("mmul/"+c.name, func(b *testing.B) {
			page := driver{browser.Start(b).Open(b, c.address(b), browser.View{Site: true}), b}
			page.answered()
			total, n := make([]float64, 3), 0.0
			for b.Loop() {
				for i, ms := range browser.Eval[[]float64](page.Page, keystroke) {
					total[i] += ms
				}
				n++
			}
			for i, what := range []string{"numbers", "report", "page"} {
				b.ReportMetric(total[i]/n, "ms/"+what)
			}
		})
	}
}

// keystroke types a blank, and waits until each part has been written again, and the answer has ended.
const keystroke = `(async () => {
	const field = document.getElementById("source-text"), began = performance.now();
	field.value += " ";
	field.dispatchEvent(new Event("input"));
	const until = (holds) => new Promise((done) => {
		const look = () => holds() ? done(performance.now() - began) : setTimeout(look, 1);
		look();
	});
	const fresh = (id) => until(() => !document.getElementById(id).classList.contains("outdated"));
	return [await fresh("results"), await fresh("report"), await until(() => !document.body.hasAttribute("aria-busy"))];
})()`
