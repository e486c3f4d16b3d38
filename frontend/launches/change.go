package launches

import (
	"slices"
	"strings"

	"gpupipe/frontend/syntax"
)

// What host code does to a variable other than declaring it: assignments, and whatever may be
// one. Where it is not certain that a variable keeps its value, the value is not known.

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// assigned visits the names that a tree may change, each with its place. forever says that
// the variable may change at any time from then on: its address is taken, or a lambda changes it.
func (c *code) assigned(x any, visit func(name string, at syntax.Pos, forever bool)) {
	c.assignedIn(x, false, visit)
}

func (c *code) assignedIn(x any, forever bool, visit func(name string, at syntax.Pos, forever bool)) {
	change := func(x syntax.Expr, forever bool) {
		if name := target(x); name != "" {
			visit(name, x.ExprPos(), forever)
		}
	}
	syntax.Visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Lambda:
			c.assignedIn(n.Body, true, visit)
			return false
		case *syntax.Binary:
			switch {
			case slices.Contains(assignments, n.Op):
				change(n.X, forever)
			case n.Op == ">>": // of a stream: cin >> a >> b
				if id := ident(n.Y); id != "" && isStream(n.X) {
					visit(id, n.Y.ExprPos(), forever)
				}
			}
		case *syntax.Unary:
			switch n.Op {
			case "++", "--":
				change(n.X, forever)
			case "&":
				change(n.X, true)
			}
		case *syntax.Postfix:
			change(n.X, forever)
		case *syntax.CallExpr:
			for i, a := range n.Args {
				if name := ident(a); name != "" && c.mayChange(n.Fn, i) {
					visit(name, a.ExprPos(), forever)
				}
			}
		}
		return true
	})
}

// isStream reports whether what stands before >> may be a stream.
func isStream(x syntax.Expr) bool {
	switch x := syntax.Bare(x).(type) {
	case *syntax.Ident:
		return true
	case *syntax.Binary:
		return x.Op == ">>" && isStream(x.X)
	case *syntax.CallExpr, *syntax.MemberExpr:
		return true
	}
	return false
}

// target is the variable that an assignment to x changes: x, x.y or x[i].
func target(x syntax.Expr) string {
	switch x := syntax.Bare(x).(type) {
	case *syntax.Ident:
		return ident(x)
	case *syntax.MemberExpr:
		if !x.Arrow {
			return target(x.X)
		}
	case *syntax.IndexExpr:
		return target(x.X)
	}
	return ""
}

// keepsArguments are functions of the libraries that take numbers by value, beside those that
// begin with one of keepsPrefixes.
var (
	keepsArguments = strings.Fields(`malloc calloc realloc free memset memcpy memcmp assert exit abort min max fmin
		fmax abs fabs sqrt sqrtf pow powf ceil ceilf floor floorf round roundf log logf log2 log2f log10 exp expf
		exp2 printf fprintf sprintf snprintf puts atoi atof rand srand srand48 drand48 fill fill_n generate iota
		vector string setw setprecision to_string push_back emplace_back resize reserve assign width precision
		accumulate aligned_alloc posix_memalign usleep hipLaunchKernelGGL hipLaunchKernel`)
	keepsPrefixes = []string{"cuda", "hip", "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl",
		"make_"}
)

// mayChange reports whether a call may change the bare name that is argument i, by a reference.
func (c *code) mayChange(fn syntax.Expr, i int) bool {
	name := ""
	switch fn := syntax.Bare(fn).(type) {
	case *syntax.Ident:
		name = last(fn.Name)
	case *syntax.MemberExpr:
		name = last(fn.Name)
	default:
		return true
	}
	if slices.Contains(keepsArguments, name) || slices.ContainsFunc(keepsPrefixes,
		func(p string) bool { return strings.HasPrefix(name, p) }) {
		return false
	}
	list := c.funcs[name]
	if len(list) == 0 {
		return true
	}
	return slices.ContainsFunc(list, func(f *function) bool {
		params := f.params()
		return i < len(params) && syntax.Has[*syntax.RefOp](params[i].Decl) && !params[i].Specs.Quals.Const
	})
}
