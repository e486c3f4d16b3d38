package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
)

// launchDirectives evaluates the "// idgen:" comments of a kernel; constants of
// the file and macros may occur in them.
func (c *checker) launchDirectives(f *funcInfo) {
	for _, d := range c.p.directives {
		if d.kernel != f.def {
			continue
		}
		if f.Launch == nil {
			f.Launch = &LaunchDirective{Pos: d.pos}
		}
		for _, field := range d.fields {
			c.launchField(f, field)
		}
	}
}

func (c *checker) launchField(f *funcInfo, d directiveField) {
	l := f.Launch
	if name, ok := strings.CutPrefix(d.key, "arg."); ok {
		c.launchArg(f, d, name)
		return
	}
	var sizes []int64
	for _, e := range d.exprs {
		v, ok := c.constantInt(e, d.key+"=")
		switch {
		case !ok:
			return
		case v < 0 || v == 0 && d.key != "dynamic-local":
			c.errorf(d.pos, codeConstant, "%s=%d is not positive", d.key, v)
			return
		}
		sizes = append(sizes, v)
	}
	target := map[string]*[]int64{"local": &l.Local, "global": &l.Global, "groups": &l.Groups}[d.key]
	switch {
	case len(sizes) == 0:
	case target == nil: // dynamic-local
		l.DynamicLocal = sizes[0]
	case *target != nil:
		c.errorf(d.pos, codeDeclare, "%s= is given twice for kernel %s", d.key, f.Name)
	default:
		*target = sizes
	}
}

// launchArg evaluates arg.NAME=VALUE, converted to the parameter's type.
func (c *checker) launchArg(f *funcInfo, d directiveField, name string) {
	i := slices.IndexFunc(f.Params, func(p *Object) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range f.Params {
			names = append(names, p.Name)
		}
		c.errorf(d.pos, codeUndeclared, "kernel %s has no argument %s", f.Name, name).WithNote("its arguments: %s", strings.Join(names, ", "))
		return
	}
	t := f.Params[i].Type
	if !t.IsScalar() {
		if t.Kind != 0 {
			c.errorf(d.pos, codeType, "argument %s is a %v; only scalars can be given", name, t)
		}
		return
	}
	for _, e := range d.exprs {
		if v, ok := c.constant(e, d.key+"="); ok {
			f.Launch.Args = append(f.Launch.Args, DirectiveArg{Name: name, Value: ctypes.Convert(v, t)})
		}
	}
}
