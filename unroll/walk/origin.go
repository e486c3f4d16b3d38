package walk

// origin says where what is known of a value comes from, as a set.
type origin uint8

const (
	fromArgs     origin = 1 << iota // scalar arguments
	fromWorkItem                    // work-item ids
	fromLaunch                      // launch sizes
	fromMemory                      // loaded values
	fromAssumed                     // assumed or given trip counts and branches
	fromAtomic                      // of fromMemory, what atomics return
)

func (o origin) String() string {
	switch {
	case o == 0:
		return "constant"
	case o&fromMemory != 0:
		return "memory"
	case o&fromAssumed != 0:
		return "assumed"
	case o&fromWorkItem != 0:
		return "work-item ids"
	case o&fromArgs != 0:
		return "arguments"
	}
	return "launch sizes"
}

// unknownArgument is said of what follows from no value.
const unknownArgument = "depends on an argument without a value"

// unknown says where a number comes from that is not known.
func (o origin) unknown() string {
	switch {
	case o&fromAtomic != 0:
		return "returned by an atomic"
	case o&fromMemory != 0:
		return "loaded from memory"
	case o&fromArgs != 0:
		return unknownArgument
	}
	return "not known"
}
