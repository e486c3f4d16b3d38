package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/source"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Which instances of kernel templates there are: those that Config.Templates asks for, else those that the file
// instantiates or its host code launches, else one with what defaults say and an assumption with a note.

// maxLaunched bounds the instances of one kernel that are made for the launches in host code.
const maxLaunched = 64

// maxIntegers bounds the parameters of a kernel template that are tried as int.
const maxIntegers = 4

// The arguments that are assumed where nothing says others: float, true and 16.
const assumedSize = 16

// distinctNames gives kernels of one name longer ones: with their namespaces, and of overloads with their parameters.
func (c *checker) distinctNames() {
	withParams := func(f *function) string {
		if f.sig == nil {
			return f.fn.Name
		}
		var params []string
		for _, p := range f.sig.params {
			params = append(params, c.spellQual(p.typ))
		}
		return f.fn.Name + "(" + strings.Join(params, ", ") + ")"
	}
	for _, longer := range []func(*function) string{c.display, withParams} {
		count := map[string]int{}
		for _, f := range c.kernels {
			count[f.fn.Name]++
		}
		for _, f := range c.kernels {
			if count[f.fn.Name] > 1 {
				f.fn.Name = longer(f)
			}
		}
	}
}

// explicitInstances finds the kernels that "template __global__ void k<float>(float *)" asks for.
func (c *checker) explicitInstances() {
	for _, e := range c.explicit {
		var d *syntax.Declarator
		switch x := e.d.Decl.(type) {
		case *syntax.Function:
			d = x.Decl
		case *syntax.Vars:
			if len(x.Decls) > 0 {
				d = x.Decls[0].Decl
			}
		}
		if d == nil || d.Name == nil {
			continue
		}
		c.scope = e.in.upTo(e.seq)
		errs := diag.List{}
		c.errs = &errs
		last := d.Name.Last()
		f := c.find(withoutArgs(d.Name), false, "function")
		if f == nil || f.sym.kind != symFunction {
			continue
		}
		for _, g := range f.sym.funcs {
			if g.isKernel && g.params != nil && g.body != nil {
				c.explicitKernel(g, d, last.Args, last.HasArgs)
				if len(errs) > 0 && c.misread[g] == nil {
					c.misread[g] = errs[0]
				}
			}
		}
	}
	c.scope = c.file
}

// explicitKernel makes one instance, if the template has it.
func (c *checker) explicitKernel(g *function, d *syntax.Declarator, written []syntax.TemplateArg, has bool) {
	op := functionOp(d)
	var args []ast.Expr
	var explicit templateArgs
	ok := true
	if has {
		explicit, ok = c.templateArguments(written)
	}
	if !ok {
		return
	}
	for _, p := range op.Params {
		if len(op.Params) == 1 && p.IsVoid() {
			break
		}
		t := c.parameterType(p)
		if t.Kind == 0 {
			return
		}
		args = append(args, c.probe(t))
	}
	c.quietly(func() {
		if made, _ := c.deduce(g, args, explicit, d.Pos); made != nil {
			c.request(g, made, "")
		}
	})
}

// request asks for an instance of a kernel template. note is what has been assumed of its arguments, and how to give
// others.
func (c *checker) request(f, made *function, assumed string, advice ...string) {
	if slices.Contains(c.requests[f], made) {
		return
	}
	if c.requests == nil {
		c.requests = map[*function][]*function{}
	}
	c.requests[f] = append(c.requests[f], made)
	if assumed != "" {
		n := diag.Notef(f.pos, codeTemplate, "template arguments of kernel %s are assumed: %s", f.name, assumed)
		for _, a := range advice {
			n = n.WithNote("%s", a)
		}
		if c.assumed == nil {
			c.assumed = map[*function]*diag.Error{}
		}
		c.assumed[made] = n
	}
}

// chooseInstances reads the instances of the kernel templates.
func (c *checker) chooseInstances() {
	c.explicitInstances()
	c.launchedInstances()
	for _, f := range c.kernelsOfTemplates() {
		c.chooseInstancesOf(f)
	}
	c.uselessBindings()
}

func (c *checker) chooseInstancesOf(f *function) {
	var errs diag.List
	c.errs, c.scope = &errs, c.file
	bindings := c.bindingsOf(f)
	if len(bindings) > 0 {
		delete(c.requests, f)
	}
	for i := range bindings {
		args, err := c.boundArgs(f, &bindings[i])
		if err != nil {
			c.brokenTemplate(f, err)
			continue
		}
		c.assume(f, args, "")
	}
	if len(bindings) == 0 && len(c.requests[f]) == 0 {
		c.assume(f, make(templateArgs, len(f.params.list)), "")
	}
	for _, made := range c.requests[f] {
		if !slices.Contains(c.kernels, made) {
			if n := c.assumed[made]; n != nil {
				c.unit.Warnings.Add(n)
			}
			c.kernel(made)
		}
	}
}

// boundArgs are the arguments that a binding gives; argNone are others.
func (c *checker) boundArgs(f *function, b *source.Binding) (templateArgs, error) {
	args := make(templateArgs, len(f.params.list))
	for i, p := range f.params.list {
		value, ok := b.Values[p.Ident]
		if !ok {
			continue
		}
		written, err := c.boundValue(value, b)
		if err != nil {
			return nil, err
		}
		errs := c.quietly(func() {
			var a templateArg
			if a, ok = c.templateArgument(&written); ok {
				args[i], ok = c.argumentFor(p, a, f.params, args[:i], f.pos)
			}
		})
		if len(errs) > 0 {
			errs[0].Pos = diag.Pos{File: "--template " + b.Text}
			return nil, errs[0]
		}
		if !ok {
			return nil, diag.Errorf(diag.Pos{File: "--template " + b.Text}, codeTemplate,
				"%s is not an argument for %s",
				value, p.Ident)
		}
	}
	return args, nil
}

// brokenTemplate reports a kernel template of which no instance can be made: what is wrong with the first one that the
// source names, if it names one.
func (c *checker) brokenTemplate(f *function, err error) {
	e, ok := err.(*diag.Error)
	if said := c.misread[f]; said != nil {
		e, ok = said, true
	}
	if !ok {
		e = diag.Errorf(f.pos, codeTemplate, "kernel %s: %v", f.name, err)
	}
	c.unit.Broken = append(c.unit.Broken, ast.Broken{Name: f.name, Pos: f.pos, Err: diag.List{e}})
}

// assume requests the instance of given arguments with defaults and assumptions for others. A type parameter about
// which nothing is known is float; where that has no meaning - a subscript, an operand of % - one of them at a time is
// int instead, the first with which the kernel can be typed; if there is none, the errors with float stay. where says
// where the arguments are from, if not from an option.
func (c *checker) assume(f *function, given templateArgs, where string) {
	args, assumed, types, why := c.assumedArgs(f, given, -1)
	if why != "" {
		c.brokenTemplate(f, diag.Errorf(f.pos, codeType, "kernel %s: %s", f.name,
			why).WithNote("give the template's arguments with --template"))
		return
	}
	made, why := c.functionInstance(f, args)
	if len(types) > 0 && (made == nil || c.misfits(made)) {
		for _, i := range types[:min(len(types), maxIntegers)] {
			other, note, _, bad := c.assumedArgs(f, given, i)
			if bad != "" {
				continue
			}
			if g, _ := c.functionInstance(f, other); g != nil && !c.broken(g) {
				made, assumed = g, note
				break
			}
		}
	}
	if made == nil {
		c.brokenTemplate(f, diag.Errorf(f.pos, codeType, "kernel %s: %s", f.name,
			why).WithNote("give the template's arguments with --template"))
		return
	}
	advice := where
	if where == "" {
		flags := slices.DeleteFunc(slices.Clone(assumed), func(a string) bool { return !strings.Contains(a, "=") })
		if advice = "give them with --template '" + strings.Join(flags, ",") + "'"; len(flags) == 0 {
			advice = "add a launch, or an explicit instantiation, to give others"
		}
	}
	c.request(f, made, strings.Join(assumed, ", "), advice)
}

// broken reports whether a kernel cannot be used.
func (c *checker) broken(f *function) bool { return len(c.trial(f)) > 0 }

// misfits reports whether types are all that is wrong with a kernel, which others might cure.
func (c *checker) misfits(f *function) bool {
	errs := c.trial(f)
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(e *diag.Error) bool { return e.Code != codeType })
}

// trial are the errors of a kernel, whose notes and warnings are kept only if it is chosen.
func (c *checker) trial(f *function) diag.List {
	warnings := slices.Clone(c.unit.Warnings)
	c.readKernel(f)
	errs := c.errorsOf(f)
	if len(errs) > 0 {
		c.unit.Warnings = warnings
	}
	return errs
}

// assumedArgs completes the arguments of a kernel template. assumed says what has been assumed, types which of the
// parameters are types that nothing is known about; number integer of them is int.
func (c *checker) assumedArgs(f *function, given templateArgs, integer int) (args templateArgs, assumed []string,
	types []int, why string) {
	args = slices.Clone(given)
	for i, p := range f.params.list {
		if args[i].kind != argNone {
			continue
		}
		if p.Pack {
			args[i].kind = argPack
			assumed = append(assumed, p.Ident+" is empty")
			continue
		}
		if a, has := c.defaultArgumentQuietly(f.params, args, i); has {
			args[i] = a
			continue
		}
		var a templateArg
		good := false
		errs := c.quietly(func() {
			if a = c.assumedArg(f, args, i, integer); a.kind != argNone {
				a, good = c.argumentFor(p, a, f.params, args[:i], f.pos)
			}
		})
		if !good || len(errs) > 0 {
			return nil, nil, nil, "nothing says what its template parameter " + p.Ident + " is"
		}
		args[i] = a
		if p.Type {
			types = append(types, i)
		}
		assumed = append(assumed, p.Ident+"="+c.spellArgList(templateArgs{a})[0])
	}
	return args, assumed, types, ""
}

// assumedArg is what is assumed for parameter i.
func (c *checker) assumedArg(f *function, args templateArgs, i, integer int) templateArg {
	p := f.params.list[i]
	switch {
	case p.Template != nil:
		return templateArg{}
	case p.Type && i == integer:
		return templateArg{kind: argType, typ: plain(ctypes.Scalar(ctypes.Int))}
	case p.Type:
		return templateArg{kind: argType, typ: plain(ctypes.Scalar(ctypes.Float))}
	}
	v := ctypes.IntValue(ctypes.Int, assumedSize)
	if p.Specs != nil {
		leave := c.inside(c.bind(f.params, args[:i], f.params.in, 0))
		if t := c.specified(p.Specs); t.Type != nil && t.Kind == ctypes.Bool {
			v = ctypes.IntValue(ctypes.Bool, 1)
		}
		leave()
	}
	return templateArg{kind: argValue, value: &v}
}
