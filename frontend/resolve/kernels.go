package resolve

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Kernel templates: explicit instantiations say their arguments, else defaults do, else an assumption with a note.

// explicitInstances makes the kernels that "template __global__ void k<float>(float *)" asks for.
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
		c.scope = &scope{kind: blockScope, up: e.in, limit: e.seq}
		errs := diag.List{}
		c.errs = &errs
		bare := *d.Name
		bare.Parts = append([]syntax.Part{}, d.Name.Parts...)
		last := &bare.Parts[len(bare.Parts)-1]
		written, has := last.Args, last.HasArgs
		last.Args, last.HasArgs = nil, false
		f := c.find(&bare, false, "function")
		if f == nil || f.sym.kind != symFunction {
			continue
		}
		for _, g := range f.sym.funcs {
			if !g.isKernel || g.params == nil || g.body == nil {
				continue
			}
			c.explicitKernel(g, d, written, has)
		}
	}
	c.scope = c.file
}

// explicitKernel makes one instance, if the template has it.
func (c *checker) explicitKernel(g *function, d *syntax.Declarator, written []syntax.TemplateArg, has bool) {
	op := functionOp(d)
	var args []Expr
	var explicit templateArgs
	ok := true
	if has {
		explicit, ok = c.templateArguments(written)
	}
	if !ok {
		return
	}
	for _, p := range op.Params {
		if len(op.Params) == 1 && isVoid(p) {
			break
		}
		t := c.parameterType(p)
		if t.Kind == 0 {
			return
		}
		args = append(args, c.probe(t))
	}
	var made *function
	c.quietly(func() { made, _ = c.deduce(g, nil, args, explicit, d.Pos) })
	if made == nil {
		return
	}
	for _, k := range c.kernels {
		if k == made {
			return
		}
	}
	g.instantiated = true
	c.kernel(made)
}

// launchedKernels makes the instances that launches in host code name, where their template arguments are written.
func (c *checker) launchedKernels() {
	for i := 0; i < len(c.funcs); i++ {
		f := c.funcs[i]
		if f.isKernel || f.params != nil || f.body == nil || f.body.Body == nil || f.tmpl != nil {
			continue
		}
		f.body.Body.Parse()
		visit(f.body.Body, func(n any) bool {
			l, ok := n.(*syntax.LaunchExpr)
			if !ok {
				return true
			}
			if id, ok := l.Fn.(*syntax.Ident); ok && id.Name.Parts[len(id.Name.Parts)-1].HasArgs {
				c.launched(f, id.Name)
			}
			return true
		})
	}
	c.scope = c.file
}

// launched makes the instance that one launch names; what only the host's types would say is left to the assumption.
func (c *checker) launched(f *function, n *syntax.Name) {
	var errs diag.List
	c.errs = &errs
	c.scope = &scope{kind: blockScope, up: f.in, limit: f.limitDef()}
	var made *function
	c.quietly(func() {
		found := c.find(n, false, "function")
		if found == nil || found.sym.kind != symFunction {
			return
		}
		for _, g := range found.sym.funcs {
			if !g.isKernel || g.params == nil || g.body == nil {
				continue
			}
			d := c.newDeduction(g.params)
			if d.explicit(found.args) != "" || d.finish(g) != "" {
				continue
			}
			if made, _ = c.functionInstance(g, d.args, n.Pos); made != nil {
				g.instantiated = true
				return
			}
		}
	})
	if made == nil || slices.Contains(c.kernels, made) {
		return
	}
	c.kernel(made)
}

// kernelTemplates makes an instance of the kernel templates that nothing instantiates.
func (c *checker) kernelTemplates() {
	for i := 0; i < len(c.funcs); i++ {
		f := c.funcs[i]
		if !f.isKernel || f.params == nil || f.body == nil || f.tmpl != nil || f.instantiated || f.class != nil {
			continue
		}
		args, assumed, ok := c.assumedArgs(f)
		if !ok {
			continue
		}
		var errs diag.List
		c.errs = &errs
		c.scope = c.file
		made, why := c.functionInstance(f, args, f.pos)
		if made == nil {
			e := diag.Errorf(f.pos, codeType, "kernel %s: %s", f.name, why)
			_ = e.WithNote("give the template's arguments with --template")
			c.unit.Broken = append(c.unit.Broken, Broken{Name: f.name, Pos: f.pos, Err: diag.List{e}})
			continue
		}
		if assumed != "" {
			c.unit.Warnings.Add(diag.Notef(f.pos, "TEMPLATE", "template arguments of kernel %s are assumed: %s", f.name, assumed).
				WithNote("give others with --template %s:...", f.name))
		}
		c.kernel(made)
	}
}

// The arguments that are assumed where nothing says others: float, true and 16.
const assumedSize = 16

// assumedArgs are the defaults of a kernel template's parameters, and what is assumed for those without one.
func (c *checker) assumedArgs(f *function) (args templateArgs, assumed string, ok bool) {
	args = make(templateArgs, len(f.params.list))
	for i, p := range f.params.list {
		if p.Pack {
			args[i].kind = argPack
			continue
		}
		if a, has := c.defaultArgumentQuietly(f.params, args, i); has {
			args[i] = a
			continue
		}
		a := templateArg{}
		switch {
		case p.Template != nil:
			return nil, "", false
		case p.Type:
			a = templateArg{kind: argType, typ: plain(Scalar(Float))}
		default:
			v := ctypes.IntValue(Int, assumedSize)
			a = templateArg{kind: argValue, value: &v}
		}
		good := false
		errs := c.quietly(func() {
			if b, isBool := p.Specs, p.Specs != nil; isBool && !p.Type {
				outer := c.scope
				c.scope = c.bind(f.params, args[:i], f.params.in, 0)
				if t := c.specified(b); t.Kind == Bool {
					v := ctypes.IntValue(Bool, 1)
					a.value = &v
				}
				c.scope = outer
			}
			a, good = c.argumentFor(p, a, f.params, args[:i], f.pos)
		})
		if !good || len(errs) > 0 {
			return nil, "", false
		}
		args[i] = a
		if assumed != "" {
			assumed += ", "
		}
		assumed += p.Ident + "=" + c.spellArgList(templateArgs{a})[0]
	}
	return args, assumed, true
}
