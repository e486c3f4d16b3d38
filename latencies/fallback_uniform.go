package latencies

import (
	"slices"
	"strings"
)

// uniformMark is the part of an op's name that says that a scalar unit executes it: what
// it computes is the same in all lanes (add.uniform.s32, ld.global.uniform).
const uniformMark = "uniform"

// scalarInstruction is the name of the entry for any instruction of a scalar unit. No graph has
// such an op.
const scalarInstruction = "uniform"

// unmarked is the op without the mark, if it has one.
func (o opName) unmarked() (string, bool) {
	i := slices.Index(o.parts, uniformMark)
	if i < 0 {
		return "", false
	}
	return o.without(i), true
}

// without is the op without a part of its name.
func (o opName) without(part int) string {
	return strings.Join(append([]string{o.base}, slices.Delete(slices.Clone(o.parts), part, part+1)...), ".")
}

// uniformAlternatives: the instructions of a scalar unit cost the same, else what vector units
// take for the op.
func (o opName) uniformAlternatives(unmarked string) []alternative {
	vector := as(unmarked, "no scalar unit: as where lanes differ")
	if o.base == "ld" {
		return []alternative{vector}
	}
	return []alternative{{[]part{{o.scalarUnit(), scalarInstruction}}, "instructions of a scalar unit cost the same"}, vector}
}

// scalarUnit is how many instructions of a scalar unit the op is; 0: it is not marked, or a load.
func (o opName) scalarUnit() uint32 {
	unmarked, ok := o.unmarked()
	if !ok || o.base == "ld" {
		return 0
	}
	return parseOp(unmarked).scalarInstructions()
}

// scalarInstructions is how many instructions of AMD's scalar unit an integer operation takes
// (AMD, instruction set architectures of CDNA 2 and RDNA 2: there are shifts, logic and selections
// of 64 bits; sums have a carry; there is no multiply-add).
func (o opName) scalarInstructions() uint32 {
	wide := is64(o.scalar()) && o.base != "cvt"
	switch {
	case o.base == "mul" && wide:
		return 6 // three low products, a high one, two sums
	case o.base == "mad" && wide:
		return 8
	case o.base == "mad", len(o.parts) == 2 && o.parts[0] == "wide":
		return 2
	case wide && (o.base == "add" || o.base == "sub" || o.base == "neg" || o.base == "min" || o.base == "max"):
		return 2
	}
	return 1
}
