package encoding

// How often a qualifier stands for an address space, for what may be done with an image, or for a reference.
const (
	QualGlobal    = 1
	QualLocal     = 2
	QualConstant  = 3
	QualPrivate   = 4
	QualReadOnly  = 8
	QualWriteOnly = 9
	QualReadWrite = 10
	QualReference = 16 // CUDA
	QualPipe      = 20 // OpenCL, added to the access qualifier
)

// The names of the prelude's attributes and of its marker typedefs.
const (
	AttrKernel       = "kl_kernel"
	AttrDevice       = "kl_device"
	AttrManaged      = "kl_managed"
	AttrLaunchBounds = "kl_launch_bounds"
	AttrReqdSize     = "reqd_work_group_size"
	AttrDefault      = "kl_default"
	TypeAuto         = "__kl_auto"
	TypeBraces       = "__kl_braces"
)

// Names that the rewriter and the prelude agree on. A user's program cannot
// hold them: identifiers with two leading underscores are reserved.
const (
	LabelUnroll    = "__kl_unroll" // case __kl_unroll(ID): or case __kl_unroll(ID, N):
	LabelPragma    = "__kl_pragma" // case __kl_pragma("text"):
	DirectivesFunc = "__kl_directives"
	SentinelName   = "__kl_eof"
	MacroReference = "__kl_ref"
	PreludeName    = "<prelude>"
)

// CalledLambda is the name of a lambda that is called where it stands.
const CalledLambda = "__kl_called"

// ArrayExtent is the function that gives the number of an array's elements, StructPart the one that gives a member by its number.
const (
	ArrayExtent = "__kl_extent"
	StructPart  = "__kl_part"
)

// PassedLambda is the name of a lambda that is defined as an argument.
const PassedLambda = "__kl_passed"

// TypeCallable is the type of a parameter that is called, and the template argument of it.
const TypeCallable = "__kl_callable"

// ZeroOfEmpty is the zero of an empty list, spelled as hardly anyone spells the zero of a list.
const ZeroOfEmpty = "00"
