package idg

import "strings"

// variableLatency reports whether an instruction has a variable latency in machine code: ptxas 11.8 has the
// instructions behind it wait for a dependence counter, not for a number of cycles (H25 4). It does so with
// memory accesses, shuffles, special functions, conversions to and from floating numbers,
// rounding, counts of bits, matrices and double precision; with the last two before
// compute capability 9.0 only, which H25 does not cover (docs/evidence/fidelity.md, Register reads).
func variableLatency(op string) bool {
	verb, rest, _ := strings.Cut(op, ".")
	switch ClassOf(op) {
	case "special", "shuffle", "tensor", "async", "fp64":
		return true
	}
	switch verb {
	case "ld", "st", "atomic",
		"floor", "ceil", "trunc", "rint", "round",
		"popcount", "clz", "ctz", "ffs", "bit_reverse":
		return true
	case "cvt":
		to, from, _ := strings.Cut(rest, ".")
		return floating(to) || floating(from)
	case "setp":
		return rest == "f64"
	}
	return false
}
