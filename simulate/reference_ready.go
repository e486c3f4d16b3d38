package simulate

import "gpupipe/idg"

// readyList is the ready instructions of a warp for one subsystem: a binary heap
// whose first element comes first in program order.
type readyList []idg.NodeID

func (l *readyList) push(v idg.NodeID) {
	h := append(*l, v)
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 2
		if h[p] <= v {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = v
	*l = h
}

func (l *readyList) pop() idg.NodeID {
	h := *l
	first, v := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*l = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		s := 2*i + 1
		if s >= len(h) {
			break
		}
		if r := s + 1; r < len(h) && h[r] < h[s] {
			s = r
		}
		if v <= h[s] {
			break
		}
		h[i] = h[s]
		i = s
	}
	h[i] = v
	return first
}
