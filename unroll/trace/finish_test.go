package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// notation is a trace as text: instructions with a semicolon between them, "result = op operands"
// or "op operands" where there is an effect instead.
type notation struct {
	t     Trace
	names []string // by index; of effects the op
}

// assemble records a text. Sums and products can be contracted, shifts are by constants, gates are
// what their ops say.
func assemble(t *testing.T, o Options, text string) *notation {
	t.Helper()
	n := &notation{t: Trace{Options: o}}
	for statement := range strings.SplitSeq(text, ";") {
		f := strings.Fields(statement)
		name := ""
		if len(f) > 1 && f[1] == "=" {
			name, f = f[0], f[2:]
		}
		x := Node{Op: f[0], Lanes: 32}
		var deps []NodeID
		for _, d := range f[1:] {
			i := slices.Index(n.names, d)
			if i < 0 {
				t.Fatalf("%q: no %s", text, d)
			}
			deps = append(deps, NodeID(i+1))
		}
		verb, _, _ := strings.Cut(x.Op, ".")
		switch verb {
		case "mul":
			x.Contraction = IsMul
		case "add", "sub":
			x.Contraction = IsAddSub
			for i, d := range deps {
				*[]*NodeID{&x.X, &x.Y}[i] = d
			}
		case "shl":
			x.Contraction = IsShift
		case "ld", "st":
			x.Type = lower.F32.String()
		}
		switch {
		case verb == "st":
			x.Flags = Root | Store
		case verb == LoopOp, verb == "branch":
			x.Flags = Root | Gate
		case verb == "barrier":
			x.Flags = Root | Gate | Barrier
		case name == "":
			x.Flags = Root
		}
		slices.Sort(deps)
		n.t.Add(x, slices.Compact(deps), nil)
		if name == "" {
			name = x.Op
		}
		n.names = append(n.names, name)
	}
	return n
}

// text is what stays, in the notation.
func (n *notation) text(live []bool) string {
	var out []string
	for i := range n.t.Nodes() {
		if !live[i] {
			continue
		}
		op, _ := n.t.KindAt(i)
		s := op.String()
		if x := n.t.at(i); x.flags&Root == 0 {
			s = n.names[i] + " = " + s
		}
		for _, d := range n.t.deps(n.t.at(i)) {
			s += " " + n.names[d-1]
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// TestFinish: what the passes make of a few instructions.
func TestFinish(t *testing.T) {
	to := func(t target.Target) Options {
		t.MachineCode, t.Level = true, target.O2
		return Options{Target: t}
	}
	machine, pairs := to(target.Target{Compiler: target.NVCC}), to(target.Target{Compiler: target.Clang, Pairs: true})
	amd := to(target.Target{Compiler: target.Clang, Uniform: target.InScalarRegisters})
	ptx := Options{Target: target.Target{Level: target.O2}}
	for _, c := range []struct {
		name       string
		options    Options
		text, want string
	}{
		{"dead code", ptx, "a = ld.global; b = sqrt.f32 a; st.global a", "a = ld.global; st.global a"},
		{"multiply-add", ptx, "a = ld.global; b = mul.f32 a; c = add.f32 b a; st.global c",
			"a = ld.global; c = fma.f32 a; st.global c"},
		{"a product of two users", ptx, "a = ld.global; b = mul.f32 a; c = add.f32 b a; d = add.f32 b; st.global c d",
			"a = ld.global; b = mul.f32 a; c = add.f32 a b; d = add.f32 b; st.global c d"},
		{"other types", ptx, "a = ld.global; b = mul.s32 a; c = add.f32 b; st.global c",
			"a = ld.global; b = mul.s32 a; c = add.f32 b; st.global c"},
		{"the low half", ptx, "a = index.s32; b = mul.s64 a; c = and.s32 b; st.global c",
			"a = index.s32; b = mul.s32 a; c = and.s32 b; st.global c"},
		{"both halves", ptx, "a = index.s32; b = mul.s64 a; c = ld.global b; st.global c",
			"a = index.s32; b = mul.s64 a; c = ld.global b; st.global c"},
		{"an address", machine, "a = index.s32; b = mul.wide.s32 a; c = add.s64 b; d = ld.global c; st.global d",
			"a = index.s32; c = mad.wide.s32 a; d = ld.global c; st.global d"},
		{"PTX has two", ptx, "a = index.s32; b = mul.wide.s32 a; c = add.s64 b; d = ld.global c; st.global d",
			"a = index.s32; b = mul.wide.s32 a; c = add.s64 b; d = ld.global c; st.global d"},
		{"a sum of three", machine, "a = ld.global; b = ld.global a; c = ld.global a b; d = add.s32 a b; e = add.s32 " +
			"c d; st.global e",
			"a = ld.global; b = ld.global a; c = ld.global a b; e = add.s32 a b c; st.global e"},
		{"in another block, and balanced", machine, "a = ld.global; b = ld.global a; c = ld.global a b; d = add.s32 " +
			"a b; branch; e = add.s32 c d; st.global e",
			"a = ld.global; b = ld.global a; c = ld.global a b; d = mad.s32 a b; branch; e = add.s32 c d; st.global e"},
		{"logic", machine, "a = ld.global; b = ld.global a; c = ld.global a b; d = and.s32 a b; e = xor.s32 c d; " +
			"st.global e",
			"a = ld.global; b = ld.global a; c = ld.global a b; e = xor.s32 a b c; st.global e"},
		{"two at once", pairs, "a = ld.global; b = ld.local; c = fma.f32 a; d = fma.f32 b; st.global c d",
			"a = ld.global; b = ld.local; c = fma.dual.f32 a; d = fma.dual.f32 b; st.global c d"},
		{"one register in both", pairs, "a = ld.global; c = fma.f32 a; d = fma.f32 a; st.global c d",
			"a = ld.global; c = fma.f32 a; d = fma.f32 a; st.global c d"},
		{"one waits for the other", pairs, "a = ld.global; c = fma.f32 a; d = fma.f32 c; st.global d",
			"a = ld.global; c = fma.f32 a; d = fma.f32 c; st.global d"},
		{"a scalar sum", amd, "a = ld.constant; b = mul.s32 a; c = add.s32 b; st.global c",
			"a = ld.constant; b = mul.uniform.s32 a; c = add.uniform.s32 b; st.global c"},
	} {
		n := assemble(t, c.options, c.text)
		if got := n.text(n.t.Finish()); got != c.want {
			t.Errorf("%s: %s becomes\n%s, want\n%s", c.name, c.text, got, c.want)
		}
	}
}

// TestFinishAsItIs: without optimisation everything stays but what a multiply-add takes in.
func TestFinishAsItIs(t *testing.T) {
	n := assemble(t, Options{}, "a = ld.global; b = mul.f32 a; c = add.f32 b a; d = sqrt.f32 a; st.global c")
	if got, want := n.text(n.t.Finish()), "a = ld.global; c = fma.f32 a; d = sqrt.f32 a; st.global c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWiden: accesses of neighbours become one, as far as their alignment is certain.
func TestWiden(t *testing.T) {
	for _, c := range []struct {
		name   string
		amd    bool
		device bool
		store  bool
		align  int64
		at     []int64
		want   string // bytes of the accesses that are left
	}{
		{"four", false, false, false, 16, []int64{0, 4, 8, 12}, "16"},
		{"three of four", false, false, false, 16, []int64{4, 8, 12}, "16"},
		{"three stores", false, false, true, 16, []int64{4, 8, 12}, "4 8"},
		{"pairs", false, false, false, 8, []int64{0, 4, 8, 12}, "8 8"},
		{"not aligned", false, false, false, 8, []int64{4, 8}, "4 4"},
		{"parts", false, true, false, 16, []int64{4, 8, 12}, "4 8"},
		{"three parts", false, true, false, 16, []int64{0, 4, 8}, "16"},
		{"AMD: not aligned", true, false, false, 16, []int64{4, 8}, "8"},
		{"AMD: three", true, false, false, 16, []int64{4, 8, 12}, "12"},
		{"AMD: three stores", true, false, true, 16, []int64{4, 8, 12}, "8 4"},
		{"AMD: device memory", true, true, false, 0, []int64{0, 4, 8, 12, 16, 20}, "16 8"},
		{"AMD: device memory, stores", true, true, true, 0, []int64{0, 4, 8, 16}, "12 4"},
	} {
		var widths []int64 // by access, less 2
		code := target.Target{Level: target.O2, Compiler: target.NVCC}
		if c.amd {
			code.Compiler = target.Clang
		}
		if c.amd && c.device {
			code.MachineCode, code.Uniform = true, target.InScalarRegisters
		}
		n := &notation{t: Trace{Options: Options{Target: code,
			Wide: func(l *NarrowAccess, moved, size int64) idg.AccessID {
				widths = append(widths, size)
				return idg.AccessID(len(widths) + 1)
			}}}}
		space, add := idg.SpaceLocal, n.t.AddLocal
		if c.device {
			space, add = idg.SpaceGlobal, n.t.AddDevice
		}
		var ids []NodeID
		for _, at := range c.at {
			x := Node{Op: "ld." + space.String(), Access: 1, Lanes: 32}
			if c.store {
				x.Op, x.Flags = "st."+space.String(), Root|Store
			}
			id := n.t.Add(x, nil, nil)
			ids = append(ids, id)
			add(NarrowAccess{Node: id, Root: 1, Type: lower.F32, Space: space, Store: c.store, Lanes: math.MaxUint32,
				Size: 4, Align: c.align, At: at, End: math.MaxInt64})
		}
		if !c.store {
			n.t.Add(Node{Op: "st.global", Flags: Root | Store}, ids, nil)
		}
		live := n.t.Finish()
		var got []string
		for i := range ids {
			switch x := n.t.at(i); {
			case !live[i]:
			case x.access == 1:
				got = append(got, "4")
			default:
				got = append(got, fmt.Sprint(widths[x.access-2]))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: accesses of %s bytes, want %s", c.name, s, c.want)
		}
	}
}

// TestPickable: an array stays memory where picking from registers takes too many instructions.
func TestPickable(t *testing.T) {
	for _, c := range []struct {
		others     int // instructions of the loop's body beside the access
		size, want int64
	}{{2, 64, 0}, {20, 64, 4}, {2000, 4 * 128, 4}, {2000, 4 * 129, 0}} {
		var x Trace
		x.Mark(LoopBegins)
		for range 2 {
			x.Mark(IterationBegins)
			x.AddPrivate(PrivateAccess{Node: x.Add(Node{Op: "ld.private"}, nil, nil), Root: 1, Where: "i",
				Size: 4, Align: 4})
			for range c.others {
				x.Add(Node{Op: "add.f32"}, nil, nil)
			}
			x.Add(Node{Op: LoopOp, Flags: Root | Gate}, nil, nil)
		}
		x.Mark(LoopEnds)
		if got := x.Pickable(1, c.size, slices.Repeat([]bool{true}, x.Nodes())); got != c.want {
			t.Errorf("%d bytes beside %d instructions: places of %d bytes, want %d", c.size, c.others, got, c.want)
		}
	}
}
