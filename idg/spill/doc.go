// Package spill makes the graph that a kernel has when a work item's registers are too few:
// values that they do not hold are stored to private memory and loaded again.
//
// It consumes an [idg.Graph], which registers hold uniform values and how many registers a work
// item can have, and produces the graph with those stores and loads ([Fit]); of such a
// graph, built here or decoded, what they cost ([TrafficOf]). The order of instructions and what each
// takes are those of package registers.
//
// A program goes through four steps: it is listed as compiled code lists it, rolled loops once
// (listing); registers are given out along the list, and what is needed last goes first when there are
// none left (choice); what goes gets a place in a stack frame (frame); and the program is
// executed once more with its stores and loads (inserter), folded as it was.
//
// Stores and loads are accesses of private memory (the local memory of NVIDIA's documents), to the
// buffer [idg.SpillBuffer].
//
// Invariants:
//   - without its stores and loads, and what is computed again instead, the program is the one before;
//   - every load reads what the same value's store wrote, and depends on it;
//   - programs that have enough registers are those of the graph before, shared.
package spill
