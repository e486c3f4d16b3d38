package difference

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gpupipe/internal/report"
)

// TestCompare: a line is known by its text and its number among equal ones, and the changes of causes
// and lines add up to that of the time.
func TestCompare(t *testing.T) {
	read := func(causes, lines string) []*Outcome {
		var d report.Document
		err := json.Unmarshal([]byte(
			`{"format": "pipesim", "version": 1, "kernel": "k", "source": {"file": "k.cl"},
			"device": {"clock_hz": 1000000000}, "seconds": 3e-7, "causes": [`+causes+`], "lines": [`+lines+`]}`), &d)
		if err != nil {
			t.Fatal(err)
		}
		return []*Outcome{New(&d, "k.json")}
	}
	old := read(
		`{"code":"work","file":"k.cl","line":1,"cycles":100},{"code":"barrier","file":"k.cl","line":2,"cycles":120},
		{"code":"tail","cycles":80}`,
		`{"file":"k.cl","line":1,"text":"a"},{"file":"k.cl","line":2,"text":"b"},{"file":"k.cl","line":4,"text":"b"}`)
	new := read(`{"code":"work","file":"k.cl","line":2,"cycles":90},{"code":"work","file":"k.cl","line":5,"cycles":60},
		{"code":"data","file":"x.h","line":7,"cycles":150}`,
		`{"file":"k.cl","line":2,"text":"a"},{"file":"k.cl","line":3,"text":"b"},
		{"file":"k.cl","line":5,"text":"b"},{"file":"x.h","line":7,"text":""}`)
	d, err := Compare(old, new)
	if err != nil {
		t.Fatal(err)
	}
	k := d.Kernels[0]
	sum := func(list []Change) (old, new float64) {
		for _, c := range list {
			old, new = old+c.Old, new+c.New
		}
		return old, new
	}
	for _, list := range [][]Change{k.Causes, k.Lines} {
		if old, new := sum(list); math.Abs(old-3e-7) > 1e-15 || math.Abs(new-3e-7) > 1e-15 {
			t.Error(old, new, list)
		}
	}
	var places []string
	for i := range k.Lines {
		places = append(places, k.Lines[i].place()+k.Lines[i].Text)
	}
	if got := strings.Join(places, " "); got != "+7 2->3b  4->5b 1->2a" {
		t.Error(got)
	}
}
