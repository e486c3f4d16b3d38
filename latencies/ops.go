package latencies

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
)

// arithmetic lists the bases of ops that carry a scalar type.
var arithmetic = [...]string{"add", "sub", "mul", "mad", "fma", "div", "rem", "neg", "abs", "min", "max", "and", "or", "xor", "not",
	"shl", "shr", "mulhi", "setp", "select", "mov"}

// untyped lists the bases of the other ops, apart from math functions, and of the entry for what
// scalar units execute (scalarInstruction).
var untyped = [...]string{"ld", "st", "atomic", "barrier", "fence", "loop", "branch", "converge", "shuffle", "vote", "index", "cvt", "async", "hmma", "imma", "dmma", "wgmma", "tma", "off", "uniform"}

// classes lists the classes of idg.ClassOf that are not names of ops.
var classes = [...]string{"fp32", "fp64", "fp16", "int", "special", "convert", "compare"}

// opName is an op taken apart: "atomic.add.global" has the base "atomic" and the
// parts "add" and "global".
type opName struct {
	full  string
	base  string
	parts []string // after the base
}

func parseOp(name string) opName {
	s := strings.Split(name, ".")
	return opName{full: name, base: s[0], parts: s[1:]}
}

// scalar is the type that an op carries: its last part ("cos.approx.f32",
// "add.s32"), except that a conversion names its result first.
func (o opName) scalar() string {
	switch {
	case len(o.parts) == 0:
		return ""
	case o.base == "cvt":
		return o.parts[0]
	}
	return o.parts[len(o.parts)-1]
}

// function is the math function's name without native_, half_, fast_.
func (o opName) function() string {
	for _, prefix := range []string{"native_", "half_", "fast_"} {
		if f, ok := strings.CutPrefix(o.base, prefix); ok {
			return f
		}
	}
	return o.base
}

// approximate reports whether the op is the hardware's own version of a math
// function: native_cos.f32, or cos.approx.f32 in the article's notation.
func (o opName) approximate() bool {
	return strings.HasPrefix(o.base, "native_") || len(o.parts) > 0 && o.parts[0] == "approx"
}

// spellings lists the names by which entries and rules may mean an op, from the most
// specific to the most general: with the type of a memory access, the op, any instruction
// of a scalar unit if the op is one, its prefixes, and its class in the instruction mix (idg.ClassOf).
func spellings(op, accessType string) []string {
	o := parseOp(op)
	var names []string
	if accessType != "" {
		names = append(names, op+"."+accessType)
	}
	names = append(names, op)
	if o.scalarUnit() == 1 {
		names = append(names, scalarInstruction)
	}
	if o.approximate() && len(o.parts) > 0 {
		if f := o.function(); f != o.base {
			names = append(names, f+".approx."+o.scalar())
		} else {
			names = append(names, "native_"+f+"."+o.scalar())
		}
	}
	for p := op; ; {
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			break
		}
		p = p[:i]
		names = append(names, p)
	}
	if c := string(idg.ClassOf(op)); slices.Contains(classes[:], c) {
		names = append(names, c)
	}
	return names
}

// checkMatch says what is wrong with the name of an instruction entry, or "".
func checkMatch(name string) string {
	if !isName(name) {
		return fmt.Sprintf("%q is not an op, a family or a class", name)
	}
	if slices.Contains(classes[:], name) {
		return ""
	}
	o := parseOp(name)
	known := slices.Concat(arithmetic[:], untyped[:])
	if slices.Contains(known, o.base) {
		return ""
	}
	if _, ok := functionNamed(o.function()); ok {
		return ""
	}
	for i := range functions {
		known = append(known, functions[i].name)
	}
	return fmt.Sprintf("no op is called %q%s", o.base, didYouMean(o.base, known))
}

// isMemory reports whether an op accesses memory.
func isMemory(op string) bool {
	switch parseOp(op).base {
	case "ld", "st", "atomic":
		return true
	}
	return false
}

// isName reports whether s is made of dotted lower-case words.
func isName(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || len(word) > 40 {
			return false
		}
		for _, c := range []byte(word) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
				return false
			}
		}
	}
	return len(s) <= 100
}
