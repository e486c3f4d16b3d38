package replay

import (
	"compress/gzip"
	"context"
	"os"
	"testing"

	"gpupipe/internal/measure"
)

// What a launch and a program took beside the kernels in the recorded runs of an H100, seconds: 11.6 s of quick.csv,
// 107 s of full.csv.
const (
	callsTake   = 0.0017
	programTake = 0.0085
)

// counted is a device that counts what it executes.
type counted struct {
	*Bench
	launches, programs int
	seconds            float64
	last               measure.Point
}

func (c *counted) Time(ctx context.Context, p measure.Point) (measure.Reading, error) {
	if p.Class.Name != c.last.Class.Name || p.Chains != c.last.Chains {
		c.programs++
	}
	c.last = p
	r, err := c.Bench.Time(ctx, p)
	c.launches++
	c.seconds += r.Seconds
	return r, err
}

func (c *counted) takes() float64 {
	return c.seconds + callsTake*float64(c.launches) + programTake*float64(c.programs)
}

// recorded are the samples of an H100.
func recorded(t *testing.T, name string) *counted {
	t.Helper()
	file, err := os.Open("../testdata/h100/" + name + ".csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	device, samples, err := measure.ReadSamples(text, name)
	if err != nil {
		t.Fatal(err)
	}
	return &counted{Bench: New(device, samples)}
}

// measured measures classes of a recorded device again, and returns the points.
func (c *counted) measured(t *testing.T, classes []measure.Class, quick bool) int {
	t.Helper()
	options := measure.Options{}
	if quick {
		options = measure.Quick
	}
	plan := measure.Plan(c.Properties(), classes, quick)
	err := measure.Run(context.Background(), c, plan, nil, options, func([]measure.Sample) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return len(plan)
}

// TestPlannedTime: on an H100 a quick run takes a minute at most, and a full one four, with the times of the recorded
// launches.
func TestPlannedTime(t *testing.T) {
	for _, of := range []struct {
		name        string
		took, limit float64
	}{{"quick", 11.6, 60}, {"full", 107, 240}} {
		c := recorded(t, of.name)
		points := c.measured(t, measure.Classes(), of.name == "quick")
		total := c.takes()
		t.Logf("%s: %d points, %d launches, %d programs, %.1f s in kernels, %.0f s in all", of.name, points, c.launches,
			c.programs, c.seconds, total)
		if total > of.limit || total < 0.7*of.took || total > 1.3*of.took {
			t.Errorf("a %s run takes %.0f s, and took %.0f", of.name, total, of.took)
		}
	}
}
