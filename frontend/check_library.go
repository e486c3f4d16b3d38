package frontend

import (
	"slices"

	"gpupipe/internal/diag"
)

// What is wrong inside of the text that stands for a library (cub.cuh, curand.cuh) is wrong with the program's use of
// it, so its error stands where the program calls the library, and a note says where it was found.

// atCaller is an error of a function that was called, from outside of libraries, at pos. Of the errors of
// one call that say the same only the first one is wanted: ok is false for others.
func (c *checker) atCaller(e *diag.Error, pos Pos, told diag.List) (_ *diag.Error, ok bool) {
	if !c.p.IsLibrary(e.Pos) {
		return e, true
	}
	here := *e
	here.Pos, here.Notes = pos, slices.Clone(e.Notes)
	_ = here.WithNote("this is needed at %s, in the text that stands for the library", e.Pos)
	if slices.ContainsFunc(told, func(t *diag.Error) bool { return t.Pos == here.Pos && t.Code == here.Code && t.Message == here.Message }) {
		return nil, false
	}
	if name, ok := c.macros[e]; ok {
		c.macros[&here] = name
	}
	return &here, true
}
