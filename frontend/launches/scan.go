package launches

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// code is what the host code of a file declares.
type code struct {
	file    string // of the user's
	names   Names
	funcs   map[string][]*function
	inOrder []*function
	globals map[string]*global
	changed map[string]syntax.Pos // where a name is assigned to, in any function
	kernels map[string]bool       // templates
	asked   []instance            // of templates, by "template void f<int>(int *)"
	named   map[string][]mention  // instances of templates that code outside of templates names
	special map[string]bool       // class templates with specialisations: which of them is meant is not decided
}

// function is a function of host code with its body.
type function struct {
	name      string
	space     []string // the namespaces and classes around it
	decl      *syntax.Function
	op        *syntax.FuncOp
	template  []*syntax.TemplateParam
	member    bool // called for an object, whose members are not known
	launches  bool // itself, or what it calls
	mentioned bool // in the body of another one
	calls     map[string]bool
}

// instance is an explicit instantiation, and where it stands.
type instance struct {
	decl *syntax.Declarator
	at   *function
}

// mention is the name of an instance of a template, and where it stands.
type mention struct {
	part syntax.Part
	at   *function
}

// mention notes the instance of a template that code outside of templates names.
func (c *code) mention(n *syntax.Name, at *function) {
	if list := c.named[last(n)]; n.Last().HasArgs && at.template == nil && len(list) < maxMentions {
		c.named[last(n)] = append(list, mention{*n.Last(), at})
	}
}

// maxMentions bounds how often the members of a template are read.
const maxMentions = 16

// global is a variable that is declared outside of functions.
type global struct {
	specs    *syntax.Specifiers
	v        *syntax.Var
	again    bool // more than one is called so
	value    *variable
	entering bool
}

// scan finds the declarations of a file.
func scan(f *syntax.File, file string, names Names) *code {
	c := &code{file: file, names: names, funcs: map[string][]*function{}, globals: map[string]*global{},
		changed: map[string]syntax.Pos{}, kernels: map[string]bool{}, named: map[string][]mention{},
		special: map[string]bool{}}
	c.decls(f.Decls, nil, false, nil)
	for _, f := range c.inOrder {
		c.body(f)
	}
	c.spreadLaunches()
	return c
}

func (c *code) decls(list []syntax.Decl, space []string, member bool, template []*syntax.TemplateParam) {
	for _, d := range list {
		c.decl(d, space, member, template)
	}
}

func (c *code) decl(d syntax.Decl, space []string, member bool, template []*syntax.TemplateParam) {
	switch d := d.(type) {
	case *syntax.Namespace:
		c.decls(d.Decls, append(slices.Clone(space), d.Names...), member, nil)
	case *syntax.Template:
		if vars, ok := d.Decl.(*syntax.Vars); !d.Explicit || ok && len(vars.Decls) == 0 { // a class: its functions
			c.decl(d.Decl, space, member, append(slices.Clone(template), d.Params...))
		}
	case *syntax.Instantiation:
		if v, ok := d.Decl.(*syntax.Vars); ok && len(v.Decls) == 1 && v.Decls[0].Decl != nil &&
			v.Decls[0].Decl.Name != nil {
			c.asked = append(c.asked, instance{v.Decls[0].Decl, &function{space: space}})
		}
	case *syntax.Function:
		c.function(d, space, member, template)
	case *syntax.Vars:
		if cl, ok := d.Specs.Type.(*syntax.Class); ok && cl.Define && cl.Name != nil && len(cl.Name.Parts) == 1 {
			name := &cl.Name.Parts[0]
			c.special[name.Ident] = c.special[name.Ident] || name.HasArgs
			c.decls(cl.Body, append(slices.Clone(space), name.Ident), true, template)
		}
		if t, ok := d.Specs.Type.(*syntax.NamedType); ok {
			c.mention(t.Name, &function{space: space, template: template})
		}
		if member || template != nil || d.Specs.Typedef || d.Specs.Extern {
			return
		}
		for _, v := range d.Decls {
			if v.Decl == nil || v.Decl.Name == nil || v.Decl.Func() != nil {
				continue
			}
			name := last(v.Decl.Name)
			if old := c.globals[name]; old != nil {
				old.again = true
				continue
			}
			c.globals[name] = &global{specs: d.Specs, v: v}
		}
	}
}

// function notes a function, unless it is the device's or a library's.
func (c *code) function(d *syntax.Function, space []string, member bool, template []*syntax.TemplateParam) {
	device, host := false, false
	for _, a := range d.Specs.Attrs {
		switch strings.Trim(a.Name, "_") {
		case "global":
			if template != nil && d.Decl.Name != nil {
				c.kernels[last(d.Decl.Name)] = true
			}
			return
		case "device":
			device = true
		case "host":
			host = true
		}
	}
	op := d.Decl.Func()
	if d.Body == nil || op == nil || d.Decl.Name == nil || device && !host || diag.IsLibrary(d.Decl.Pos.File) {
		return
	}
	f := &function{name: last(d.Decl.Name), space: space, decl: d, op: op, template: template,
		member: member && !d.Specs.Static || len(d.Decl.Name.Parts) > 1}
	for _, p := range d.Decl.Name.Parts[:len(d.Decl.Name.Parts)-1] {
		f.space = append(slices.Clone(f.space), p.Ident)
	}
	c.funcs[f.name] = append(c.funcs[f.name], f)
	c.inOrder = append(c.inOrder, f)
}

// params are the parameters of a function, without (void).
func (f *function) params() []*syntax.Param { return params(f.op) }

func params(op *syntax.FuncOp) []*syntax.Param {
	list := op.Params
	if len(list) == 1 && list[0].IsVoid() {
		return nil
	}
	return list
}

// body notes what a function's body mentions and assigns to.
func (c *code) body(f *function) {
	f.calls = map[string]bool{}
	syntax.Visit(f.decl.Body, func(n any) bool {
		switch n := n.(type) {
		case *syntax.LaunchExpr:
			f.launches = true
		case *syntax.Name:
			f.launches = f.launches || slices.Contains(launchers, last(n)) || c.mentionsKernel(n)
			f.calls[last(n)] = true
			c.mention(n, f)
		}
		return true
	})
	c.assigned(f.decl.Body, func(name string, at syntax.Pos, _ bool) {
		if _, ok := c.changed[name]; !ok {
			c.changed[name] = at
		}
	})
}

// launchers are the functions of the runtimes that launch a kernel, given as their first
// argument.
var launchers = []string{"hipLaunchKernelGGL", "hipLaunchKernel", "cudaLaunchKernel", "cudaLaunchCooperativeKernel",
	"hipLaunchCooperativeKernel"}

// Any reports whether a program may launch kernels.
func Any(r *preprocess.Result) bool {
	for i := range r.Tokens {
		if t := &r.Tokens[i]; t.Is("<<") && i+1 < len(r.Tokens) && r.Tokens[i+1].Is("<") ||
			t.Kind == preprocess.Ident && slices.Contains(launchers, t.Text) {
			return true
		}
	}
	for name, text := range r.Files { // of the host's part
		if !diag.IsLibrary(name) && (strings.Contains(text, "<<<") || strings.Contains(text, "<< <")) {
			return true
		}
	}
	return false
}

// spreadLaunches marks the functions that launch kernels by calling others, and those that others
// mention.
func (c *code) spreadLaunches() {
	for _, f := range c.inOrder {
		for name := range f.calls {
			for _, g := range c.funcs[name] {
				g.mentioned = g.mentioned || g != f
			}
		}
	}
	for again := true; again; {
		again = false
		for _, f := range c.inOrder {
			if !f.launches && c.callsLauncher(f.calls) {
				f.launches, again = true, true
			}
		}
	}
}

// mentionsKernel reports whether a name is that of an instance of a kernel template.
func (c *code) mentionsKernel(n *syntax.Name) bool {
	return n.Last().HasArgs && c.kernels[last(n)]
}

// callsLauncher reports whether one of names is a function that launches kernels.
func (c *code) callsLauncher(names map[string]bool) bool {
	for name := range names {
		if slices.ContainsFunc(c.funcs[name], func(g *function) bool { return g.launches }) {
			return true
		}
	}
	return false
}

// launchesIn reports whether a tree launches kernels or calls a function that does.
func (c *code) launchesIn(x any) (found bool) {
	syntax.Visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.LaunchExpr:
			found = true
		case *syntax.Name:
			found = found || slices.Contains(launchers, last(n)) || c.mentionsKernel(n) ||
				c.callsLauncher(map[string]bool{last(n): true})
		}
		return !found
	})
	return found
}

// last is the last word of a name.
func last(n *syntax.Name) string { return n.Last().Ident }

// ident is the name of an expression that is one, without qualifiers and template arguments; else "".
func ident(x syntax.Expr) string {
	if id, ok := x.(*syntax.Ident); ok {
		return id.Name.Simple()
	}
	return ""
}
