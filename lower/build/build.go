// Package build makes the IR of a kernel: SSA of the structured tree that package lower gives, in which
// variables are assigned. The values of variables at the end of branches and around loops become results and
// parameters (Brandis and Mössenböck, Single-Pass Generation of Static Single-Assignment Form for Structured
// Languages, 1994).
package build

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Build makes the IR of a kernel.
func Build(k *lower.Kernel) *ir.Func { panic("not written yet") }
