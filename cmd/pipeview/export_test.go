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
	"gpupipe/internal/browser"
	"gpupipe/internal/tools"
)

// exported is the address of an exported site, and its folder.
func exported(t testing.TB) (address, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	t.Chdir(t.TempDir()) // it needs no module around it
	if err := export(t.Context(), console.New("pipeview", strings.NewReader(""), io.Discard, io.Discard),
		dir); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(site.Close)
	return site.URL + "/", dir
}

// TestSite drives the exported site, which computes in the browser.
func TestSite(t *testing.T) {
	tools.Heavy(t)
	b := browser.Start(t)
	address, dir := exported(t)
	info, err := os.Stat(filepath.Join(dir, "pipeview.bin"))
	if err != nil || info.Size() > 8<<20 {
		t.Errorf("the code has %d bytes (%v), more than 8 MB", info.Size(), err)
	}
	t.Logf("%d bytes of code", info.Size())
	drive(t, b, address)
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

// BenchmarkKeystroke measures the time from a key to the new numbers on the page, without the pause in which the
// page waits for another key.
func BenchmarkKeystroke(b *testing.B) {
	for _, c := range []struct {
		name    string
		address func(testing.TB) string
	}{
		{"server", func(t testing.TB) string { return started(t) + "/" }},
		{"wasm", func(t testing.TB) string { address, _ := exported(t); return address }},
	} {
		b.Run("mmul/"+c.name, func(b *testing.B) {
			page := driver{browser.Start(b).Open(b, c.address(b), browser.View{}), b}
			page.answered()
			total, n := 0.0, 0
			for b.Loop() {
				total += browser.Eval[float64](page.Page, keystroke)
				page.answered()
				n++
			}
			b.ReportMetric(total/float64(n), "ms/numbers")
		})
	}
}

// keystroke types a blank, and waits until the table has been written again.
const keystroke = `new Promise((done) => {
	const field = document.getElementById("source-text"), table = document.getElementById("results");
	const began = performance.now();
	new MutationObserver((_, o) => { o.disconnect(); done(performance.now() - began - debounce); }).observe(table, { childList: true });
	field.value += " ";
	field.dispatchEvent(new Event("input"));
})`
