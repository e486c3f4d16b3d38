// Package console is how a command of this module behaves towards the shell
// that runs it.
//
// It consumes the standard streams and gives the command's main function
// diagnostics on standard error (Report), products that are written whole or
// not at all (Emit), and an exit status (Run, StatusOf).
//
// # Invariants
//
//   - Standard output carries the product only, standard error diagnostics only.
//   - A product file exists complete or not at all: errors, panics and interrupts
//     leave an older file as it was and no temporary file behind.
//   - A reader that closes standard output early is not an error.
//   - Colour is written to terminals only, and never if NO_COLOR is set.
package console
