package finding

import (
	"fmt"

	"gpupipe/simulate/remedy"
)

// uncoalesced: V16 2.5.
func uncoalesced(r *Run) ([]trial, error) {
	segment := r.Mapping.Device.Memory.SegmentBytes
	return r.atSites(remedy.Coalesced, func(s *site) Finding {
		return Finding{
			What: fmt.Sprintf("uncoalesced: the lanes of a warp %s %s%s", s.verb(), s.access.Buffer, s.apart()),
			Proof: fmt.Sprintf("%d transactions of %d bytes instead of %d", s.entry.Transactions, segment,
				s.entry.Least),
			Remedy: "let neighbouring work items access neighbouring elements, or exchange them in local memory first",
		}
	})
}
