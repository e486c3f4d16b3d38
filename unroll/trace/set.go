package trace

import (
	"cmp"
	"slices"
)

// Sets of nodes: what an instruction depends on, in ascending order.
//
// Lanes that have gone different ways write one register at different times. An instruction that
// reads it in all of them waits for each of the writers, but reads one register: the last writer
// is its operand, the others are marked Earlier.

// Earlier marks, in a set, a node whose result stays in a register of which a later node of the set has
// written other lanes.
const Earlier NodeID = 1 << 31

// Node is the node that an element of a set stands for.
func (d NodeID) Node() NodeID { return d &^ Earlier }

func (d NodeID) isEarlier() bool { return d&Earlier != 0 }

// Union merges sets. What it returns must not be modified: it may be one of them.
func Union(sets ...[]NodeID) []NodeID {
	var out []NodeID
	for _, s := range sets {
		out = Merge(out, s)
	}
	return out
}

// Merge is Union of two. What is an operand in one of them is an operand.
func Merge(a, b []NodeID) []NodeID {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	out := make([]NodeID, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.Node() < y.Node():
			out, a = append(out, x), a[1:]
		case x.Node() > y.Node():
			out, b = append(out, y), b[1:]
		default:
			out, a, b = append(out, x&y), a[1:], b[1:]
		}
	}
	out = append(out, a...)
	return append(out, b...)
}

// Overwritten is a set of which a later instruction writes the register: nothing of it is an operand.
func Overwritten(set []NodeID) []NodeID {
	out := make([]NodeID, len(set))
	for i, d := range set {
		out[i] = d | Earlier
	}
	return out
}

// OneRegister is the union of what different lanes have in one register: the operands are those of
// the set with the last node.
func OneRegister(sets ...[]NodeID) []NodeID {
	var newest []NodeID
	for _, s := range sets {
		if len(newest) == 0 || len(s) > 0 && s[len(s)-1].Node() > newest[len(newest)-1].Node() {
			newest = s
		}
	}
	out := newest
	for _, s := range sets {
		if len(s) > 0 && &s[0] != &newest[0] {
			out = Merge(out, Overwritten(s))
		}
	}
	return out
}

// normal sorts a set in place and leaves each node once, as Merge does.
func normal(set []NodeID) []NodeID {
	slices.SortFunc(set, func(a, b NodeID) int { return cmp.Or(cmp.Compare(a.Node(), b.Node()), cmp.Compare(a, b)) })
	return slices.CompactFunc(set, func(a, b NodeID) bool { return a.Node() == b.Node() })
}
