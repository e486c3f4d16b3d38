package frontend

import "gpupipe/frontend/builtins"

// Builtin is a function of the languages as the tree's calls hold it.
type Builtin = builtins.Function

// The classes of functions.
const (
	WorkItem      = builtins.WorkItem
	Math          = builtins.Math
	MathOut       = builtins.MathOut
	Relational    = builtins.Relational
	Select        = builtins.Select
	Geometric     = builtins.Geometric
	AnyAll        = builtins.AnyAll
	Barrier       = builtins.Barrier
	Fence         = builtins.Fence
	Atomic        = builtins.Atomic
	VLoad         = builtins.VLoad
	VStore        = builtins.VStore
	Ignored       = builtins.Ignored
	ImageRead     = builtins.ImageRead
	ImageWrite    = builtins.ImageWrite
	ImageQuery    = builtins.ImageQuery
	SubGroup      = builtins.SubGroup
	VectorShuffle = builtins.VectorShuffle
	AsyncCopy     = builtins.AsyncCopy
	WaitEvents    = builtins.WaitEvents
	Pipeline      = builtins.Pipeline
	Tensor        = builtins.Tensor
)
