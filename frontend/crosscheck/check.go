package crosscheck

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/resolve"
	"gpupipe/internal/diag"
)

// Result is what came of reading a file twice.
type Result struct {
	Functions  int // with a body, that both readings have
	Lines      int // of declarations and statements compared
	Constants  int // whose values were compared
	Conditions int // of #if
	// Differences are errors with both readings. Unreadable is what cc cannot read, a warning; nothing was
	// compared then.
	Differences diag.List
	Unreadable  *diag.Error
}

// Check lets cc read the tokens of a file and compares. The unit is what package resolve made of the reading.
func Check(unit *ast.Unit, read *resolve.Reading) *Result {
	r := &Result{}
	if unit.Dialect != ast.OpenCL {
		r.Unreadable = diag.Warningf(diag.Pos{}, codeUnread, "cc reads C and OpenCL C, not CUDA C++")
		return r
	}
	own, bad := ownOutline(read.File)
	if bad != nil {
		r.Unreadable = bad
		return r
	}
	f := readable(read.Tokens.Tokens, read.IsType, own.names)
	other, unread := f.outline()
	if unread != nil {
		r.Unreadable = unread
		return r
	}
	broken := map[string]bool{} // kernels with names that nothing declares, which C may read as variables
	for _, b := range unit.Broken {
		broken[b.Name] = true
	}
	r.Differences = differences(own.without(broken), other.without(broken))
	for i := range own.decls {
		if own.decls[i].body {
			r.Functions++
		}
		r.Lines += len(own.decls[i].lines)
	}
	r.values(other, unit)
	r.conditions(read.Tokens.Conditions)
	r.Differences = r.Differences.Sorted()
	return r
}

// without leaves functions out.
func (o *outline) without(names map[string]bool) *outline {
	kept := slices.DeleteFunc(o.decls, func(d decl) bool { return names[d.name] })
	return &outline{decls: kept, constants: o.constants}
}
