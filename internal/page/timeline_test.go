package page

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/report"
	"gpupipe/internal/test/browser"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// What a script says that a warp does (State in assets/timelinedata.js).
const (
	absent = iota
	executing
	waiting
	queued
	atBarrier
	ending
)

// unpacked is what the script makes of a timeline.
type unpacked struct {
	Issued, Ready, Turn, Passed, Complete []float64 // Complete: -1 = later
	Cause                                 []int
	States                                [][]int // by place and time
}

// script unpacks a timeline, and looks what each warp does at given times.
const script = `((timeline, times) => {
	const x = new Issues(timeline);
	return {
		Issued: [...x.issued], Ready: [...x.ready], Turn: [...x.turn], Passed: [...x.passed], Complete: [...x.complete].map(c => c === Infinity ? -1 : c), Cause: [...x.cause],
		States: x.warps.map(spans => times.map(t => (x.at(spans, t) || { state: 0 }).state)),
	};
})(%s, %s)`

// TestTimeline compares what the script makes of timelines with the profiles that they are of, and what warps do
// then with a plain reading of the profile.
func TestTimeline(t *testing.T) {
	_, file := pageOf(t, predict(t, graphOf(t, "fig1")), Options{})
	page := browser.Start(t).Open(t, browser.FileURL(t, file), browser.View{})
	for _, c := range []struct {
		kernel, gpu string
		mode        simulate.IssueMode
		issues      int
	}{
		{"fig1", latencies.Default, simulate.Dataflow, 5000}, {"mmul", latencies.Default, simulate.Dataflow, 3000},
		{"mmul", "rtx3090", simulate.Blocks, 3000}, {"reduction", "rtx3090", simulate.InOrder, 4000},
		{"reduction", "mi210", 0, 4000},
	} {
		t.Run(fmt.Sprintf("%s on %s, %v", c.kernel, c.gpu, c.mode), func(t *testing.T) {
			p := predictOn(t, graphOf(t, c.kernel), c.gpu)
			profile, err := simulate.NewLaunch(p.Graph, p.Mapping).Record(t.Context(),
				simulate.Config{Issue: c.mode}, c.issues)
			if err != nil {
				t.Fatal(err)
			}
			compareTimeline(t, page, p, profile)
		})
	}
}

func compareTimeline(t *testing.T, page *browser.Page, p *report.Prediction, profile *simulate.Profile) {
	t.Helper()
	timeline, err := TimelineOf(profile, p.Graph, p.Mapping.Device.TitleOf)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(timeline)
	if err != nil {
		t.Fatal(err)
	}
	const samples = 200
	times := make([]float64, samples)
	end := float64(profile.End) / float64(profile.TicksPerCycle)
	for i := range times {
		times[i] = (float64(i) + 0.37123) / samples * end
	}
	list, err := json.Marshal(times)
	if err != nil {
		t.Fatal(err)
	}
	got := browser.Eval[unpacked](page, fmt.Sprintf(script, text, list))
	compareIssues(t, profile, &got)
	for place, states := range got.States {
		for i, state := range states {
			if want := stateAt(p.Graph, profile, &got, place, times[i]); state != want {
				t.Fatalf("place %d at cycle %v: state %d, want %d", place, times[i], state, want)
			}
		}
	}
}

func compareIssues(t *testing.T, profile *simulate.Profile, got *unpacked) {
	t.Helper()
	per := float64(profile.TicksPerCycle)
	for i := range profile.Issues {
		x := &profile.Issues[i]
		complete := float64(x.Complete) / per
		if x.Complete == 0 {
			complete = -1
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"issued", got.Issued[i], float64(x.Issued) / per}, {"ready", got.Ready[i], float64(x.Ready) / per},
			{"turn", got.Turn[i], float64(x.Turn) / per},
			{"passed", got.Passed[i], float64(x.Passed) / per}, {"complete", got.Complete[i], complete},
		} {
			if math.Abs(c.got-c.want) > 1e-9*(1+c.want) {
				t.Fatalf("issue %d: %s at %v, want %v", i, c.name, c.got, c.want)
			}
		}
		at := got.Cause[i]
		if at < 0 {
			continue
		}
		if u := &profile.Issues[at]; at >= i || u.Group != x.Group || u.Warp != x.Warp ||
			min(u.Issued+u.Passed-u.Turn, u.Complete) > x.Ready {
			t.Fatalf("issue %d waited for %d: %+v, %+v", i, at, x, u)
		}
	}
}

// stateAt reads from the profile what the warp at a place does.
func stateAt(g *idg.Graph, profile *simulate.Profile, got *unpacked, place int, time float64) int {
	var life []int // the issues of the warp that started last
	start := math.Inf(-1)
	type warp struct {
		group int64
		warp  uint32
	}
	starts, all := map[warp]float64{}, map[warp][]int{}
	for i := range profile.Issues {
		if x := &profile.Issues[i]; int(x.Place) == place {
			w := warp{x.Group, x.Warp}
			if at, ok := starts[w]; !ok || got.Ready[i] < at {
				starts[w] = got.Ready[i]
			}
			all[w] = append(all[w], i)
		}
	}
	for w, at := range starts {
		if at <= time && at > start {
			start, life = at, all[w]
		}
	}
	if life == nil {
		return absent
	}
	last, next, finish, open := -1, -1, 0.0, false
	for _, i := range life {
		finish, open = max(finish, got.Complete[i]), open || got.Complete[i] < 0
		if got.Issued[i] <= time {
			last = i
		} else if next < 0 || got.Ready[i] < got.Ready[next] {
			next = i
		}
	}
	x := &profile.Issues[life[0]]
	open = open || int64(len(life)) < g.GroupKinds()[x.Kind].Graph.ProgramOf(int64(x.Warp)).Len()
	switch {
	case last >= 0 && got.Turn[last] <= time && time < got.Passed[last] && (time < finish || open):
		return executing
	case next < 0 && open:
		return waiting
	case next < 0 && time < finish:
		return ending
	case next < 0:
		return absent
	case got.Ready[next] <= time:
		return queued
	}
	if c := got.Cause[next]; c >= 0 {
		if in := g.Instr(profile.Issues[c].Instr); in.IsBarrier() {
			return atBarrier
		}
	}
	return waiting
}
