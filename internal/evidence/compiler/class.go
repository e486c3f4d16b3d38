package main

import (
	"fmt"
	"slices"
	"strings"
)

// Class is a kind of machine instruction: what is executed by the same units of NVIDIA's GPUs or is a decision
// of the compiler. The zero value is none.
type Class uint8

// The classes. Integers, moves, compares and logic are one: ptxas spreads them over two pipes as it balances.
const (
	Float Class = iota + 1
	Integer
	Uniform
	Double
	Half
	Tensor
	Special // special functions and conversions
	LoadGlobal
	StoreGlobal
	LoadShared
	StoreShared
	LoadPrivate
	StorePrivate
	Constant // reads of constant memory that are not operands
	Atomic   // of either memory, reductions included
	Exchange // shuffles, votes, matches
	Branch
	Barrier
	Classes
)

var classNames = [Classes]string{"none", "float", "int", "uniform", "double", "half", "tensor", "special",
	"ldg", "stg", "lds", "sts", "ldl", "stl", "const", "atomic", "exchange", "branch", "barrier"}

func (c Class) String() string { return classNames[c] }

// Counts are instructions by class.
type Counts [Classes]int64

// Total is how many there are.
func (c *Counts) Total() (n int64) {
	for _, v := range c {
		n += v
	}
	return n
}

func (c *Counts) String() string {
	var parts []string
	for k, n := range c {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Class(k), n))
		}
	}
	return strings.Join(parts, ", ")
}

// sassClasses are machine instructions by the name before the first dot (CUDA Binary Utilities, Instruction Set
// Reference); what is not listed is an integer instruction, or a uniform one where it begins with U.
var sassClasses = map[string]Class{
	"FADD": Float, "FMUL": Float, "FFMA": Float, "FADD32I": Float, "FMUL32I": Float, "FFMA32I": Float,
	"DADD": Double, "DMUL": Double, "DFMA": Double, "DSETP": Double, "DMNMX": Double, "DSET": Double,
	"HADD2": Half, "HMUL2": Half, "HFMA2": Half, "HSETP2": Half, "HMNMX2": Half, "HADD2_32I": Half,
	"HMMA": Tensor, "IMMA": Tensor, "DMMA": Tensor, "BMMA": Tensor, "HGMMA": Tensor, "IGMMA": Tensor,
	"MUFU": Special, "I2F": Special, "F2I": Special, "F2F": Special, "I2I": Special, "FRND": Special, "POPC": Special,
	"FLO": Special, "BREV": Special, "I2FP": Special, "F2FP": Special, "F2IP": Special,
	"LDG": LoadGlobal, "LD": LoadGlobal, "TEX": LoadGlobal, "TLD": LoadGlobal, "LDGSTS": LoadGlobal,
	"STG": StoreGlobal, "ST": StoreGlobal,
	"LDS": LoadShared, "LDSM": LoadShared, "STS": StoreShared, "STSM": StoreShared,
	"LDL": LoadPrivate, "STL": StorePrivate, "LDC": Constant, "LDCU": Constant,
	"ATOM": Atomic, "ATOMG": Atomic, "RED": Atomic, "REDG": Atomic, "ATOMS": Atomic,
	"SHFL": Exchange, "VOTE": Exchange, "MATCH": Exchange, "REDUX": Exchange,
	"BRA": Branch, "EXIT": Branch, "BSSY": Branch, "BSYNC": Branch, "CALL": Branch, "RET": Branch, "WARPSYNC": Branch,
	"BREAK": Branch, "BRX": Branch, "YIELD": Branch, "BMOV": Branch, "NANOSLEEP": Branch, "SSY": Branch, "SYNC": Branch,
	"PBK": Branch, "BRK": Branch, "JMP": Branch, "BPT": Branch, "KILL": Branch,
	"BAR": Barrier, "MEMBAR": Barrier, "DEPBAR": Barrier, "ERRBAR": Barrier, "CCTL": Barrier, "SYNCS": Barrier,
	"LDGDEPBAR": Barrier, "FENCE": Barrier,
	"NOP": 0,
}

// ClassOf is the class of a machine instruction; operands tell constants that are moved by the units of half
// precision.
func ClassOf(op, operands string) Class {
	name, _, _ := strings.Cut(op, ".")
	if unit, rest, ok := strings.Cut(name, "_"); ok && strings.ToLower(name) == name {
		return gcnClass(unit, rest)
	}
	if c, ok := sassClasses[name]; ok {
		if c == Half && strings.Contains(operands, "-RZ, RZ") {
			return Integer
		}
		return c
	}
	if strings.HasPrefix(name, "U") || name == "R2UR" || name == "S2UR" || name == "VOTEU" {
		return Uniform
	}
	return Integer
}

// gcnClass is the class of an instruction of AMD's by its unit, the word before the first "_", and the rest of its
// name (AMD Instinct MI200 and RDNA 2 instruction set architectures).
func gcnClass(unit, rest string) Class {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(rest, w) })
	}
	switch unit {
	case "s":
		switch {
		case has("waitcnt", "nop", "inst_prefetch", "clause", "delay", "code_end"):
			return 0
		case has("branch", "cbranch", "endpgm", "setpc", "swappc", "and_saveexec", "or_saveexec", "xor_saveexec"):
			return Branch
		case has("barrier"):
			return Barrier
		case has("load", "buffer_load"):
			return Constant
		}
		return Uniform
	case "ds":
		switch {
		case has("read", "load"):
			return LoadShared
		case has("write", "store"):
			return StoreShared
		case has("bpermute", "permute", "swizzle"):
			return Exchange
		}
		return Atomic
	case "global", "flat", "buffer", "scratch":
		private := unit == "buffer" || unit == "scratch"
		switch {
		case has("load") && private:
			return LoadPrivate
		case has("store") && private:
			return StorePrivate
		case has("load"):
			return LoadGlobal
		case has("store"):
			return StoreGlobal
		case has("atomic"):
			return Atomic
		}
		return Barrier // fences: buffer_wbinvl1, buffer_gl0_inv
	}
	typed := func(suffix string) bool {
		return strings.HasSuffix(rest, suffix) || strings.Contains(rest, suffix+"_e")
	}
	switch {
	case has("exp_", "log_", "rcp_", "rsq_", "sqrt_", "sin_", "cos_", "cvt_"):
		return Special
	case has("mfma", "wmma"):
		return Tensor
	case has("readlane", "readfirstlane", "writelane"):
		return Exchange
	case has("cmp", "cndmask", "mov"):
		return Integer
	case typed("f64"):
		return Double
	case typed("f32"):
		return Float
	case typed("f16"):
		return Half
	}
	return Integer
}
