package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"gpupipe/internal/test/tools"
)

// limit is how long a test of a page may take, on a loaded machine.
const limit = 3 * time.Minute

// Browser is a running Chromium, which ends with the test.
type Browser struct {
	ctx context.Context
}

// Start starts Chromium, or ends the test if there is none. A test that needs it is a heavy one.
func Start(t testing.TB) *Browser {
	t.Helper()
	if t, ok := t.(*testing.T); ok {
		tools.Heavy(t)
	}
	path := tools.Path(t, "chromium", "chromium")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(limit), chromedp.UserDataDir(t.TempDir()))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, stopProcess := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stopProcess)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	t.Cleanup(stopBrowser)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("chromium does not start: %v", err)
	}
	return &Browser{ctx}
}

// View is a window and what its user prefers.
type View struct {
	Width, Height int64 // 0 = 1280 x 900
	Dark          bool
	Site          bool // a page of a file (file://) may load files of its folder
}

// Page is an open page.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	messages []string
	requests []string
}

// Open opens an address in a new tab. When the test ends, it fails if the page has logged anything, or has asked
// for what is neither of its own origin nor data in it.
func (b *Browser) Open(t testing.TB, address string, v View) *Page {
	t.Helper()
	if v.Width == 0 {
		v.Width, v.Height = 1280, 900
	}
	ctx, stop := chromedp.NewContext(b.ctx)
	p := &Page{t: t, ctx: ctx}
	t.Cleanup(func() {
		defer stop()
		for _, m := range p.Messages() {
			t.Errorf("%s logs: %s", address, m)
		}
		base, _, _ := strings.Cut(address, "#")
		if v.Site || !strings.HasPrefix(base, "file:") {
			base = base[:strings.LastIndex(base, "/")+1]
		}
		for _, r := range p.RequestsElsewhere(base) {
			t.Errorf("%s asks for %s", address, r)
		}
	})
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	limited, end := context.WithTimeout(ctx, limit)
	t.Cleanup(end)
	p.ctx = limited
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, runtime.Enable, cdp.Empty{})
	p.Run(chromedp.EmulateViewport(v.Width, v.Height))
	p.Prefer(v.Dark)
	p.Run(chromedp.Navigate(address))
	return p
}

// FileURL is the address of a file.
func FileURL(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(path)
}

func (p *Page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var parts []string
		for _, a := range e.Args {
			parts = append(parts, string(a.Value)+a.Description)
		}
		p.messages = append(p.messages, fmt.Sprintf("%s: %s", e.Type, strings.Join(parts, " ")))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		p.messages = append(p.messages, text)
	case *log.EventEntryAdded:
		p.messages = append(p.messages, fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// Messages are what the page has logged, errors and warnings of the browser included.
func (p *Page) Messages() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.messages)
}

// RequestsElsewhere are what the page has asked for whose address begins otherwise.
func (p *Page) RequestsElsewhere(base string) (list []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if !strings.HasPrefix(r, base) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
			list = append(list, r)
		}
	}
	return list
}

// Run does something in the page, or ends the test.
func (p *Page) Run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.check(chromedp.Do(p.ctx, actions...))
}

// check ends the test after an error.
func (p *Page) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("in the page: %v; it has logged %q", err, p.Messages())
	}
}

// call is a command of the protocol.
func call[P, R any](p *Page, command cdp.Command[P, R], parameters P) R {
	p.t.Helper()
	r, err := chromedp.Call(p.ctx, command, parameters)
	p.check(err)
	return r
}

// Eval is the value of an expression in the page, of which a promise is awaited.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.check(err)
	return value
}

// Settle waits until the page has painted twice.
func (p *Page) Settle() {
	p.t.Helper()
	Eval[bool](p, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// Press presses keys, one after the other; kb names those that are not characters.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.Run(chromedp.KeyEvent(k))
	}
	p.Settle()
}

// Prefer sets the colours that the user prefers.
func (p *Page) Prefer(dark bool) {
	p.t.Helper()
	p.emulate("", dark)
}

// Print shows the page as it is printed, on paper of a width (A4 between its margins: 718 pixels).
func (p *Page) Print(width int64) {
	p.t.Helper()
	p.Run(chromedp.EmulateViewport(width, 1016))
	p.emulate("print", false)
	Eval[bool](p, `dispatchEvent(new Event("beforeprint"))`)
	p.Settle()
}

func (p *Page) emulate(media string, dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// Window is a picture of what the window shows (PNG).
func (p *Page) Window() []byte {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.check(err)
	return png
}

// Screenshot writes a picture of the whole page (PNG).
func (p *Page) Screenshot(name string) {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	p.check(err)
	if err := os.WriteFile(name, png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// PDF is the page as it is printed on A4 paper.
func (p *Page) PDF() []byte {
	p.t.Helper()
	return call(p, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
}
