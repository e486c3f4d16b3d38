package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gpupipe/internal/test/tools"
	"gpupipe/internal/view"
)

// started is a server that runs until the test ends, with its address.
func started(t testing.TB, sources ...view.Source) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(l.Addr().(*net.TCPAddr).Port, append([]view.Source{}, sources...))
	if err != nil {
		t.Fatal(err)
	}
	s.longest, s.queue.longest = 10*s.longest, 10*s.queue.longest // no test is about them, and machines are busy
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return "http://" + s.hosts[0]
}

// call makes a request and returns its status and answer.
func call(t testing.TB, method, address, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

var asJSON = []string{"Content-Type", "application/json"}

// TestGuard: other names, other pages, other paths and other methods are refused, each with a clear answer.
func TestGuard(t *testing.T) {
	base := started(t)
	port := base[strings.LastIndex(base, ":"):]
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		want                     string
	}{
		{"page", "GET", "/", "", nil, 200, "<title>pipeview</title>"},
		{"by name", "GET", "/", "", []string{"Host", "localhost" + port}, 200, "pipeview"},
		{"wrong host", "GET", "/", "", []string{"Host", "example.com" + port}, 421,
			"this page has the address " + base},
		{"wrong port", "GET", "/", "", []string{"Host", "127.0.0.1:1"}, 421, "only"},
		{"no port", "GET", "/", "", []string{"Host", "127.0.0.1"}, 421, "only"},
		{"wrong origin", "POST", "/evaluate", "{}", append([]string{"Origin", "http://example.com"}, asJSON...), 403,
			"other pages"},
		{"origin of a file", "POST", "/evaluate", "{}", append([]string{"Origin", "null"}, asJSON...), 403,
			"other pages"},
		{"own origin", "POST", "/evaluate", "{}", append([]string{"Origin", base}, asJSON...), 200, `"diagnostics"`},
		{"embedded by another site", "GET", "/app.js", "", []string{"Sec-Fetch-Site", "cross-site"}, 403,
			"other pages"},
		{"traversal", "GET", "/../../etc/passwd", "", nil, 404, "no such page"},
		{"traversal, escaped", "GET", "/%2e%2e/%2e%2e/etc/passwd", "", nil, 404, "no such page"},
		{"traversal, from a file", "GET", "/app.js/../server.go", "", nil, 404, "no such page"},
		{"type declarations", "GET", "/types.d.ts", "", nil, 404, "no such page"},
		{"other method", "DELETE", "/app.js", "", nil, 405, "DELETE"},
		{"evaluation by GET", "GET", "/evaluate", "", nil, 405, "GET"},
		{"a form", "POST", "/evaluate", "a=b", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415,
			"application/json"},
		{"no JSON", "POST", "/evaluate", "{", asJSON, 400, "cannot be read"},
		{"10 MB", "POST", "/evaluate", `{"text":"` + strings.Repeat("a", 10<<20) + `"}`, asJSON, 413,
			"more than 1024 kB"},
		{"long name", "POST", "/evaluate", "{}", append([]string{"Pipeview-Page", strings.Repeat("a", 65)},
			asJSON...), 415, ""},
		{"unknown built-in", "POST", "/evaluate", `{"builtin":"none"}`, asJSON, 200, "BUILTIN"},
		{"10^9 trips", "POST", "/evaluate",
			`{"text":"__kernel void k(__global int *a) {\nunsigned x = 1;\nfor (int i = 0; i < 1000000000; i++) ` +
				`{ x = x * 1103515245 + 12345; a[x & 1023] = 1; } }"}`, asJSON, 200, "TOO-LARGE"},
	} {
		status, text, header := call(t, c.method, base+c.path, c.body, c.header...)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %.200s, want %d %s", c.name, status, text, c.status, c.want)
		}
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy",
			"Cross-Origin-Resource-Policy"} {
			if header.Get(name) == "" {
				t.Errorf("%s: no %s", c.name, name)
			}
		}
		if header.Get("Cache-Control") != "no-store" || header.Get("Content-Type") == "" {
			t.Errorf("%s: %v", c.name, header)
		}
	}
}

// TestHalfRequests: requests that never end, as many as would fill what reads them, do not keep others from an answer.
func TestHalfRequests(t *testing.T) {
	tools.Heavy(t) // waits until the server gives up on them
	base := started(t)
	host := strings.TrimPrefix(base, "http://")
	var open []net.Conn
	for _, part := range []string{"POST /evalu",
		"POST /evaluate HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n" +
			"\r\n{\"builtin\":"} {
		for range maxReading - 1 {
			c, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, part); err != nil {
				t.Fatal(err)
			}
			open = append(open, c)
		}
	}
	if status, text, _ := call(t, "POST", base+"/evaluate", `{"builtin":"vadd"}`, asJSON...); status != 200 ||
		!strings.Contains(text, `"cycles"`) {
		t.Errorf("%d %.200s", status, text)
	}
	last := open[len(open)-1]
	if err := last.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(last), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusBadRequest {
		t.Errorf("half a request: %s", answer.Status)
	}
}

// TestManyRequests: of hundreds of requests at once each has an answer, and memory stays bounded.
func TestManyRequests(t *testing.T) {
	base := started(t)
	text := fmt.Sprintf("__kernel void k(__global float *a) {\n#pragma unroll\n"+
		"for (int i = 0; i < %d; i++) a[i * i] += a[i]; }%s",
		tools.Cases(4_000, 200), strings.Repeat(" ", 100_000))
	body, err := json.Marshal(view.Request{File: "k.cl", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	statuses := map[int]int{}
	var group sync.WaitGroup
	for range tools.Cases(400, 100) {
		group.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/evaluate", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[answer.StatusCode]++
		})
	}
	group.Wait()
	if statuses[200] == 0 || statuses[200]+statuses[503] != tools.Cases(400, 100) {
		t.Errorf("%v", statuses)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.Sys > 1<<30 {
		t.Errorf("%d MB of memory", m.Sys>>20)
	}
	t.Logf("%v, %d MB", statuses, m.Sys>>20)
}

// TestSuperseded: a newer request of a page ends its older one, which may still be waiting.
func TestSuperseded(t *testing.T) {
	q := newQueue(time.Minute)
	begun, end := make(chan bool), make(chan bool)
	var group sync.WaitGroup
	for i := range slots {
		group.Go(func() {
			_ = q.do(t.Context(), fmt.Sprint("other ", i), func(context.Context, func([]byte)) {
				begun <- true
				<-end
			}, func([]byte) {})
		})
		<-begun
	}
	older := make(chan error)
	go func() {
		older <- q.do(t.Context(), "page", func(context.Context, func([]byte)) { t.Error("it began") }, nil)
	}()
	for waits := false; !waits; {
		q.mu.Lock()
		waits = q.newest["page"] != nil
		q.mu.Unlock()
	}
	newer := make(chan error)
	go func() {
		newer <- q.do(t.Context(), "page", func(_ context.Context, give func([]byte)) { give(nil) }, func([]byte) {})
	}()
	if err := <-older; !errors.Is(err, errSuperseded) {
		t.Errorf("older: %v", err)
	}
	close(end)
	if err := <-newer; err != nil {
		t.Errorf("newer: %v", err)
	}
	group.Wait()
	if q.inside != 0 || len(q.newest) != 0 {
		t.Errorf("%d inside, %d pages", q.inside, len(q.newest))
	}
}

// BenchmarkServer measures a request with its numbers, and with the page.
func BenchmarkServer(b *testing.B) {
	base := started(b)
	for _, page := range []string{"false", "true"} {
		b.Run("mmul/page="+page, func(b *testing.B) {
			for b.Loop() {
				if status, text, _ := call(b, "POST", base+"/evaluate", `{"builtin":"mmul","page":`+page+`}`,
					asJSON...); status != 200 {
					b.Fatal(text)
				}
			}
		})
	}
}
