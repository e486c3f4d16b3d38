package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/load"
	"gpupipe/frontend/tokens"
	"gpupipe/idg"
)

// Deduction of template arguments: f(x) of template <typename T> f(const T *).
// The parameters are read as words; what is not one of the common forms leaves
// the template out.

// deduced finds the copy of a template that a call by name means, and asks for
// it if it has not been written. ok is false if no template fits.
func (c *checker) deduced(name string, args []Expr) (inst *cxx.Instance, ok bool) {
	if c.cfg.Dialect != CUDA || isInvalid(args...) {
		return nil, false
	}
	set := c.p.Program.Templates
	name, given := set.Called(name)
	for _, t := range set.ByName[name] {
		if t.Kind != cxx.TemplateFunction || t.Problem != "" {
			continue
		}
		if list, fits := c.deduceArguments(t, given, args); fits && set.Count < cxx.MaxInstances {
			return set.Request(t.Name, list), true
		}
	}
	return nil, false
}

// deducedFunction is the function that a call of a template means, nil if there
// is none yet.
//
// The arguments come back with the defaults that the call leaves out.
func (c *checker) deducedFunction(name string, args []Expr, pos Pos) (*funcInfo, []Expr) {
	inst, ok := c.deduced(name, args)
	if !ok {
		return nil, args
	}
	sym := c.lookup(inst.Name)
	if sym == nil || sym.kind != symFunction {
		if slices.ContainsFunc(c.p.Rejected, func(r load.Rejected) bool { return r.Name == inst.Name }) {
			c.unknownFunction(inst.Name, pos)
		} else {
			c.notInstantiated(pos, inst.Name)
		}
		return nil, args
	}
	c.use(sym)
	values := c.p.Defaults[inst.Name]
	for n := len(args); n < len(values) && values[n] != nil; n++ {
		args = append(args[:n:n], c.expr(values[n]))
	}
	f, _ := c.selectFunction(sym, args)
	return f, args
}

// notInstantiated reports a copy of a template that has not been written out.
func (c *checker) notInstantiated(pos Pos, name string) {
	c.errorf(pos, cxx.CodeTemplate, "%s is not instantiated: templates need each other more deeply than is followed", name).
		WithNote("does a specialisation, or an if constexpr, end the recursion?")
}

// deduceArguments matches a call's arguments with a template's parameters.
func (c *checker) deduceArguments(t *cxx.Template, given []string, args []Expr) (list []string, ok bool) {
	if len(given) > len(t.Params) {
		return nil, false
	}
	bound := map[string]string{}
	for i, g := range given {
		bound[t.Params[i].Name] = g
	}
	params := t.FunctionParameters()
	for i, p := range params {
		if i >= len(args) {
			if !slices.Contains(p, "=") {
				return nil, false
			}
			break
		}
		if !c.deduceFrom(t, p, args[i], bound) {
			return nil, false
		}
	}
	if len(args) > len(params) {
		return nil, false
	}
	own := cxx.Substitution{}
	for _, p := range t.Params {
		v, known := bound[p.Name]
		if !known {
			if p.Preset == nil {
				return nil, false
			}
			v = c.p.Program.Canonical(p, c.p.Program.Substitute(p.Preset, own))
		}
		list = append(list, v)
		own[p.Name] = strings.Fields(v)
	}
	return list, true
}

// deduceFrom binds the template parameters that one parameter of the function
// names. false means that the argument does not fit.
func (c *checker) deduceFrom(t *cxx.Template, words []string, arg Expr, bound map[string]string) bool {
	if eq := slices.Index(words, "="); eq >= 0 {
		words = words[:eq]
	}
	words = c.p.Program.ExpandAliases(words)
	at := slices.IndexFunc(words, func(w string) bool {
		return slices.ContainsFunc(t.Params, func(p cxx.Param) bool { return p.Name == w && p.Name != "" })
	})
	at0 := arg.Type()
	if at < 0 { // of a fixed type
		return c.fitsFixed(words, at0)
	}
	if slices.Contains(words, "<") {
		return c.deduceFromStruct(t, words, at0, bound)
	}
	if at0.Kind == Array && slices.Contains(words, "[") && slices.Contains(words, "(") { // T (&a)[N]
		size := words[slices.Index(words, "[")+1]
		if slices.ContainsFunc(t.Params, func(p cxx.Param) bool { return p.Name == size }) {
			bound[size] = cxx.IntegerText(at0.Len)
		}
		return c.bindType(t, words[at], at0.Elem, bound)
	}
	stars := 0
	for _, w := range words {
		if w == "*" || w == "[" {
			stars++
		}
	}
	ty := at0
	if ty.Kind == Array && !slices.Contains(words, "&") {
		ty = PointerTo(ty.Elem, ast.SpaceOf(arg))
	}
	isConst := slices.Contains(words, "const")
	for range stars {
		if ty.Kind != Pointer {
			return isZero(arg)
		}
		if ty.Const && !isConst {
			return c.bindText(words[at], "const "+c.typeSpelling(ty.Elem), bound)
		}
		ty = ty.Elem
	}
	return c.bindType(t, words[at], ty, bound)
}

// fitsFixed reports whether an argument may be given for a parameter whose type names no template parameter: not
// another object for a member function's, nor an array for a number.
func (c *checker) fitsFixed(words []string, t *Type) bool {
	switch {
	case slices.Contains(words, cxx.This):
		return t.Kind != Struct || slices.Contains(words, t.Name)
	case t.Kind == Array:
		return slices.Contains(words, "[") || slices.Contains(words, "*") || c.p.Program.Templates.Aliases[words[0]] != nil
	}
	return true
}

// deduceFromStruct matches S<T> with a copy of the template S.
func (c *checker) deduceFromStruct(t *cxx.Template, words []string, ty *Type, bound map[string]string) bool {
	for ty.Kind == Pointer {
		ty = ty.Elem
	}
	inst := c.p.Program.Templates.Mangled[ty.Name]
	open := slices.Index(words, "<")
	end := len(words) - 1
	for end > open && words[end] != ">" {
		end--
	}
	if ty.Kind != Struct || inst == nil || open < 1 || words[open-1] != inst.Template || end <= open {
		return false
	}
	for i, part := range tokens.SplitWords(words[open+1 : end]) {
		if i < len(inst.Args) && len(part) == 1 && slices.ContainsFunc(t.Params, func(p cxx.Param) bool { return p.Name == part[0] }) {
			if !c.bindText(part[0], inst.Args[i], bound) {
				return false
			}
		}
	}
	return true
}

func (c *checker) bindType(t *cxx.Template, name string, ty *Type, bound map[string]string) bool {
	if i := slices.IndexFunc(t.Params, func(p cxx.Param) bool { return p.Name == name }); i < 0 || !t.Params[i].IsType {
		return true
	}
	return c.bindText(name, c.typeSpelling(ty), bound)
}

// bindText binds a parameter; the first argument that names it decides.
func (c *checker) bindText(name, text string, bound map[string]string) bool {
	if text == "" {
		return false
	}
	if bound[name] == "" {
		bound[name] = text
	}
	return true
}

// typeSpelling is a type as CUDA code writes it, "" for one that has no name.
func (c *checker) typeSpelling(t *Type) string {
	switch t.Kind {
	case Pointer:
		s := c.typeSpelling(t.Elem)
		if s != "" && t.Const {
			s = "const " + s
		}
		if s == "" {
			return ""
		}
		if t.Space == idg.SpaceImage {
			return ""
		}
		return s + " *"
	case Vector:
		return t.Elem.String() + cxx.IntegerText(t.Len)
	case Struct, Union, Opaque:
		return t.Name
	case Array, 0:
		return ""
	}
	return t.String()
}
