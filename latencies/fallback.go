package latencies

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// part is n executions of an op, one after the other.
type part struct {
	n  uint32
	op string
}

// alternative is what may stand for an op that a device has no entry for: the
// timing of its parts, added up, on the subsystem that they keep busy longest.
type alternative struct {
	parts []part
	why   string
}

func as(op, why string) alternative { return alternative{[]part{{1, op}}, why} }

// packedSum adds two numbers of single precision of a lane to two others.
const packedSum = "add.packed.f32"

// alternatives is the fallback chain: what stands for an op without an entry, the
// best first. The alternatives of an alternative are tried in turn before the
// next one; an op without any is an error of the mapper.
//
// Simple operations of one type stand for each other because the same units
// execute them (the throughput table of the CUDA programming guide has one row for
// them); wider types are composed from narrower ones, as compilers do.
func (o opName) alternatives() []alternative {
	if unmarked, ok := o.unmarked(); ok {
		return o.uniformAlternatives(unmarked)
	}
	switch o.base {
	case "ld", "st", "atomic":
		return o.memoryAlternatives()
	case "barrier":
		return []alternative{as("add.s32", "the cost of a barrier is not known: an issue slot")}
	case "fence":
		return []alternative{as("add.s32", "a fence takes an issue slot; it orders memory accesses, which the graph's edges do")}
	case "async":
		return []alternative{as("add.s32", "an issue slot; how long it waits for asynchronous copies is in the graph's edges")}
	case "loop":
		return []alternative{{[]part{{1, "add.s32"}, {1, "setp.s32"}, {1, "branch"}}, "increment, compare and branch"}}
	case "branch":
		return []alternative{as("add.s32", "an issue slot and the latency of a simple operation")}
	case "vote":
		return []alternative{as("setp.s32", "a predicate operation")}
	case "shuffle":
		return []alternative{as("ld.local", "exchanged through local memory")}
	case "index":
		return []alternative{as("mov.s32", "a move from a special register")}
	case "wgmma":
		return o.groupAlternatives()
	case "tma":
		return []alternative{as("add.s32", "an issue slot; the bytes are moved by nodes of their own")}
	case "cvt":
		return o.conversionAlternatives()
	}
	if f, ok := functionNamed(o.function()); ok {
		return o.functionAlternatives(f)
	}
	if !slices.Contains(arithmetic[:], o.base) {
		return nil
	}
	if len(o.parts) == 2 && o.parts[0] == "wide" {
		if o.base == "mad" {
			return []alternative{as("mul.wide."+o.parts[1], "one multiply-add")}
		}
		return []alternative{as(o.base+"."+o.parts[1], "the same product with its high half kept")}
	}
	if o.full == "add.base.s64" {
		return []alternative{as("add.s64", "both operands in any registers")}
	}
	if len(o.parts) == 2 && o.parts[0] == "dual" {
		single := as(o.base+"."+o.parts[1], "not issued in pairs")
		if o.full == "add.dual.f32" {
			return []alternative{single}
		}
		return []alternative{as("add.dual.f32", "any two that the compiler pairs"), single}
	}
	if len(o.parts) == 2 && o.parts[0] == "packed" {
		one := alternative{[]part{{2, o.base + "." + o.parts[1]}}, "one number after the other"}
		if o.full == packedSum {
			return []alternative{one}
		}
		return []alternative{as(packedSum, "any operation on two numbers"), one}
	}
	switch o.scalar() {
	case "f32":
		return o.fp32Alternatives()
	case "f64":
		return o.fp64Alternatives()
	case "f16":
		return o.fp16Alternatives()
	case "s32":
		return o.int32Alternatives()
	case "s64":
		return o.int64Alternatives()
	case "u32", "b32", "s16", "u16", "s8", "u8":
		return []alternative{as(o.base+".s32", "all integers of up to 32 bits cost the same")}
	case "pred", "bool":
		return []alternative{as(o.base+".s32", "predicates cost what integers cost")}
	case "u64", "b64":
		return []alternative{as(o.base+".s64", "signed and unsigned cost the same")}
	case "ptr":
		return []alternative{as(o.base+".s64", "pointers are 64-bit integers")}
	case "":
		return []alternative{as(o.base+".s32", "the type is not known")}
	}
	return nil
}

// groupColumns is a matrix instruction of a warp group of the fewest columns.
const groupColumns = "wgmma.m64n8"

// groupAlternatives: the time of a product of a warp group is proportional to its columns, of any type, since
// all have rows of 32 bytes (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions; the specified rates are
// inversely proportional to the width of the numbers).
func (o opName) groupAlternatives() []alternative {
	if len(o.parts) < 2 {
		return nil
	}
	_, rest, ok := strings.Cut(o.parts[0], "m64n")
	columns, _, both := strings.Cut(rest, "k")
	n, err := strconv.Atoi(columns)
	if !ok || !both || err != nil || n < 8 || n > 256 || n%8 != 0 {
		return nil
	}
	return []alternative{{[]part{{uint32(n / 8), groupColumns}}, "eight columns after the other"}}
}

// memoryAlternatives: stores cost what loads cost, because the papers have one
// entry for both (P19 T.II "memory", A T.5 "ld"); atomics are an access of
// their memory, with the serialisation that the context rules add.
func (o opName) memoryAlternatives() []alternative {
	space := "global"
	if n := len(o.parts); n > 1 && o.parts[n-1] == "async" {
		space = o.parts[n-2]
	} else if n > 0 {
		space = o.parts[n-1]
	}
	switch {
	case o.base == "atomic":
		if space != "local" {
			space = "global"
		}
		if i := slices.Index(o.parts, combinedMark); i >= 0 {
			return []alternative{as(o.without(i), "one update for all lanes")}
		}
		return []alternative{as("ld."+space, "an atomic is performed in the memory and costs an access")}
	case o.base == "st":
		return []alternative{as("ld."+space, "loads and stores have one entry in the papers")}
	case space == "private":
		return []alternative{as("ld.global", "private memory lies in device memory")}
	case space == "image":
		return []alternative{as("ld.global", "an image read that the texture cache does not serve")}
	case space == "constant":
		return []alternative{as("ld.local", "an on-chip read of one word for all lanes")}
	}
	return nil
}

func (o opName) fp16Alternatives() []alternative {
	single := as(o.base+".f32", "half precision at the rate of single precision")
	switch o.base {
	case "mul", "fma", "mad", "sub", "neg", "abs":
		return []alternative{as("add.f16", "executed by the same units"), single}
	}
	return []alternative{single}
}

func (o opName) fp32Alternatives() []alternative {
	const same = "executed by the same units"
	switch o.base {
	case "add":
		return []alternative{as("mul.f32", same), as("fma.f32", same)}
	case "mul":
		return []alternative{as("fma.f32", same), as("add.f32", same)}
	case "fma":
		return []alternative{as("mul.f32", same), as("add.f32", same)}
	case "mad":
		return []alternative{as("fma.f32", "one multiply-add")}
	case "sub", "neg", "abs":
		return []alternative{as("add.f32", same)}
	case "div", "rem":
		if o.base == "rem" {
			return []alternative{as("fmod.f32", "the remainder of a division")}
		}
		return []alternative{{[]part{{1, "native_recip.f32"}, {1, "mul.f32"}}, "multiplied by the reciprocal"}}
	case "min", "max":
		return []alternative{as("setp.f32", "compare, min and max have one rate")}
	}
	return []alternative{as(o.base+".s32", "the type does not matter to the units")}
}

func (o opName) fp64Alternatives() []alternative {
	const same = "executed by the same units"
	switch o.base {
	case "add":
		return []alternative{as("mul.f64", same), as("fma.f64", same)}
	case "mul":
		return []alternative{as("fma.f64", same), as("add.f64", same)}
	case "fma":
		return []alternative{as("mul.f64", same), as("add.f64", same)}
	case "mad":
		return []alternative{as("fma.f64", "one multiply-add")}
	case "sub", "min", "max", "setp":
		return []alternative{as("add.f64", same)}
	case "neg", "abs":
		return []alternative{as("and.s32", "changes the sign bit")}
	case "mov", "select":
		return []alternative{{[]part{{2, o.base + ".s32"}}, "two 32-bit halves"}}
	case "div":
		return []alternative{{[]part{{1, "native_recip.f32"}, {8, "fma.f64"}}, "estimate: a reciprocal seed, two Newton steps, the quotient and its correction"}}
	case "rem":
		return []alternative{{[]part{{1, "div.f64"}, {2, "fma.f64"}}, "the remainder of a division"}}
	}
	return nil
}

func (o opName) int32Alternatives() []alternative {
	const same = "executed by the same units"
	switch o.base {
	case "add":
		return []alternative{as("add.f32", "integer and single precision operations share their units"), as("mul.s32", same)}
	case "mul":
		return []alternative{{[]part{{4, "add.s32"}}, "estimate: composed from narrow multiplications"}}
	case "mad", "fma":
		return []alternative{as("mul.s32", "one multiply-add")}
	case "mulhi":
		return []alternative{as("mul.s32", same)}
	case "div":
		return []alternative{{[]part{{3, "cvt.f32.s32"}, {1, "native_recip.f32"}, {2, "mul.s32"}, {4, "add.s32"}}, "estimate: a reciprocal in single precision and two corrections"}}
	case "rem":
		return []alternative{as("div.s32", "the remainder of a division")}
	case "or", "xor", "not":
		return []alternative{as("and.s32", same)}
	case "shr":
		return []alternative{as("shl.s32", same)}
	case "min", "max":
		return []alternative{as("setp.s32", "compare, min and max have one rate")}
	}
	return []alternative{as("add.s32", same)}
}

func (o opName) int64Alternatives() []alternative {
	switch o.base {
	case "mul":
		return []alternative{{[]part{{4, "mul.s32"}}, "four 32-bit products"}}
	case "mad", "fma", "mulhi":
		return []alternative{{[]part{{4, "mul.s32"}, {2, "add.s32"}}, "four 32-bit products and their sum"}}
	case "div", "rem":
		return []alternative{{[]part{{6, "div.s32"}}, "420 against 66 cycles on an A100 (Abdelkhalik et al. 2022, T.V)"}}
	}
	return []alternative{{[]part{{2, o.base + ".s32"}}, "two 32-bit halves"}}
}

func (o opName) conversionAlternatives() []alternative {
	if o.full == "cvt.f32.s32" || len(o.parts) < 2 {
		return []alternative{as("add.s32", "a simple operation")}
	}
	to, from := o.parts[0], o.parts[1]
	switch {
	case to == "f64" || from == "f64":
		return []alternative{as("add.f64", "converted by the double precision units")}
	case !isFloat(to) && !isFloat(from) && is64(to):
		return []alternative{{[]part{{2, "mov.s32"}}, "two 32-bit halves"}}
	case !isFloat(to) && !isFloat(from):
		return []alternative{as("mov.s32", "an extension or truncation")}
	case is64(to) || is64(from):
		return []alternative{{[]part{{2, "cvt.f32.s32"}}, "two 32-bit halves"}}
	}
	return []alternative{as("cvt.f32.s32", "conversions have one rate")}
}

func isFloat(t string) bool { return t == "f16" || t == "f32" || t == "f64" }
func is64(t string) bool    { return t == "s64" || t == "u64" || t == "b64" || t == "ptr" || t == "f64" }

func (o opName) functionAlternatives(f *function) []alternative {
	t := o.scalar()
	approx := o.approximate()
	switch {
	case o.full != o.base && t == "f64":
		return o.fp64Function(f)
	case is64(t) && (f.name == "mul_hi" || f.name == "mad_hi"):
		return []alternative{as("mulhi.s64", "the upper half of a 64-bit product")}
	case t == "s64" || t == "u64":
		return []alternative{{[]part{{2, o.base + ".s32"}}, "two 32-bit halves"}}
	case t == "f16":
		return []alternative{as(o.withType("f32"), "half precision at the rate of single precision")}
	case o.full == "cos.approx.f32" || o.full == "native_cos.f32":
		return nil // the special function unit itself
	case approx && f.native != nil:
		return []alternative{{f.native, "the special function unit's operations"}}
	case o.base != f.name && f.native != nil:
		return []alternative{as("native_"+f.name+".f32", "reduced accuracy: the hardware's version")}
	case o.base != f.name || approx:
		return []alternative{as(f.name+".f32", "there is no hardware version")}
	case f.exact:
		return []alternative{{f.accurate, "what the function means"}}
	}
	return []alternative{{f.accurate, "estimate: a software routine"}}
}

// fp64Function composes a function in double precision: no source prints their
// cost, so a polynomial of twice the length stands for all that are software.
func (o opName) fp64Function(f *function) []alternative {
	switch f.name {
	case "fabs", "copysign":
		return []alternative{as("abs.f64", "changes the sign bit")}
	case "fmin", "fmax", "fdim", "clamp", "floor", "ceil", "trunc", "rint", "round", "isnan", "isinf", "isfinite":
		return []alternative{as("add.f64", "a simple double precision operation")}
	case "recip", "divide":
		return []alternative{as("div.f64", "a division")}
	case "sqrt", "rsqrt":
		return []alternative{{[]part{sfu, {8, "fma.f64"}}, "estimate: a seed and Newton steps"}}
	}
	return []alternative{{[]part{{20, "fma.f64"}}, fmt.Sprintf("estimate: a software routine for %s", f.name)}}
}

// withType is the op with another scalar type.
func (o opName) withType(t string) string {
	s := o.base
	for i, p := range o.parts {
		if i == len(o.parts)-1 {
			p = t
		}
		s += "." + p
	}
	return s
}
