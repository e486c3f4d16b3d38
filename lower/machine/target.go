package machine

// Target is a family of devices as a compiler sees it: a table, read from data/*.yaml.
type Target struct {
	Name     string // "sm_80", "gfx90a", "ptx"
	ISA      string // "sass", "gcn", "rdna", "ptx": which selection table
	WarpSize int
	// Registers: the most of a thread, of a unit, and the unit of allocation for a warp.
	MaxRegisters, FileRegisters, RegisterUnit int
	Reserved                                  int // registers that every kernel takes (stack pointer)
	UniformRegisters                          int // 0: none
	Predicates                                int
	MaxThreads, MaxWarps, MaxGroups           int // of a unit
	LocalBytes, LocalUnit                     int64
	Latencies                                 map[string]int // in cycles, by class of isa or mnemonic: for scheduling
	Features                                  map[string]bool
	Source                                    string
}
