package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/load"
	"gpupipe/internal/spelling"
)

// launchDirectives evaluates the "// idgen:" comments of a kernel; constants of
// the file and macros may occur in them.
func (c *checker) launchDirectives(f *funcInfo) {
	for _, d := range c.p.Directives {
		if d.Kernel != f.def {
			continue
		}
		if f.Launch == nil {
			f.Launch = &LaunchDirective{Pos: d.Pos}
		}
		for _, field := range d.Fields {
			c.launchField(f, field)
		}
	}
}

func (c *checker) launchField(f *funcInfo, d load.DirectiveField) {
	l := f.Launch
	if name, ok := strings.CutPrefix(d.Key, "arg."); ok {
		c.launchArg(f, d, name)
		return
	}
	var sizes []int64
	for _, e := range d.Exprs {
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
	switch {
	case len(sizes) == 0:
	case target == nil: // dynamic-local
		l.DynamicLocal = sizes[0]
	case *target != nil:
		c.errorf(d.Pos, codeDeclare, "%s= is given twice for kernel %s", d.Key, f.Name)
	default:
		*target = sizes
	}
}

// launchArg evaluates arg.NAME=VALUE, converted to the parameter's type.
func (c *checker) launchArg(f *funcInfo, d load.DirectiveField, name string) {
	i := slices.IndexFunc(f.Params, func(p *Object) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range f.Params {
			names = append(names, p.Name)
		}
		c.errorf(d.Pos, codeUndeclared, "kernel %s has no argument %s", f.Name, name).WithNote("%s", spelling.Known("arguments", name, names))
		return
	}
	t := f.Params[i].Type
	if !t.IsScalar() {
		if t.Kind != 0 {
			c.errorf(d.Pos, codeType, "argument %s is a %v; only scalars can be given", name, t)
		}
		return
	}
	for _, e := range d.Exprs {
		if v, ok := c.constant(e, d.Key+"="); ok {
			f.Launch.Args = append(f.Launch.Args, DirectiveArg{Name: name, Value: ctypes.Convert(v, t)})
		}
	}
}
