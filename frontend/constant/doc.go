// Package constant computes constant expressions: it executes the typed tree, functions and loops too, on values.
//
// In comes an expression of package ast and what the program says of its objects and functions (Program); out goes the
// value as literals, or the place and the reason for which there is none (GiveUp). What it cannot know, it gives up; it
// never guesses, and every evaluation is bounded in steps and in the depth of calls.
package constant
