package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/test/browser"
	"gpupipe/internal/view"
)

// editedKernel has another time for each number of iterations.
const editedKernel = `#ifndef SCALE
#define SCALE 1.0f
#endif
__kernel void edited(__global float *a)
{
	float x = a[get_global_id(0)];
	for (int i = 0; i < 100; i++)
		x = x * a[i] + 1.0f;
	a[get_global_id(0)] = x * SCALE;
}
`

// observed is what the page shows as its answer to what it holds: nothing where that is dimmed.
type observed struct {
	Text, Defines, Device, Factor string
	Cycles                        string // of the table
	Title, Time                   string // of the report
}

// observe notes, each time the page changes and before each frame, what can be seen.
const observe = `(() => {
	const id = (name) => document.getElementById(name), text = (e) => e ? e.textContent : "";
	const shown = (name) => !id(name).classList.contains("outdated");
	window.seen = new Set();
	const note = () => {
		const now = { Text: id("source-text").value, Defines: id("defines").value, Device: id("device").value,
			Factor: text(document.querySelector("output[for=unroll-0]")), Cycles: "", Title: "", Time: "" };
		const cycles = document.querySelector("#results [data-cycles]");
		if (shown("results") && cycles) now.Cycles = cycles.dataset.cycles;
		if (shown("report")) {
			now.Title = text(document.querySelector("#report h1"));
			now.Time = text(document.querySelector("#report .time"));
		}
		if (now.Cycles || now.Time) window.seen.add(JSON.stringify(now));
	};
	new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
	const frame = () => { note(); requestAnimationFrame(frame); };
	frame();
	return true;
})()`

// TestEdits: 50 edits in a row, at any moment of an answer to the one before. Nothing that can be seen undimmed is of
// another source, device, macro or factor than those that the page holds.
func TestEdits(t *testing.T) {
	page := driver{browser.Start(t).Open(t, started(t, view.Source{File: "edited.cl", Text: editedKernel})+
		"/#", browser.View{}), t}
	page.answered()
	browser.Eval[bool](page.Page, observe)
	r := rand.New(rand.NewPCG(4, 3))
	const write = `((t) => { t.value = t.value.replace(%s, %q); t.dispatchEvent(new Event("input")); })(` +
		`document.getElementById("source-text"))`
	for i := range 50 {
		edit := ""
		switch r.IntN(6) {
		case 0:
			edit = fmt.Sprintf(choose, []string{"gtx1060", "a100", "mi210"}[r.IntN(3)], "change", "device")
		case 1:
			edit = fmt.Sprintf(choose, []string{"", "SCALE=2.0f"}[r.IntN(2)], "input", "defines")
		case 2: // as written, 1, 2, 4, 8
			edit = `((s) => { if (s) { s.value = ` + strconv.Itoa(r.IntN(5)) +
				`; s.dispatchEvent(new Event("input")); } })(document.getElementById("unroll-0"))`
		case 3:
			edit = fmt.Sprintf(write, "/float x( x)?/", []string{"float x", "float x x"}[r.IntN(2)]) // one is no C
		default:
			edit = fmt.Sprintf(write, `/i < \d+/`, fmt.Sprint("i < ", 1+r.IntN(400)))
		}
		browser.Eval[bool](page.Page, "("+edit+", true)")
		time.Sleep(time.Duration(r.IntN(600)) * time.Millisecond)
		if i%10 == 9 { // a report of what can be read, however busy the machine is
			browser.Eval[bool](page.Page, "("+fmt.Sprintf(write, "/float x( x)?/", "float x")+", true)")
			page.answered()
		}
	}
	list := browser.Eval[[]string](page.Page, "[...window.seen]")
	evaluator, reports := new(view.Evaluator), 0
	for _, text := range list {
		var o observed
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		if o.Time != "" {
			reports++
		}
		if wrong := o.stale(t, evaluator); wrong != "" {
			t.Errorf("%s: %+v", wrong, o)
		}
	}
	t.Logf("%d states with numbers were seen, %d with a report", len(list), reports)
	if reports < 5 {
		t.Errorf("%d reports were seen", reports)
	}
}

// stale says what of the page's answer is not of what it holds; empty: nothing.
func (o *observed) stale(t *testing.T, v *view.Evaluator) string {
	t.Helper()
	request := view.Request{File: "edited.cl", Text: o.Text, Defines: strings.Fields(o.Defines),
		Devices: []string{o.Device}}
	if factor, err := strconv.ParseInt(strings.Fields(o.Factor + " ?")[0], 10, 64); err == nil {
		request.Unroll = []view.Factor{{Loop: 0, Factor: factor}}
	}
	answer := v.Evaluate(t.Context(), &request, nil)
	if len(answer.Devices) != 1 || answer.Devices[0].Report == nil {
		return "an answer to what has none"
	}
	var want struct{ Cycles float64 }
	if err := json.Unmarshal(answer.Devices[0].Report, &want); err != nil {
		t.Fatal(err)
	}
	if cycles, err := strconv.ParseFloat(o.Cycles, 64); o.Cycles != "" && (err != nil || cycles != want.Cycles) {
		return fmt.Sprintf("the table is stale, it should have %v cycles", want.Cycles)
	}
	digits := strings.ReplaceAll(o.Time, ",", "")
	if o.Time != "" && (!strings.Contains(digits, fmt.Sprintf("%.0f cycles", want.Cycles)) ||
		!strings.Contains(o.Title, answer.Devices[0].Title)) {
		return fmt.Sprintf("the report is stale, it should have %.0f cycles of %s", want.Cycles, answer.Devices[0].Title)
	}
	return ""
}
