package main

import (
	"fmt"
	"math"
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll"
)

// parseArguments reads the expressions of scalar arguments.
func parseArguments(texts map[string]string) (map[string]*expr, error) {
	out := make(map[string]*expr, len(texts))
	for name, text := range texts {
		e, err := parseExpr(text)
		if err != nil {
			return nil, fmt.Errorf("args: %s: %w", name, err)
		}
		out[name] = e
	}
	return out, nil
}

// argumentValues evaluates the scalar arguments of a kernel for one configuration.
func argumentValues(args map[string]*expr, k *lower.Kernel,
	names map[string]float64) (map[string]unroll.ArgValue, error) {
	out := make(map[string]unroll.ArgValue, len(args))
	for name, e := range args {
		i := slices.IndexFunc(k.Params, func(p lower.Param) bool { return p.Name == name && p.Type != lower.Ptr })
		if i < 0 {
			return nil, fmt.Errorf("args: kernel %s has no scalar argument %s", k.Name, name)
		}
		v, err := e.value(names)
		switch {
		case err != nil:
			return nil, fmt.Errorf("args: %s: %w", name, err)
		case k.Params[i].Type.IsFloat():
			out[name] = unroll.ArgValue{Float: v, IsFloat: true}
		case v != math.Trunc(v) || math.Abs(v) > 1<<53:
			return nil, fmt.Errorf("args: %s is %v; the argument is a whole number (%s)", name, v, k.Params[i].CType)
		default:
			out[name] = unroll.ArgValue{Int: int64(v)}
		}
	}
	return out, nil
}
