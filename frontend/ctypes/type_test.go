package ctypes

import (
	"testing"

	"gpupipe/idg"
)

// TestLayout compares sizes, alignments and offsets with what clang's offsetof
// gives on x86-64, where the OpenCL and CUDA device ABIs agree with it.
func TestLayout(t *testing.T) {
	field := func(name string, ty *Type) Field { return Field{Name: name, Type: ty} }
	for _, c := range []struct {
		name        string
		t           *Type
		size, align int64
		offsets     []int64
	}{
		{"char int char", NewStruct(Struct, "", []Field{field("a", Scalar(Char)), field("b", Scalar(Int)),
			field("c", Scalar(Char))}), 12, 4, []int64{0, 4, 8}},
		{"float3 float", NewStruct(Struct, "", []Field{field("a", VectorOf(Float, 3)), field("b", Scalar(Float))}), 32,
			16, []int64{0, 16}},
		{"cuda float3 float", NewStruct(Struct, "",
			[]Field{field("a", CUDAVectorOf(Float, 3)), field("b", Scalar(Float))}), 16, 4, []int64{0, 12}},
		{"cuda double4", CUDAVectorOf(Double, 4), 32, 16, nil},
		{"cuda uchar3", CUDAVectorOf(UChar, 3), 3, 1, nil},
		{"double16", VectorOf(Double, 16), 128, 128, nil},
		{"union", NewStruct(Union, "", []Field{field("a", Scalar(Char)), field("b", Scalar(Double)),
			field("c", ArrayOf(Scalar(Int), 3))}), 16, 8, []int64{0, 0, 0}},
		{"nested", NewStruct(Struct, "",
			[]Field{field("a", Scalar(Short)),
				field("s", NewStruct(Struct, "", []Field{field("p", PointerTo(Scalar(Int), idg.SpaceGlobal))}))}), 16,
			8, []int64{0, 8}},
		{"empty", NewStruct(Struct, "", nil), 0, 1, nil},
	} {
		if c.t.Size() != c.size || c.t.Align() != c.align {
			t.Errorf("%s: size %d align %d, want %d %d", c.name, c.t.Size(), c.t.Align(), c.size, c.align)
		}
		for i, want := range c.offsets {
			if got := c.t.Fields[i].Offset; got != want {
				t.Errorf("%s: field %d at %d, want %d", c.name, i, got, want)
			}
		}
	}
	packed := &Type{Kind: Struct}
	packed.LayOut([]Field{field("a", Scalar(Char)), field("b", Scalar(Int))}, 1, 1)
	if packed.Size() != 5 || packed.Fields[1].Offset != 1 {
		t.Errorf("packed: size %d, second field at %d", packed.Size(), packed.Fields[1].Offset)
	}
	aligned := &Type{Kind: Struct}
	aligned.LayOut([]Field{field("a", Scalar(Int))}, 0, 16)
	if aligned.Size() != 16 || aligned.Align() != 16 {
		t.Errorf("aligned(16): size %d align %d", aligned.Size(), aligned.Align())
	}
}

func TestTypeString(t *testing.T) {
	p := PointerTo(VectorOf(Float, 4), idg.SpaceGlobal)
	p.Const = true
	for _, c := range []struct {
		t    *Type
		want string
	}{
		{Scalar(ULong), "ulong"},
		{p, "__global const float4 *"},
		{PointerTo(Scalar(Int), 0), "int *"},
		{ArrayOf(ArrayOf(Scalar(Float), 33), 32), "float[32][33]"},
		{NewStruct(Union, "u", nil), "union u"},
		{&Type{}, "invalid type"},
	} {
		if got := c.t.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTypeEqual(t *testing.T) {
	a, b := NewStruct(Struct, "s", nil), NewStruct(Struct, "s", nil)
	self := &Type{Kind: Struct, Name: "node"}
	self.LayOut([]Field{{Name: "next", Type: PointerTo(self, idg.SpaceGlobal)}}, 0, 1)
	for _, c := range []struct {
		a, b *Type
		want bool
	}{
		{Scalar(Int), Scalar(Int), true}, {Scalar(Int), Scalar(UInt), false}, {a, a, true}, {a, b, false},
		{self, self, true},
		{PointerTo(self, idg.SpaceGlobal), PointerTo(self, idg.SpaceGlobal), true},
		{PointerTo(Scalar(Int), idg.SpaceGlobal), PointerTo(Scalar(Int), idg.SpaceLocal), false},
		{ArrayOf(Scalar(Int), 2), ArrayOf(Scalar(Int), 3), false}, {VectorOf(Float, 4), VectorOf(Float, 4), true},
		{VectorOf(Float, 3), CUDAVectorOf(Float, 3), true},
	} {
		if c.a.Equal(c.b) != c.want || c.b.Equal(c.a) != c.want {
			t.Errorf("%v equals %v: not %v", c.a, c.b, c.want)
		}
	}
}
