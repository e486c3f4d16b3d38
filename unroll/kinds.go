package unroll

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// KindChoice says of which groups of the launch programs are resolved.
type KindChoice uint8

// The choices. Options takes the zero value as MiddleGroup.
const (
	MiddleGroup   KindChoice = iota + 1 // the group in the middle stands for all
	EdgeGroups                          // the first and the last group of each dimension apart from those between
	SampledGroups                       // groups spread over the launch, each for those around it
	// SampledGroups where some of them execute more or less than the one in the middle, else MiddleGroup
	SampledIfUneven
)

// groupBudget bounds what is resolved for the warps of a group, and to see whether groups differ, in units of
// Options.MaxInstructions.
const groupBudget = 4

// kindBudget bounds what is resolved for groups besides the one in the middle, in units of
// Options.MaxInstructions.
const kindBudget = 4

// otherKinds adds the programs of the groups that do not execute what the one in the
// middle does, whose warps the builder has and whose first warp executes so many
// instructions.
func otherKinds(st *static, opt Options, b *idg.Builder, warps []uint32, homes homes,
	executed int64) (diag.List, error) {
	switch opt.Kinds {
	case EdgeGroups:
		return edgeKinds(st, opt, b, warps, homes)
	case SampledIfUneven:
		if !st.spent.affords(len(probes), groupBudget*opt.maxWork()) {
			return diag.List{diag.Notef(st.k.Pos, "GROUPS", "the group in the middle stands for all: its warps are "+
				"too long to look whether others execute as much")}, nil
		}
		if uneven, err := uneven(st, opt, homes, executed); err != nil || !uneven {
			return nil, err
		}
		fallthrough
	case SampledGroups:
		return sampledKinds(st, opt, b, warps, homes)
	}
	return nil, nil
}

// resolveKind adds the programs of the options' group, which stands for so many, and returns how
// many instructions were recorded.
func resolveKind(st *static, opt Options, b *idg.Builder, groups int64, warps []uint32, homes homes) (recorded int,
	err error) {
	b.BeginKind(opt.numberOf(opt.group), groups)
	for _, w := range warps {
		r, err := resolveWarp(st, opt, b, w, homes, nil)
		if err != nil {
			return 0, err
		}
		recorded += r.trace.Nodes()
	}
	return recorded, nil
}

// position is a place in one dimension of the launch and how many groups are at
// such places.
type position struct{ id, groups int64 }

// positions lists the first group, one in the middle that stands for those between,
// and the last.
func positions(n int64) []position {
	switch n {
	case 1:
		return []position{{0, 1}}
	case 2:
		return []position{{0, 1}, {1, 1}}
	}
	return []position{{0, 1}, {n / 2, n - 2}, {n - 1, 1}}
}

// edgeKinds adds the programs of groups at the edges of the launch: corners, edges
// and faces. Most of them are equal to others, and the builder makes one kind
// of these. The builder has the programs of the warps of the group in the middle.
func edgeKinds(st *static, opt Options, b *idg.Builder, warps []uint32, homes homes) (diag.List, error) {
	middle := opt.group
	total := 0
	var notes diag.List
	for _, z := range positions(opt.Groups[2]) {
		for _, y := range positions(opt.Groups[1]) {
			for _, x := range positions(opt.Groups[0]) {
				opt.group = [3]int64{x.id, y.id, z.id}
				if opt.group == middle {
					continue
				}
				if total/kindBudget > opt.MaxInstructions {
					notes.Add(diag.Notef(st.k.Pos, "GROUPS", "groups at the edges from %v on are taken to be like "+
						"the one in the middle: the others exceed %d instructions", opt.group,
						kindBudget*opt.MaxInstructions))
					return notes, nil
				}
				n, err := resolveKind(st, opt, b, x.groups*y.groups*z.groups, warps, homes)
				if err != nil {
					return nil, err
				}
				total += n
			}
		}
	}
	return notes, nil
}
