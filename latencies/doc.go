// Package latencies holds what is known of GPUs and maps the instructions of a
// graph to them: it is the mapper g of the pipeline model, from an instruction in its
// context to subsystem, λ and Λ (L4; A 3.1.3, which calls g without a context f). Its
// memory analysis module (A 4.4) follows the rules of A 6.3.
//
// It consumes device files (YAML, embedded or the user's), --set rules and an
// idg.Graph, whose accesses carry the exact byte offsets of a warp's lanes (the
// context mapper f of L4). It produces a Mapping: for each instruction class of the graph
// a subsystem, a CPI λ and a latency Λ, with the entry that was used, its source,
// and every fallback and assumption.
//
// # From an instruction to its parameters
//
//  1. Entry: the device's entry for the op with the access's type, the op, a
//     dotted prefix of it, or its class, whichever is most specific (spellings).
//  2. Fallback: without an entry, the chain of isa.Op.Alternatives: another op
//     that the same units execute, or a composition whose λ and Λ add up on the
//     subsystem that its parts keep busy longest. An op without any is an error.
//  3. Context: memory accesses become transactions (V16 2.5), passes over the
//     banks (V16 2.6) and from them, or from R and D that a rule gives, λ and Λ (A 6.3); see Device.inContext. Where
//     the graph tells its locality, reuse distances and the capacities of the caches
//     say which levels of the memory serve an access, and for which a warp waits, if
//     another has asked first; see hierarchy, hierarchy.pending and Device.levelContext.
//  4. Rules: λ and Λ given by --set are final; steps 1 to 3 provide the rest.
//
// # Subsystems
//
// A and P19 measure λ and Λ of instructions and say which share a pipeline: A
// T.4 has the ALU and the special function units as separate subsystems behind the
// issue limit on the GPUs of NVIDIA, and one for both on Tonga. Beyond that the device
// files keep apart what the vendor's documents call separate units: double
// precision (where it is not done by the ALU), local memory with the warp shuffles, device
// memory, and barriers. Integer, logic, compare, loop and branch instructions are on the ALU.
// From Volta on single precision and integer multiplications have a pipeline beside the
// other integer instructions', tensor cores are one of their own, L1 shares local
// memory's, and each sub-core (partition) has its part of those that are not shared by the
// compute unit.
//
// # Invariants
//
//   - Every number of a device has a source, and a rule (DeriveRules) if the
//     source does not print it. Nothing is fitted to what the model predicts: the one
//     rule with a least squares in it, loaded-latency, is applied to published
//     measurements of streams.
//   - What a device can do stands in its file (compiler, tensor_cores, async_copies, ...): no
//     code asks for a vendor, an architecture or the number of a capability. Device.Target is what of it
//     compilers make use of.
//   - What no source gives is not in the file: Device.Gaps lists it, with what stands
//     in for it. docs/reference/devices.md is written from the files.
//   - λ > 0 and Λ > 0 in every entry; all arithmetic is exact (Cycles).
//   - Same graph, device and rules: same mapping, and the same text.
package latencies
