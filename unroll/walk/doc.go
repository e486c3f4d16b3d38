// Package walk executes compiled code: it consumes machine code (package lower/machine) and a launch, and gives the
// graph of what the lanes of its warps execute. Nothing is optimised here.
//
// The walk goes over the structure of the code with a mask of active lanes (walk.go, branch.go). What decides -
// conditions, addresses - is computed from the IR that the code was made of, when somebody asks for it (eval.go,
// launch.go): operations have no effects but those of memory. A value knows in which lanes it is known, where that
// comes from (origin.go), and how it changes with the iterations of the loops around (value.go). Iterations of loops
// that do what the one before did are counted (follow.go).
//
// Where a way is not known, the user's choice is taken (--branch, --trip), else parts of unrolled loops share the
// assumed iterations (loops.go), else both sides are executed (branch.go). What was assumed is noted with the flag
// that gives it (notes.go), what became of the source's loops and branches counted (loops.go, sites.go).
//
// The recorder writes a warp's program (record.go): a dependence is the last writer of a register, or the last gate;
// memory is ordered where devices do not issue in order (order.go), asynchronous copies and products by those who
// wait for them (async.go, roles.go, box.go). Accesses are interned with the lanes' offsets (access.go, image.go),
// and what memory they touch goes to package locality (touch.go, reuse.go).
//
// What execution shows of faults of the kernel is told: accesses outside of arrays (outside.go), barriers that not all
// reach (barriers.go), races (races.go).
//
// The group in the middle of the launch stands for all, unless others execute something else (groups.go).
package walk
