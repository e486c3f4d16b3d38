package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// CUDA's cooperative groups (CUDA C++ Programming Guide, Cooperative Groups).
// The group types are structs of the prelude with one member, the number of
// work items of a tile; the whole block and the grid know theirs.

// isGroup reports whether t is a group type of the prelude.
func isGroup(t *Type) bool {
	return t.Kind == Struct && len(t.Fields) == 1 && t.Fields[0].Name == groupMember
}

// groupValue makes a group of the given size; nil stands for one that has to
// be computed where it is asked for.
func (c *checker) groupValue(name string, size Expr, pos Pos) Expr {
	if size == nil {
		size = c.number(UInt, 0, pos)
	}
	return c.preludeStruct(name, pos, c.convert(size, Scalar(UInt), name))
}

// preludeStruct is a value of a struct of the prelude, by its members.
func (c *checker) preludeStruct(name string, pos Pos, members ...Expr) Expr {
	sym := c.lookup(name)
	if sym == nil || sym.kind != symType {
		return c.fail(pos, "%s is hidden by a name of the program", name)
	}
	places := make([]int64, len(members))
	for i := range places {
		places[i] = int64(i)
	}
	return &InitList{Typed: ast.Of(sym.typ.Type, pos), Elems: members, Index: places}
}

func (c *checker) number(k Kind, v int64, pos Pos) Expr {
	return &Literal{Typed: ast.Of(Scalar(k), pos), Value: ctypes.IntValue(k, v)}
}

// groupCall types the functions that make and use groups. false means that the
// name is none of them.
func (c *checker) groupCall(name string, args []Expr, pos Pos) (Expr, bool) {
	switch name {
	case "this_thread_block":
		return c.groupValue("thread_block", nil, pos), true
	case "this_grid", "this_multi_grid":
		return c.groupValue("grid_group", nil, pos), true
	case "coalesced_threads":
		return c.groupValue("coalesced_group", nil, pos), true
	case "binary_partition", "labeled_partition":
		return c.groupValue("coalesced_group", nil, pos), true
	case "tiled_partition_of":
		if len(args) == 2 {
			args[0], args[1] = args[1], args[0]
		}
		fallthrough
	case "tiled_partition":
		if !c.takes(name, 2, args, pos) || !isGroup(args[0].Type()) {
			return invalidAt(pos), len(args) == 2
		}
		result := "thread_block_tile"
		if _, ok := args[1].(*Literal); !ok {
			result = "thread_group"
		}
		return c.groupValue(result, args[1], pos), true
	case "sync":
		if len(args) == 1 && isGroup(args[0].Type()) {
			return c.groupMethod(args[0], "sync", nil, pos), true
		}
	}
	return nil, false
}

// linearID is the index of the work item in its block.
func (c *checker) linearID(pos Pos) Expr {
	id := func(dim int) Expr { return workItemBuiltin("get_local_id", UInt, dim, pos) }
	size := func(dim int) Expr { return workItemBuiltin("get_local_size", UInt, dim, pos) }
	yz := c.binary(Add, c.binary(Mul, id(2), size(1), pos), id(1), pos)
	return c.binary(Add, c.binary(Mul, yz, size(0), pos), id(0), pos)
}

func (c *checker) product(fn string, pos Pos) Expr {
	e := c.binary(Mul, workItemBuiltin(fn, UInt, 0, pos), workItemBuiltin(fn, UInt, 1, pos), pos)
	return c.binary(Mul, e, workItemBuiltin(fn, UInt, 2, pos), pos)
}

// groupSize is the number of work items of a group.
func (c *checker) groupSize(g Expr, pos Pos) Expr {
	switch g.Type().Name {
	case "thread_block":
		return c.product("get_local_size", pos)
	case "grid_group", "multi_grid_group":
		return c.binary(Mul, c.product("get_local_size", pos), c.product("get_num_groups", pos), pos)
	case "coalesced_group":
		return c.popcount(c.ballot(c.number(Int, 1, pos), pos), pos)
	}
	return c.member(g, groupMember, pos)
}

func (c *checker) popcount(e Expr, pos Pos) Expr {
	return &BuiltinCall{Typed: ast.Of(Scalar(UInt), pos), Builtin: &Builtin{Name: "popcount", Class: Math}, Args: []Expr{c.convert(e, Scalar(UInt), "popcount")}}
}

// groupRank is the index of the work item in a group.
func (c *checker) groupRank(g Expr, pos Pos) Expr {
	switch g.Type().Name {
	case "thread_block":
		return c.linearID(pos)
	case "grid_group", "multi_grid_group":
		id := func(dim int) Expr { return workItemBuiltin("get_group_id", UInt, dim, pos) }
		n := func(dim int) Expr { return workItemBuiltin("get_num_groups", UInt, dim, pos) }
		yz := c.binary(Add, c.binary(Mul, id(2), n(1), pos), id(1), pos)
		group := c.binary(Add, c.binary(Mul, yz, n(0), pos), id(0), pos)
		return c.binary(Add, c.binary(Mul, group, c.product("get_local_size", pos), pos), c.linearID(pos), pos)
	case "coalesced_group":
		below := c.binary(Sub, c.binary(Shl, c.number(UInt, 1, pos), workItemBuiltin("get_sub_group_local_id", UInt, -1, pos), pos), c.number(UInt, 1, pos), pos)
		return c.popcount(c.binary(And, c.ballot(c.number(Int, 1, pos), pos), below, pos), pos)
	}
	return c.binary(Rem, c.linearID(pos), c.groupSize(g, pos), pos)
}

// groupMethod types a member function of a group.
func (c *checker) groupMethod(g Expr, name string, args []Expr, pos Pos) Expr {
	kind := g.Type().Name
	switch name {
	case "sync":
		if kind == "thread_block_tile" || kind == "coalesced_group" {
			return c.resolve("__syncwarp", c.builtins.Find("__syncwarp"), nil, pos)
		}
		if strings.HasSuffix(kind, "grid_group") && !c.noted["grid.sync"] {
			c.noted["grid.sync"] = true
			c.warnf(pos, codeIgnored, "a barrier of the whole grid is taken as one of the group: waiting for other groups is not modelled")
		}
		return c.resolve("__syncthreads", c.builtins.Find("__syncthreads"), nil, pos)
	case "thread_rank":
		return c.groupRank(g, pos)
	case "size", "num_threads":
		return c.groupSize(g, pos)
	case "meta_group_rank":
		return c.binary(Div, c.linearID(pos), c.groupSize(g, pos), pos)
	case "meta_group_size":
		return c.binary(Div, c.product("get_local_size", pos), c.groupSize(g, pos), pos)
	case "group_index", "block_index":
		return c.cudaIndex("blockIdx", pos)
	case "thread_index":
		return c.cudaIndex("threadIdx", pos)
	case "group_dim", "dim_threads":
		return c.cudaIndex("blockDim", pos)
	case "dim_blocks":
		return c.cudaIndex("gridDim", pos)
	case "num_blocks":
		return c.product("get_num_groups", pos)
	case "is_valid":
		return c.number(Int, 1, pos)
	case "block_rank":
		return c.binary(Div, c.groupRank(g, pos), c.product("get_local_size", pos), pos)
	case "shfl", "shfl_up", "shfl_down", "shfl_xor":
		canonical := "sub_group_" + strings.Replace(name, "shfl", "shuffle", 1)
		return c.shuffle(name, canonical+"_part", args, pos) // how wide the tile is, is a value
	case "any", "all":
		if c.takes(name, 1, args, pos) {
			return c.vote("sub_group_"+name, args[0], pos)
		}
		return invalidAt(pos)
	case "ballot", "match_any", "match_all":
		if len(args) > 0 && !isInvalid(args...) {
			return c.ballot(args[0], pos)
		}
		return invalidAt(pos)
	}
	c.unsupported(pos, "the member "+name+" of "+kind+" is", "")
	return invalidAt(pos)
}
