package idg

import "cmp"

// SectorBytes is the unit in which locality is counted where no device is given: what
// a GPU moves at least between its memory and its caches (32 bytes on every NVIDIA device
// since Maxwell; those of others move lines of 64 or 128, Footprint.SectorBytes).
const SectorBytes = 32

// LineBytes and PairBytes are what caches may keep, and device memory fetch, of more than a sector.
const (
	LineBytes = 128
	PairBytes = 64
)

// MaxSectorBytes is what buffers are aligned to: no sector is cut by their beginning.
const MaxSectorBytes = 256

// SectorBytes is the unit in which a graph's locality and footprint are counted.
func (g *Graph) SectorBytes() int64 {
	if g.Footprint == nil || g.Footprint.SectorBytes == 0 {
		return SectorBytes
	}
	return g.Footprint.SectorBytes
}

// Locality says where the sectors (Footprint.SectorBytes, aligned) that the executions of
// one memory instruction class request were touched before. It counts one group
// of the launch, the one that the graph's programs are of: each warp instruction
// counts each sector that its active lanes touch once.
//
// Reads, writes and atomics touch a sector alike. Every requested sector is
// counted in one of Warp, Group, Groups and Cold.
type Locality struct {
	Instr   InstrID
	Sectors int64
	// Warp are sectors that the same warp touched before, Group those that
	// another warp of the group did and this one did not. Distances ascend.
	Warp, Group []Reuse
	// Groups are sectors that the group touches for the first time, but an earlier
	// group of the launch did before it. Numbers of groups ascend.
	Groups []GroupReuse
	// Cold are sectors that nobody touched before, as far as the groups show that
	// were looked at (Footprint.Sampled).
	Cold int64
	// Shared are those in Groups and Cold that every group of the launch touches, as far as
	// groups were looked at. In a launch of one group: 0.
	Shared int64
	// Leading is how many there would be in Groups and Cold if each warp that executes the class touched as many for
	// the first time as the one that touches most so over all classes; 0 where that is not more.
	Leading int64
}

// Reuse counts sectors that the group touched before.
type Reuse struct {
	// Distance is how many bytes a cache that evicts the least recently used
	// sector must hold for the sector to be there still: those of the
	// distinct sectors that the group touched from the last touch of this one
	// on, this one included, rounded up to three significant bits.
	Distance int64
	Sectors  int64
}

// GroupReuse counts sectors whose last toucher is another group.
type GroupReuse struct {
	// Groups is how many groups earlier the nearest group that touches the
	// sector is launched. Groups are launched in the order of their number,
	// x fastest: group (x, y, z) has number x + X*(y + Y*z) in a launch of
	// X by Y by Z groups.
	Groups int64
	// Distance is how many bytes a group touches between the two groups' touches, if they begin together
	// and execute their instructions at the same times, rounded up to a power of two; 0 = none, or not known.
	Distance int64
	Sectors  int64
	// Ahead says that the group comes to the sector at an earlier place of its program than the other group at its own,
	// by Distance. It is what matters where the groups do not begin together.
	Ahead bool
	// InStep says that the two, if so, touch the sector for the first time at the same place of their programs: whoever
	// comes first, the other finds the sector on its way. A record that says so has no Distance.
	InStep bool
}

// Compare orders the records of a class: by how many groups back, by distance, those ahead and those in step behind
// others.
func (r GroupReuse) Compare(o GroupReuse) int {
	flagged := func(r GroupReuse) int {
		if r.InStep || r.Ahead {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(r.Groups, o.Groups), cmp.Compare(r.Distance, o.Distance), flagged(r)-flagged(o))
}

// Footprint is the device memory that a group and a launch touch: global, constant
// and image memory at addresses that are known, in bytes of distinct sectors.
type Footprint struct {
	// SectorBytes is the size of a sector, a power of two from SectorBytes on, which
	// 0 stands for.
	SectorBytes int64
	// ReadBytes and WrittenBytes are those of the group that the graph's
	// programs are of. What is both read and written counts in both.
	ReadBytes, WrittenBytes int64
	// LaunchReadBytes and LaunchWrittenBytes are those of the launch: the
	// traffic of device memory that no cache can avoid.
	LaunchReadBytes, LaunchWrittenBytes int64
	// SharedBytes are those of the group's that every group of the launch touches, as far
	// as the groups show that were looked at; what is both read and written counts once. In a launch of one group: 0.
	SharedBytes int64
	// RowBytes are those that the groups of the launch touch that differ from the group in x
	// only, and PlaneBytes those of the groups that differ in x and y only; what is both read and
	// written counts once. 0 = not known, or no other than those of the group or the launch.
	RowBytes, PlaneBytes int64
	// LineBytes are those of the lines of LineBytes that the launch touches, and PairBytes those of the aligned
	// blocks of PairBytes that it reads, where these are more than what it touches and reads of sectors; what is both
	// read and written counts twice. 0 = no more, or not known.
	LineBytes, PairBytes int64
	// UnknownBytes are those of the sectors that the group's stores at unknown addresses touch, taken to
	// be coalesced and to touch nothing that anybody else does. They are in no other number but
	// the distances of reuse.
	UnknownBytes int64
	// Estimated says that the launch's bytes rest on some of its groups.
	Estimated bool
	// Sampled are the numbers of the groups whose addresses were resolved,
	// ascending (see GroupReuse.Groups for the order).
	Sampled []int64
}
