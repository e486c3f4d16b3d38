package export

import (
	"strings"
	"testing"

	"gpupipe/idg"
)

// TestWriteLocality: the classes of one place in the source are summed up; what does not occur is not
// mentioned.
func TestWriteLocality(t *testing.T) {
	b := idg.NewBuilder()
	class := func(op string, line int, offset int64) idg.InstrID {
		a := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Offsets: []int64{offset}})
		return b.Instr(idg.Instr{Op: op, Lanes: 1, Access: a, Pos: idg.Pos{File: "k.cl", Line: line, Column: 1}})
	}
	later, one, two := class("st.global", 9, 0), class("ld.global", 3, 0), class("ld.global", 3, 4)
	b.Begin(0)
	h := idg.Header{Kernel: "k", Launch: launch(1)}
	h.Locality = []idg.Locality{
		{Instr: later, Sectors: 4, Groups: []idg.GroupReuse{{Groups: 2, Sectors: 4}}},
		{Instr: one, Sectors: 6, Warp: []idg.Reuse{{Distance: 32, Sectors: 1}, {Distance: 256, Sectors: 2}},
			Groups: []idg.GroupReuse{{Groups: 3, Sectors: 1}}, Cold: 2},
		{Instr: two, Sectors: 4, Warp: []idg.Reuse{{Distance: 64, Sectors: 1}},
			Group: []idg.Reuse{{Distance: 128, Sectors: 1}}, Groups: []idg.GroupReuse{{Groups: 1, Sectors: 2}}},
	}
	h.Footprint = &idg.Footprint{ReadBytes: 1, WrittenBytes: 64, LaunchReadBytes: 320, LaunchWrittenBytes: 640,
		Estimated: true, Sampled: []int64{1, 3}}
	g := build(t, b, h)
	want := `
locality (sectors of 32 bytes that one group requests)
  k.cl:3:1 ld.global                               10, 40.0% by the warp within 256 bytes, 10.0% by the group within 128 bytes, 30.0% by earlier groups (1 to 3 back), 20.0% new
  k.cl:9:1 st.global                                4, 100.0% by earlier groups (2 back)

footprint (device memory at known addresses)
  group            1 byte read, 64 bytes written
  launch           320 bytes read, 640 bytes written (estimated from 2 groups)
`
	if got := unbroken(text(t, Stats, g)); !strings.Contains(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	g.Footprint.SharedBytes = 32
	if got := unbroken(text(t, Stats, g)); !strings.Contains(got, "64 bytes written; all groups touch 32 of these\n") {
		t.Errorf("a group that shares data: %s", got)
	}
	g.Footprint.Estimated = false
	if got := text(t, Stats, g); !strings.Contains(got, "640 bytes written\n") {
		t.Errorf("an exact footprint: %s", got)
	}
	g.Locality, g.Footprint = nil, nil
	if got := text(t, Stats, g); strings.Contains(got, "locality") || strings.Contains(got, "footprint") {
		t.Errorf("without locality: %s", got)
	}
}
