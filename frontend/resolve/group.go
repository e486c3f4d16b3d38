package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// gridSync is a barrier of the whole grid (groups.cuh).
func (c *checker) gridSync(pos diag.Pos) ast.Expr {
	if !c.noted["grid.sync"] {
		c.noted["grid.sync"] = true
		c.warnf(pos, codeIgnored,
			"a barrier of the whole grid is taken as one of the group: waiting for other groups is not modelled")
	}
	return c.resolve("__syncthreads", c.builtins.Find("__syncthreads"), nil, pos)
}
