package isa

import (
	"fmt"
	"strings"
)

// words says how many 32-bit registers of a work item a result takes.
type words uint8

const (
	byType   words = iota // those of its type; of a conversion, of what it converts to
	noWords               // it has no result, or a predicate
	oneWord               // a word whatever its type
	accessed              // what it reads of memory
	fragment              // a lane's part of a matrix
	columns               // a lane's part of the matrix of a warp group
)

// ResultWords is how many 32-bit registers the result takes; of an access, whose elements have the
// given type, those of one element.
func (o Op) ResultWords(element Type) int64 {
	if o.Has(Async) {
		return 0
	}
	switch o.row().result {
	case noWords:
		return 0
	case oneWord:
		return 1
	case accessed:
		return element.Words()
	case fragment:
		return o.matrixWords()
	case columns:
		return o.groupWords()
	}
	if o.Verb != Convert && o.Has(Wide|Packed) {
		return 2
	}
	return o.Type.Words()
}

// ResultOfAccess reports whether the result has the bytes of the access.
func (o Op) ResultOfAccess() bool { return !o.Has(Async) && o.row().result == accessed }

// ValueWords is how many registers one value of a result takes: a number of a matrix.
func (o Op) ValueWords(element Type) int64 {
	if o.Class() == Tensor {
		return o.Type.Words()
	}
	return o.ResultWords(element)
}

// OperandWords is how many registers the op takes of an operand at most.
func (o Op) OperandWords() int64 {
	if o.Has(Wide|Packed) || o.Class() == Tensor {
		return 2
	}
	return o.Operand().Words()
}

// matrixWords is a work item's part of 16x8 numbers of 32 bits, or of 8x8 of 64; half of that of 16
// bits, of 8x8 of 32, and of what a step of HMMA.884 computes.
func (o Op) matrixWords() int64 {
	switch o.rest() {
	case "1688.f32", "16816.f32", "1684.f32", "16816.s32", "884.f64":
		return 4
	}
	return 2
}

// groupWords is a work item's part of 64xN numbers: of "wgmma.m64n128k16.bf16.f32".
func (o Op) groupWords() int64 {
	var m, n, k int64
	if read, _ := fmt.Sscanf(o.rest(), "m%dn%dk%d", &m, &n, &k); read != 3 {
		return 1
	}
	words := m * n / (4 * 32)
	if strings.HasSuffix(o.text, "."+F16.String()) {
		words /= 2
	}
	return max(1, words)
}
