package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"strings"
)

// Functions as values: only calls may take them, and a function that is given one is read anew for it.

// functionTypeOf is the type of a function that is named; no type where several are.
func (c *checker) functionTypeOf(set *overloads) qtype {
	if len(set.funcs) != 1 {
		return qtype{}
	}
	f := set.funcs[0]
	if f.params != nil && f.tmpl == nil {
		if set.explicit == nil {
			return qtype{}
		}
		d := c.newDeduction(f.params)
		if d.explicit(*set.explicit) != "" || d.finish() != "" {
			return qtype{}
		}
		g, _ := c.functionInstance(f, d.args)
		if g == nil {
			return qtype{}
		}
		f = g
	}
	sig := c.signatureOf(f)
	if sig == nil {
		return qtype{}
	}
	t := &funcType{result: sig.result}
	if f.takesThis() {
		t.class, t.isConst = f.class.typ, f.isConst
	}
	for _, p := range sig.params {
		t.params = append(t.params, p.typ.topless())
	}
	return plain(c.typeOfFunctions(t))
}

// typeOfFunctions is the one type of all functions with these parameters and result.
func (c *checker) typeOfFunctions(f *funcType) *ctypes.Type {
	key := "(" + c.key(f.result)
	var params []string
	for _, t := range f.params {
		key += "," + c.key(t)
		params = append(params, c.spellQual(t))
	}
	name, end := " (", ")"
	if f.isConst {
		end = ") const"
	}
	if f.class != nil {
		name = " (" + c.spell(f.class) + "::*)("
		key += " of " + c.key(plain(f.class))
	}
	key += end
	t := c.functionTypes[key]
	if t == nil {
		t = &ctypes.Type{Kind: ctypes.Opaque, OfMember: f.class != nil,
			Name: c.spellQual(f.result) + name + strings.Join(params, ", ") + end}
		c.functionTypes[key], c.funcTypes[t] = t, f
	}
	return t
}

// callableOf is the type that a template takes for a function that it is given.
func (c *checker) callableOf(set *overloads) *ctypes.Type {
	if t := c.functionTypeOf(set); t.Type != nil {
		return ctypes.PointerTo(t.Type, 0)
	}
	t := c.functionTypes["named "+set.name]
	if t == nil {
		t = &ctypes.Type{Kind: ctypes.Opaque, Name: set.name}
		c.functionTypes["named "+set.name] = t
		c.funcTypes[t] = &funcType{result: plain(ctypes.Scalar(ctypes.Void))}
	}
	return t
}

// sequenceOfFunction is how the name of functions becomes a parameter.
func (c *checker) sequenceOfFunction(set *overloads, to qtype) sequence {
	if t := functionIn(to.Type); c.funcTypes[t] != nil && (t.Name == set.name || c.chosen(set, t) != nil) {
		return sequence{rank: rankExact}
	}
	return none
}

// functionIn is the type of the function that a pointer leads to, else the type itself.
func functionIn(t *ctypes.Type) *ctypes.Type {
	if t.Kind == ctypes.Pointer {
		return t.Elem
	}
	return t
}

// isOfClass reports whether what a pointer leads to makes it a pointer to member functions.
func (c *checker) isOfClass(t *ctypes.Type) bool {
	f := c.funcTypes[t]
	return f != nil && f.class != nil
}

// chosen is the function of a set that has a type ([over.over]); nil where none has it or several have.
func (c *checker) chosen(set *overloads, t *ctypes.Type) *overloads {
	want := c.funcTypes[t]
	if want == nil {
		return nil
	}
	if len(set.funcs) == 0 {
		return set
	}
	var args []ast.Expr
	for _, p := range want.params {
		args = append(args, c.probe(p))
	}
	var fits []*function
	for _, f := range set.funcs {
		if f.params != nil && f.tmpl == nil {
			c.quietly(func() { f, _ = c.deduce(f, args, set.explicitArgs(), set.P) })
		}
		if f == nil {
			continue
		}
		if own := c.functionTypeOf(&overloads{funcs: []*function{f}}).Type; own == t || c.ofBase(own, t) {
			fits = append(fits, f)
		}
	}
	top, rival := bestOf(fits, func(a, b *function) bool { return c.lessGeneral(a, b, len(args)) > 0 })
	if len(fits) == 0 || rival >= 0 {
		return nil
	}
	one := *set
	one.funcs, one.explicit, one.adl, one.builtin = fits[top:top+1], nil, false, false
	return &one
}

// functionsOf is the type of the same functions as members of another class; of none, of no class.
func (c *checker) functionsOf(t, class *ctypes.Type) *ctypes.Type {
	f := *c.funcTypes[t]
	f.class = class
	return c.typeOfFunctions(&f)
}

// ofBase reports whether pointers to the members of one type become those of another, of a derived class ([conv.mem]).
func (c *checker) ofBase(from, to *ctypes.Type) bool {
	f, t := c.funcTypes[from], c.funcTypes[to]
	return f != nil && t != nil && f.class != nil && t.class != nil && c.derives(t.class, f.class) &&
		c.functionsOf(from, t.class) == to
}

// specialised is a function for the functions and the classes of the objects that it is given; nil where it makes no
// difference.
func (c *checker) specialised(f *function, object ast.Expr, args []ast.Expr) *function {
	key := ""
	bound := map[int]*overloads{}
	for i := range f.sig.params {
		t := functionIn(f.sig.params[i].typ.Type)
		if c.funcTypes[t] == nil || i >= len(args) {
			continue
		}
		set, ok := args[i].(*overloads)
		if !ok {
			if set = c.functionBehind(args[i]); set == nil {
				continue
			}
		}
		if one := c.chosen(set, t); one != nil {
			set = one
		}
		bound[i] = set
		key += fmt.Sprintf("%d=%s;", i, c.exprKey(set))
	}
	known := map[int]*class{}
	for i := range f.sig.params {
		if i < len(args) {
			if cl := c.dynamicOf(args[i], f.sig.params[i].typ); cl != nil {
				known[i] = cl
				key += fmt.Sprintf("%d~%s;", i, cl.typ.Name)
			}
		}
	}
	if f.takesThis() && f.class.isPolymorphic() && object != nil && f.kind != destructor {
		if cl := c.dynamicClass(object); cl != nil {
			known[-1] = cl
			key += "this~" + cl.typ.Name
		}
	}
	if key == "" {
		return nil
	}
	if g := f.copies[key]; g != nil {
		return g
	}
	if f.copies == nil {
		f.copies = map[string]*function{}
	}
	g := *f
	g.known = known
	g.bound, g.fn, g.checked, g.calls, g.bodyErrs, g.copies = bound, nil, unchecked, nil, nil, nil
	g.passes, g.recursive = nil, nil
	f.copies[key] = &g
	return &g
}

// skipsCallable reports whether a parameter is bound and passed no value.
func (c *checker) skipsCallable(f *function, i int) bool { return f.bound[i] != nil }
