package prelude

import _ "embed"

// CURAND has cuRAND's device functions: those of two published generators, which curand.cuh writes anew: XORWOW (G. Marsaglia,
// Xorshift RNGs, Journal of Statistical Software 8(14), 2003), whose state has 48 bytes and is CUDA's default, and
// Philox4x32-10 (J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011), and normal numbers by
// Box and Muller's transform (cuRAND's documentation, Device API). What XORWOW's curand_init takes to skip to its
// sequence, products of matrices of bits whose number depends on the sequence's number, is not in it.
//
//go:embed curand.cuh
var CURAND string

// CURANDHeader is the header that programs include for the device functions.
const CURANDHeader = "curand_kernel.h"
