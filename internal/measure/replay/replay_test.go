package replay

import (
	"context"
	"reflect"
	"testing"

	"gpupipe/internal/measure"
)

// TestAgain: a run on recorded samples gives these samples.
func TestAgain(t *testing.T) {
	device := measure.Properties{Name: "D", Type: "GPU", WarpSize: 32, MaxGroupSize: 1024, MaxWarps: 8, MaxGroups: 4}
	add, _ := measure.Lookup("add.f32")
	plan := measure.Plan(device, []measure.Class{add}, true)
	var recorded []measure.Sample
	for i, p := range plan {
		for n := range 3 {
			recorded = append(recorded, measure.Sample{Class: "add.f32", Chains: p.Chains, GroupSize: p.GroupSize,
				Groups: p.Groups, WarpsPerUnit: p.WarpsPerUnit, Instructions: 4096, Repetition: n,
				Seconds: float64(i+1) + float64(n)/8, Cycles: float64(100*i + 10*n)})
		}
	}
	recorded = recorded[:len(recorded)-3]
	var again []measure.Sample
	err := measure.Run(context.Background(), New(device, recorded), plan, nil, measure.Quick,
		func(s []measure.Sample) error {
			again = append(again, s...)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(again) - 1; !reflect.DeepEqual(again[:n], recorded) || !again[n].Skipped() {
		t.Errorf("recorded %v\nreplayed %v", recorded, again)
	}
	mul, _ := measure.Lookup("mul.f32")
	if New(device, recorded).Skip(mul) == "" {
		t.Error("a class without samples is not skipped")
	}
}
