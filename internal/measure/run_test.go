package measure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake is a device whose times follow from a formula.
type fake struct {
	launches int
	lostAt   int          // launch at which the device is lost; 0 = never
	unsteady map[int]bool // attempts whose clock moves
	wrong    string       // class whose output is wrong
	refuses  map[string]string
	scatter  float64 // of the times of the repetitions
}

func (f *fake) Properties() Properties {
	return Properties{Name: "fake", Type: "GPU", ComputeUnits: 2, WarpSize: 32, MaxGroupSize: 1024, MaxWarps: 16,
		MaxGroups: 8}
}

func (f *fake) Skip(c Class) string {
	if c.Needs == Half {
		return "the device has no half precision"
	}
	return ""
}

func (f *fake) Time(_ context.Context, p Point) (Reading, error) {
	if f.launches++; f.launches == f.lostAt {
		return Reading{}, &LostError{"the device was lost"}
	}
	if reason := f.refuses[p.Class.Name]; reason != "" {
		return Reading{}, errors.New(reason)
	}
	r := Reading{Instructions: p.Instructions, Seconds: float64(p.Instructions+1) * float64(p.WarpsPerUnit) * 1e-9,
		ClockBefore: 1000, ClockAfter: 1000}
	r.Seconds *= 1 + f.scatter*float64(p.Repetition)
	if f.unsteady[p.Attempt] && p.Repetition == 1 {
		r.ClockAfter = 1500
	}
	if p.Class.Name == f.wrong {
		return r, &WrongError{Class: p.Class.Name, Got: 1, Want: 2}
	}
	return r, nil
}

func run(t *testing.T, b *fake, names string, done []Sample) ([]Sample, error) {
	t.Helper()
	var list []Class
	for name := range strings.FieldsSeq(names) {
		c, ok := Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		list = append(list, c)
	}
	samples := append([]Sample{}, done...)
	err := Run(context.Background(), b, Plan(b.Properties(), list, true), done, Quick, func(s []Sample) error {
		samples = append(samples, s...)
		return nil
	})
	for _, s := range samples {
		if err := s.Verify(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	return samples, err
}

// TestRunResumed: a run that was cut off anywhere and continued gives the samples of one that was not.
func TestRunResumed(t *testing.T) {
	const names = "add.f32 add.f16 barrier replacement launch"
	whole, err := run(t, &fake{}, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	for lostAt := 1; ; lostAt += 7 {
		part, err := run(t, &fake{lostAt: lostAt}, names, nil)
		if err == nil {
			break
		}
		if _, lost := errors.AsType[*LostError](err); !lost {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 1} { // the last point may be incomplete in the file
			p := part[:max(0, len(part)-cut)]
			var list []Class
			for name := range strings.FieldsSeq(names) {
				c, _ := Lookup(name)
				list = append(list, c)
			}
			p = Completed(Plan((&fake{}).Properties(), list, true), p, Quick)
			resumed, err := run(t, &fake{}, names, p)
			if diff := cmp.Diff(whole, resumed); err != nil || diff != "" {
				t.Fatalf("lost at launch %d: %v\n%s", lostAt, err, diff)
			}
		}
	}
}

// TestRunMarks: what cannot be used says why; a point is repeated until its interval is narrow.
func TestRunMarks(t *testing.T) {
	for _, c := range []struct {
		bench fake
		want  string // marks of the first point's repetitions
	}{
		{fake{}, "|0:|0:"},
		{fake{scatter: 0.01}, "|0:|0:|0:"},
		{fake{unsteady: map[int]bool{0: true, 1: true}}, "|0:|0:"},
		{fake{unsteady: map[int]bool{0: true, 1: true, 2: true}}, "|0:|0:the clock moved from 1000 to 1500 MHz|0:"},
		{fake{wrong: "add.f32"}, "|0:add.f32: work item 0 computed 1, the host 2"},
		{fake{refuses: map[string]string{"add.f32": "no such\ninstruction"}}, "|1:no such instruction"},
	} {
		samples, err := run(t, &c.bench, "add.f32", nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, s := range samples {
			if i > 0 && s.Repetition == 0 {
				break
			}
			skipped := 0
			if s.Skipped() {
				skipped = 1
			}
			got += fmt.Sprintf("|%d:%s", skipped, s.Marked)
		}
		if got != c.want {
			t.Errorf("marks %q, want %q", got, c.want)
		}
	}
}

// TestPlan: every class has launches, all of which fit the device.
func TestPlan(t *testing.T) {
	for _, p := range []Properties{
		(&fake{}).Properties(),
		{Type: "CPU", WarpSize: 8, MaxGroupSize: 4096},
		{Type: "GPU", WarpSize: 64, MaxGroupSize: 256, MaxWarps: 40, MaxGroups: 16},
		{},
	} {
		for _, quick := range []bool{false, true} {
			seen := map[string]bool{}
			for _, point := range Plan(p, Classes(), quick) {
				seen[point.Class.Name] = true
				warps := point.GroupSize / max(1, p.WarpSize)
				if warps < 1 || point.Groups < 1 || point.WarpsPerUnit < 1 ||
					p.MaxWarps > 0 && point.WarpsPerUnit > p.MaxWarps && point.Class.Kind != Placement {
					t.Errorf("%s of %+v does not fit", point.Class.Name, point)
				}
			}
			if len(seen) != len(Classes()) {
				t.Errorf("%d of %d classes are planned", len(seen), len(Classes()))
			}
		}
	}
}
