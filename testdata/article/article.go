// Package article holds the example of A (Fig. 1, Table 2) as files: the graph of its kernel, and a device with one
// pipeline for computations and one for memory.
package article

import _ "embed"

// Graph is the kernel: four computations and two reads of a warp (idg's JSON).
//
//go:embed example.json
var Graph []byte

// Device is the device: λ 1 and Λ 4 of computations, λ 2 and Λ 6 of memory (a device file).
//
//go:embed example.yaml
var Device []byte
