package inlineptx

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// warpLanes are the work items of a warp.
const warpLanes = 32

// specialIndices are the special registers that are CUDA's index variables.
var specialIndices = map[string]string{"tid": "get_local_id", "ctaid": "get_group_id", "ntid": "get_local_size",
	"nctaid": "get_num_groups"}

// clusterIndices are the special registers of three numbers of which nothing is known.
var clusterIndices = []string{"clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"}

// specialRegisters are those of which nothing is known but that reading one is an instruction.
var specialRegisters = map[string]ctypes.Kind{
	"smid": ctypes.UInt, "nsmid": ctypes.UInt, "gridid": ctypes.ULong, "warpid": ctypes.UInt, "nwarpid": ctypes.UInt,
	"clock": ctypes.UInt, "clock_hi": ctypes.UInt, "clock64": ctypes.ULong,
	"globaltimer": ctypes.ULong, "globaltimer_lo": ctypes.UInt, "globaltimer_hi": ctypes.UInt,
	"dynamic_smem_size": ctypes.UInt, "total_smem_size": ctypes.UInt,
	"cluster_ctarank": ctypes.UInt, "cluster_nctarank": ctypes.UInt, "is_explicit_cluster": ctypes.UInt,
}

// special is the value of a special register (PTX ISA, Special Registers), nil if it is none.
func (s *statement) special(text string) ast.Expr {
	if text == "WARP_SZ" {
		return s.number(ctypes.UInt, warpLanes)
	}
	name, ok := strings.CutPrefix(strings.TrimPrefix(text, "%"), "%") // %% is a % where there are operands
	if !ok {
		name = strings.TrimPrefix(text, "%")
	}
	if name == text {
		return nil
	}
	index := func(name string, k ctypes.Kind, dims ...ast.Expr) ast.Expr {
		return s.call(builtins.WorkItem, name, ctypes.Scalar(k), dims...)
	}
	if reg, dim, ok := strings.Cut(name, "."); ok && specialIndices[reg] != "" && len(dim) == 1 {
		if d := strings.Index("xyz", dim); d >= 0 {
			return index(specialIndices[reg], ctypes.UInt, s.number(ctypes.Int, int64(d)))
		}
	} else if ok && len(dim) == 1 && slices.Contains(clusterIndices, reg) {
		return index(builtins.SpecialRegister+reg+"_"+dim, ctypes.UInt)
	}
	lane := func() ast.Expr { return index("get_sub_group_local_id", ctypes.UInt) }
	bit := func() ast.Expr { return s.binary(ctypes.Shl, s.number(ctypes.UInt, 1), lane()) }
	below := func() ast.Expr { return s.binary(ctypes.Sub, bit(), s.number(ctypes.UInt, 1)) }
	switch name {
	case "laneid":
		return lane()
	case "lanemask_eq":
		return bit()
	case "lanemask_lt":
		return below()
	case "lanemask_le":
		return s.binary(ctypes.Or, below(), bit())
	case "lanemask_ge":
		return s.unary(ctypes.BitNot, below())
	case "lanemask_gt":
		return s.unary(ctypes.BitNot, s.binary(ctypes.Or, below(), bit()))
	}
	if kind := specialRegisters[name]; kind != 0 {
		return index(builtins.SpecialRegister+name, kind)
	}
	return nil
}
