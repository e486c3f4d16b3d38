package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/inlineptx"
	"gpupipe/internal/diag"
)

// Barriers of more or less than a group are taken as the group's, with a warning.

// gridSync is a barrier of the whole grid (groups.cuh).
func (c *checker) gridSync(pos diag.Pos) ast.Expr {
	c.warnOnce(pos,
		"a barrier of the whole grid is taken as one of the group: waiting for other groups is not modelled")
	return c.resolve("__syncthreads", c.builtins.Find("__syncthreads"), nil, pos)
}

// clusterCall is what the groups of a cluster do together: a barrier, or the address of another group's memory.
func (c *checker) clusterCall(what string, args []ast.Expr, pos diag.Pos) ast.Expr {
	c.warnOnce(pos, inlineptx.ClusterNote)
	if what == "map" {
		return args[0]
	}
	return c.resolve("__syncthreads", c.builtins.Find("__syncthreads"), nil, pos)
}

// warnOnce says at most once in a file what is taken otherwise than the program says.
func (c *checker) warnOnce(pos diag.Pos, text string) {
	if !c.noted[text] {
		c.noted[text] = true
		c.warnf(pos, codeIgnored, "%s", text)
	}
}
