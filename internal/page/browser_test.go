package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// pictures is a folder for screenshots; empty: none are made.
var pictures = os.Getenv("PAGE_PICTURES")

// TestPage opens the page of the matrix product as people do, and compares it with the report's numbers.
func TestPage(t *testing.T) {
	tools.Path(t, "chromium", "chromium")
	p := predictOn(t, graphOf(t, "mmul"), "gtx1060")
	d, file := pageOf(t, p, Options{Findings: 5})
	if info, err := os.Stat(file); err != nil || info.Size() > 1_500_000 {
		t.Errorf("the page has %d bytes (%v), more than 1.5 MB", info.Size(), err)
	}
	b := browser.Start(t)
	for _, v := range []browser.View{{}, {Dark: true}, {Width: 400, Height: 800},
		{Width: 400, Height: 800, Dark: true}} {
		t.Run(fmt.Sprintf("%d, dark %t", v.Width, v.Dark), func(t *testing.T) {
			page := b.Open(t, browser.FileURL(t, file), v)
			page.Settle()
			if pictures != "" {
				page.Screenshot(fmt.Sprintf("%s/%d-%t.png", pictures, v.Width, v.Dark))
			}
			for _, breach := range page.Breaches() {
				t.Error(breach)
			}
			if v.Width == 0 && !v.Dark {
				checkNumbers(t, page, d)
				drive(t, page)
			}
		})
	}
}

// TestHeadline: the time is what is large, also where it depends on what is assumed.
func TestHeadline(t *testing.T) {
	tools.Path(t, "chromium", "chromium")
	s, err := generate.NewSource("k.cu", []byte("__global__ void k(const int *at, float *a, float *b) {"+
		"b[threadIdx.x] = a[at[threadIdx.x]]; }"), ast.CUDA, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := predict(t, resolve(t, s))
	d, file := pageOf(t, p, Options{})
	if d.Facts[0].Name != "depends" {
		t.Fatalf("the first line is %+v", d.Facts[0])
	}
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{})
	if got := browser.Eval[string](page, `document.querySelector(".time strong").textContent`); got !=
		sheet.Duration(p.Result.Seconds) {
		t.Errorf("the headline is %q", got)
	}
	if got := browser.Eval[string](page, `document.querySelector(".facts dt").textContent`); got != "depends" {
		t.Errorf("the first fact is %q", got)
	}
}

// TestPrint prints the page that is open in dark colours.
func TestPrint(t *testing.T) {
	tools.Path(t, "chromium", "chromium")
	_, file := pageOf(t, predict(t, graphOf(t, "mmul")), Options{Findings: 5})
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{Dark: true})
	page.Settle()
	pdf := page.PDF()
	if pages := len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf, -1)); pages < 2 || pages > 6 {
		t.Errorf("the page is printed on %d sheets", pages)
	}
	if pictures != "" {
		if err := os.WriteFile(pictures+"/print.pdf", pdf, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page.Print(718)
	for _, wrong := range page.Misprints() {
		t.Error(wrong)
	}
}

// checkNumbers compares what the page shows with the document of "pipesim --format json".
func checkNumbers(t *testing.T, page *browser.Page, d *Data) {
	t.Helper()
	doc := d.Report
	text := browser.Eval[string](page, "document.body.innerText")
	for _, want := range []string{
		sheet.Duration(doc.Seconds), sheet.Grouped(int64(latencies.Cycles(doc.Cycles).Float()+0.5)) + " cycles",
		d.Facts[1].Text, d.Findings[0].What, d.Findings[0].Proof,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, s := range doc.Subsystems {
		if s.Utilization == 0 {
			continue
		}
		row := browser.Eval[string](page,
			fmt.Sprintf(
				`[...document.querySelectorAll(".subsystems tbody tr")].map(r => r.innerText).find(t => t.startsWith(%q)) || ""`, s.Title))
		if !strings.Contains(row, sheet.Percent(s.Utilization)) || !strings.Contains(row, sheet.Grouped(s.Issued)) {
			t.Errorf("%s is busy for %s with %d instructions; the page says %q", s.Title, sheet.Percent(s.Utilization),
				s.Issued, row)
		}
	}
}

// drive does what a reader does.
func drive(t *testing.T, page *browser.Page) {
	t.Helper()
	looked := func() string {
		return browser.Eval[string](page,
			`[...document.querySelectorAll("tr.looked[data-line]")].map(r => r.dataset.line).join()`)
	}
	browser.Eval[bool](page, `document.querySelector(".finding").focus() ?? true`)
	if got := looked(); got != "36" {
		t.Errorf("a finding on line 36 that has the focus highlights the lines %q", got)
	}
	browser.Eval[bool](page, `document.querySelector("button.line[aria-controls='instructions-36']").click() ?? true`)
	if rows := browser.Eval[int](page, `document.querySelectorAll("#instructions-36 tbody tr").length`); rows == 0 {
		t.Error("the button of line 36 shows no instructions")
	}
	range0 := browser.Eval[string](page, `document.querySelector(".range").textContent`)
	browser.Eval[bool](page, `document.querySelector(".timeline").focus() ?? true`)
	page.Press(kb.ArrowDown, kb.ArrowRight, "+", "+", kb.ArrowRight)
	if now := browser.Eval[string](page, `document.querySelector(".range").textContent`); now == range0 {
		t.Errorf("+ does not zoom: %s", now)
	}
	if said := browser.Eval[string](page, `document.querySelector(".said").textContent`); !strings.Contains(
		said, "cycle") {
		t.Errorf("the timeline says %q at its cursor", said)
	}
	page.Press(kb.Escape, "0")
	if now := browser.Eval[string](page, `document.querySelector(".range").textContent`); now != range0 {
		t.Errorf("0 shows %q, not %q", now, range0)
	}
	driveMouse(t, page)
	ground := func() string { return browser.Eval[string](page, `getComputedStyle(document.body).backgroundColor`) }
	before := ground()
	browser.Eval[bool](page, `document.querySelector("button.theme").click() ?? true`)
	if after := ground(); after == before {
		t.Errorf("the ground stays %s in the other theme", after)
	}
	browser.Eval[bool](page,
		`(document.activeElement.blur(), scrollTo(0, 0), document.querySelector("nav a").focus(), true)`)
	if order := page.Focused(25); len(order) < 20 {
		t.Errorf("Tab reaches %d elements: %q", len(order), order)
	}
}

// driveMouse points at the timeline, zooms with the wheel and drags.
func driveMouse(t *testing.T, page *browser.Page) {
	t.Helper()
	shown := func() string { return browser.Eval[string](page, `document.querySelector(".range").textContent`) }
	box := browser.Eval[struct{ X, Y, Width, Height float64 }](page, `(() => {
		const frame = document.querySelector(".timeline");
		frame.scrollIntoView({ block: "center", behavior: "instant" });
		const b = frame.getBoundingClientRect();
		return { X: b.x, Y: b.y, Width: b.width, Height: b.height };
	})()`)
	x, y, said := box.X+box.Width*0.6, 0.0, ""
	for part := 0.9; part > 0 && !strings.Contains(said, "warp"); part -= 0.05 { // not between warps
		y = box.Y + box.Height*part
		page.Run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
		page.Settle()
		said = browser.Eval[string](page, `document.querySelector(".said").textContent`)
	}
	if !strings.Contains(said, "warp") {
		t.Errorf("the timeline says %q where the pointer is on a warp", said)
	}
	all := shown()
	browser.Eval[bool](page,
		fmt.Sprintf(
			`document.querySelector(".timeline").dispatchEvent(new WheelEvent("wheel", { deltaY: -400, ctrlKey: true, cancelable: true, clientX: %g, clientY: %g }))`, x, y))
	near := shown()
	if near == all {
		t.Errorf("Ctrl and the wheel do not zoom: %s", near)
	}
	page.Run(chromedp.DragAndDropXY(x, y, x-100, y))
	page.Settle()
	if now := shown(); now == near {
		t.Errorf("dragging does not move what is shown: %s", now)
	}
	page.Run(chromedp.Click(".toolbar button[aria-label='Show all cycles']"))
	page.Settle()
	if now := shown(); now != all {
		t.Errorf("the button shows %s, not %s", now, all)
	}
}

// TestHostilePage opens a page of which texts try to be more than that.
func TestHostilePage(t *testing.T) {
	g := graphOf(t, "fig1")
	lines := strings.Split(g.Source.Text, "\n")
	lines[0] = `</script><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">` +
		"\x1b[2J\u202eabc"
	g.Source.Text = strings.Join(lines, "\n")
	d, file := pageOf(t, predict(t, g), Options{})
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{})
	if title := browser.Eval[string](page, "document.title"); title != d.Title {
		t.Errorf("the title is %q", title)
	}
	browser.Eval[bool](page, `(document.querySelectorAll(".gap button").forEach(b => b.click()), true)`)
	if text := browser.Eval[string](page, `document.querySelector("#source").innerText`); !strings.Contains(text,
		"\u241b[2J<202e>abc") || !strings.Contains(text, "</script><script>") {
		t.Errorf("the source does not show its first line as it is: %.300q", text)
	}
}

// TestSeveralRuns chooses the second run of a page.
func TestSeveralRuns(t *testing.T) {
	first, _ := pageOf(t, predict(t, graphOf(t, "fig1")), Options{})
	second, _ := pageOf(t, predict(t, graphOf(t, "vadd")), Options{})
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteHTML(f, first, second), f.Close()); err != nil {
		t.Fatal(err)
	}
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{})
	heading := func() string { return browser.Eval[string](page, `document.querySelector("h1").textContent`) }
	if got := heading(); got != first.Title {
		t.Errorf("the page begins with %q", got)
	}
	page.Run(chromedp.Focus("nav select"))
	page.Press(kb.ArrowDown)
	if got := heading(); got != second.Title {
		t.Errorf("the second run shows %q", got)
	}
	for _, breach := range page.Breaches() {
		t.Error(breach)
	}
}

// TestLargePage opens the page of a graph of 100,000 instructions per warp.
func TestLargePage(t *testing.T) {
	tools.Heavy(t)
	s, err := generate.NewSource("large.cl", []byte(largeKernel), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := resolve(t, s)
	if n := g.ProgramOf(0).Len(); n < 100_000 {
		t.Fatalf("a warp executes %d instructions", n)
	}
	_, file := pageOf(t, predict(t, g), Options{})
	if info, err := os.Stat(file); err != nil || info.Size() > 5_000_000 {
		t.Errorf("the page has %d bytes (%v), more than 5 MB", info.Size(), err)
	}
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{})
	page.Settle()
	t.Logf("first paint after %.0f ms", browser.Eval[float64](page,
		`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`))
}

const largeKernel = `// idgen: local=256 groups=10
__kernel void large(__global float *a, __global const float *b)
{
    int i = get_global_id(0);
    float s = a[i], t = b[i];
#pragma unroll 1
    for (int j = 0; j < 900; ++j) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            s = s * t + (float)k;
            t = t * 0.5f + s;
            s += b[(i + j * 64 + k) & 65535];
        }
    }
    a[i] = s;
}
`
