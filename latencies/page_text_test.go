package latencies

// The text of docs/reference/devices.md, around the tables that devicesPage writes.

const pageHead = `<!-- Generated: go test ./latencies -run TestDevicesPage -update -->
# Devices

%d devices with %d numbers and choices of their own or of their architecture: %d as a source prints them, %d derived by a
[rule](#rules). ` + "`pipesim gpus NAME`" + ` shows every number with its source, and what no source gives. ` +
	"`*`" + ` marks
derived values, – what no source gives or the device does not have. How to add a GPU: [device files](../guide/device-files.md).

## Issue

- **Partitions** are sub-cores, each with its share of the issue limit and of the units that the device file marks.
- **Order** is what may issue: any ready instruction of a warp (` + "`dataflow`" + `), of its basic block (` +
	"`blocks`" + `), or
  only the next one (` + "`in-order`" + `). Machine code is issued in order; a graph of -O0 has the order of the source
  ([why](../../simulate/RATIONALE.md)).
- **Scheduler**: ` + "`rr`" + ` where none is given.
- **Interval**: the least time between two issues of one warp (Volkov's ILP latency).
- **Register reads**: words of a warp that the registers of a sub-core deliver per cycle.
- **Dual issue**: ` + "`none`" + `; ` + "`in-limit`" + `, contained in the measured issue limit; ` + "`in-rates`" +
	`, contained in λ; ` + "`paired`" + `,
  formed by the compiler and marked in the graph (fma.dual.f32).
- **Barrier waits for**: earlier instructions of the warp must be complete, as A draws it (Fig. 15), or only issued, as
  Volkov measured on Fermi. AMD's compiler waits for outstanding memory accesses. ` + "`idgen --gpu`" +
	` takes the device's
  choice at -O2; -O0 is A's drawing; ` + "`--barrier`" + ` overrides both.

`

const pageMemory = `
## Memory

λ is in cycles per warp instruction of a compute unit, Λ in cycles.

- **Loaded latency** is a + b·T/(c - T) at a throughput T, with a and b in cycles, c in GB/s. Without it Λ is constant.
- **Copy** multiplies λ of device memory where half of what a launch moves is written, less where one direction prevails.
- **Request**: an access to local memory takes λ for each pass over the banks, and at least these cycles.
- A cache is modelled where a source gives size, bandwidth and latency; else accesses go to the next level.
- Constants without an entry are read as from local memory. A miss of a constant cache is charged as a hit.

`

const pageEvidence = `
## Evidence

The source of each value, by device. ` + "`pipesim gpus NAME`" + ` spells out the keys.
`

const pageRules = `
## Rules

How a number follows from what its source prints; ` + "`go test ./latencies`" + ` computes them again.

`
