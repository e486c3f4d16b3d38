package simulate

import (
	"slices"

	"gpupipe/idg"
)

// readyList is the ready instructions of a warp for one subsystem, in program order.
type readyList []idg.NodeID

func (l *readyList) push(v idg.NodeID) {
	i, _ := slices.BinarySearch(*l, v)
	*l = slices.Insert(*l, i, v)
}

func (l *readyList) pop() idg.NodeID {
	first := (*l)[0]
	*l = slices.Delete(*l, 0, 1)
	return first
}
