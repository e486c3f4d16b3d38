package latencies

import "gpupipe/idg"

// Issue slots
//
// An instruction takes a slot of its scheduler, or more where the device says so: V16 4.7
// finds 2 for special functions and 3 for local memory on Maxwell. It is issued again for
// each further pass of its access, where the device does that (Device.Reissue): "for every
// additionally issued memory transaction the diverging instruction is reissued" (V16 7.4,
// T.3.4). A rule's issue=0 is an instruction that is issued together with another.

// reissueBytes is what an access of device memory gets in one pass: V16 T.3.4 counts a
// coalesced access of 128 bytes once and one of stride 2 twice.
const reissueBytes = 128

// maxSlots is the most issue slots that an instruction, or a further pass of it, can be given.
const maxSlots = 64

// Slots is a number of issue slots that may be left out.
type Slots struct {
	N     int
	Given bool
}

// slotsOf is how many issue slots an instruction takes, of which the device's entry says
// how many more than one it takes without further passes.
func (m *mapping) slotsOf(in *idg.Instr, a *idg.Access, extra int, set chosen) int {
	slots, again := 1+extra, m.dev.Reissue
	if set.issue != nil {
		slots = set.issue.Issue.N
	}
	if set.reissue != nil {
		again = set.reissue.Reissue.N
	}
	if again == 0 || a == nil || !in.Operation().Memory() {
		return slots
	}
	return slots + again*m.dev.furtherPasses(in, a, set.patternOf(a))
}

// furtherPasses is how many more passes an access takes than one without bank conflicts, or a
// coalesced one, of as many bytes a lane. Private and constant memory have none.
func (d *Device) furtherPasses(in *idg.Instr, a *idg.Access, as Addresses) int {
	lanes := max(len(a.Offsets), 1)
	if !a.Known() {
		lanes = max(int(in.Lanes), 1)
	}
	switch a.Space {
	case idg.SpaceLocal:
		b := d.Memory.Banks()
		passes := as.passes(b, a, lanes)
		if a.Known() {
			passes = BankPasses(a, b)
		}
		together := max(1, b.lanesPerPass(a))
		return max(0, passes-(lanes+together-1)/together)
	case idg.SpaceGlobal, idg.SpaceImage:
		m := d.Memory
		m.SegmentBytes = reissueBytes
		lines := as.segments(&m, a, lanes)
		if a.Known() {
			lines = TransactionsBy(a, m.SegmentBytes, m.SegmentLanes)
		}
		return max(0, lines-coalesced(lanes, int(a.Width), m.SegmentBytes, m.SegmentLanes))
	}
	return 0
}
