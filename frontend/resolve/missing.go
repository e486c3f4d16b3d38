package resolve

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/internal/diag"
)

// missingMacro is an undeclared name that may be a macro of the host program's.
type missingMacro struct {
	name string
	err  *diag.Error
}

// gatherMacros makes one error of those that report undeclared names that may
// be macros, in place of the first of them.
func (c *checker) gatherMacros(errs diag.List) diag.List {
	var found []missingMacro
	for _, e := range errs {
		if name, ok := c.macros[e]; ok {
			found = append(found, missingMacro{name, e})
		}
	}
	if len(found) < 2 {
		return errs
	}
	slices.SortStableFunc(found, func(a, b missingMacro) int { return a.err.Pos.Compare(b.err.Pos) })
	first := found[0].err
	var names, places, flags []string
	for _, m := range found {
		if slices.Contains(names, m.name) {
			continue // in another function
		}
		names = append(names, m.name)
		where := fmt.Sprintf("%s (line %d)", m.name, m.err.Pos.Line)
		if m.err.Pos.File != first.Pos.File {
			where = fmt.Sprintf("%s (%s:%d)", m.name, m.err.Pos.File, m.err.Pos.Line)
		}
		places = append(places, where)
		flags = append(flags, "-D "+m.name+"=...")
	}
	if len(names) < 2 {
		return errs
	}
	looks, who := " that look like macros", "the host program defines them when it builds the kernel:"
	if slices.ContainsFunc(names, func(name string) bool { return !isAllCaps(name) }) {
		looks, who = "", "if the host program defines them when it builds the kernel,"
	}
	all := diag.Errorf(first.Pos, codeUndeclared, "%d names%s are not declared: %s", len(names), looks,
		strings.Join(places, ", "))
	_ = all.WithNote("%s add %s", who, strings.Join(flags, " "))
	var out diag.List
	for _, e := range errs {
		if _, ok := c.macros[e]; !ok {
			out.Add(e)
		}
	}
	out.Add(all)
	out.Sort()
	return out
}

// isAllCaps reports whether a name is written as macros usually are.
func isAllCaps(name string) bool {
	return strings.ContainsFunc(name, unicode.IsUpper) && !strings.ContainsFunc(name, unicode.IsLower)
}

// foreign says what an undeclared name of the other language is called in this one, and
// reports whether it is one.
func (c *checker) foreign(e *diag.Error, name string) bool {
	other, here := "CUDA C", "OpenCL C"
	if c.cfg.Dialect == ast.CUDA {
		other, here = here, other
	}
	same, ok := builtins.Foreign(c.cfg.Dialect == ast.CUDA)[name]
	if ok {
		_ = e.WithNote("%s is %s; in %s it is %s", name, other, here, same)
	}
	return ok
}
