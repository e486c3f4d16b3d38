// Package lower is the structured IR of a kernel: straight code, branches, loops,
// switches and barriers over typed scalar registers and memory objects, with every
// helper function inlined. Package translate makes it of the typed tree, package build
// makes SSA of it.
//
// Every operation has C's exact meaning (stated at each [Op]).
//
// # Representation
//
// A scalar variable is a register with RegInfo.Var set; intermediate results
// are temporaries that one instruction assigns. There are no phis. A vector is
// one register for each lane ("v.x", "v.s4"), a struct one for each scalar leaf
// ("p.pos.x"). Memory objects are buffers behind pointer parameters, local
// arrays, constant tables, and private variables whose address gets somewhere
// (promote.go): where it is stored in memory, compared, converted or chosen at
// run time, and where a subscript is not a constant. Bool registers are predicates, and so are the results of
// comparisons: a 0/1 integer is made (by Select) only where C uses it as one.
//
// # Access sizes
//
// A scalar is one access, a vector one wide access (three lanes: three
// registers at the alignment of four). A lane selection of a vector in memory
// is one narrower access where its lanes are adjacent; reading lanes with gaps
// reads the span they lie in, writing them writes each run on its own. A struct
// that is copied is one access for each vector member and each run of equal
// adjacent scalars that the struct's alignment lets a device move at once (a
// power of two of bytes, at most 16): {float x, y, z; int n;} is four accesses,
// an 8-byte aligned pair of floats one. Instr.Align carries the alignment that
// the source promises: vload4 of floats moves four lanes with alignment 4. Of an access
// to members alone, Instr.Whole and Instr.Offset say where in what alignment they lie.
//
// # Fragments
//
// Fragments of matrices are written out for the generation of tensor cores that
// [ast.Unit] names: loads and stores by lanes, and MatMul (translate/tensor.go); the matrix
// instructions of inline PTX are these too (translate/tensor_ptx.go).
//
// # Phases
//
// Package translate builds the statements, then [Finish] runs the passes listed in
// passes.go over them. Its text is that of the SSA that is made of it (package ir).
package lower
