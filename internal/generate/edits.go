package generate

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/unroll"
)

// edit is a change of a kernel's source or flags that somebody could make to have it run faster.
type edit struct {
	name    string
	worth   func(*idg.Graph) bool
	options func(*Options, *idg.Graph)                       // nil = as they are
	text    func(*Source, *ast.Function, *idg.Graph) *Source // nil = as it is
	change  func(*ast.Function, *idg.Graph) bool             // of the tree, and whether there is something to change
	source  *Source                                          // what text makes of it; nil = as it is
}

// edits in the order in which they are tried.
var edits = []edit{
	{name: idg.Unbounded, worth: func(g *idg.Graph) bool { return g.Resources.Unbounded > 0 },
		change: func(fn *ast.Function, _ *idg.Graph) bool { fn.MinResident = 0; return true }},
	{name: idg.SinglePrecision, worth: (*idg.Graph).AccidentalDoubles, change: whole,
		options: func(o *Options, _ *idg.Graph) { o.SinglePrecision = true }},
	{name: idg.FastMath, change: callsAccurate, options: func(o *Options, _ *idg.Graph) { o.FastMath = true }},
	swap(idg.SwappedXY, 1), swap(idg.SwappedXZ, 2),
	{name: idg.Combined, worth: hasAtomics, text: combineFirst, change: whole},
	{name: idg.OwnBins, worth: hasAtomics, text: ownBins, change: whole},
	{name: idg.Restricted, worth: loadsAgain, change: restrict},
	{name: idg.Masks, change: maskDivisors},
	{name: idg.Constants, worth: hasUnknownTrips, change: giveConstants},
	{name: idg.UnrolledBy16, worth: func(g *idg.Graph) bool { return slices.ContainsFunc(g.Loops, unrollable) },
		options: unrollBy16, change: whole},
}

func whole(*ast.Function, *idg.Graph) bool { return true }

// editsOf are those that change something, and all of them together. What they change of one tree, one after the other,
// tells only whether there is something.
func editsOf(s *Source, o *Options, g *idg.Graph) (list []edit) {
	p, err := Parse(s, o)
	if err != nil {
		return nil
	}
	fn := p.Unit.Kernel(g.Kernel)
	if fn == nil {
		return nil
	}
	for _, e := range edits {
		if e.worth != nil && !e.worth(g) {
			continue
		}
		if e.text != nil {
			if e.source = e.text(s, fn, g); e.source == nil {
				continue
			}
		}
		if e.change(fn, g) {
			list = append(list, e)
		}
	}
	together := list
	if slices.ContainsFunc(list, named(idg.SwappedXY)) { // one of both
		together = slices.DeleteFunc(slices.Clone(list), named(idg.SwappedXZ))
	}
	if len(together) > 1 && executed(g) <= mostForSeveral {
		list = append(list, several(together))
	}
	return list
}

func named(name string) func(edit) bool { return func(e edit) bool { return e.name == name } }

// mostForSeveral is how many instructions a graph may have so that edits together are worth the time.
const mostForSeveral = 1 << 20

// executed is how many instructions the programs of a graph have.
func executed(g *idg.Graph) (n int64) {
	for _, p := range g.Programs() {
		n += p.Len()
	}
	return n
}

// several are edits together.
func several(list []edit) edit {
	var names []string
	var source *Source
	for _, e := range list {
		names = append(names, e.name)
		if source == nil { // of two, one
			source = e.source
		}
	}
	return edit{name: idg.Several(names), source: source,
		options: func(o *Options, g *idg.Graph) {
			for _, e := range list {
				if e.options != nil {
					e.options(o, g)
				}
			}
		},
		change: func(fn *ast.Function, g *idg.Graph) bool {
			for _, e := range list {
				e.change(fn, g)
			}
			return true
		}}
}

// of is the graph of the kernel of a graph with the edit, nil if there is none.
func (e *edit) of(s *Source, o Options, g *idg.Graph) *idg.Graph {
	if e.options != nil {
		e.options(&o, g)
	}
	if e.source != nil {
		if s = e.source; s.fewer {
			groups := binsGroups(o.Device, g)
			o.Global, o.Local, o.Groups = nil, Sizes(g.Launch.Local[:]), Sizes(groups[:])
		}
	}
	return variant(s, &o, g.Kernel, func(fn *ast.Function) bool { return e.change(fn, g) })
}

// accurate are the functions for which hardware has one of less accuracy (OpenCL C 6.15.2, native_*).
var accurate = []string{"cos", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "powr", "sin", "sqrt", "rsqrt",
	"tan"}

// callsAccurate reports whether a kernel computes a quotient or such a function in single precision.
func callsAccurate(fn *ast.Function, _ *idg.Graph) (found bool) {
	ast.Rewrite(fn, func(e ast.Expr) ast.Expr {
		if e.Type() != nil && e.Type().Base().Kind == ctypes.Float {
			switch x := e.(type) {
			case *ast.Binary:
				found = found || x.Op == ctypes.Div
			case *ast.Assign:
				found = found || x.Op == ctypes.Div
			case *ast.BuiltinCall:
				found = found || slices.Contains(accurate, x.Builtin.Name)
			}
		}
		return e
	})
	return found
}

// swap exchanges x and another dimension, of groups that have more than one work item in both, if a warp accesses
// global memory at places that are neither neighbours nor the same. Groups keep their shape.
func swap(name string, with int) edit {
	return edit{name: name,
		worth: func(g *idg.Graph) bool {
			return g.Launch.Local[0] > 1 && g.Launch.Local[with] > 1 &&
				slices.ContainsFunc(g.Accesses(), func(a idg.Access) bool {
					if a.Space != idg.SpaceGlobal || len(a.Offsets) < 2 {
						return false
					}
					step := a.Offsets[1] - a.Offsets[0]
					return step != 0 && step != int64(a.Width)
				})
		},
		options: func(o *Options, g *idg.Graph) {
			local, groups := g.Launch.Local, g.Launch.Groups
			items, others := local[0]*groups[0], local[with]*groups[with]
			groups[0], groups[with] = (others+local[0]-1)/local[0], (items+local[with]-1)/local[with]
			o.Global, o.Local, o.Groups = nil, Sizes(local[:]), Sizes(groups[:])
		},
		change: func(fn *ast.Function, _ *idg.Graph) bool {
			ast.Rewrite(fn, func(e ast.Expr) ast.Expr { return exchanged(e, int64(with)) })
			return true
		}}
}

// exchanged is an expression with x and another dimension exchanged, if it asks for the number or size of something.
func exchanged(e ast.Expr, with int64) ast.Expr {
	dimension, of := dimensionOf(e)
	if of == nil || dimension != 0 && dimension != with {
		return e
	}
	other := *of
	arg := *of.Args[0].(*ast.Literal)
	arg.Value.Int = with - dimension
	other.Args = []ast.Expr{&arg}
	return &other
}

// dimensionOf is that of a call of a function such as get_local_id, nil for others.
func dimensionOf(e ast.Expr) (int64, *ast.BuiltinCall) {
	x, ok := e.(*ast.BuiltinCall)
	if !ok || len(x.Args) != 1 || !slices.Contains(ofDimensions, x.Builtin.Name) {
		return 0, nil
	}
	arg, ok := x.Args[0].(*ast.Literal)
	if !ok {
		return 0, nil
	}
	return arg.Value.Int, x
}

var ofDimensions = []string{"get_global_id", "get_global_offset", "get_global_size", "get_group_id", "get_local_id",
	"get_local_size", "get_num_groups"}

// loadsAgain reports whether a warp loads sectors of global memory again that it has loaded, and stores.
func loadsAgain(g *idg.Graph) bool {
	again, stores := false, false
	for i := range g.Locality {
		l := &g.Locality[i]
		in := g.Instr(l.Instr)
		if a := g.Access(in.Access); a != nil && a.Space == idg.SpaceGlobal {
			again, stores = again || !in.IsStore() && len(l.Warp) > 0, stores || in.IsStore()
		}
	}
	return again && stores
}

// restrict declares all pointers of a kernel's arguments so.
func restrict(fn *ast.Function, _ *idg.Graph) (found bool) {
	for _, p := range fn.Params {
		if p.Type.Kind == ctypes.Pointer && !p.Type.Restrict {
			t := *p.Type
			t.Restrict = true
			p.Type, found = &t, true
		}
	}
	return found
}

// maskDivisors makes masks and shifts of remainders and quotients of integers by what is not a constant.
func maskDivisors(fn *ast.Function, _ *idg.Graph) (found bool) {
	as := func(op ctypes.Op, y ast.Expr, t *ctypes.Type) (ctypes.Op, ast.Expr) {
		_, known := y.(*ast.Literal)
		switch {
		case known || !t.Base().IsInteger() || op != ctypes.Rem && op != ctypes.Div:
			return op, y
		case op == ctypes.Div:
			found = true
			return ctypes.Shr, y
		}
		found = true
		one := ast.LiteralOf(ctypes.IntValue(t.Kind, 1), y.Pos())
		return ctypes.And, &ast.Binary{Typed: ast.Of(t, y.Pos()), Op: ctypes.Sub, X: y, Y: one}
	}
	ast.Rewrite(fn, func(e ast.Expr) ast.Expr {
		switch x := e.(type) {
		case *ast.Binary:
			if x.X.Type().Kind != ctypes.Vector {
				x.Op, x.Y = as(x.Op, x.Y, x.Type())
			}
		case *ast.Assign:
			if x.Common != nil && x.Common.Kind != ctypes.Vector {
				x.Op, x.Y = as(x.Op, x.Y, x.Common)
			}
		}
		return e
	})
	return found
}

// hasAtomics reports whether a kernel has atomics on global memory.
func hasAtomics(g *idg.Graph) bool {
	return slices.ContainsFunc(g.Instrs(), func(in idg.Instr) bool { return globalAtomic(g, &in) != nil })
}

// globalAtomic is the access of an atomic on global memory, nil of other instructions.
func globalAtomic(g *idg.Graph, in *idg.Instr) *idg.Access {
	if a := g.Access(in.Access); a != nil && a.Space == idg.SpaceGlobal && in.Operation().Verb == isa.Atomic {
		return a
	}
	return nil
}

// hasUnknownTrips reports whether a loop is not unrolled as a whole whose trip count arguments or the launch decide.
func hasUnknownTrips(g *idg.Graph) bool {
	return slices.ContainsFunc(g.Loops, func(l idg.Loop) bool {
		return !l.Full && (l.Origin == "arguments" || l.Origin == "launch sizes" || l.Origin == "work-item ids")
	})
}

// unrollFactor is the largest that reports try (docs/guide/unrolling.md).
const unrollFactor = 16

// unrollable reports whether a loop of a constant trip count is unrolled by less.
func unrollable(l idg.Loop) bool {
	return !l.Full && l.Executed > 0 && l.Origin == "constant" && l.Factor < min(unrollFactor, l.Trips)
}

// unrollBy16 asks for these to be, as pragmas would.
func unrollBy16(o *Options, g *idg.Graph) {
	o.Unrolls = slices.Clone(o.Unrolls)
	for _, l := range g.Loops {
		if unrollable(l) {
			o.Unrolls = append(o.Unrolls, unroll.UnrollChoice{Factor: min(unrollFactor, l.Trips),
				At: unroll.Location{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column}})
		}
	}
}

// giveConstants lets the compiler know the arguments that are integers, and the sizes of groups: as macros would.
func giveConstants(fn *ast.Function, g *idg.Graph) bool {
	given := slices.Clone(fn.Body.Stmts)
	for i, p := range fn.Params {
		k := slices.IndexFunc(g.Launch.Args, func(a idg.Arg) bool { return a.Name == p.Name })
		if k < 0 || p.AddressTaken || !p.Type.IsInteger() {
			continue
		}
		a, err := ParseArgument(p.Name + "=" + g.Launch.Args[k].Value)
		if err != nil {
			continue
		}
		own := *p
		fn.Params[i], p.Param = &own, false // all of the body reads p
		given = slices.Insert(given, 0, ast.Stmt(&ast.Decl{Positioned: ast.At(p.Pos), Obj: p,
			Init: ast.LiteralOf(ctypes.IntValue(p.Type.Kind, a.Value.Int), p.Pos)}))
	}
	fn.Body.Stmts = given
	ast.Rewrite(fn, func(e ast.Expr) ast.Expr {
		d, x := dimensionOf(e)
		if x == nil || x.Builtin.Name != "get_local_size" || d < 0 || d > 2 {
			return e
		}
		return ast.LiteralOf(ctypes.IntValue(x.Type().Kind, g.Launch.Local[d]), x.Pos())
	})
	return true
}
