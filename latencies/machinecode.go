package latencies

import (
	"slices"

	"gpupipe/idg/isa"
)

// Measures reports whether the device has an entry for an op, or its family, of which λ is as its
// source prints it. That is the time of all that the op takes, however many instructions of
// machine code it is. Where λ follows from the rate of units by a rule, these are better counted.
func (d *Device) Measures(op string) bool {
	for i := range d.Instructions {
		in := &d.Instructions[i]
		if in.Derived == "" && !isa.IsFamily(in.Match) && slices.Contains(isa.Parse(op).Names(""), in.Match) {
			return true
		}
	}
	return false
}

// packedSum adds two numbers of single precision of a lane to two others.
var packedSum = isa.Of(isa.Add, isa.F32).With(isa.Packed)

// packs reports whether the device computes two numbers of single precision of a lane in one
// instruction, as AMD's from CDNA 2 on: its file says then how long that takes.
func (d *Device) packs() bool {
	return slices.ContainsFunc(d.Instructions, func(in Instruction) bool { return in.Match == packedSum.String() })
}
