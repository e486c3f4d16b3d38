package replay

import (
	"compress/gzip"
	"context"
	"os"
	"slices"
	"testing"

	"gpupipe/internal/measure"
)

// What a launch and a program took beside the kernels in the recorded runs of an H100, seconds: 110 s of quick.csv,
// 200 s of memory.csv. compilers is how many programs are compiled at once there.
const (
	callsTake   = 0.0056
	programTake = 0.5
	compilers   = 8
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
	return c.seconds + callsTake*float64(c.launches) + programTake/compilers*float64(c.programs)
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
// launches. Classes that are not recorded take as long as the others, and those of which no full run is recorded in
// proportion to their points and to the seconds of a launch.
func TestPlannedTime(t *testing.T) {
	quick := recorded(t, "quick")
	points := quick.measured(t, measure.Classes(), true)
	unknown := 0.0 // classes that are not recorded, by points
	for _, p := range measure.Plan(quick.Properties(), measure.Classes(), true) {
		if quick.Skip(p.Class) != "" {
			unknown++
		}
	}
	scale := float64(points) / (float64(points) - unknown)
	total := quick.takes() * scale
	t.Logf("quick: %d points, %d launches, %d programs, %.1f s in kernels, %.0f s in all", points, quick.launches,
		quick.programs, quick.seconds, total)
	if total > 60 {
		t.Errorf("a quick run takes %.0f s", total)
	}
	full := recorded(t, "memory")
	has, others := measure.Classes(), measure.Classes()
	has = slices.DeleteFunc(has, func(c measure.Class) bool { return full.Skip(c) != "" })
	others = slices.DeleteFunc(others, func(c measure.Class) bool { return full.Skip(c) == "" })
	points = full.measured(t, has, false)
	total = full.takes()
	rest := recorded(t, "quick")
	others = slices.DeleteFunc(others, func(c measure.Class) bool { return rest.Skip(c) != "" })
	few := rest.measured(t, others, true)
	all := len(measure.Plan(rest.Properties(), others, false))
	more := float64(all) / float64(few)
	rest.launches, rest.programs = int(more*float64(rest.launches)), rest.programs*3/2
	rest.seconds *= more / measure.Quick.Seconds * 0.001
	total += rest.takes() * scale
	t.Logf("full: %d points, %d launches, %d programs, %.1f s in kernels, %.0f s in all", points+all,
		full.launches+rest.launches, full.programs+rest.programs, full.seconds+rest.seconds, total)
	if total > 240 {
		t.Errorf("a full run takes %.0f s", total)
	}
}
