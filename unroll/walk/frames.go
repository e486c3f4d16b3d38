package walk

import (
	"cmp"
	"slices"

	"gpupipe/idg"
	"gpupipe/unroll/locality"
)

// frames follows where spilled registers stand: how many bytes of its frame a work item touches from one access of a
// slot to the next, by classes of instructions. Slots that nobody has touched yet are those of the group before, which
// had the frames: all of a frame lies between.
type frames struct {
	recent  []int64 // words of the frame, the most recently touched last
	touched map[idg.InstrID]map[int64]int64
}

const (
	wordBytes  = 4
	wholeFrame = 0 // the distance of slots that nobody has touched yet
)

// touch notes that an instruction accesses bytes of the frame, by so many sectors: its distance is the longest of those
// of its words.
func (f *frames) touch(id idg.InstrID, at, bytes, sectors int64) {
	distance, fresh := int64(0), false
	for word := at; word < at+bytes; word += wordBytes {
		i := slices.Index(f.recent, word)
		if i < 0 {
			fresh = true
			continue
		}
		distance = max(distance, int64(len(f.recent)-i)*wordBytes)
		f.recent = slices.Delete(f.recent, i, i+1)
	}
	for word := at; word < at+bytes; word += wordBytes {
		f.recent = append(f.recent, word)
	}
	if fresh {
		distance = wholeFrame
	}
	if f.touched == nil {
		f.touched = map[idg.InstrID]map[int64]int64{}
	}
	if f.touched[id] == nil {
		f.touched[id] = map[int64]int64{}
	}
	f.touched[id][distance] += sectors
}

// locality is the reuse of spilled registers by a group of so many work items, in sectors.
func (f *frames) locality(frame, items, sector int64) (list []idg.Locality) {
	for id, distances := range f.touched {
		l := idg.Locality{Instr: id}
		sums := map[int64]int64{}
		for d, n := range distances {
			if d == wholeFrame {
				d = frame
			}
			sums[locality.Rounded((d*items+sector-1)/sector)*sector] += n
			l.Sectors += n
		}
		for d, n := range sums {
			l.Warp = append(l.Warp, idg.Reuse{Distance: d, Sectors: n})
		}
		slices.SortFunc(l.Warp, func(a, b idg.Reuse) int { return cmp.Compare(a.Distance, b.Distance) })
		list = append(list, l)
	}
	return list
}
