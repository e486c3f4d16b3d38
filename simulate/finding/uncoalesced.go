package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/simulate/remedy"
)

// uncoalesced: V16 2.5. Accesses whose lanes are equally far apart have one cause, and so have those of one buffer.
func uncoalesced(r *Run) (out []trial, err error) {
	sites := slices.DeleteFunc(r.sites(remedy.Coalesced), func(s site) bool {
		return s.shifted(int64(r.Mapping.Device.Memory.SegmentBytes))
	})
	key := func(s *site) string {
		if r.loadsFragment(s) {
			return fragment
		}
		return cmp.Or(s.apart(), s.access.Buffer)
	}
	for _, sites := range grouped(sites, key) {
		top, does, at := r.described(sites)
		proof := several(fmt.Sprintf("%d transactions of %d bytes instead of %d", top.entry.Transactions,
			r.Mapping.Device.Memory.SegmentBytes, top.entry.Least), at)
		advice := "let neighbouring work items access neighbouring elements (an array for each field of a " +
			"structure; a warp for each row), or exchange them in local memory first"
		if r.loadsFragment(top) {
			advice = "let the work group copy a tile into local memory first, whole rows of it by neighbouring work " +
				"items and padded by 16 bytes, and load the fragments of all its warps from there"
		}
		out, err = r.remedied(out, Finding{
			Pos:    top.in.Pos,
			What:   fmt.Sprintf("uncoalesced: the lanes of a warp %s%s", does, top.apart()),
			Proof:  proof,
			Remedy: advice,
		}, remedy.Change{Kind: remedy.Coalesced, Pick: r.any(sites)})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fragment is the cause that loads of matrix fragments have in common.
const fragment = "load_matrix_sync"

// loadsFragment reports whether a site loads a fragment for the tensor cores, whose lanes have the places that these
// ask for.
func (r *Run) loadsFragment(s *site) bool {
	return strings.Contains(r.line(s.in.Pos), fragment) && !s.in.IsStore()
}

// shifted reports whether a site takes more transactions only as rows of neighbouring elements do not begin where
// transactions do, as those of a stencil's other points cannot: no other order of the work items helps.
func (s *site) shifted(segment int64) bool {
	var transactions, run int64
	width := int64(s.access.Width)
	for i, at := range s.access.Offsets {
		if i > 0 && at != s.access.Offsets[i-1]+width {
			transactions, run = transactions+(run+segment-1)/segment, 0
		}
		run += width
	}
	return segment > 0 && run > 0 && transactions+(run+segment-1)/segment <= int64(s.entry.Least)
}

// loadAt is how much of the busiest resource's time a site takes.
func (r *Run) loadAt(s *site) (sum float64) {
	pick := s.all(r)
	for i := range r.Result.Classes {
		if c := &r.Result.Classes[i]; pick(c.Instr) {
			sum += r.Causes.Load(c)
		}
	}
	return sum
}
