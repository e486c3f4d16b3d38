package cxx

import "slices"

// AssumedTypes are the kernel templates of which type arguments are assumed.
type AssumedTypes struct {
	Integer map[string]int    // by template: the parameter that is int
	Params  map[string][]int  // by template: the type parameters about which nothing is known
	copies  map[string]string // by the name of the copy: the template
	Failed  map[string]bool   // by template: a copy's types do not fit
}

func newAssumedTypes() AssumedTypes {
	return AssumedTypes{map[string]int{}, map[string][]int{}, map[string]string{}, map[string]bool{}}
}

// assumedArgument is the argument of parameter i of a template about which nothing is known.
func (all *Program) assumedArgument(t *Template, i int) []string {
	p := t.Params[i]
	if !p.IsType || t.Kind != templateKernel {
		return p.assumed()
	}
	a := &all.Templates.Assumed
	if !slices.Contains(a.Params[t.Name], i) {
		a.Params[t.Name] = append(a.Params[t.Name], i)
	}
	if k, ok := a.Integer[t.Name]; ok && k == i {
		return []string{"int"}
	}
	return p.assumed()
}

// Fail notes that a kernel, by its copy's name, cannot be typed.
func (a *AssumedTypes) Fail(kernel string) {
	if t, ok := a.copies[kernel]; ok {
		a.Failed[t] = true
	}
}
