package sass

// Read is a general register that an instruction reads.
type Read struct {
	Register int
	Position int  // of the operand, from 0
	Keep     bool // the register file cache keeps it
}

// bank is that of a register: there are two (H25 5.3).
func bank(register int) int { return register % banks }

const banks = 2

// Reads lists the general registers that an instruction of fixed latency reads; others read none
// of those that are meant here (see Kernel.PortReads).
func (in *Instruction) Reads() []Read {
	if writesNothing[in.Name()] || in.Pipe() == Uniform {
		return nil
	}
	o := operation{Instruction: in, name: in.Name()}
	first := o.results(in.Operands)
	var reads []Read
	position := 0
	for i := first; i < len(in.Operands); i++ {
		text := in.Operands[i]
		a := decodeOperand(text)
		if a.kind == operandReg && a.reg >= firstPredicate || a.not {
			continue
		}
		r := Read{Register: a.reg, Position: position, Keep: in.Keep>>i&1 != 0}
		if o.name == "MOV" {
			r.Position = 1 // where the encoding has it
		}
		if position++; a.kind != operandReg || a.reg >= firstUniform {
			continue
		}
		reads = append(reads, r)
		if o.pair(r.Position) {
			r.Register++
			reads = append(reads, r)
		}
	}
	return reads
}

// pair tells the operands of two registers: numbers of double precision, and what is added to a product of 64 bits.
func (o *operation) pair(position int) bool {
	return o.Pipe() == Double || o.name == "IMAD" && o.Has("WIDE") && position == 2
}

// cache is the register file cache: for each bank, one register of each operand position (H25 5.3.1).
type cache map[cacheEntry]int

type cacheEntry struct{ bank, position int }

// read lists the registers that come through the ports when an instruction reads, and keeps
// what it says. What is read at a place of the cache takes it, kept or not.
func (c cache) read(reads []Read) []int {
	var ports []int
	for _, r := range reads {
		if kept, ok := c[cacheEntry{bank(r.Register), r.Position}]; !ok || kept != r.Register {
			ports = append(ports, r.Register)
		}
	}
	for _, r := range reads {
		at := cacheEntry{bank(r.Register), r.Position}
		delete(c, at)
		if r.Keep {
			c[at] = r.Register
		}
	}
	return ports
}
