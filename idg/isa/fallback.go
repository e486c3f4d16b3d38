package isa

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is N executions of an op, one after the other.
type Part struct {
	N  uint32
	Op string
}

// Alternative is what may stand for an op that a device has no entry for: the
// timing of its parts, added up, on the subsystem that they keep busy longest.
type Alternative struct {
	Parts []Part
	Why   string
}

func as(op, why string) Alternative               { return Alternative{[]Part{{1, op}}, why} }
func parts(why string, list ...Part) Alternative  { return Alternative{list, why} }
func always(a Alternative) map[Type][]Alternative { return map[Type][]Alternative{0: {a}} }
func twoHalves(verb string) []Alternative         { return []Alternative{halfWords(verb)} }
func halfWords(verb string) Alternative           { return parts("two 32-bit halves", Part{2, verb + ".s32"}) }
func fmas(n uint32) Part                          { return Part{n, "fma.f32"} }
func muls(n uint32) Part                          { return Part{n, "mul.f32"} }
func adds(n uint32) Part                          { return Part{n, "add.f32"} }
func compares(n uint32) Part                      { return Part{n, "setp.f32"} }
func selects(n uint32) Part                       { return Part{n, "select.f32"} }
func only(op string) []Part                       { return []Part{{1, op}} }

// Pieces of the compositions in the table.
var (
	sfu          = Part{1, "cos.approx.f32"} // one operation of the special function unit
	conversion   = Part{1, "cvt.f32.s32"}
	wideProduct  = []Alternative{parts("four 32-bit products and their sum", Part{4, "mul.s32"}, Part{2, "add.s32"})}
	wideQuotient = []Alternative{parts("420 against 66 cycles on an A100 (Abdelkhalik et al. 2022, T.V)",
		Part{6, "div.s32"})}

	// Functions in double precision: no source prints their cost, so a polynomial of twice the
	// length stands for all that are software.
	signChange     = []Alternative{as("abs.f64", "changes the sign bit")}
	doubleSimple   = []Alternative{as("add.f64", "a simple double precision operation")}
	doubleQuotient = []Alternative{as("div.f64", "a division")}
	doubleRoot     = []Alternative{parts("estimate: a seed and Newton steps", sfu, Part{8, "fma.f64"})}
)

func halfRate(verb string) []Alternative {
	return []Alternative{as("add.f16", sameUnits), as(verb+".f32", "half precision at the rate of single precision")}
}

func likeAdd() map[Type][]Alternative {
	return map[Type][]Alternative{F16: halfRate("sub"), F32: {as("add.f32", sameUnits)},
		F64: {as("add.f64", sameUnits)}}
}

func signBit(verb string) map[Type][]Alternative {
	return map[Type][]Alternative{F16: halfRate(verb), F32: {as("add.f32", sameUnits)},
		F64: {as("and.s32", "changes the sign bit")}}
}

func likeCompare() map[Type][]Alternative {
	return map[Type][]Alternative{F32: {as("setp.f32", compared)}, F64: {as("add.f64", sameUnits)},
		S32: {as("setp.s32", compared)}}
}

// rule is a fallback that is not by type.
type rule uint8

const (
	byRow        rule = iota // fall, or a function's compositions
	ofMemory                 // of an access
	ofConversion             // of a conversion
	ofColumns                // of a matrix instruction of a warp group
	ofProducts               // of the upper half of a product
)

// packedSum adds two numbers of single precision of a lane to two others.
const packedSum = "add.packed.f32"

// Alternatives is the fallback chain: what stands for an op without an entry, the
// best first. The alternatives of an alternative are tried in turn before the
// next one; an op without any is an error of the mapper.
//
// Simple operations of one type stand for each other because the same units
// execute them (the throughput table of the CUDA programming guide has one row for
// them); wider types are composed from narrower ones, as compilers do.
func (o Op) Alternatives() []Alternative {
	r := o.row()
	switch {
	case o.Has(Uniform):
		return o.uniformAlternatives()
	case r.rule == ofMemory:
		return o.memoryAlternatives()
	case r.rule == ofConversion:
		return o.conversionAlternatives()
	case r.rule == ofColumns:
		return o.columnAlternatives()
	case r.kind == plain:
		return r.fall[0]
	case r.kind == function:
		return o.functionAlternatives(r)
	case r.kind != arithmetic:
		return nil
	case o.Marks != 0:
		return o.markedAlternatives()
	}
	if a := r.fall[o.Type]; a != nil {
		return a
	}
	switch o.Type {
	case F16:
		return []Alternative{as(r.name+".f32", "half precision at the rate of single precision")}
	case F32:
		return []Alternative{as(r.name+".s32", "the type does not matter to the units")}
	case F64, BF16:
		return nil
	case S32:
		return []Alternative{as("add.s32", sameUnits)}
	case S64:
		return twoHalves(r.name)
	case U64, B64:
		return []Alternative{as(r.name+".s64", "signed and unsigned cost the same")}
	case Ptr:
		return []Alternative{as(r.name+".s64", "pointers are 64-bit integers")}
	case Pred, Bool:
		return []Alternative{as(r.name+".s32", "predicates cost what integers cost")}
	case 0:
		if o.last() != "" {
			return nil
		}
		return []Alternative{as(r.name+".s32", "the type is not known")}
	}
	return []Alternative{as(r.name+".s32", "all integers of up to 32 bits cost the same")}
}

// uniformAlternatives: the instructions of a scalar unit cost the same, else what vector units
// take for the op.
func (o Op) uniformAlternatives() []Alternative {
	vector := as(o.Without(Uniform).text, "no scalar unit: as where lanes differ")
	if o.Verb == Load {
		return []Alternative{vector}
	}
	return []Alternative{parts("instructions of a scalar unit cost the same",
		Part{o.ScalarInstructions(), ScalarAny.String()}), vector}
}

// markedAlternatives are those of arithmetic with one mark.
func (o Op) markedAlternatives() []Alternative {
	name, typ := o.Verb.String(), o.Type.String()
	switch {
	case o.Marks == Wide && o.Verb == Mad:
		return []Alternative{as("mul.wide."+typ, "one multiply-add")}
	case o.Marks == Wide:
		return []Alternative{as(name+"."+typ, "the same product with its high half kept")}
	case o.Marks == Base:
		return []Alternative{as("add.s64", "both operands in any registers")}
	case o.Marks == Dual:
		single := as(name+"."+typ, "not issued in pairs")
		if o.text == "add.dual.f32" {
			return []Alternative{single}
		}
		return []Alternative{as("add.dual.f32", "any two that the compiler pairs"), single}
	case o.Marks == Packed:
		one := parts("one number after the other", Part{2, name + "." + typ})
		if o.text == packedSum {
			return []Alternative{one}
		}
		return []Alternative{as(packedSum, "any operation on two numbers"), one}
	}
	return nil
}

// groupColumns is a matrix instruction of a warp group of the fewest columns.
const groupColumns = "wgmma.m64n8"

// columnAlternatives: the time of a product of a warp group is proportional to its columns, of any type, since
// all have rows of 32 bytes (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions; the specified rates are
// inversely proportional to the width of the numbers).
func (o Op) columnAlternatives() []Alternative {
	shape, _, typed := strings.Cut(o.rest(), ".")
	_, size, ok := strings.Cut(shape, "m64n")
	columns, _, both := strings.Cut(size, "k")
	n, err := strconv.Atoi(columns)
	if !typed || !ok || !both || err != nil || n < 8 || n > 256 || n%8 != 0 {
		return nil
	}
	return []Alternative{parts("eight columns after the other", Part{uint32(n / 8), groupColumns})}
}

// memoryAlternatives: stores cost what loads cost, because the papers have one
// entry for both (P19 T.II "memory", A T.5 "ld"); atomics are an access of
// their memory, with the serialisation that the context rules add.
func (o Op) memoryAlternatives() []Alternative {
	space := o.Space
	if space == 0 || o.Verb == Atomic && space != Local {
		space = Global
	}
	switch {
	case o.Has(Combined):
		return []Alternative{as(o.Without(Combined).text, "one update for all lanes")}
	case o.Verb == Atomic:
		return []Alternative{as(In(Load, space).text, "an atomic is performed in the memory and costs an access")}
	case o.Verb == Store:
		return []Alternative{as(In(Load, space).text, "loads and stores have one entry in the papers")}
	case space == Private:
		return []Alternative{as("ld.global", "private memory lies in device memory")}
	case space == Image:
		return []Alternative{as("ld.global", "an image read that the texture cache does not serve")}
	case space == Constant:
		return []Alternative{as("ld.local", "an on-chip read of one word for all lanes")}
	}
	return nil
}

func (o Op) conversionAlternatives() []Alternative {
	to, from := o.Type, o.From
	switch {
	case o.text == conversion.Op || from == 0:
		return []Alternative{as("add.s32", "a simple operation")}
	case to == F64 || from == F64:
		return []Alternative{as("add.f64", "converted by the double precision units")}
	case !to.Float() && !from.Float() && to.Wide():
		return []Alternative{halfWords("mov")}
	case !to.Float() && !from.Float():
		return []Alternative{as("mov.s32", "an extension or truncation")}
	case to.Wide() || from.Wide():
		return []Alternative{parts("two 32-bit halves", Part{2, conversion.Op})}
	}
	return []Alternative{as(conversion.Op, "conversions have one rate")}
}

func (o Op) functionAlternatives(r *row) []Alternative {
	approx, plain := o.Approximate(), o.Accuracy == 0
	switch {
	case o.Type == F64 && r.double != nil:
		return r.double
	case o.Type == F64:
		return []Alternative{parts("estimate: a software routine for "+r.name, Part{20, "fma.f64"})}
	case o.Type.Wide() && r.rule == ofProducts:
		return []Alternative{as("mulhi.s64", "the upper half of a 64-bit product")}
	case o.Type == S64 || o.Type == U64:
		return twoHalves(o.base())
	case o.Type == F16:
		return []Alternative{as(o.Typed(F32).text, "half precision at the rate of single precision")}
	case o.text == sfu.Op || o.text == "native_cos.f32":
		return nil // the special function unit itself
	case approx && r.native != nil:
		return []Alternative{{r.native, "the special function unit's operations"}}
	case !plain && r.native != nil:
		return []Alternative{as(fmt.Sprintf("%s%s.f32", accuracies[Native], r.name),
			"reduced accuracy: the hardware's version")}
	case !plain || approx:
		return []Alternative{as(r.name+".f32", "there is no hardware version")}
	case r.exact:
		return []Alternative{{r.accurate, "what the function means"}}
	}
	return []Alternative{{r.accurate, "estimate: a software routine"}}
}
