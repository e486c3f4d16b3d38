package translate

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

func TestRuns(t *testing.T) {
	s := ctypes.Scalar
	st := func(fields ...*ctypes.Type) *ctypes.Type {
		var fs []ctypes.Field
		for i, f := range fields {
			fs = append(fs, ctypes.Field{Name: fmt.Sprintf("f%d", i), Type: f})
		}
		return ctypes.NewStruct(ctypes.Struct, "S", fs)
	}
	f := s(ctypes.Float)
	for _, c := range []struct {
		name string
		t    *ctypes.Type
		want string // type x lanes at offset / alignment
	}{
		{"scalar", f, "f32x1@0/4"},
		{"vector", ctypes.VectorOf(ctypes.Float, 4), "f32x4@0/16"},
		{"three lanes", ctypes.VectorOf(ctypes.Int, 3), "s32x3@0/16"},
		{"sixteen lanes", ctypes.VectorOf(ctypes.UChar, 16), "u8x16@0/16"},
		{"floats at alignment 4", st(f, f, f, s(ctypes.Int)), "f32x1@0/4 f32x1@4/4 f32x1@8/4 s32x1@12/4"},
		{"vector and floats", st(ctypes.VectorOf(ctypes.Float, 4), f, f, f), "f32x4@0/16 f32x2@16/8 f32x1@24/4"},
		{"doubles align floats", st(f, f, s(ctypes.Double)), "f32x2@0/8 f64x1@8/8"},
		{"padding", st(s(ctypes.Char), s(ctypes.Int), s(ctypes.Short)), "s8x1@0/1 s32x1@4/4 s16x1@8/2"},
		{"array member", st(s(ctypes.Long), ctypes.ArrayOf(s(ctypes.Short), 4)), "s64x1@0/8 s16x4@8/8"},
		{"union", ctypes.NewStruct(ctypes.Union, "U", []ctypes.Field{{Name: "d", Type: s(ctypes.Double)},
			{Name: "c", Type: ctypes.ArrayOf(s(ctypes.Char), 12)}}), "u64x1@0/8 u64x1@8/8"},
		{"pointer", st(ctypes.PointerTo(f, 0), s(ctypes.Bool)), "ptrx1@0/8 predx1@8/1"},
	} {
		var got []string
		for _, r := range runsOf(c.t, lower.LeavesOf(c.t)) {
			got = append(got, fmt.Sprintf("%vx%d@%d/%d", r.typ, r.n, r.off, r.align))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %s, want %s", c.name, g, c.want)
		}
		if n := int64(len(lower.LeavesOf(c.t))); n != lower.CountLeaves(c.t) {
			t.Errorf("%s: %d leaves, counted %d", c.name, n, lower.CountLeaves(c.t))
		}
	}
}

func TestCountLeavesStops(t *testing.T) {
	huge := ctypes.ArrayOf(ctypes.ArrayOf(ctypes.Scalar(ctypes.Char), 1<<40), 1<<40)
	if n := lower.CountLeaves(huge); n != lower.ManyLeaves {
		t.Errorf("%d leaves", n)
	}
}
