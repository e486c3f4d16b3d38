package launches

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Launch is a launch of a kernel as host code makes it.
type Launch struct {
	Pos         diag.Pos      // to the line
	Kernel      *syntax.Name  // with the template arguments that are written
	At          Place         // where it stands
	Grid, Block Value         // extents: work groups, and work items of a group
	Shared      Value         // dynamic shared memory in bytes
	Args        []syntax.Expr // nil: not given one by one
	Values      []Value       // of the arguments
	// NoArguments says that some of these are values of a run of the program without arguments, and
	// others may differ.
	NoArguments bool
	// FirstOf says where the loop is in the first iteration of which some of these are so; "" = there is none.
	FirstOf string
	// Named says that the kernel is only named here, as a value: something launches it later.
	Named bool
}

// chevrons takes down the launch f<<<...>>>(...).
func (r *interpreter) chevrons(x *syntax.LaunchExpr) {
	id, ok := syntax.Bare(x.Fn).(*syntax.Ident)
	if r.quiet || !ok {
		return
	}
	u := Launch{Pos: id.Name.Pos, Kernel: id.Name}
	r.configure(&u, x.Config, 2)
	r.arguments(&u, x.Args)
	r.note(u)
}

// arguments evaluates those of a launch.
func (r *interpreter) arguments(u *Launch, args []syntax.Expr) {
	u.Args, u.Values = append([]syntax.Expr{}, args...), r.values(args)
}

// note takes a launch down, unless the interpretation was broken off while its values were computed.
func (r *interpreter) note(u Launch) {
	r.taken[u.Kernel] = true
	if r.spend(0) {
		u.At = r.place()
		r.launches = append(r.launches, u)
	}
}

// mention takes the name of an instance of a kernel template down that is not a launch by itself: k = kernel<float>.
func (r *interpreter) mention(n *syntax.Name) {
	if !r.quiet && r.mentionsKernel(n) && !r.taken[n] {
		r.note(Launch{Pos: n.Pos, Kernel: n, Named: true})
	}
}

// launchCall takes the launch down that a function of the runtime makes.
func (r *interpreter) launchCall(name string, x *syntax.CallExpr) {
	if r.quiet || len(x.Args) == 0 {
		return
	}
	kernel := x.Args[0]
	for again := true; again; { // casts, & and HIP_KERNEL_NAME around the name
		again = true
		switch y := kernel.(type) {
		case *syntax.Paren:
			kernel = y.X
		case *syntax.CastExpr:
			kernel = y.X
		case *syntax.NamedCast:
			kernel = y.X
		case *syntax.Unary:
			kernel, again = y.X, y.Op == "&"
		case *syntax.CallExpr:
			if again = ident(y.Fn) == "HIP_KERNEL_NAME" && len(y.Args) == 1; again {
				kernel = y.Args[0]
			}
		default:
			again = false
		}
	}
	id, ok := kernel.(*syntax.Ident)
	if !ok {
		return
	}
	u := Launch{Pos: id.Name.Pos, Kernel: id.Name}
	rest := x.Args[1:]
	if name == "hipLaunchKernelGGL" {
		r.configure(&u, rest, 2)
		r.arguments(&u, rest[min(4, len(rest)):])
	} else {
		r.configure(&u, rest, 3)
	}
	r.note(u)
}

// configure evaluates the grid, the block and the shared memory of a launch, the latter the part of this number.
func (r *interpreter) configure(u *Launch, parts []syntax.Expr, shared int) {
	value := func(n int) Value {
		if n >= len(parts) {
			return unknownf("it is not given")
		}
		return r.eval(parts[n])
	}
	u.Grid, u.Block = value(0).asDim3(), value(1).asDim3()
	u.Shared = number(ctypes.IntValue(ctypes.ULong, 0))
	if shared < len(parts) {
		u.Shared = value(shared).as(ctypes.Scalar(ctypes.ULong))
	}
}
