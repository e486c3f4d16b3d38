package walk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/machine"
)

// undecidedKernel writes a kernel whose branches depend on ids, on m and on elements of u, each on one of its own; it
// returns how many of these there are. It jumps either where that is known or where it is not: a jump that is not
// taken for certain does not keep a lane from one that is. Some conditions ("?") are known in some lanes.
func undecidedKernel(rng *rand.Rand) (text string, unknown int) {
	var b strings.Builder
	stores, certain := 0, rng.IntN(2) == 0
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	asks := func(partly bool) string {
		unknown++
		if partly && rng.IntN(2) == 0 { // known in some lanes
			return fmt.Sprintf("(l %s %d ? m & 1 : u[%d]) != 0", pick("<", "=="), rng.IntN(testLanes), unknown-1)
		}
		return fmt.Sprintf("u[%d] %s 0", unknown-1, pick("!=", "==", ">"))
	}
	knows := func() string {
		return pick(fmt.Sprintf("m >> (l + %d) & 1", rng.IntN(3)), fmt.Sprintf("m & %d", 1<<rng.IntN(testLanes)),
			fmt.Sprintf("l %s %d", pick("==", "!=", "<"), rng.IntN(testLanes)))
	}
	var block func(depth int, loop, under bool) // under: in a side of a branch that is unknown in all lanes
	block = func(depth int, loop, under bool) {
		b.WriteString("{\n")
		for range 1 + rng.IntN(3) {
			switch n := rng.IntN(8); {
			case n < 2 && (certain && !under || !certain && unknown < 4):
				leave := "return"
				if loop {
					leave = pick("break", "continue", "return")
				}
				cond := knows()
				if !certain {
					cond = asks(under)
				}
				fmt.Fprintf(&b, "if (%s) %s;\n", cond, leave)
			case n < 6 && depth > 0:
				cond, under := "", under
				if unknown < 4 && rng.IntN(2) == 0 {
					cond = asks(!certain)
					under = under || cond[0] == 'u'
				} else {
					cond = knows()
				}
				fmt.Fprintf(&b, "if (%s) ", cond)
				block(depth-1, loop, under)
				if rng.IntN(2) == 0 {
					b.WriteString("else ")
					block(depth-1, loop, under)
				}
			case n == 6 && depth > 0 && !loop:
				b.WriteString("#pragma unroll 1\nfor (int i = 0; i < 3; i++) ")
				block(depth-1, true, under)
			}
			for range 1 + rng.IntN(9) { // few are predicated
				fmt.Fprintf(&b, "o[%d + l] = m;\n", 16*stores)
				stores++
			}
		}
		b.WriteString("}\n")
	}
	b.WriteString("kernel void k(volatile global int *o, global const int *restrict u, int m) {\n" +
		"int l = get_local_id(0);\n")
	block(3, false, false)
	b.WriteString("}\n")
	return b.String(), unknown
}

// TestBothSides: where it is not known which way lanes go, a store is executed by the lanes that some way leads there,
// as often as it does at most; by others, too, where what is known of a condition may be lost.
func TestBothSides(t *testing.T) {
	asked, branches := 0, 0
	for seed := range tools.Cases(600, 40) {
		text, unknown := undecidedKernel(rand.New(rand.NewPCG(uint64(seed), 7)))
		by := compilers[seed%len(compilers)]
		_, c := code(t, text, by[0], by[1])
		o := testLaunch(t, map[string]int64{"m": int64(seed * 37 & 0x3ff)})
		executed := func(u []byte) map[*machine.Instr][testLanes]int {
			if u != nil {
				o.Contents = map[string][]byte{"u": u}
			}
			times := map[*machine.Instr][testLanes]int{}
			w := newWarp(newStatic(c), o, middle(o), 0)
			w.watch = func(in *machine.Instr, lanes uint64) {
				if in.Mem.Store {
					n := times[in]
					for l := range n {
						n[l] += int(lanes >> l & 1)
					}
					times[in] = n
				}
			}
			if w.block(c.Body); w.err != nil || u != nil && len(w.c.notes) > 0 {
				t.Fatalf("seed %d: %v, %v\n%s", seed, w.err, w.c.notes, text)
			}
			return times
		}
		got, want := executed(nil), map[*machine.Instr][testLanes]int{}
		for ways := range 1 << unknown {
			u := make([]byte, 4*unknown+4)
			for i := range unknown {
				u[4*i] = byte(ways >> i & 1)
			}
			for in, times := range executed(u) {
				n := want[in]
				for l := range n {
					n[l] = max(n[l], times[l])
				}
				want[in] = n
			}
		}
		asked += unknown
		partly := strings.Contains(text, "?")
		branches += strings.Count(c.String(), "if ")
		for in, times := range want {
			n := got[in]
			for l := range n {
				if partly {
					n[l] = min(n[l], times[l])
				}
			}
			if n != times {
				t.Errorf("seed %d by %v: executions of line %v by lane %v, want %v\n%s", seed, by, in.Pos, n, times,
					text)
			}
		}
		if len(got) > len(want) && !partly {
			t.Errorf("seed %d by %v: %d stores are executed, want %d\n%s", seed, by, len(got), len(want), text)
		}
		if t.Failed() {
			return
		}
	}
	if asked < 60 || branches < 100 {
		t.Errorf("only %d unknown conditions and %d branches", asked, branches)
	}
}
