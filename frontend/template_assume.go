package frontend

import (
	"maps"
	"slices"

	"gpupipe/internal/diag"
)

// A kernel template about whose type parameters the file says nothing is read with float for each of them. Where
// that has no meaning - a subscript, an operand of % - one of them at a time is int instead, the first with which
// the kernel can be typed; if there is none, the errors with float stay. A note says what has been assumed.

// maxIntegers bounds the parameters of a kernel template that are tried as int.
const maxIntegers = 4

// assumedTypes are the kernel templates of which type arguments are assumed.
type assumedTypes struct {
	integer map[string]int    // by template: the parameter that is int
	params  map[string][]int  // by template: the type parameters about which nothing is known
	copies  map[string]string // by the name of the copy: the template
	failed  map[string]bool   // by template: a copy's types do not fit
}

func newAssumedTypes() assumedTypes {
	return assumedTypes{map[string]int{}, map[string][]int{}, map[string]string{}, map[string]bool{}}
}

// assumedArgument is the argument of parameter i of a template about which nothing is known.
func (l *loader) assumedArgument(t *template, i int) []string {
	p := t.params[i]
	if !p.isType || t.kind != templateKernel {
		return p.assumed()
	}
	a := &l.templates.assumed
	if !slices.Contains(a.params[t.name], i) {
		a.params[t.name] = append(a.params[t.name], i)
	}
	if k, ok := a.integer[t.name]; ok && k == i {
		return []string{"int"}
	}
	return p.assumed()
}

// note notes that a kernel, by its copy's name, cannot be used, and why.
func (a *assumedTypes) note(kernel string, errs diag.List) {
	t, ok := a.copies[kernel]
	if ok && !slices.ContainsFunc(errs, func(e *diag.Error) bool { return e.Severity == diag.SeverityError && e.Code != codeType }) {
		a.failed[t] = true
	}
}

// parseAssuming parses a file, with int where float does not fit.
func parseAssuming(cfg *Config) (*Unit, error) {
	settled := map[string]int{}
	u, first, err := parseRounds(cfg, settled)
	if first == nil || len(first.assumed.failed) == 0 {
		return u, err
	}
	open := maps.Clone(first.assumed.failed)
	for k := 0; k < maxIntegers && len(open) > 0; k++ {
		trial := maps.Clone(settled)
		for t := range open {
			if params := first.assumed.params[t]; k < len(params) {
				trial[t] = params[k]
			} else {
				delete(open, t)
			}
		}
		if len(open) == 0 {
			break
		}
		_, inst, _ := parseRounds(cfg, trial)
		if inst == nil {
			break
		}
		for t := range open {
			if !inst.assumed.failed[t] {
				settled[t] = trial[t]
				delete(open, t)
			}
		}
	}
	if len(settled) == 0 {
		return u, err
	}
	u, _, err = parseRounds(cfg, settled)
	return u, err
}
