// Package locality finds out where the bytes that a kernel touches were touched
// before: by the same warp, by its group, or by an earlier group of the launch.
//
// # What comes in and what goes out
//
// In: the exact addresses that the warps of one group touch ([Warp]), and a
// function that resolves warps of other groups ([Input]). Out: the records
// that a graph carries, idg.Locality for each instruction class and idg.Footprint.
// No device is involved: capacities turn distances into hits later.
//
// # How it works
//
// The warps of the group take turns, an instruction each, and wait for each
// other at barriers (order.go): the order of a scheduler that is fair and of a
// machine in which everything takes equally long. Along that order the reuse
// distance of every sector is counted exactly (reuse.go: Bennett and Kruskal 1975,
// Olken 1981).
//
// Iterations that a resolver has not executed come as repeats, whose accesses move by
// constants (trace.go). They are counted one by one only until what is counted is
// known to recur (repeat.go, flow.go): then the rest is multiplied, and what it leaves in the
// stack is kept as arithmetic progressions (stride.go), which later loops over the
// same memory may hit, in step (hit.go). The result is that of listing every access
// (TestRepeatsAgainstListing); where accesses move such that they may meet, they are
// listed.
//
// Between groups, kernels nearly always move the same pattern along: every
// access of group g' goes where group g's goes, plus a constant for each
// dimension of the launch. The constants are those seen in the neighbours, and the
// rule is checked on a group far away (translate.go). Where it holds, the
// nearest earlier group that touches a sector is found by arithmetic on byte
// ranges, however far away it is (neighbour.go), and so is what the launch
// touches in all (launch.go). Guards make the groups at the edges of the launch touch less: what the
// launch touches is found for these and for those between apart, and joined (edges.go). Where the rule does not hold,
// as with scattered or swizzled groups, the neighbours themselves are looked at, and the rest is estimated
// (sampled.go). A launch of a few warps is resolved whole.
//
// # Invariants
//
// Time and memory are bounded by the limits in limits.go; what they cut off is
// said in a note. The same input gives the same result.
package locality
