package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

const codeDirective = "DIRECTIVE" // a comment on a launch that means nothing

// strayDirectives warns of comments on launches that no kernel follows.
func (c *checker) strayDirectives(list []syntax.Directive) {
	for i, d := range list {
		if i == 0 || d.Pos.Line != list[i-1].Pos.Line {
			c.unit.Warnings.Add(diag.Warningf(d.Pos, codeDirective, "no kernel follows this directive"))
		}
	}
}

// launchDirectives evaluates the "// idgen:" comments of a kernel; constants of
// the file and macros may occur in them.
func (c *checker) launchDirectives(f *function) {
	for i := range f.body.Launches {
		d := &f.body.Launches[i]
		if f.fn.Launch == nil {
			f.fn.Launch = &ast.LaunchDirective{Pos: d.Pos}
		}
		c.launchField(f, d)
	}
}

func (c *checker) launchField(f *function, d *syntax.Directive) {
	l := f.fn.Launch
	if !c.launchKey(f, d) {
		return
	}
	if name, ok := strings.CutPrefix(d.Key, "arg."); ok {
		c.launchArg(f, d, name)
		return
	}
	if d.Key == "reference" {
		c.launchReference(f, d)
		return
	}
	var sizes []int64
	for _, e := range d.Values {
		v, ok := c.constantInt(e, d.Key+"=")
		switch {
		case !ok:
			return
		case v < 0 || v == 0 && d.Key != "dynamic-local":
			c.errorf(d.Pos, codeConstant, "%s=%d is not positive", d.Key, v)
			return
		}
		sizes = append(sizes, v)
	}
	target := map[string]*[]int64{"local": &l.Local, "global": &l.Global, "groups": &l.Groups}[d.Key]
	if target == nil { // dynamic-local
		l.DynamicLocal = sizes[0]
	} else {
		*target = sizes
	}
}

// launchKey checks the name of a field, how many values it has, and that it is the only one of its name.
func (c *checker) launchKey(f *function, d *syntax.Directive) bool {
	limit := 1
	switch {
	case d.Key == "local" || d.Key == "global" || d.Key == "groups":
		limit = 3
	case d.Key == "dynamic-local", d.Key == "reference":
	case strings.HasPrefix(d.Key, "arg."):
	default:
		c.errorf(d.Pos, codeDirective, "unknown key %q", d.Key).
			WithNote("%s", spelling.Known("keys", d.Key, []string{"local", "global", "groups", "dynamic-local",
				"reference", "arg.NAME"}))
		return false
	}
	if len(d.Values) > limit {
		c.errorf(d.Pos, codeDirective, "%s takes at most %d values, not %d", d.Key, limit, len(d.Values))
		return false
	}
	for i := range f.body.Launches {
		if other := &f.body.Launches[i]; other == d {
			break
		} else if other.Key == d.Key {
			c.errorf(d.Pos, codeDirective, "%s is given twice for kernel %s", d.Key, f.name)
			return false
		}
	}
	return true
}

// launchReference takes the name of a kernel that computes the same.
func (c *checker) launchReference(f *function, d *syntax.Directive) {
	for _, e := range d.Values {
		if id, ok := e.(*syntax.Ident); ok && id.Name.Simple() != "" {
			f.fn.Launch.Reference = id.Name.Simple()
			continue
		}
		c.errorf(d.Pos, codeDirective, "reference= takes the name of a kernel of this file")
	}
}

// launchArg evaluates arg.NAME=VALUE, converted to the type of the parameter, or of its part (arg.v.x, arg.s.list[2]).
func (c *checker) launchArg(f *function, d *syntax.Directive, name string) {
	whole, path := name, ""
	if at := strings.IndexAny(name, ".["); at >= 0 {
		whole, path = name[:at], name[at:]
	}
	i := slices.IndexFunc(f.fn.Params, func(p *ast.Object) bool { return p.Name == whole })
	if i < 0 {
		var names []string
		for _, p := range f.fn.Params {
			names = append(names, p.Name)
		}
		c.errorf(d.Pos, codeUndeclared, "kernel %s has no argument %s", f.name, whole).WithNote("%s",
			spelling.Known("arguments", whole, names))
		return
	}
	all := f.fn.Params[i].Type
	t := all.Part(path)
	switch {
	case all.Kind == 0: // reported where it is declared
		return
	case t == nil:
		c.errorf(d.Pos, codeUndeclared, "argument %s, a %v, has no part %s", whole, all, path)
		return
	case !t.IsScalar():
		c.errorf(d.Pos, codeType, "argument %s is a %v; only scalars, and those of vectors and structs, can be given",
			name, t)
		return
	}
	for _, e := range d.Values {
		if lit, ok := c.evaluated(c.constantExpr(e)).(*ast.Literal); ok {
			f.fn.Launch.Args = append(f.fn.Launch.Args, ast.DirectiveArg{Name: name,
				Value: ctypes.Convert(lit.Value, t)})
		}
	}
}
