package inlineptx

import (
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// types are the types of registers and memory by PTX's names. A bit type is taken as an unsigned
// integer.
var types = map[string]*ctypes.Type{
	"pred": ctypes.Scalar(ctypes.Bool), "b8": ctypes.Scalar(ctypes.UChar), "u8": ctypes.Scalar(ctypes.UChar),
	"s8":  ctypes.Scalar(ctypes.Char),
	"b16": ctypes.Scalar(ctypes.UShort), "u16": ctypes.Scalar(ctypes.UShort), "s16": ctypes.Scalar(ctypes.Short),
	"f16": ctypes.Scalar(ctypes.Half), "bf16": ctypes.Scalar(ctypes.BFloat),
	"b32": ctypes.Scalar(ctypes.UInt), "u32": ctypes.Scalar(ctypes.UInt), "s32": ctypes.Scalar(ctypes.Int),
	"f32": ctypes.Scalar(ctypes.Float), "tf32": ctypes.Scalar(ctypes.Float),
	"b64": ctypes.Scalar(ctypes.ULong), "u64": ctypes.Scalar(ctypes.ULong), "s64": ctypes.Scalar(ctypes.Long),
	"f64":   ctypes.Scalar(ctypes.Double),
	"f16x2": ctypes.VectorOf(ctypes.Half, 2), "bf16x2": ctypes.VectorOf(ctypes.BFloat, 2),
	"f32x2": ctypes.VectorOf(ctypes.Float, 2),
}

// spaces are the state spaces of accesses; without one an address is generic.
var spaces = map[string]idg.Space{
	"global": idg.SpaceGlobal, "shared": idg.SpaceLocal, "local": idg.SpacePrivate, "const": idg.SpaceConstant,
	"constant": idg.SpaceConstant,
}

// SpaceNamed is the state space that PTX or a function of CUDA calls so, 0 if there is none.
func SpaceNamed(name string) idg.Space { return spaces[name] }

// Type is the type that the last suffix but n names, nil if it names none.
func (in *Instruction) Type(n int) *ctypes.Type { return types[in.Last(n)] }

// Space is the state space among an instruction's suffixes, 0 if there is none.
func (in *Instruction) Space() idg.Space {
	for _, w := range in.Words[1:] {
		w, _, _ = strings.Cut(w, "::") // shared::cta
		if s := spaces[w]; s != 0 {
			return s
		}
	}
	return 0
}

// Accessed is the type of what a load or store moves: a vector with .v2 or .v4. It is nil if it is
// not known.
func (in *Instruction) Accessed() *ctypes.Type {
	t := in.Type(0)
	if t == nil || t.Kind == ctypes.Bool {
		return nil
	}
	for _, v := range []struct {
		word  string
		lanes int64
	}{{"v2", 2}, {"v4", 4}, {"v8", 8}} {
		if in.Has(v.word) {
			if t.Kind == ctypes.Vector || v.lanes*t.Size() > 16 {
				return nil
			}
			return ctypes.CUDAVectorOf(t.Kind, v.lanes)
		}
	}
	return t
}

// Registers are how many registers an access of a type has: one for each lane, but of a word of halves.
func (in *Instruction) Registers(t *ctypes.Type) int {
	if in.Type(0).Kind == ctypes.Vector {
		return 1
	}
	return t.Lanes()
}
