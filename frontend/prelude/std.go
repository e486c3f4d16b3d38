package prelude

import _ "embed"

// Std is what device code takes of the standard library, as ordinary C++ in namespace std.
//
//go:embed std.cuh
var Std string
