package arrange

import (
	"strings"
	"testing"
)

// TestOccupancyOrder states the orders of blocks, an instruction a letter, for limits on vector and scalar registers:
// those that there are, and those that keep another wave resident.
func TestOccupancyOrder(t *testing.T) {
	const sums = `vector p q r u v a b c d e s
		a = A p ! load global 1
		s = K a a
		b = B q ! load global 2
		s = L b s
		c = C r ! load global 3
		s = M c s
		d = D u ! load global 4
		s = N d s
		e = E v ! load global 5
		s = O e s
		= Z p s ! store global 6`
	const near = `vector p a b c s
		a = A p ! load global 1
		s = K a a
		c = C p ! load global 1 +8
		s = L c s
		b = B p ! load global 1 +4
		s = M b s
		= Z p s ! store global 6`
	const wide = `vector p q r s t a:4 b:4 c:4
		a = A p ! load global 1 x16
		b = B q ! load global 2 x16
		c = C r ! load global 3 x16
		s = K c.0 c.1
		t = L b.2 b.0
		s = M c.3 s
		t = N b.0 t
		s = O t s
		s = P a.0 s
		= Z p s ! store global 6`
	const uniform = `vector p s
		uniform a b c d e f g
		a = A
		b = B
		c = C
		d = K a b
		e = M c d
		f = F
		g = G f e
		s = N d c
		s = O e s
		s = P g s
		= Z p s ! store global 6`
	const loop = `vector p q a b c d s
		predicate l
		loop X {
		c = C q
		q = N q
		l = O q
		a = A p ! load global 1
		b = B a ! load global 2
		d = D b
		s = K d c
		= Z p s ! store global 6
		@l continue X
		leave X
		}`
	for _, test := range []struct {
		name, code       string
		excess, critical pressure
		want             string
	}{
		{"program order where registers suffice", sums, pressure{99, 99}, pressure{99, 99}, "ABCDEKLMNOZ"},
		{"few registers left", sums, pressure{99, 99}, pressure{6, 99}, "BAKLCDEMNOZ"},
		{"sums at once", sums, pressure{4, 99}, pressure{4, 99}, "BAKLCMDNEOZ"},
		{"loads of neighbouring addresses", near, pressure{99, 99}, pressure{99, 99}, "ACBKLMZ"},
		{"not for a register", near, pressure{4, 99}, pressure{4, 99}, "ABKCLMZ"},
		{"wide registers", wide, pressure{99, 99}, pressure{99, 99}, "CBAKLMNOPZ"},
		{"one after the other", wide, pressure{99, 99}, pressure{8, 99}, "CKMBLNAOPZ"},
		{"the last one late", wide, pressure{6, 99}, pressure{6, 99}, "CKMBLNOAPZ"},
		{"scalar registers", uniform, pressure{99, 99}, pressure{99, 99}, "ABKCMFGNOPZ"},
		{"few scalar registers", uniform, pressure{99, 99}, pressure{99, 2}, "ABKCNMFGOPZ"},
		{"the file that is more over", uniform, pressure{2, 2}, pressure{2, 2}, "ABKCMFGNOPZ"},
		{"a loop that waits for its loads", loop, pressure{99, 99}, pressure{99, 99}, "ABCNODKZ"},
		{"with few registers", loop, pressure{3, 99}, pressure{3, 99}, "ABDCKZNO"},
	} {
		l := newScheduler(parse(t, "gfx90a", test.code))
		inLoop := strings.Contains(test.code, "loop")
		s := newOccupancySchedule(l.l, l.blocks[min(1, len(l.blocks)-1)], 64, inLoop, nil)
		s.cluster()
		if s.aggressive != inLoop {
			t.Errorf("%s: latency counts most: %t", test.name, s.aggressive)
		}
		var got strings.Builder
		for _, i := range s.order(occupancyLimits{test.excess, test.critical}) {
			got.WriteString(s.b.instrs[i].Op)
		}
		if got.String() != test.want {
			t.Errorf("%s: %v, want %s", test.name, &got, test.want)
		}
	}
}
