package unroll

// What the tests of package unroll_test reach inside.
var (
	Binary    = binary
	Unary     = unary
	Convert   = convert
	TripCount = tripCount
)

const Endless = endless
