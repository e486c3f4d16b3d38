package arrange

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/machine"
)

// trace says of each instruction of a block which instructions wrote what it reads, and which accesses of memory
// that touch the same come before it.
func trace(l *linear, block int) map[*machine.Instr]string {
	type writer struct{ in *machine.Instr }
	last := map[int32][]writer{}
	out := map[*machine.Instr]string{}
	var before []*machine.Instr
	for i := l.blocks[block].start; i < l.blocks[block].end; i++ {
		in := l.steps[i].instr
		if in == nil {
			continue
		}
		var b strings.Builder
		for _, a := range l.of(i) {
			if !a.write {
				for _, w := range last[a.word] {
					fmt.Fprintf(&b, "%d<%p ", a.word, w.in)
				}
			}
		}
		for _, a := range l.of(i) {
			if a.write {
				if in.Guard.Reg == 0 {
					last[a.word] = nil
				}
				last[a.word] = append(last[a.word], writer{in: in})
			}
		}
		ordered := 0
		for _, o := range before {
			if conflict(l.code, o, in) {
				ordered++
			}
		}
		before = append(before, in)
		out[in] = fmt.Sprintf("%s memory %d", b.String(), ordered)
	}
	var b strings.Builder
	for w := range int32(len(l.owner)) {
		for _, x := range last[w] {
			fmt.Fprintf(&b, "%d<%p ", w, x.in)
		}
	}
	out[nil] = b.String()
	return out
}

// conflict reports whether two instructions have to stay in order for the sake of memory, whatever their addresses.
func conflict(c *machine.Code, a, b *machine.Instr) bool {
	if synchronises(a) || synchronises(b) {
		m := a.Mem
		if synchronises(a) {
			m = b.Mem
		}
		return synchronises(a) && synchronises(b) || m != nil && !m.Constant
	}
	if a.Mem == nil || b.Mem == nil || a.Mem.Constant || b.Mem.Constant || a.Mem.Space != b.Mem.Space ||
		!a.Mem.Store && !b.Mem.Store {
		return false
	}
	if a.Mem.Object != b.Mem.Object && a.Mem.Object != 0 && b.Mem.Object != 0 {
		return false
	}
	return a.Mem.Offset < b.Mem.Offset+b.Mem.Bytes && b.Mem.Offset < a.Mem.Offset+a.Mem.Bytes
}

// TestScheduleKeepsMeaning schedules random code and compares what each instruction reads.
func TestScheduleKeepsMeaning(t *testing.T) {
	for seed := range uint64(60) {
		c := randomCode(t, [...]string{"sm_90", "gfx90a"}[seed%2], rand.New(rand.NewPCG(seed, 1)), 40)
		l := linearise(c)
		var want []map[*machine.Instr]string
		for b := range l.blocks {
			want = append(want, trace(l, b))
		}
		newScheduler(c).run([...]int{20, 40, 200}[seed%3])
		l = linearise(c)
		for b := range l.blocks {
			got := trace(l, b)
			for in, w := range want[b] {
				if got[in] != w {
					t.Fatalf("seed %d block %d: %v: %s, was %s", seed, b, in, got[in], w)
				}
			}
		}
	}
}

// unrolled writes a loop body of n copies of a load and a product that is summed up.
func unrolled(n int) string {
	var b strings.Builder
	b.WriteString("vector a s\n a = MOV 1\n s = MOV 0\n")
	for i := range n {
		fmt.Fprintf(&b, "vector x%[1]d y%[1]d\n x%[1]d = LDG a ! load global 1 +%[2]d\n", i, 4*i)
		fmt.Fprintf(&b, "y%[1]d = FMUL x%[1]d 2\n s = FADD s y%[1]d\n", i)
	}
	b.WriteString("= STG a s ! store global 2\n")
	return b.String()
}

// TestLoadsComeEarly: loads of an unrolled body are together at the beginning, as many as there are registers.
func TestLoadsComeEarly(t *testing.T) {
	c := parse(t, "sm_90", unrolled(16))
	if err := Code(c, &machine.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	for i, n := range c.Body.Nodes[1:17] {
		if in := n.(*machine.Instr); in.Op != "LDG" && in.Op != "MOV" {
			t.Errorf("%d: %s, want a load", i, in.Op)
		}
	}
	if got := c.Resources.MaxLive; got != 18 { // x, a and s
		t.Errorf("%d live", got)
	}
}

// products writes n products of loads that are added to so many sums in turn.
func products(n, sums int) string {
	var b strings.Builder
	b.WriteString("vector a b\n a = MOV 1\n b = MOV 2\n")
	for i := range sums {
		fmt.Fprintf(&b, "vector s%[1]d\n s%[1]d = MOV 0\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "vector x%[1]d y%[1]d\n x%[1]d = LDG a ! load global 1 +%[2]d\n", i, 4*i)
		fmt.Fprintf(&b, "y%[1]d = LDG b ! load global 2 +%[2]d\n s%[3]d = FFMA x%[1]d y%[1]d s%[3]d\n", i, 4*i, i%sums)
	}
	for i := range sums {
		fmt.Fprintf(&b, "= STG a s%d ! store global 3 +%d\n", i, 4*i)
	}
	return b.String()
}

// TestArrangeIsLinear arranges long bodies and those that are four times as long: what is allocated, which is the same
// each time, as the time is not, may not be more than six times as much.
func TestArrangeIsLinear(t *testing.T) {
	allocated := func(text string) uint64 {
		c := parse(t, "sm_90", text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := Code(c, &machine.Options{}, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, text := range map[string]func(n int) string{
		"one sum":  unrolled,
		"24 sums":  func(n int) string { return products(n, 24) },
		"300 sums": func(n int) string { return products(n, 300) },
	} {
		n := tools.Cases(2000, 800)
		small, large := allocated(text(n)), allocated(text(4*n))
		t.Logf("%s: %d and %d bytes", name, small, large)
		if large > 6*small {
			t.Errorf("%s: %d bytes, and %d for four times as many instructions", name, small, large)
		}
	}
}

// TestOrder states the order of a body like that of a tiled product: two loads for each sum, a barrier in front of
// the next tile, and a load of memory that nobody writes behind it: that comes first.
func TestOrder(t *testing.T) {
	c := parse(t, "sm_90", `vector p a b:4 c0 c1 s x
		p = MOV 1
		a = MOV 2
		s = MOV 0
		c0 = LDS a ! load local 1
		b = LDS.128 p ! load local 2 x16
		s = FFMA b.0 c0 s
		c1 = LDS a ! load local 1 +4
		s = FFMA b.1 c1 s
		= BAR ! atomic global 0
		x = LDG p ! load global 3 constant
		s = FADD s x
		= STG a s ! store global 4`)
	walk(c.Body, func(in *machine.Instr) {
		if in.Op == "BAR" {
			in.Class, in.Mem = "barrier", nil
		}
	})
	newScheduler(c).run(200)
	var got []string
	walk(c.Body, func(in *machine.Instr) { got = append(got, fmt.Sprintf("%d:%s", in.Issue, in.Op)) })
	const want = "0:MOV 4:LDG 5:MOV 6:MOV 7:LDS.128 9:LDS 10:LDS 11:BAR 49:FFMA 53:FFMA 57:FADD 61:STG"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
