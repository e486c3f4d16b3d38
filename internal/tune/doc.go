// Package tune predicts every variant of a kernel and ranks them: a tuning space, its restrictions, and how a
// variant's parameters become macros, a launch and choices of the compiler.
//
// It consumes a Space (parameters with their values, restrictions) and a Recipe (the source and how a variant is
// compiled and launched), and produces a Row for each variant: its time and what limits it, or why it cannot run.
//
//	value.go     values of parameters, lists of them
//	expr.go      expressions over parameters, by github.com/expr-lang/expr
//	space.go     the cross product, its restrictions, a sample
//	t1.go        spaces of Kernel Tuner and of the benchmark suites (T1)
//	recipe.go    the recipe; variant.go a variant's options and the digests of what it shares with others
//	plan.go      variants by number, shards; run.go predicts them; shared.go what several of them use
//	predict.go   the pipe for one variant; certain.go ends it early by what the code alone shows
//	row.go       rows, their order; resume.go rows as lines of a file
//	cache.go     rows as Kernel Tuner's cache and as T4 results
//	measured.go  measured times by variant; rivals.go other ways to rank; score.go how well an order does
//	importance.go, explain.go  what makes the difference
//
// # Invariants
//
// Rows depend on the space and the recipe alone: neither the number of jobs nor an interrupt or the number of shards
// changes a byte. Work is shared only where it is known to be the same: the tokens that the preprocessor leaves, what
// a compiler is told, the launch, the graph.
package tune
