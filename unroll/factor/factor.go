package factor

import (
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
)

// Settings say what is compiled for.
type Settings struct {
	target.Target
	// Chosen is the factor of the loop at a position that the user has chosen.
	Chosen func(lower.Pos) (factor int64, ok bool)
}

// Values is what the compiler knows of registers where a loop begins.
type Values interface {
	// Constant is the contents of a register, if the compiler knows them.
	Constant(lower.Reg) (bits uint64, ok bool)
	// Addend is the constant of the sum that a register is known to hold, else 0.
	Addend(lower.Reg) int64
	// OfLaunch reports whether a register's contents follow from work-item ids and launch
	// sizes alone, which are not negative.
	OfLaunch(lower.Reg) bool
}

// Trips is what is known of a loop's iterations before it begins.
type Trips struct {
	Count    int64 // exact, given or assumed; with lanes that differ the most; below 0 = not known
	Constant bool  // known to the compiler
	Counted  bool  // the loop has a counter, which one instruction steps and compares
	Assumed  bool  // nothing is known of the count
	Varies   bool  // it differs between lanes
}

// Choice is what is done with a loop.
type Choice struct {
	Factor  int64  // copies of the body in the rolled part
	Full    bool   // no rolled part
	Reason  string // one clause
	Warning string // to the user, about the pragma; "" = none
}

// Unroller chooses the factors of a kernel's loops.
type Unroller struct {
	Settings
	source *lower.Kernel
	kernel *structure.Kernel
	values Values

	counters   []lower.Reg              // of the loops about which is being decided: no constants in their bodies
	predicted  map[prediction]predicted // what will be done with inner loops
	sizes      map[measured]*sizeLLVM   // as LLVM measures loops
	vectors    map[lower.ObjectID]bool  // private arrays that are in registers whatever is unrolled
	predicting bool                     // about a loop within the one that is asked about
	around     *lower.Loop              // see Choose
}

// New makes an Unroller for a kernel. Values are asked for whenever it chooses.
func New(source *lower.Kernel, kernel *structure.Kernel, values Values, s Settings) *Unroller {
	u := &Unroller{Settings: s, source: source, kernel: kernel, values: values, predicted: map[prediction]predicted{},
		sizes: map[measured]*sizeLLVM{}}
	if s.AMDGPU() {
		u.vectors = vectorsAMD(source)
	}
	return u
}

// Choose decides about an execution of a loop. around is the innermost loop around it that is not
// unrolled fully, or nil.
func (u *Unroller) Choose(l *lower.Loop, t Trips, around *lower.Loop) Choice {
	p := plan{trips: t.Count, constant: t.Constant, counted: t.Counted, assumed: t.Assumed, factor: 1}
	u.around = around
	u.choose(l, &p)
	return Choice{Factor: p.factor, Full: p.full, Reason: p.reason, Warning: p.warning}
}

// Predictions is how many predictions about inner loops are remembered.
func (u *Unroller) Predictions() int { return len(u.predicted) }

// plan is what is decided about a loop.
type plan struct {
	trips                      int64
	constant, counted, assumed bool

	factor          int64
	full            bool
	reason, warning string
}

// constant is the contents of an operand that the compiler knows.
func (u *Unroller) constant(o lower.Operand) (uint64, bool) {
	switch o.Kind {
	case lower.OperandConst:
		return arithmetic.LaneBits(o.Type, o.Bits), true
	case lower.OperandReg:
		return u.values.Constant(o.Reg)
	}
	return 0, false
}
