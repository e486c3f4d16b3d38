package latencies

// The prose of docs/reference/devices.md, around the tables that devicesPage writes.

const pageHead = `# Devices

Written by ` + "`go test ./latencies -run TestDevicesPage -update`" + ` from the device files; the test checks that it is current.

%d devices, %d numbers and choices of their own or of their architecture: %d as a source prints them, %d derived from one by a rule (below). Every one has its source: ` + "`pipesim gpus NAME`" + ` shows them
all, and lists as derived what no source gives and what stands in for it. ` + "`*`" + ` marks what a rule derives; – is what no source gives, or what the device does not have.

## Issue

Partitions are sub-cores, with their share of the issue limit and of the units that the device file marks. The order is what may issue: with ` + "`dataflow`" + ` any ready instruction of a warp, with ` + "`blocks`" + ` any of its basic block, with ` + "`in-order`" + ` the next one.
The hardware of all these GPUs issues in the order of the machine code, which a compiler has scheduled; a graph is in the order of the source (simulate/RATIONALE.md). Among warps ` + "`rr`" + ` goes round where no scheduler is given. The interval is the least time between two issues of one warp (Volkov's ILP latency).
Register reads are the words of a warp (32 bits of each lane) that the registers of a sub-core give per cycle (` + "`simulate/readports.go`" + `).

Dual issue, more than one instruction of a scheduler at a time: ` + "`none`" + `, the hardware does not; ` + "`in-limit`" + `, what it gains is in the issue limit, a measured figure where one is given; ` + "`in-rates`" + `, it is in λ of the units;
` + "`paired`" + `, the compiler does it and graphs tell which instructions (fma.dual.f32, unroll/trace/pairs.go), whose λ is half. No mechanism of the hardware pairs instructions: on Kepler, where the interval is 3 cycles and 0 within a pair, a warp alone issues one independent instruction in 3 cycles where the
hardware issues two; at the issue limit of 4 that can matter below 12 warps of a compute unit.

What a barrier waits for in its own warp decides between two closed forms of a round of A's iterative barrier kernel (one group of G warps, m = max(λ_I, λ_B)): Λ_I + (G-1)·m + Λ_B where all before it must be complete, as A draws it
(Fig. 15), and max(Λ_I, λ_I + (G-1)·m + Λ_B) where it must have issued (` + "`simulate/barrier_test.go`" + `). Volkov measured the second on Fermi. AMD's compiler waits for outstanding memory accesses first. ` + "`idgen --gpu NAME`" + ` takes the
device's reading at -O2; -O0 is A's drawing, and ` + "`--barrier`" + ` overrides both.

`

const pageMemory = `
## Memory

λ is in cycles per warp instruction of a compute unit, Λ in cycles. The loaded latency is a + b·T/(c - T), a and b in cycles, c in GB/s; without it Λ does not depend on the load. λ of device memory is multiplied by "copy" where half of what a launch moves is written, and by less of it the more one direction prevails. A request to local memory takes λ for each pass over the banks, and at least the cycles of "request". A cache is modelled where a source gives its size, bandwidth and
latency; without L1 or L2 an access goes to the next level. Constants that have no entry are read as from local memory. Of constant caches the latency of a hit is modelled and nothing else: a graph does not tell which words of constant
memory are read again, so their sizes (J18: 2 KiB of L1 from Kepler to Turing) would have no effect, and a miss is charged as a hit.

`

const pageEvidence = `
## Evidence

What each value rests on, and who has it. The keys of sources are those of the device files (` + "`pipesim gpus NAME`" + ` spells them out).
`

const pageRules = `
## Rules

By which a number follows from what its source prints; ` + "`go test ./latencies`" + ` computes them again.

`
