package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"gpupipe/internal/page"
	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
	"gpupipe/internal/view"
	"gpupipe/kernels"
	"gpupipe/latencies"
)

// pictures is a folder for screenshots; empty: none are made.
var pictures = os.Getenv("PAGE_PICTURES")

// piped is what "idgen FLAGS | pipesim --format json" writes.
func piped(t testing.TB, flags ...string) []byte {
	t.Helper()
	graph, err := exec.Command("idgen", flags...).Output()
	if err != nil {
		t.Fatalf("idgen %q: %v", flags, err)
	}
	pipesim := exec.Command("pipesim", "--format", "json")
	pipesim.Stdin = bytes.NewReader(graph)
	out, err := pipesim.Output()
	if err != nil {
		t.Fatalf("idgen %q | pipesim: %v", flags, err)
	}
	return out
}

// TestNumbers: the server answers with the very document that the commands write.
func TestNumbers(t *testing.T) {
	base := started(t)
	for _, c := range []struct {
		request string
		flags   []string
	}{
		{`{"builtin":"mmul","devices":["a100"]}`, []string{"--builtin", "mmul", "--gpu", "a100"}},
		{`{"builtin":"mmul","defines":["BLOCK_SIZE=8"],"unroll":[{"loop":1,"factor":2}]}`,
			[]string{"--builtin", "mmul", "-D", "BLOCK_SIZE=8", "--unroll", "35=2"}},
		{`{"builtin":"reduction-cuda","devices":["mi210"],"local":"128","global":"65536","compiler":"clang"}`,
			[]string{"--builtin", "reduction-cuda", "--gpu", "mi210", "--local", "128", "--global", "65536",
				"--compiler", "clang"}},
	} {
		_, text, _ := call(t, "POST", base+"/evaluate", c.request, asJSON...)
		var answer view.Response
		if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Devices) != 1 {
			t.Fatalf("%.300s: %v", text, err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, piped(t, c.flags...)); err != nil {
			t.Fatal(err)
		}
		if got := string(answer.Devices[0].Report); got != want.String() {
			t.Errorf("%s: %.300s, want %.300s", c.request, got, want.String())
		}
	}
}

// driver is a page that is used as a person would.
type driver struct {
	*browser.Page
	t testing.TB
}

// do runs a script and waits for the answer that follows.
func (d driver) do(script string) {
	d.t.Helper()
	browser.Eval[bool](d.Page, "("+script+", true)")
	d.answered()
}

// answered waits until the page shows the answer to what it holds.
func (d driver) answered() {
	d.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if browser.Eval[bool](d.Page,
			`document.readyState === "complete" && !document.body.hasAttribute("aria-busy") && document.querySelector("#report .time, .messages .error") !== null`) {
			return
		}
	}
	d.t.Fatalf("no answer: %s", browser.Eval[string](d.Page, `document.getElementById("status").textContent`))
}

// shows compares the numbers of a device on the page, and the report's, with those of the commands.
func (d driver) shows(row int, flags ...string) {
	d.t.Helper()
	var want struct{ Cycles, Seconds float64 }
	if err := json.Unmarshal(piped(d.t, flags...), &want); err != nil {
		d.t.Fatal(err)
	}
	got := browser.Eval[[]float64](d.Page,
		fmt.Sprintf(
			`(r => [Number(r.querySelector("[data-cycles]").dataset.cycles), Number(r.querySelector("[data-seconds]").dataset.seconds)])(document.querySelectorAll("#results tbody tr")[%d])`, row))
	if got[0] != want.Cycles || got[1] != want.Seconds {
		d.t.Errorf("%q: the page has %v, the commands %v", flags, got, want)
	}
	if row == 0 {
		text := browser.Eval[string](d.Page, `document.querySelector("#report .time").textContent`)
		if number := browser.Eval[string](d.Page, fmt.Sprintf(`grouped(%v)`, want.Cycles)); !strings.Contains(text,
			number+" cycles") {
			d.t.Errorf("%q: the report has %q, the commands %s cycles", flags, text, number)
		}
	}
}

const choose = `(e => { e.value = %q; e.dispatchEvent(new Event(%q, { bubbles: true })); })(document.getElementById(%q))`

// drive uses a page at an address: chooses, moves, edits, and opens what it links to.
func drive(t *testing.T, b *browser.Browser, base string) {
	view := browser.View{Width: 1280, Height: 1000, Site: true}
	d := driver{b.Open(t, base+"#builtin=mmul&defines=WIDTH%3D256", view), t}
	d.answered()
	d.shows(0, "--builtin", "mmul", "-D", "WIDTH=256", "--gpu", latencies.Default)
	d.do(fmt.Sprintf(choose, "h100", "change", "device"))
	d.shows(0, "--builtin", "mmul", "-D", "WIDTH=256", "--gpu", "h100")
	d.do(fmt.Sprintf(choose, "rx7900xtx", "change", "device2"))
	d.shows(1, "--builtin", "mmul", "-D", "WIDTH=256", "--gpu", "rx7900xtx")
	d.do(fmt.Sprintf(choose, "3", "input", "unroll-1")) // as written, 1, 2, 4
	d.shows(0, "--builtin", "mmul", "-D", "WIDTH=256", "--gpu", "h100", "--unroll", "35=4")
	report := func() string { return browser.Eval[string](d.Page, `document.querySelector("#report h1").textContent`) }
	for i, device := range []string{"H100", "RX 7900 XTX", "H100"} {
		d.do(fmt.Sprintf(`document.querySelectorAll("#results input")[%d].click()`, i%2))
		if title := report(); !strings.Contains(title, device) {
			t.Errorf("the report of device %d is on %q", i%2, title)
		}
	}

	d.do(fmt.Sprintf(choose, "", "change", "device2"))

	// An edit by keys: the block of the macro's default.
	browser.Eval[bool](d.Page,
		`(t => { t.focus(); const at = t.value.indexOf("BLOCK_SIZE 16") + 13; t.setSelectionRange(at, at); return true; })(document.getElementById("source-text"))`)
	d.Press(kb.Backspace, kb.Backspace, "8")
	d.answered()
	text := browser.Eval[string](d.Page, `document.getElementById("source-text").value`)
	file := filepath.Join(t.TempDir(), "mmul.cl")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	d.shows(0, file, "-k", "mmul", "-D", "WIDTH=256", "--gpu", "h100", "--unroll", "35=4")

	// Its link, in another window.
	link := browser.Eval[string](d.Page, `location.href`)
	other := driver{b.Open(t, link, view), t}
	other.answered()
	other.shows(0, file, "-k", "mmul", "-D", "WIDTH=256", "--gpu", "h100", "--unroll", "35=4")
	if same := browser.Eval[string](other.Page, `document.getElementById("source-text").value`); same != text {
		t.Errorf("the link has another text: %.200s", same)
	}

	// An error, and back.
	d.Press("(")
	d.answered()
	if said := browser.Eval[string](d.Page, `document.querySelector(".messages").innerText`); !strings.Contains(
		said, "error") {
		t.Errorf("an error is reported as %q", said)
	}
	if !browser.Eval[bool](d.Page, `document.querySelectorAll("#results.outdated, #report.outdated").length === 2`) {
		t.Error("what does not compile does not dim the prediction before")
	}
	d.Press(kb.Backspace)
	d.answered()
	d.shows(0, file, "-k", "mmul", "-D", "WIDTH=256", "--gpu", "h100", "--unroll", "35=4")
}

// TestMore: the kernels that people write are offered at first, the others when they are asked for.
func TestMore(t *testing.T) {
	page := driver{browser.Start(t).Open(t, started(t)+"/#builtin=vadd", browser.View{}), t}
	page.answered()
	offered := func() []string {
		return browser.Eval[[]string](page.Page,
			`[...document.querySelectorAll("#source-choice option")].map((o) => o.textContent)`)
	}
	first := offered()
	if first[0] != "mmul" || !strings.HasPrefix(first[len(first)-1], "more") || len(first) > 20 {
		t.Errorf("offered at first: %q", first)
	}
	browser.Eval[bool](page.Page, "("+fmt.Sprintf(choose, "more", "change", "source-choice")+", true)")
	if all := offered(); len(all) != len(kernels.List()) || all[0] != "mmul" {
		t.Errorf("offered: %q", all)
	}
	if kept := browser.Eval[string](page.Page, `document.getElementById("source-choice").value`); kept != "builtin:vadd" {
		t.Errorf("more has chosen %q", kept)
	}
}

// TestPage drives the page of the server.
func TestPage(t *testing.T) {
	tools.Heavy(t)
	b := browser.Start(t)
	drive(t, b, started(t)+"/")
}

// TestLooks: the page can be read and reached by anyone, in light and dark, wide and narrow windows.
func TestLooks(t *testing.T) {
	b := browser.Start(t)
	base := started(t)
	for _, v := range []browser.View{{Width: 1280, Height: 1000}, {Width: 1280, Height: 1000, Dark: true},
		{Width: 400, Height: 800}, {Width: 400, Height: 800, Dark: true}} {
		t.Run(fmt.Sprintf("%d, dark %t", v.Width, v.Dark), func(t *testing.T) {
			page := driver{b.Open(t, base+"/#builtin=transpose-tiled&devices=gtx1060,a100", v), t}
			page.answered()
			page.Settle()
			if pictures != "" {
				page.Screenshot(fmt.Sprintf("%s/pipeview-%d-%t.png", pictures, v.Width, v.Dark))
			}
			for _, breach := range page.Breaches() {
				t.Error(breach)
			}
			if v.Width > 400 && !v.Dark {
				if order := page.Focused(25); len(order) < 20 {
					t.Errorf("Tab reaches %d elements: %q", len(order), order)
				}
			}
		})
	}
}

// TestTypes checks the types of the scripts.
func TestTypes(t *testing.T) {
	tools.Heavy(t)
	shared := []string{browser.DeclareTypes(t, "Page", reflect.TypeFor[page.Data]()), "assets/types.d.ts"}
	scripts := slices.Clone(shared)
	for _, pattern := range []string{"../../internal/page/assets/*.js", "assets/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			switch filepath.Base(f) {
			case "start.js", "engine_worker.js", "engine_thread.js":
			default:
				scripts = append(scripts, f)
			}
		}
	}
	browser.CheckTypes(t, "dom,dom.iterable", scripts...)
	browser.CheckTypes(t, "dom,dom.iterable", append(shared, "assets/engine_worker.js")...)
	browser.CheckTypes(t, "webworker", "assets/engine_thread.js")
}
