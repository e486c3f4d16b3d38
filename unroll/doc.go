// Package unroll says for which launch of a kernel its compiled code is executed: sizes, values of arguments, contents
// of buffers, and what is taken of loops and branches that nothing decides (Options).
//
// # Rooms
//
//   - walk: executes the code for warps of a group, and gives the graph of what they execute.
//   - locality: where memory was touched before.
//   - arithmetic: operations on what a lane holds.
package unroll
