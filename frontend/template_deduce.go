package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
	"gpupipe/idg"
)

// Deduction of template arguments: f(x) of template <typename T> f(const T *).
// The parameters are read as words; what is not one of the common forms leaves
// the template out.

// deduced finds the copy of a template that a call by name means, and asks for
// it if it has not been written. ok is false if no template fits.
func (c *checker) deduced(name string, args []Expr) (inst *instance, ok bool) {
	if c.cfg.Dialect != CUDA || isInvalid(args...) {
		return nil, false
	}
	set := c.p.l.templates
	name, given := set.called(name)
	for _, t := range set.byName[name] {
		if t.kind != templateFunction || t.problem != "" {
			continue
		}
		if list, fits := c.deduceArguments(t, given, args); fits && set.count < maxInstances {
			return set.request(t.name, list), true
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
	sym := c.lookup(inst.name)
	if sym == nil || sym.kind != symFunction {
		if slices.ContainsFunc(c.p.rejected, func(r rejectedFunction) bool { return r.name == inst.name }) {
			c.unknownFunction(inst.name, pos)
		} else {
			c.errorf(pos, codeTemplate, "%v is not defined here", inst)
		}
		return nil, args
	}
	c.use(sym)
	values := c.p.defaults[inst.name]
	for n := len(args); n < len(values) && values[n] != nil; n++ {
		args = append(args[:n:n], c.expr(values[n]))
	}
	f, _ := c.selectFunction(sym, args)
	return f, args
}

// deduceArguments matches a call's arguments with a template's parameters.
func (c *checker) deduceArguments(t *template, given []string, args []Expr) (list []string, ok bool) {
	if len(given) > len(t.params) {
		return nil, false
	}
	bound := map[string]string{}
	for i, g := range given {
		bound[t.params[i].name] = g
	}
	params := t.functionParameters()
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
	own := substitution{}
	for _, p := range t.params {
		v, known := bound[p.name]
		if !known {
			if p.preset == nil {
				return nil, false
			}
			v = c.p.l.canonical(p, c.p.l.substitute(p.preset, own))
		}
		list = append(list, v)
		own[p.name] = strings.Fields(v)
	}
	return list, true
}

// functionParameters are the words of a function template's parameters.
func (t *template) functionParameters() [][]string {
	words := t.text.Words(t.nameTok+1, t.end)
	start := slices.Index(words, "(")
	if start > 0 && words[0] == "operator" {
		return nil
	}
	depth := 0
	for i := start; i >= 0 && i < len(words); i++ {
		switch words[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return tokens.SplitWords(words[start+1 : i])
			}
		}
	}
	return nil
}

// deduceFrom binds the template parameters that one parameter of the function
// names. false means that the argument does not fit.
func (c *checker) deduceFrom(t *template, words []string, arg Expr, bound map[string]string) bool {
	if eq := slices.Index(words, "="); eq >= 0 {
		words = words[:eq]
	}
	at := slices.IndexFunc(words, func(w string) bool {
		return slices.ContainsFunc(t.params, func(p templateParam) bool { return p.name == w && p.name != "" })
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
		if slices.ContainsFunc(t.params, func(p templateParam) bool { return p.name == size }) {
			bound[size] = integerText(at0.Len)
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
		ty = PointerTo(ty.Elem, spaceOf(arg))
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
	case slices.Contains(words, nameThis):
		return t.Kind != Struct || slices.Contains(words, t.Name)
	case t.Kind == Array:
		return slices.Contains(words, "[") || slices.Contains(words, "*") || c.p.l.templates.aliases[words[0]] != nil
	}
	return true
}

// deduceFromStruct matches S<T> with a copy of the template S.
func (c *checker) deduceFromStruct(t *template, words []string, ty *Type, bound map[string]string) bool {
	for ty.Kind == Pointer {
		ty = ty.Elem
	}
	inst := c.p.l.templates.mangled[ty.Name]
	open := slices.Index(words, "<")
	end := len(words) - 1
	for end > open && words[end] != ">" {
		end--
	}
	if ty.Kind != Struct || inst == nil || open < 1 || words[open-1] != inst.template || end <= open {
		return false
	}
	for i, part := range tokens.SplitWords(words[open+1 : end]) {
		if i < len(inst.args) && len(part) == 1 && slices.ContainsFunc(t.params, func(p templateParam) bool { return p.name == part[0] }) {
			if !c.bindText(part[0], inst.args[i], bound) {
				return false
			}
		}
	}
	return true
}

func (c *checker) bindType(t *template, name string, ty *Type, bound map[string]string) bool {
	if i := slices.IndexFunc(t.params, func(p templateParam) bool { return p.name == name }); i < 0 || !t.params[i].isType {
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
		return t.Elem.String() + integerText(t.Len)
	case Struct, Union, Opaque:
		return t.Name
	case Array, 0:
		return ""
	}
	return t.String()
}
