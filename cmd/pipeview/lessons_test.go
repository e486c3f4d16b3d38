package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gpupipe/idg"
	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/testdata/article"
)

// lessonPoint is a point of a lesson's curve.
type lessonPoint struct{ X, Y float64 }

// curveOf is the curve of a lesson once it is complete.
func curveOf(t *testing.T, p *browser.Page) (list []lessonPoint) {
	t.Helper()
	p.Run(chromedp.WaitReady("section[data-points]"))
	if err := json.Unmarshal([]byte(browser.Eval[string](p,
		`document.querySelector("section[data-points]").dataset.points`)), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// until waits for a condition.
func until(p *browser.Page, condition string) {
	browser.Eval[bool](p, `new Promise((done) => { const look = () => (`+condition+
		`) ? done(true) : setTimeout(look, 20); look(); })`)
}

// looked keeps a picture of the page where a folder is named for it.
func looked(p *browser.Page, name string) {
	if pictures != "" {
		p.Settle()
		p.Screenshot(filepath.Join(pictures, name+".png"))
	}
}

// articleLaunch is that of A's example.
func articleLaunch(t *testing.T) *simulate.Launch {
	t.Helper()
	g, err := idg.Decode(bytes.NewReader(article.Graph), "example.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := latencies.ParseDevice("example.yaml", article.Device)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapper.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	return simulate.NewLaunch(g, m)
}

// TestArticleLesson: what the lesson draws for each number of warps is the simulation of A's example, and a slider
// that is moved leads to another figure.
func TestArticleLesson(t *testing.T) {
	p := browser.Start(t).Open(t, started(t)+"/lessons.html", browser.View{})
	points := curveOf(t, p)
	launch := articleLaunch(t)
	if len(points) != 16 {
		t.Fatalf("%d points, want 16", len(points))
	}
	for i, point := range points {
		r, err := launch.Run(t.Context(), simulate.Config{Groups: 400, Concurrent: int64(i + 1),
			Scheduler: simulate.RoundRobin})
		if err != nil {
			t.Fatal(err)
		}
		if point.X != float64(i+1) || math.Abs(point.Y-r.WarpsPerCycle) > 1e-9 {
			t.Errorf("%v warps: the page has %v, the simulation %v warps per cycle", point.X, point.Y, r.WarpsPerCycle)
		}
	}
	// A 2.2
	if got := browser.Eval[string](p, `document.querySelector(".readings dd").textContent`); got !=
		"25 cycles for 1 warp" {
		t.Errorf("one warp takes %q", got)
	}
	looked(p, "lesson")
	p.Run(chromedp.Focus("#choice-warps"))
	p.Press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	until(p, `document.querySelector(".readings dd").textContent.includes("for 4 warps")`)
	if hash := browser.Eval[string](p, "location.hash"); hash != "#latency-hiding&warps=4&scheduler=rr" {
		t.Errorf("the address has %q", hash)
	}
	// A choice along the curve keeps it, another one does not.
	drawn := func(id string) bool {
		return browser.Eval[bool](p, "("+fmt.Sprintf(choose, "1", "input", id)+
			`, document.querySelector("section[aria-label=Curve] svg") !== null)`)
	}
	curveOf(t, p)
	if !drawn("choice-warps") {
		t.Error("another number of warps takes the curve away")
	}
	curveOf(t, p)
	if drawn("choice-scheduler") {
		t.Error("the curve of one scheduler stands where another is chosen")
	}
	curveOf(t, p)
	for _, b := range p.Breaches() {
		t.Error(b)
	}
}

// TestWatch: at every cycle of A's example with 4 warps, what enters the pipelines of the page and what is in them is
// what the profile has.
func TestWatch(t *testing.T) {
	p := browser.Start(t).Open(t, started(t)+"/lessons.html#latency-hiding&warps=4", browser.View{})
	curveOf(t, p)
	launch := articleLaunch(t)
	r, err := launch.Run(t.Context(), simulate.Config{Groups: 4, Concurrent: 4, Profile: true})
	if err != nil {
		t.Fatal(err)
	}
	unit := r.Profile.TicksPerCycle
	p.Run(chromedp.Focus(`button[aria-label="One cycle on"]`))
	for cycle := int64(0); cycle <= int64(r.Profile.End)/unit; cycle++ {
		at := simulate.Tick(cycle * unit)
		busy := map[string]string{"comp": "idle", "mem": "idle"}
		inside := []int{}
		for _, x := range r.Profile.Issues {
			c := r.Profile.Classes[x.Instr-1]
			if x.Turn <= at && at < x.Complete {
				inside = append(inside, int(x.Place))
			}
			if x.Turn <= at && at < x.Passed {
				busy[r.Profile.Subsystems[c.Subsystem]] = fmt.Sprintf("%s in line %d, warp %d", c.Op, c.Pos.Line,
					x.Place)
			}
		}
		got := browser.Eval[map[string]string](p,
			`Object.fromEntries([...document.querySelectorAll(".scene .tube")].map(
			(tube) => [tube.dataset.name, tube.querySelector(".now").textContent]))`)
		for name, want := range busy {
			if got[name] != want {
				t.Errorf("cycle %d: %s has %q, want %q", cycle, name, got[name], want)
			}
		}
		slices.Sort(inside)
		if chips := browser.Eval[[]int](p, chipsInside); !slices.Equal(chips, inside) {
			t.Errorf("cycle %d: instructions of warps %v are in the pipelines, want %v", cycle, chips, inside)
		}
		if cycle == 12 {
			looked(p, "watch")
		}
		p.Press(kb.ArrowRight)
	}
	p.Run(chromedp.Click(`button[aria-label="To the first cycle"]`), chromedp.Click(`button[aria-label="Play"]`))
	p.Run(chromedp.WaitReady(`button[aria-label="Pause"]`), chromedp.WaitReady(`button[aria-label="Play"]`))
	end := fmt.Sprintf("%.2f", float64(r.Profile.End)/float64(unit))
	if got := browser.Eval[string](p, `document.querySelector("output[for=cycle]").textContent`); got != end+
		" of "+end {
		t.Errorf("played to %q, want %s", got, end)
	}
}

// chipsInside are the warps of the instructions that are drawn in the pipelines, those on their way there left out.
const chipsInside = `(() => {
	const left = Number(document.querySelector(".scene .gate").getAttribute("x"));
	return [...document.querySelectorAll(".scene .chip:not(.result)")].filter((chip) =>
		chip.getAttribute("display") !== "none" && Number(chip.getAttribute("transform").match(/[\d.-]+/)[0]) > left)
		.map((chip) => Number(chip.textContent)).sort((a, b) => a - b);
})()`

// TestWatchOwnKernel: the compute unit of one's own kernel appears when it is opened, and steps.
func TestWatchOwnKernel(t *testing.T) {
	p := browser.Start(t).Open(t, started(t)+"/#builtin=vadd", browser.View{})
	until(p, `document.querySelector("#report canvas")`)
	p.Run(chromedp.Click("#watch summary"))
	until(p, `document.querySelector("#watch .scene .tube")`)
	p.Run(chromedp.Click(`#watch button[aria-label="One cycle on"]`))
	if at := browser.Eval[string](p, `document.querySelector("output[for=cycle]").textContent`); !strings.HasPrefix(
		at, "1 of ") {
		t.Errorf("after a step it stands at %q", at)
	}
}

// TestLessons opens each lesson and draws all of its curve.
func TestLessons(t *testing.T) {
	tools.Heavy(t)
	b, address := browser.Start(t), started(t)
	for _, c := range []struct {
		lesson string
		falls  bool // the curve's last point is below its first
	}{{"occupancy", false}, {"ilp", false}, {"issue-limit", false}, {"dual-pipeline", false}, {"barrier", false},
		{"bank-conflicts", false}, {"unrolling", true}} {
		t.Run(c.lesson, func(t *testing.T) {
			p := b.Open(t, address+"/lessons.html#"+c.lesson, browser.View{})
			points := curveOf(t, p)
			if first, last := points[0], points[len(points)-1]; c.falls != (last.Y < first.Y) {
				t.Errorf("the curve goes from %v to %v", first, last)
			}
			t.Log(points, browser.Eval[string](p, `document.querySelector(".readings").textContent`))
			looked(p, "lesson-"+c.lesson)
			if c.lesson == "occupancy" {
				narrow := b.Open(t, address+"/lessons.html#"+c.lesson,
					browser.View{Width: 400, Height: 1600, Dark: true})
				curveOf(t, narrow)
				looked(narrow, "lesson-narrow")
				for _, breach := range narrow.Breaches() {
					t.Error(breach)
				}
			}
			for _, breach := range p.Breaches() {
				t.Error(breach)
			}
		})
	}
}
