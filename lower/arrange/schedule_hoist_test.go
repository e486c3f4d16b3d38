package arrange

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/lower/machine"
)

// TestFill orders chains that do not depend on each other, written one after the other: with a register left their
// waits are filled, with none nothing moves.
func TestFill(t *testing.T) {
	var b strings.Builder
	b.WriteString("vector a s\n a = MOV 1\n s = MOV 0\n")
	for i := range 6 {
		fmt.Fprintf(&b, "vector x%[1]d y%[1]d\n x%[1]d = FADD a %[1]d\n y%[1]d = MUFU.RSQ x%[1]d\n s = FADD s y%[1]d\n", i)
	}
	b.WriteString("= STG a s ! store global 2\n")
	s := newScheduler(parse(t, "sm_90", b.String()))
	block := s.blocks[0]
	written := block.inOrder(block.written(), s.limits(noBudget))
	least := written.peak[machine.Vector]
	if f := block.fill(written, s.limits(least)); !slices.Equal(f.order, written.order) {
		t.Errorf("with no register left the order is %v", f.order)
	}
	for left := 1; left <= 4; left++ {
		f := block.fill(written, s.limits(least+left))
		end, was, live := slices.Max(f.issue), slices.Max(written.issue), f.peak[machine.Vector]
		if live > least+left || end >= was {
			t.Errorf("%d registers more: %d live of %d, cycle %d instead of %d", left, live, least+left, end, was)
		}
	}
}
