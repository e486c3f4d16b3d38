package main

import (
	"math"
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
	"gpupipe/lower"
	"gpupipe/unroll"
)

const codeArgument = "ARG"

// argumentValues are the values of the kernel's scalar arguments: those of
// --arg, else those that the source gives, the last of a name.
func argumentValues(o *options, given []ast.DirectiveArg, k *lower.Kernel) (map[string]unroll.ArgValue, error) {
	values := map[string]unroll.ArgValue{}
	for _, a := range given {
		values[a.Name] = unroll.ArgValue{Int: a.Value.Int, Float: a.Value.Float, IsFloat: a.Value.Type.IsFloat()}
	}
	var errs diag.List
	for _, a := range o.args {
		if o.all && !slices.ContainsFunc(k.Params, func(p lower.Param) bool { return p.Name == a.name }) {
			continue // it is another kernel's
		}
		v, err := argumentValue(a, k)
		if err != nil {
			errs.Add(err)
		}
		values[a.name] = v
	}
	return values, errs.Err()
}

// argumentValue checks a value against the parameter that it is for.
func argumentValue(a argument, k *lower.Kernel) (unroll.ArgValue, *diag.Error) {
	var names []string
	for _, p := range k.Params {
		if p.Name == a.name && p.Type == lower.Ptr {
			return a.value, diag.Errorf(k.Pos, codeArgument, "--arg %s: the argument is a buffer (%s); only scalars have values", a.name, p.CType)
		}
		if p.Name == a.name {
			return convertArgument(a, p, k)
		}
		if p.Type != lower.Ptr {
			names = append(names, p.Name)
		}
	}
	e := diag.Errorf(k.Pos, codeArgument, "--arg %s: kernel %s has no such argument", a.name, k.Name)
	if len(names) == 0 {
		return a.value, e.WithNote("it has no scalar arguments")
	}
	return a.value, e.WithNote("%s", spelling.Known("scalar arguments", a.name, names))
}

// convertArgument gives a value the kind of its parameter. What an integer
// parameter cannot hold is an error, not a surprise in the graph.
func convertArgument(a argument, p lower.Param, k *lower.Kernel) (unroll.ArgValue, *diag.Error) {
	v := a.value
	if p.Type.IsFloat() {
		return v, nil
	}
	wrong := func(why string) *diag.Error {
		return diag.Errorf(k.Pos, codeArgument, "--arg %s=%s: %s (%s)", a.name, a.text, why, p.CType)
	}
	if v.IsFloat {
		if v.Float != math.Trunc(v.Float) || math.Abs(v.Float) > 1<<53 {
			return v, wrong("the argument is a whole number")
		}
		v = unroll.ArgValue{Int: int64(v.Float)}
	}
	if size := uint(8 * p.Type.Size()); p.Type.IsInteger() && size < 64 {
		// -1 for an unsigned argument is how C programs say "all bits".
		if v.Int < -1<<(size-1) || v.Int >= 1<<size || p.Type.IsSigned() && v.Int >= 1<<(size-1) {
			return v, wrong("the argument's type does not hold this value")
		}
	}
	return v, nil
}
