package ast

// Dialect is the language of the source.
type Dialect uint8

// The dialects. The zero value is invalid.
const (
	OpenCL Dialect = iota + 1 // OpenCL C 1.2
	CUDA                      // CUDA C
)

func (d Dialect) String() string {
	switch d {
	case OpenCL:
		return "opencl"
	case CUDA:
		return "cuda"
	}
	return "invalid dialect"
}
