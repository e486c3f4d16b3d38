package generate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// CodeArgument is the code of diagnostics about arguments.
const CodeArgument = "ARG"

// Argument is the value of a scalar argument.
type Argument struct {
	Name  string
	Value unroll.ArgValue
	Text  string // as given
}

// ParseArgument reads "n=1024", "mask=0xFFu" or "a=0.5f".
func ParseArgument(text string) (Argument, error) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return Argument{}, errors.New("write NAME=VALUE")
	}
	v, ok := parseConstant(value)
	if !ok {
		return Argument{}, fmt.Errorf("%q is not a valid number", value)
	}
	return Argument{name, v, value}, nil
}

// parseConstant reads an integer or floating constant of C with its suffix.
func parseConstant(text string) (unroll.ArgValue, bool) {
	switch text {
	case "true":
		return unroll.ArgValue{Int: 1}, true
	case "false":
		return unroll.ArgValue{}, true
	}
	number := strings.TrimRight(text, "uUlL")
	if n, err := strconv.ParseInt(number, 0, 64); err == nil {
		return unroll.ArgValue{Int: n}, true
	}
	if n, err := strconv.ParseUint(number, 0, 64); err == nil {
		return unroll.ArgValue{Int: int64(n)}, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !strings.HasPrefix(strings.ToLower(strings.TrimLeft(text, "+-")), "0x") {
		f, err = strconv.ParseFloat(strings.TrimRight(text, "fFlLhH"), 64)
	}
	return unroll.ArgValue{Float: f, IsFloat: true}, err == nil
}

// ValueText is a value that the source gives an argument, as one would write it.
func ValueText(v ctypes.Value) string {
	if v.Type.IsFloat() {
		return strconv.FormatFloat(v.Float, 'g', -1, int(8*max(4, v.Type.Size()))) // as short as its type allows
	}
	return strconv.FormatInt(v.Int, 10)
}

// argumentValues are the values of the kernel's scalar arguments: those of
// --arg, else those that the source gives, the last of a name.
func argumentValues(o *Options, given []ast.DirectiveArg, k *lower.Kernel) (map[string]unroll.ArgValue, error) {
	values := map[string]unroll.ArgValue{}
	for _, a := range given {
		values[a.Name] = unroll.ArgValue{Int: a.Value.Int, Float: a.Value.Float, IsFloat: a.Value.Type.IsFloat()}
	}
	var errs diag.List
	for _, a := range o.Args {
		if o.ManyKernels && !slices.ContainsFunc(k.Params, func(p lower.Param) bool { return p.Name == a.Name }) {
			continue // it is another kernel's
		}
		v, err := argumentValue(a, k)
		if err != nil {
			errs.Add(err)
		}
		values[a.Name] = v
	}
	return values, errs.Err()
}

// argumentValue checks a value against the parameter that it is for.
func argumentValue(a Argument, k *lower.Kernel) (unroll.ArgValue, *diag.Error) {
	var names []string
	for _, p := range k.Params {
		if p.Name == a.Name && p.Type == lower.Ptr {
			return a.Value, diag.Errorf(k.Pos, CodeArgument,
				"--arg %s: the argument is a buffer (%s); only scalars have values", a.Name, p.CType)
		}
		if p.Name == a.Name {
			return convertArgument(a, p, k)
		}
		if p.Type != lower.Ptr {
			names = append(names, p.Name)
		}
	}
	e := diag.Errorf(k.Pos, CodeArgument, "--arg %s: kernel %s has no such argument", a.Name, k.Name)
	if len(names) == 0 {
		return a.Value, e.WithNote("it has no scalar arguments")
	}
	return a.Value, e.WithNote("%s", spelling.Known("scalar arguments", a.Name, names))
}

// convertArgument gives a value the kind of its parameter. What an integer
// parameter cannot hold is an error, not a surprise in the graph.
func convertArgument(a Argument, p lower.Param, k *lower.Kernel) (unroll.ArgValue, *diag.Error) {
	v := a.Value
	if p.Type.IsFloat() {
		return v, nil
	}
	wrong := func(why string) *diag.Error {
		return diag.Errorf(k.Pos, CodeArgument, "--arg %s=%s: %s (%s)", a.Name, a.Text, why, p.CType)
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

// bufferContents are the contents of buffers by name.
func bufferContents(o *Options, k *lower.Kernel) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, c := range o.Contents {
		var names []string
		for _, p := range k.Params {
			if p.Type == lower.Ptr {
				names = append(names, p.Name)
			}
		}
		if !slices.Contains(names, c.Name) {
			e := diag.Errorf(k.Pos, CodeArgument, "--contents %s: kernel %s has no such buffer", c.Name, k.Name)
			if hint := spelling.Known("buffers", c.Name, names); hint != "" {
				e = e.WithNote("%s", hint)
			}
			return nil, e
		}
		out[c.Name] = c.Bytes
	}
	return out, nil
}
