// Package launches finds in the host code of a CUDA file how it launches the file's kernels.
//
// It consumes the syntax tree of the file as the host's compiler sees it, and what package resolve knows of
// its declarations (Names), and produces the launches in the order in which the program makes them, with
// the sizes, the template arguments and the arguments of each as far as constants decide them.
//
// # How
//
//   - scan.go finds the functions and variables that the file declares.
//   - run.go interprets the functions from main on: statement by statement, with the values of the variables
//     that are known (env.go). Of a condition that is known one side is executed, of another one
//     both, and what they leave different is not known behind them; neither is what a loop changes.
//     Functions of the file are entered where they are called, as they launch kernels with their
//     arguments (call.go).
//   - commandline.go executes main with the command line that is given, else without arguments, where that launches all
//     that others do.
//   - iteration.go executes a loop's body again as its first iteration, for launches that depend on what
//     the loop changes.
//   - expr.go evaluates expressions, in C's types (package ctypes).
//   - change.go says what may change a variable.
//   - launch.go takes the launches down.
//
// # Invariants
//
// A value is what every run of the program computes, with the command line and on the device that are
// given (Run), or every run without arguments, or a loop's first iteration, both of which the launch
// says; else it is not known and says why: what comes from files is not known, nor what is not
// understood. Any tree ends the interpretation, after a bounded number of steps, without an error.
package launches
