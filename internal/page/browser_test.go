package page

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gpupipe/internal/browser"
	"gpupipe/internal/sheet"
	"gpupipe/internal/tools"
	"gpupipe/latencies"
)

// pictures is a folder for screenshots; empty: none are made.
var pictures = os.Getenv("PAGE_PICTURES")

// TestPage opens the page of the matrix product as people do, and compares it with the report's numbers.
func TestPage(t *testing.T) {
	tools.Path(t, "chromium", "chromium")
	p := predict(t, graphOf(t, "mmul"))
	d, file := pageOf(t, p, Options{Findings: 5})
	if info, err := os.Stat(file); err != nil || info.Size() > 1_500_000 {
		t.Errorf("the page has %d bytes (%v), more than 1.5 MB", info.Size(), err)
	}
	b := browser.Start(t)
	for _, v := range []browser.View{{}, {Dark: true}, {Width: 400, Height: 800}, {Width: 400, Height: 800, Dark: true}} {
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

// checkNumbers compares what the page shows with the document of "pipesim --format json".
func checkNumbers(t *testing.T, page *browser.Page, d *Data) {
	t.Helper()
	doc := d.Report
	text := browser.Eval[string](page, "document.body.innerText")
	for _, want := range []string{
		sheet.Duration(doc.Seconds), sheet.Grouped(int64(latencies.Cycles(doc.Cycles).Float()+0.5)) + " cycles", d.Facts[1].Text, d.Findings[0].What, d.Findings[0].Proof,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, s := range doc.Subsystems {
		if s.Utilization == 0 {
			continue
		}
		row := browser.Eval[string](page, fmt.Sprintf(`[...document.querySelectorAll(".subsystems tbody tr")].map(r => r.innerText).find(t => t.startsWith(%q)) || ""`, s.Title))
		if !strings.Contains(row, sheet.Percent(s.Utilization)) || !strings.Contains(row, sheet.Grouped(s.Issued)) {
			t.Errorf("%s is busy for %s with %d instructions; the page says %q", s.Title, sheet.Percent(s.Utilization), s.Issued, row)
		}
	}
}

// drive does what a reader does.
func drive(t *testing.T, page *browser.Page) {
	t.Helper()
	looked := func() string {
		return browser.Eval[string](page, `[...document.querySelectorAll("tr.looked[data-line]")].map(r => r.dataset.line).join()`)
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
	if said := browser.Eval[string](page, `document.querySelector(".said").textContent`); !strings.Contains(said, "cycle") {
		t.Errorf("the timeline says %q at its cursor", said)
	}
	page.Press(kb.Escape, "0")
	if now := browser.Eval[string](page, `document.querySelector(".range").textContent`); now != range0 {
		t.Errorf("0 shows %q, not %q", now, range0)
	}
	ground := func() string { return browser.Eval[string](page, `getComputedStyle(document.body).backgroundColor`) }
	before := ground()
	browser.Eval[bool](page, `document.querySelector("button.theme").click() ?? true`)
	if after := ground(); after == before {
		t.Errorf("the ground stays %s in the other theme", after)
	}
	browser.Eval[bool](page, `(document.activeElement.blur(), scrollTo(0, 0), document.querySelector("nav a").focus(), true)`)
	if order := page.Focused(25); len(order) < 20 {
		t.Errorf("Tab reaches %d elements: %q", len(order), order)
	}
}
