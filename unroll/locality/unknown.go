package locality

import (
	"encoding/binary"
	"slices"
)

// Stores at addresses that are not known push other data out of caches all the same: L2 allocates a sector for a store
// that misses and fetches nothing for it (Khairy et al., arXiv:1810.07269, of NVIDIA's; AMD's are taken to do so, too).
// The stores are assumed to be coalesced, as every access at unknown addresses is, and to go where nothing else does.
// Loads and atomics at such addresses often come back to what they have touched (a table, a histogram), and are left
// out.

// unknownBuffer holds what stores at unknown addresses touch.
const unknownBuffer = ^BufferID(0)

// InternUnknown returns the shape of a store of so many bytes at addresses that are not known. It is
// 0 if there are too many shapes.
func (s *Shapes) InternUnknown(bytes int64) ShapeID {
	k := string(binary.AppendUvarint([]byte{0xff}, uint64(bytes)))
	id, ok := s.index[k]
	if !ok && len(s.list) < maxShapes {
		s.list = append(s.list, shape{buffer: unknownBuffer, writes: true, spans: set{{0, bytes}}})
		id = ShapeID(len(s.list))
		s.index[k] = id
	}
	return id
}

func (s *Shapes) unknown(t *Touch) bool { return s.at(t.Shape).buffer == unknownBuffer }

// known is a warp without stores at unknown addresses.
func (s *Shapes) known(w Warp) Warp {
	if !slices.ContainsFunc(w.Touches, func(t Touch) bool { return s.unknown(&t) }) {
		return w
	}
	out := Warp{Number: w.Number, Barriers: w.Barriers, Cut: w.Cut}
	at := make([]int, 0, len(w.Touches)+1) // where each touch, or the next known one, has gone
	for i := range w.Touches {
		at = append(at, len(out.Touches))
		if !s.unknown(&w.Touches[i]) {
			out.Touches = append(out.Touches, w.Touches[i])
		}
	}
	at = append(at, len(out.Touches))
	for _, r := range w.Repeats {
		var drifts []int64
		for k, d := range r.Drifts {
			if !s.unknown(&w.Touches[r.TouchesFrom+k]) {
				drifts = append(drifts, d)
			}
		}
		r.TouchesFrom, r.TouchesEnd, r.Drifts = at[r.TouchesFrom], at[r.TouchesEnd], drifts
		out.Repeats = append(out.Repeats, r)
	}
	return out
}

// spread gives each store at unknown addresses sectors of its own: those at its place in the warp's program,
// next to those of the other warps at that place. It returns the warps, these stores without a class, and how many
// bytes of sectors the stores touch.
func (s *Shapes) spread(warps []Warp, sector sectorSize) (out []Warp, bytes int64) {
	room := int64(0) // for a store
	for i := range warps {
		for k := range warps[i].Touches {
			if t := &warps[i].Touches[k]; s.unknown(t) {
				room = max(room, sector.whole(s.at(t.Shape).spans[0]).hi)
			}
		}
	}
	if room == 0 {
		return warps, 0
	}
	room *= int64(len(warps))
	out = slices.Clone(warps)
	for i := range out {
		w := &out[i]
		w.Touches, w.Repeats = slices.Clone(w.Touches), slices.Clone(w.Repeats)
		for k := range w.Touches {
			t := &w.Touches[k]
			if !s.unknown(t) {
				continue
			}
			t.Instr, t.Start = 0, t.At*room+int64(i)*(room/int64(len(warps)))
			bytes += sector.whole(s.at(t.Shape).spans[0]).hi
		}
		for k := range w.Repeats {
			r := &w.Repeats[k]
			r.Drifts = slices.Clone(r.Drifts)
			for j := range r.Drifts {
				if t := &w.Touches[r.TouchesFrom+j]; s.unknown(t) {
					r.Drifts[j] = r.Length * room
					bytes = addBytes(bytes, scaled(sector.whole(s.at(t.Shape).spans[0]).hi, r.Copies))
				}
			}
		}
	}
	return out, bytes
}
