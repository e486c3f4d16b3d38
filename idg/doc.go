// Package idg is the Instruction Dependence Graph: what the warps of one work
// group execute, and what each executed instruction waits for.
//
// It consumes the instructions that a resolver adds to a [Builder], or a JSON
// document (format "idg", version 1, published as schema/idg-v1.schema.json), and produces an
// immutable [Graph] with its JSON form and the analyses that need no device: critical path,
// ILP profile, instruction mix, and what is read of registers through the ports of
// their file ([Graph.RegisterReads]).
//
// The graph is that of Lemeire et al., who predict a kernel's run time by
// letting every warp run through such a graph on a GPU's pipelines (P19, Fig. 1:
// index, two loads, a multiply-add and a store). A vertex is one executed warp
// instruction with its operation, type, memory access pattern and source
// position. An edge says when the later instruction may issue: once the earlier
// one has completed, Λ after its issue ([Data], [Control]), or once the earlier
// one has been issued and its λ has passed ([Order]).
//
// Invariants, checked by [Graph.Verify]:
//   - A vertex's number is its place in program order and every edge points to an
//     earlier vertex, so that program order is a topological order and a cycle
//     cannot be expressed. That and the next hold in every repetition of a loop
//     and are checked without expanding it.
//   - Two vertices share at most one edge, and a vertex's edges ascend.
//   - Instruction classes and access patterns are interned; every id is in range.
//   - Access patterns are normalised (see [Access]) and have one offset for each
//     active lane.
//   - The programs list each warp of a group at most once, and warp 0; see
//     [Graph.ProgramOf] for warps that are not listed.
//
// Package export has the forms that people and other tools read.
//
// # The document
//
// One JSON object, readable with any JSON tool, in which every executed
// instruction stands on a line of its own:
//
//	{"i":12,"d":[9,1],"c":[4]}
//
// is an instruction of class 12 that depends on the data of the ninth instruction
// before it and of the last one, and is gated by the fourth before it; "o" lists
// order dependences. Distances, unlike numbers, are the same for every iteration
// of a loop, so that
//
//	{"repeat":127,"body":[ ... ]}
//
// stands for 127 times the same lines. In a body, dependences on what was
// executed before the loop are named by numbers, with capital letters: in
//
//	{"i":1},
//	{"repeat":127,"body":[
//	{"i":2,"d":[1],"D":[0]}
//	]}
//
// every repetition uses the result of the one before it and that of instruction
// 0, the first of the program (repetitions expanded), which must stand before.
// Where repetitions nest, what an outer body makes and an inner one uses neither
// keeps its distance nor its number: "d1" (and "c1", "o1") lists distances back from
// the first instruction of the innermost enclosing repetition, "d2" from that of
// the next one out, and so on to 9. Such a dependence is on the same instruction
// in every repetition of what it counts from and of what that encloses.
//
// Repetitions expand to exactly the graph that was written. [Encode] writes
// them, and with them the keys other than "d", "c" and "o", if asked to
// ([EncodeOptions]); [Decode] reads all of them always, within limits
// ([DecodeOptions]). The classes and access patterns to which instructions
// refer stand before them.
//
// What the resolver found out beside the programs stands in members of its own, which
// a document need not have: "locality", where the sectors that each class touches
// were touched before ([Locality]); "footprint", what the group and the launch touch
// in all ([Footprint]); and "kinds", the programs of groups that execute others than
// most ([Kind]).
//
// # Memory
//
// A [Program] is stored as in a folded document: its repetitions are kept when it is
// read, and found while it is built if the resolver says where iterations of loops
// begin ([Builder.BeginLoop]). A stored instruction takes four bytes, the number of
// its pattern: class and dependences, which recur in loops, unrolled or not; where
// hardly any recur, it is the place of a record of the instruction's own, of a byte or
// two and one to four for each dependence. What is needed per instruction executed has two ways: to go through the
// program, or to expand it within a limit ([Program.Expanded]) to a [Flat], compressed sparse rows of
// eight bytes a node and five an edge.
//
// Nothing here reads files or the network.
package idg
