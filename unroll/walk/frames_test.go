package walk

import (
	"reflect"
	"testing"

	"gpupipe/idg"
)

// TestFrames: a slot lies as far back as what was touched since, and what nobody has touched a whole frame.
func TestFrames(t *testing.T) {
	var f frames
	for _, x := range []struct {
		id        idg.InstrID
		at, bytes int64
	}{{1, 0, 4}, {1, 4, 16}, {2, 0, 4}, {2, 8, 4}, {2, 8, 4}} {
		f.touch(x.id, x.at, x.bytes, 4)
	}
	want := map[idg.InstrID][]idg.Reuse{
		1: {{Distance: 20 * 64, Sectors: 8}}, // the frame
		2: {{Distance: 4 * 64, Sectors: 4}, {Distance: 16 * 64, Sectors: 4}, {Distance: 20 * 64, Sectors: 4}},
	}
	for _, l := range f.locality(20, 64, 32) {
		if l.Sectors != 4*int64(len(l.Warp)) && l.Instr == 2 || !reflect.DeepEqual(l.Warp, want[l.Instr]) {
			t.Errorf("class %d: %v of %d sectors, want %v", l.Instr, l.Warp, l.Sectors, want[l.Instr])
		}
		delete(want, l.Instr)
	}
	if len(want) > 0 {
		t.Errorf("nothing of %v", want)
	}
}
