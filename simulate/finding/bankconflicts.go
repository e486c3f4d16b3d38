package finding

import (
	"fmt"

	"gpupipe/simulate/remedy"
)

// bankConflicts: V16 2.6.
func bankConflicts(r *Run) ([]trial, error) {
	return r.atSites(remedy.ConflictFree, func(s *site) Finding {
		degree := (s.entry.Transactions + s.entry.Least - 1) / s.entry.Least
		return Finding{
			What: fmt.Sprintf("%d-way bank conflict: the lanes of a warp %s %s%s", degree, s.verb(), s.access.Buffer,
				s.apart()),
			Proof: fmt.Sprintf("%d passes over the banks instead of %d", s.entry.Transactions, s.entry.Least),
			Remedy: fmt.Sprintf("pad the rows of %s by one element, or let neighbouring work items access "+
				"neighbouring elements",
				s.access.Buffer),
		}
	})
}
