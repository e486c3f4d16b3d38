package simulate

import (
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Read ports of the registers
//
// The registers of a sub-core give r words of a warp per cycle (32 bits of each lane,
// latencies.Device.RegisterReads). Instructions take them in the order of issue,
//
//	read = max(issue, read of the one before) + words/r
//
// and as Huerta et al. (MICRO 2025, 5.1.1 and 5.3) found, one waits between issue and its
// reads, in the stage Allocate, until these end within three cycles. Meanwhile nothing
// behind it moves: the sub-core issues nothing, for whatever warp, until 1/limit after
//
//	max(issue, read - 3 cycles)
//
// So single instructions of three words cost no time in between others of one, but many
// of them in a row 1.5 cycles each where r is 2. An instruction that reads for longer than three
// cycles leaves Allocate with its last read: an IMAD.WIDE with an addend holds issue for its four
// cycles, whatever follows (internal/evidence/compiler/testdata/h100/banks_h200.csv: four cycles and
// one more for each FMUL behind it; and what no simulation of ports that catch up gives, 36 cycles a
// trip of a convolution's loop of 21 instructions). Which words are read from the ports is the
// program's (idg.Graph.RegisterReads); memory and other instructions of variable latency read when the
// ports have nothing else to do, and count 0. The banks are taken to be evenly used, as ptxas
// mostly manages (docs/evidence/fidelity.md, Register reads).

// readAhead is how many cycles before the end of its reads an instruction leaves Allocate:
// "held in this stage until it can reserve all ports needed to read the source operands in
// the next three cycles" (Huerta et al. 5.3).
const readAhead = 3

// readPorts is what hardware has of the ports; without any limit reading is 0.
type readPorts struct {
	reading, ahead latencies.Cycles // of one word; readAhead
	longest        latencies.Cycles // of an instruction

	readingTicks, aheadTicks Tick
}

// read is from when on the ports of a sub-core, which are free from the given time on, are so
// when an instruction is issued now that reads so many words, and when the sub-core can issue the next one,
// so long after this one has left.
func (hw *hardware) read(free, now Tick, words uint8, slots Tick) (read, valve Tick) {
	read = max(free, now) + Tick(words)*hw.ports.readingTicks
	ahead := hw.ports.aheadTicks
	if Tick(words)*hw.ports.readingTicks > ahead {
		ahead = slots
	}
	return read, max(now, read-ahead) + slots
}

// limitReads sets the ports of a device that has a limit and returns the words that each
// stored instruction reads from them, by kind and program; nil if there is no limit, or if no instruction
// reads more than the ports give from one issue to the next, which then never wait.
func (hw *hardware) limitReads(l *Launch) ([][][]uint8, error) {
	reads := l.kinds[0].Mapping.Device.RegisterReads
	if reads.IsZero() {
		return nil, nil
	}
	most := uint8(0)
	words := l.registerWords()
	for _, kind := range words {
		for _, program := range kind {
			for _, n := range program {
				most = max(most, n)
			}
		}
	}
	one, err := latencies.WholeCycles(1).Div(reads)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, "CONFIG", "registers that give %v words per cycle cannot be counted: %v",
			reads, err)
	}
	longest, err := one.Mul(latencies.WholeCycles(uint32(most)))
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, "CONFIG",
			"an instruction that reads %d words at %v per cycle cannot be counted: %v", most, reads, err)
	}
	if longest.Cmp(hw.valve) <= 0 {
		return nil, nil
	}
	hw.ports = readPorts{reading: one, ahead: latencies.WholeCycles(readAhead), longest: longest}
	return words, nil
}

// setWords gives the programs of a kind their words.
func (k *kind) setWords(words [][]uint8) error {
	for i, p := range k.programs {
		if p.source.Len() > math.MaxInt64/math.MaxUint8 {
			return diag.Errorf(diag.Pos{}, idg.CodeTooLarge,
				"the register words that %d instructions of a warp read cannot be counted", p.source.Len())
		}
		p.words = words[i]
	}
	return nil
}

// wordsOf is the words by stored instruction of a program's code, which may be expanded.
func (p *program) wordsOf(src code) []uint8 {
	if _, ok := src.(*expanded); !ok || p.words == nil {
		return p.words
	}
	words := make([]uint8, 0, src.StaticLen())
	for s := range p.source.Order() {
		words = append(words, p.words[s])
	}
	return words
}
