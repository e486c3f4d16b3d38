// Package export writes graphs in forms that people and other tools read.
//
// It consumes an [idg.Graph] and produces a listing of its instructions ([Text]), what can be said about it
// without a device ([Stats]), and its nodes and edges for Graphviz ([DOT]) and for GraphML's many
// readers ([GraphML]). The form that a graph is read back from, JSON, is idg's own.
//
// The drawings are those of Lemeire et al. (P19, Fig. 1): a node for every executed warp instruction,
// an edge from what it waits for. DOT draws the instructions of large graphs together, to be looked at;
// GraphML has all of them, for programs.
//
// Invariants:
//   - the same graph gives the same bytes;
//   - what a graph's names hold, DOT's lines and GraphML's elements are well formed;
//   - [Text] and [Stats] take the memory of the program's repetitions, not of what they execute.
package export
