package resolve

import (
	"fmt"
)

// Functions as values: only calls may take them, and a function that is given one is read anew for it.

// functionTypeOf is the type of a function that is named; no type where several are.
func (c *checker) functionTypeOf(set *overloads) qtype {
	if len(set.funcs) != 1 || set.funcs[0].params != nil && set.explicit == nil {
		return qtype{}
	}
	f := set.funcs[0]
	if f.params != nil {
		d := c.newDeduction(f.params)
		if d.explicit(*set.explicit) != "" || d.finish(f) != "" {
			return qtype{}
		}
		g, _ := c.functionInstance(f, d.args, set.P)
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
	key := "(" + c.key(t.result)
	name := c.spellQual(t.result) + " ("
	for i, p := range sig.params {
		t.params = append(t.params, p.typ)
		key += "," + c.key(p.typ)
		if i > 0 {
			name += ", "
		}
		name += c.spellQual(p.typ)
	}
	if known := c.functionTypes[key]; known != nil {
		return plain(known)
	}
	made := &Type{Kind: Opaque, Name: name + ")"}
	c.functionTypes[key], c.funcTypes[made] = made, t
	return plain(made)
}

// callableOf is the type that a template takes for a function that it is given.
func (c *checker) callableOf(set *overloads) *Type {
	if t := c.functionTypeOf(set); t.Type != nil {
		return PointerTo(t.Type, 0)
	}
	t := c.functionTypes["named "+set.name]
	if t == nil {
		t = &Type{Kind: Opaque, Name: set.name}
		c.functionTypes["named "+set.name] = t
		c.funcTypes[t] = &funcType{result: plain(Scalar(Void))}
	}
	return t
}

// isCallableType reports whether a parameter of a type is called.
func (c *checker) isCallableType(t *Type) bool {
	return c.funcTypes[t] != nil || t.Kind == Pointer && c.funcTypes[t.Elem] != nil
}

// sequenceOfFunction is how the name of functions becomes a parameter.
func (c *checker) sequenceOfFunction(set *overloads, to qtype) sequence {
	t := to.Type
	if t.Kind == Pointer {
		t = t.Elem
	}
	f := c.funcTypes[t]
	if f == nil {
		if isClass(to.Type) && len(set.funcs) > 0 {
			return none
		}
		return none
	}
	if t.Name == set.name || len(set.funcs) == 0 {
		return sequence{rank: rankExact}
	}
	if own := c.functionTypeOf(set); own.Type == t {
		return sequence{rank: rankExact}
	} else if own.Type != nil {
		return none
	}
	if c.chosen(set, t) != nil {
		return sequence{rank: rankExact}
	}
	return none
}

// chosen is the function of a set that has a type.
func (c *checker) chosen(set *overloads, t *Type) *overloads {
	want := c.funcTypes[t]
	for _, f := range set.funcs {
		one := *set
		one.funcs = []*function{f}
		if f.params == nil {
			if own := c.functionTypeOf(&one); own.Type == t {
				return &one
			}
			continue
		}
		var args []Expr
		for _, p := range want.params {
			args = append(args, c.probe(p))
		}
		var g *function
		c.quietly(func() { g, _ = c.deduce(f, nil, args, set.explicitArgs(), set.P) })
		if g != nil {
			one.funcs, one.explicit = []*function{g}, nil
			return &one
		}
	}
	if len(set.funcs) == 0 {
		return set
	}
	return nil
}

// withCallables is a function for the functions that it is given; nil where it is given none.
func (c *checker) withCallables(f *function, args []Expr) *function {
	key := ""
	bound := map[int]*overloads{}
	for i := range f.sig.params {
		t := f.sig.params[i].typ.Type
		if !c.isCallableType(t) || i >= len(args) {
			continue
		}
		set, ok := args[i].(*overloads)
		if !ok {
			if set = c.functionBehind(args[i]); set == nil {
				continue
			}
		}
		if t.Kind == Pointer {
			t = t.Elem
		}
		if one := c.chosen(set, t); one != nil {
			set = one
		}
		bound[i] = set
		key += fmt.Sprintf("%d=%s;", i, c.exprKey(set))
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
	g.bound, g.fn, g.checked, g.calls, g.bodyErrs, g.copies = bound, nil, unchecked, nil, nil, nil
	f.copies[key] = &g
	return &g
}

// skipsCallable reports whether a parameter is bound and passed no value.
func (c *checker) skipsCallable(f *function, i int) bool { return f.bound[i] != nil }
