package lower

// Accuracy is how exact quotients and roots in single precision are to be, which decides
// what machine instructions they are. The zero value is invalid.
type Accuracy uint8

const (
	// Rounded is the number nearest to the result: the default of CUDA (-prec-div=true,
	// -prec-sqrt=true) and of HIP.
	Rounded Accuracy = iota + 1
	// Relaxed is OpenCL's default: 2.5 units in the last place for quotients, 3 for roots
	// (OpenCL C 1.2, 7.4). Small numbers count.
	Relaxed
	// Fast is what -use_fast_math and -cl-fast-relaxed-math ask for: small numbers may be 0.
	Fast
)

func (a Accuracy) String() string {
	return [...]string{"invalid", "rounded", "relaxed", "fast"}[a]
}
