package tune

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/spelling"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// Names of the parameters that are no macros, where several devices or compilers are given.
const (
	ParamGPU      = "gpu"
	ParamCompiler = "compiler"
)

// Recipe is how a variant becomes a program and a launch.
type Recipe struct {
	Source *generate.Source
	Kernel string           // "" = the only one
	Base   generate.Options // what all variants share

	Local, Groups, Global []*Expr // as generate.Options has them; empty = what the source says
	Args                  []Assignment
	Unrolls               []Assignment // by location
	Templates             []Assignment // by parameter of the template
	DynamicLocal          *Expr        // bytes; nil = what the source says
	Registers             *Expr        // of a work item; nil = the compiler's

	Devices   []*latencies.Device // of the parameter gpu, or the one for all
	Compilers []unroll.Compiler   // of the parameter compiler; empty = the device's

	Config simulate.Config
	Warm   bool // latencies.Options
}

// Assignment is a name with the expression of its value.
type Assignment struct {
	Name  string
	Value *Expr
}

// ParseAssignment reads NAME=EXPRESSION. A name may hold what a location does.
func ParseAssignment(text string, params []Param) (Assignment, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || strings.TrimSpace(name) == "" {
		return Assignment{}, errors.New("write NAME=VALUE")
	}
	e, err := ParseExpr(value, params)
	return Assignment{strings.TrimSpace(name), e}, err
}

// exprs are all expressions of a recipe.
func (r *Recipe) exprs() []*Expr {
	list := slices.Concat(r.Local, r.Groups, r.Global)
	for _, a := range slices.Concat(r.Args, r.Unrolls, r.Templates) {
		list = append(list, a.Value)
	}
	for _, e := range []*Expr{r.DynamicLocal, r.Registers} {
		if e != nil {
			list = append(list, e)
		}
	}
	return list
}

// Check finds parameters without any effect: neither an expression nor the source's text has them. The texts are those
// of the source and of what it includes.
func (r *Recipe) Check(s *Space, texts map[string]string) error {
	used := map[string]bool{ParamGPU: true, ParamCompiler: true}
	for _, e := range r.exprs() {
		for _, n := range e.Names {
			used[n] = true
		}
	}
	for i := range s.Params {
		name := s.Params[i].Name
		if used[name] || Mentions(r.Source.Text, name) {
			continue
		}
		found := false
		for _, text := range texts {
			found = found || Mentions(text, name)
		}
		if found {
			continue
		}
		e := spaceError("parameter %s changes nothing: neither %s nor --local, --grid or another expression has it",
			name, r.Source.File)
		words := slices.DeleteFunc(names.FindAllString(r.Source.Text, -1), syntax.IsKeyword)
		if hint := spelling.DidYouMean(name, words); hint != "" {
			e.WithNote("%s", hint)
		}
		return e
	}
	return nil
}

var names = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*`)

// Mentions reports whether a text has a name as a word.
func Mentions(text, name string) bool {
	return slices.Contains(names.FindAllString(text, -1), name)
}

// options are those of a variant. Where an expression has no value, the variant cannot run.
func (r *Recipe) options(s *Space, v *Variant) (*generate.Source, *generate.Options, error) {
	values := s.Names(v)
	source, o := *r.Source, r.Base
	o.Device = r.Devices[0]
	for i := range s.Params {
		p := &s.Params[i]
		switch value := p.Values[v.Index[i]]; p.Name {
		case ParamGPU:
			o.Device = r.Devices[v.Index[i]]
		case ParamCompiler:
			o.Compiler = r.Compilers[v.Index[i]]
		default:
			if slices.ContainsFunc(r.Templates, func(a Assignment) bool { return a.Name == p.Name }) {
				continue // a macro would stand where the template declares it
			}
			source.Defines = append(slices.Clip(source.Defines), p.Name+"="+Text(value))
		}
	}
	if len(r.Compilers) == 1 {
		o.Compiler = r.Compilers[0]
	}
	o.GPU = o.Device.Name
	if err := r.launch(&o, values); err != nil {
		return nil, nil, err
	}
	for _, a := range r.Unrolls {
		at, err := unroll.ParseLocation(a.Name)
		if err != nil {
			return nil, nil, err
		}
		n, err := a.Value.Whole(values, 1)
		if err != nil {
			return nil, nil, recipeError("--unroll", err)
		}
		o.Unrolls = append(slices.Clip(o.Unrolls), unroll.UnrollChoice{At: at, Factor: n})
	}
	for _, a := range r.Templates {
		value, err := a.Value.Value(values)
		if err != nil {
			return nil, nil, recipeError("--template", err)
		}
		o.Templates = append(slices.Clip(o.Templates), a.Name+"="+Text(value))
	}
	if r.Registers != nil {
		n, err := r.Registers.Whole(values, 1)
		if err != nil {
			return nil, nil, recipeError("--registers", err)
		}
		o.Registers.Number = int(min(n, 1<<16))
	}
	return &source, &o, nil
}

// launch evaluates the launch of a variant.
func (r *Recipe) launch(o *generate.Options, values map[string]any) error {
	for _, f := range []struct {
		flag string
		from []*Expr
		into *generate.Sizes
	}{{"--local", r.Local, &o.Local}, {"--grid", r.Groups, &o.Groups}, {"--global", r.Global, &o.Global}} {
		for _, e := range f.from {
			n, err := e.Whole(values, 1)
			if err != nil {
				return recipeError(f.flag, err)
			}
			*f.into = append(slices.Clip(*f.into), n)
		}
	}
	for _, a := range r.Args {
		value, err := a.Value.Value(values)
		if err != nil {
			return recipeError("--arg", err)
		}
		arg, err := generate.ParseArgument(a.Name + "=" + Text(value))
		if err != nil {
			return recipeError("--arg", err)
		}
		o.Args = append(slices.Clip(o.Args), arg)
	}
	if r.DynamicLocal != nil {
		n, err := r.DynamicLocal.Whole(values, 0)
		if err != nil {
			return recipeError("--dynamic-local", err)
		}
		o.DynamicLocal = n
	}
	return nil
}

// recipeError says which flag's expression has no value for a variant.
func recipeError(flag string, err error) error {
	return diag.Errorf(diag.Pos{}, "LAUNCH", "%s %v", flag, err)
}
