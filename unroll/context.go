package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// LaneAccess is one executed memory access as the resolver sees it.
type LaneAccess struct {
	Space   idg.Space
	Buffer  string // name of the memory object, empty if not known
	Width   int64  // bytes per lane
	Store   bool
	Lanes   uint64  // the active lanes: bit l is lane l
	Offsets []int64 // byte offset in the buffer of each active lane, in lane order; nil = not known
	Unknown string  // why Offsets is nil
	Same    bool    // they are not known, but the same in all lanes
	Pos     lower.Pos
}

// ContextMapper is the context mapper f of L4: what of an access's addresses is
// recorded in the graph. It does not depend on a device.
type ContextMapper interface {
	Map(LaneAccess) idg.Access
}

// ExactContext records the exact byte offsets of the active lanes.
type ExactContext struct{}

// Map implements ContextMapper.
func (ExactContext) Map(a LaneAccess) idg.Access {
	return idg.Access{Space: a.Space, Width: uint16(a.Width), Store: a.Store, Buffer: a.Buffer, Offsets: a.Offsets,
		Assumed: a.Unknown, Same: a.Same}
}
