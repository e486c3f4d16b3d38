package isa

// Class is the kind of work that an op is, in instruction mixes. Accesses of memory have one for
// each verb and address space: "ld.global", "atomic.local".
type Class string

// The classes. Special are the functions that GPUs compute in special function units or by
// sequences around them: square roots, powers, exponentials, logarithms, trigonometric functions,
// and floating-point division and remainder.
const (
	FP16          Class = "fp16"
	FP32          Class = "fp32"
	FP64          Class = "fp64"
	Integer       Class = "int"
	Special       Class = "special"
	Conversion    Class = "convert"
	Comparison    Class = "compare"
	BarrierClass  Class = "barrier"
	FenceClass    Class = "fence"
	LoopClass     Class = "loop"
	BranchClass   Class = "branch"
	ConvergeClass Class = "converge"
	IndexClass    Class = "index"
	ShuffleClass  Class = "shuffle"
	VoteClass     Class = "vote"
	AsyncClass    Class = "async"
	TMAClass      Class = "tma"
	Tensor        Class = "tensor"
	OffClass      Class = "off"
	OtherClass    Class = "other"
)

// families are the classes that entries of device files and rules may name although they are
// no operations.
var families = []Class{FP32, FP64, FP16, Integer, Special, Conversion, Comparison}

// Class returns the class of the op.
func (o Op) Class() Class {
	switch r := o.row(); {
	case o.Memory():
		if o.Space == 0 {
			return Class(r.name)
		}
		return Class(r.name + "." + o.Space.String())
	case r.class == Special && r.kind == arithmetic && !o.Type.Float(): // a division of integers
	case r.class != "":
		return r.class
	}
	switch o.Type {
	case 0:
		return OtherClass
	case F16:
		return FP16
	case F32:
		return FP32
	case F64:
		return FP64
	}
	return Integer
}
