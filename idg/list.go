package idg

// An instruction's line lists its producers by kind and by how they are named,
// each list under a key of its own:
//
//	"d"         distances back from the instruction
//	"d1".."d9"  distances back from the first instruction of an enclosing
//	            repetition, as it is executed first: the innermost one, the
//	            next one out, ...
//	"D"         numbers of instructions from the program's start
//
// and "c", "o" in place of "d" for the other kinds. Over the repetitions of what
// encloses the instruction, a "d" moves along with all of them, a "d2" stays
// in the two innermost ones and moves along with the others, and a "D" stays
// in all.

// bases is how many ways there are to name a producer.
const bases = Absolute + 1

// listOf numbers the lists in the order in which they are written.
func listOf(k EdgeKind, base uint8) int { return int(k-Data)*bases + int(base) }

// listKeys are the keys of the lists, by number.
var listKeys = [3 * bases]string{
	"d", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "D",
	"c", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "C",
	"o", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "O",
}
