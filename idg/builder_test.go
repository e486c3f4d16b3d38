package idg

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestBuilderInterns(t *testing.T) {
	b := NewBuilder()
	first := b.Access(Access{Space: SpaceGlobal, Width: 4, Buffer: "A", Offsets: []int64{1024, 1028}})
	// 768 = 3 x 256 bytes away: the same pattern.
	if id := b.Access(Access{Space: SpaceGlobal, Width: 4, Buffer: "A", Offsets: []int64{256, 260}}); id != first {
		t.Errorf("a pattern moved by a multiple of 256 bytes is access %d, want %d", id, first)
	}
	for name, a := range map[string]Access{
		"moved by 4 bytes": {Space: SpaceGlobal, Width: 4, Buffer: "A", Offsets: []int64{260, 264}},
		"other space":      {Space: SpaceLocal, Width: 4, Buffer: "A", Offsets: []int64{0, 4}},
		"other width":      {Space: SpaceGlobal, Width: 4 << 8, Buffer: "A", Offsets: []int64{0, 4}},
		"store":            {Space: SpaceGlobal, Width: 4, Store: true, Buffer: "A", Offsets: []int64{0, 4}},
		"other buffer":     {Space: SpaceGlobal, Width: 4, Buffer: "B", Offsets: []int64{0, 4}},
		"unknown":          {Space: SpaceGlobal, Width: 4, Buffer: "A", Assumed: "why"},
		"unknown, within":  {Space: SpaceGlobal, Width: 4, Buffer: "A", Assumed: "why", Within: 64},
		"unknown, near":    {Space: SpaceGlobal, Width: 4, Buffer: "A", Assumed: "why", Near: 4},
		"unknown, same":    {Space: SpaceGlobal, Width: 4, Buffer: "A", Assumed: "why", Same: true},
		"text split":       {Space: SpaceGlobal, Width: 4, Buffer: "Awhy"},
	} {
		if id := b.Access(a); id == first {
			t.Errorf("%s: interned to the same access", name)
		}
	}
	in := Instr{Op: "add.f32", Lanes: 32, Pos: Pos{File: "k.cl", Line: 3}}
	if id := b.Instr(in); b.Instr(in) != id {
		t.Error("equal classes have two ids")
	}
	if a := (Access{Space: SpaceGlobal, Width: 4, Offsets: []int64{}}); b.Access(a) != b.Access(
		Access{Space: SpaceGlobal, Width: 4}) {
		t.Error("no offsets and empty offsets are two patterns")
	}
}

func TestNormaliseKeepsAlignment(t *testing.T) {
	for _, c := range []struct{ in, want []int64 }{
		{[]int64{0, 4}, []int64{0, 4}},
		{[]int64{260, 256, 1000}, []int64{4, 0, 744}},
		{[]int64{-4, 0}, []int64{252, 256}},
		{[]int64{-256}, []int64{0}},
		{nil, nil},
	} {
		got := slices.Clone(c.in)
		if normalise(got); !slices.Equal(got, c.want) {
			t.Errorf("normalise(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

func TestBuilderMergesEdges(t *testing.T) {
	b := NewBuilder()
	in := b.Instr(Instr{Op: "add.f32", Lanes: 32})
	b.Begin(0)
	for range 3 {
		b.Add(in)
	}
	// 1 is waited for in two ways, of which completion is the stricter.
	v := b.Add(in, Edge{2, Order}, Edge{1, Order}, Edge{1, Data}, Edge{0, Control})
	from, kind := flat(t, build(t, b, header(1)).Programs()[0]).Preds(NodeID(v))
	if !slices.Equal(from, []NodeID{0, 1, 2}) || !slices.Equal(kind, []EdgeKind{Control, Data, Order}) {
		t.Errorf("edges from %v, kinds %v", from, kind)
	}
}

func TestBuilderMergesEqualPrograms(t *testing.T) {
	b := NewBuilder()
	in, other := b.Instr(Instr{Op: "add.f32", Lanes: 32}), b.Instr(Instr{Op: "mul.f32", Lanes: 32})
	// Warp 4 differs from 0 in a dependence, 5 in its kind.
	for _, c := range []struct {
		warp uint32
		id   InstrID
		kind EdgeKind // 0 = no dependence
	}{{3, in, Data}, {1, other, Data}, {2, in, Data}, {0, in, Data}, {4, in, 0}, {5, in, Order}, {6, in, Order}} {
		b.Begin(c.warp)
		v := b.Add(in)
		if c.kind == 0 {
			b.Add(c.id)
		} else {
			b.Add(c.id, Edge{v, c.kind})
		}
	}
	var warps [][]uint32
	for _, p := range build(t, b, header(7)).Programs() {
		warps = append(warps, p.Warps)
		if p.Len() != 2 {
			t.Errorf("the program of warps %v has %d instructions", p.Warps, p.Len())
		}
	}
	if want := [][]uint32{{0, 2, 3}, {1}, {4}, {5, 6}}; !reflect.DeepEqual(warps, want) {
		t.Errorf("programs of warps %v, want %v", warps, want)
	}
}

func TestBuilderErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(b *Builder, in InstrID)
		want string
	}{
		{"no program", func(b *Builder, in InstrID) { b.Add(in) }, "Add before Begin"},
		{"itself", func(b *Builder, in InstrID) {
			b.Begin(0)
			b.Add(in, Edge{0, Data})
		}, "depends on 0, which is not before it"},
		{"later", func(b *Builder, in InstrID) { b.Begin(0); b.Add(in, Edge{7, Data}) }, "depends on 7"},
		{"kind", func(b *Builder, in InstrID) { b.Begin(0); b.Add(in); b.Add(in, Edge{0, 0}) }, "invalid kind"},
		{"class", func(b *Builder, _ InstrID) { b.Begin(0); b.Add(99) }, "class 99"},
		{"class 0", func(b *Builder, _ InstrID) { b.Begin(0); b.Add(0) }, "class 0"},
		{"nothing", func(*Builder, InstrID) {}, "no program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			c.do(b, b.Instr(Instr{Op: "add.f32", Lanes: 32}))
			if _, err := b.Build(header(1)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestAccessEqual: patterns that differ in any field are not the same.
func TestAccessEqual(t *testing.T) {
	if a, b := (Access{Offsets: []int64{0, 4}}), (Access{Offsets: []int64{0, 4}}); !a.equal(&b) {
		t.Error("equal patterns differ")
	}
	for i := range reflect.TypeFor[Access]().NumField() {
		var a, b Access
		switch f := reflect.ValueOf(&a).Elem().Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString("x")
		case reflect.Slice:
			f.Set(reflect.ValueOf([]int64{0}))
		case reflect.Uint8, reflect.Uint16:
			f.SetUint(1)
		default:
			f.SetInt(1)
		}
		if a.equal(&b) {
			t.Errorf("%s does not count", reflect.TypeFor[Access]().Field(i).Name)
		}
	}
}
