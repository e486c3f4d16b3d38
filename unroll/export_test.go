package unroll

// What the tests of package unroll_test reach inside.
var (
	Binary    = binary
	Unary     = unary
	Convert   = convert
	TripCount = tripCount
	HalfBits  = halfBits
)

const Endless = endless
