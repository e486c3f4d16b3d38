package idg

import (
	"strings"
	"testing"
)

// The classes of one place in the source are summed up; what does not occur is not
// mentioned.
func TestWriteLocality(t *testing.T) {
	b := NewBuilder()
	class := func(op string, line int, offset int64) InstrID {
		a := b.Access(Access{Space: SpaceGlobal, Width: 4, Offsets: []int64{offset}})
		return b.Instr(Instr{Op: op, Lanes: 1, Access: a, Pos: Pos{File: "k.cl", Line: line, Column: 1}})
	}
	later, one, two := class("st.global", 9, 0), class("ld.global", 3, 0), class("ld.global", 3, 4)
	b.Begin(0)
	h := header(1)
	h.Locality = []Locality{
		{Instr: later, Sectors: 4, Groups: []GroupReuse{{Groups: 2, Sectors: 4}}},
		{Instr: one, Sectors: 6, Warp: []Reuse{{32, 1}, {256, 2}}, Groups: []GroupReuse{{Groups: 3, Sectors: 1}}, Cold: 2},
		{Instr: two, Sectors: 4, Warp: []Reuse{{64, 1}}, Group: []Reuse{{128, 1}}, Groups: []GroupReuse{{Groups: 1, Sectors: 2}}},
	}
	h.Footprint = &Footprint{ReadBytes: 1, WrittenBytes: 64, LaunchReadBytes: 320, LaunchWrittenBytes: 640, Estimated: true, Sampled: []int64{1, 3}}
	g := build(t, b, h)
	text := func() string {
		var s strings.Builder
		if err := WriteStats(&s, g); err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	want := `
locality (sectors of 32 bytes that one group requests)
  k.cl:3:1 ld.global                               10, 40.0% by the warp within 256 bytes, 10.0% by the group within 128 bytes, 30.0% by earlier groups (1 to 3 back), 20.0% new
  k.cl:9:1 st.global                                4, 100.0% by earlier groups (2 back)

footprint (device memory at known addresses)
  group            1 byte read, 64 bytes written
  launch           320 bytes read, 640 bytes written (estimated from 2 groups)
`
	if got := text(); !strings.Contains(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	g.Footprint.SharedBytes = 32
	if got := text(); !strings.Contains(got, "64 bytes written; all groups touch 32 of these\n") {
		t.Errorf("a group that shares data: %s", got)
	}
	g.Footprint.Estimated = false
	if got := text(); !strings.Contains(got, "640 bytes written\n") {
		t.Errorf("an exact footprint: %s", got)
	}
	g.Locality, g.Footprint = nil, nil
	if got := text(); strings.Contains(got, "locality") || strings.Contains(got, "footprint") {
		t.Errorf("without locality: %s", got)
	}
}
