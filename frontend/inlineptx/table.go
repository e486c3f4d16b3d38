package inlineptx

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// row is an instruction (PTX ISA, Instruction Set): the first row that fits is an instruction's.
//
// The letters of operands say how each is read: = the result; t in the instruction's type, its last suffix; w in
// that of twice the width; p as a predicate, u, i and l as an unsigned, signed or long word; r as it is; B, L and G as
// the address of a barrier, of bytes in local and of bytes in global memory; - not at all; * whatever follows is not
// read.
type row struct {
	words    string // the mnemonic, and suffixes that it has somewhere behind
	operands string
	of       func(*ctypes.Type) bool // the types that it is of, nil = any or none
	result   operation               // nil: nothing that a model of time can tell
}

// operation is what an instruction computes of operands, nil if the instruction is not known.
type operation func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr

// unknownSuffixes are those that make other instructions of those in the table: carries, which only whole words
// have (extended), modes of prmt, places of bfind, and copies that add.
var unknownSuffixes = []string{"cc", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16", "shiftamt", "reduce"}

// arithmeticSuffixes are those that an instruction on numbers may have beside its row's and types.
var arithmeticSuffixes = []string{"rn", "rz", "rm", "rp", "sat", "ftz", "NaN", "relu", "approx", "full", "lo", "wrap",
	"clamp", "sync", "uni", "to", "b", "noftz"}

var table = []row{
	{"add", "=tt", nil, operator(ctypes.Add)},
	{"sub", "=tt", nil, operator(ctypes.Sub)},
	{"and", "=tt", nil, operator(ctypes.And)},
	{"or", "=tt", nil, operator(ctypes.Or)},
	{"xor", "=tt", nil, operator(ctypes.Xor)},
	{"rem", "=tt", nil, operator(ctypes.Rem)},
	{"shl", "=tu", nil, operator(ctypes.Shl)},
	{"shr", "=tu", nil, operator(ctypes.Shr)},
	{"mul wide", "=tt", narrow, wideProduct},
	{"mad wide", "=ttw", narrow, wideProduct},
	{"mul hi", "=tt", nil, function("mul_hi")},
	{"mul", "=tt", nil, operator(ctypes.Mul)},
	{"mad hi", "=ttt", nil, sumOf(function("mul_hi"))},
	{"mad", "=ttt", floating, function("fma")},
	{"fma", "=ttt", floating, function("fma")},
	{"mad", "=ttt", nil, sumOf(operator(ctypes.Mul))},
	{"div approx", "=tt", nil, function("native_divide")},
	{"div full", "=tt", nil, function("native_divide")},
	{"div", "=tt", nil, operator(ctypes.Div)},
	{"rcp approx", "=t", single, function("native_recip")},
	{"rcp", "=t", (*ctypes.Type).IsFloat, reciprocal},
	{"min", "=tt", floating, function("fmin")},
	{"max", "=tt", floating, function("fmax")},
	{"min", "=tt", nil, function("min")},
	{"max", "=tt", nil, function("max")},
	{"neg", "=t", nil, operator(ctypes.Neg)},
	{"abs", "=t", floating, function("fabs")},
	{"abs", "=t", nil, function("abs")},
	{"not", "=t", predicate, operator(ctypes.Not)},
	{"not", "=t", nil, operator(ctypes.BitNot)},
	{"sqrt approx", "=t", nil, function("native_sqrt")},
	{"sqrt", "=t", nil, function("sqrt")},
	{"rsqrt", "=t", nil, function("rsqrt")},
	{"ex2", "=t", nil, function("native_exp2")},
	{"lg2", "=t", nil, function("native_log2")},
	{"sin", "=t", nil, function("native_sin")},
	{"cos", "=t", nil, function("native_cos")},
	{"tanh", "=t", nil, function("native_tanh")},
	{"popc", "=t", nil, function("popcount")},
	{"clz", "=t", nil, function("clz")},
	{"brev", "=t", nil, function("bit_reverse")},
	{"copysign", "=tt", nil, function("copysign")},
	{"sad", "=ttt", nil, function("sad")},
	{"dp4a", "=ttt", nil, function("dp4a")},
	{"prmt", "=ttt", nil, function("byte_perm")},
	{"shf l", "=ttt", nil, funnelShift("funnelshift_l", 0)},
	{"shf r", "=ttt", nil, funnelShift("funnelshift_r", 1)},
	{"lop3", "=tttt", nil, logic},
	{"vshl add", "=tut", unsignedWord, sumOf(videoShift(ctypes.Shl))},
	{"vshr add", "=tut", unsignedWord, sumOf(videoShift(ctypes.Shr))},
	{"vshl", "=tu", unsignedWord, videoShift(ctypes.Shl)},
	{"vshr", "=tu", unsignedWord, videoShift(ctypes.Shr)},
	{"bfe", "=tuu", wholeWords, extracted},
	{"bfi", "=ttuu", wholeWords, function("bfi")},
	{"bfind", "=t", unsignedWord, highestBit},
	{"selp", "=ttp", nil, selected},

	{"cvta", "=l", nil, theOperand},
	{"createpolicy", "=*", nil, constantly(ctypes.ULong, 0)}, // a word that loads and stores take along
	{"activemask", "=", nil, func(s *statement, _ *Instruction, _ *ctypes.Type, _ []ast.Expr) ast.Expr {
		return s.ballot(s.number(ctypes.Int, 1))
	}},
	{"vote ballot", "=p*", nil, func(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
		return s.ballot(x[0])
	}},
	{"vote any", "=p*", nil, vote("any")},
	{"vote all", "=p*", nil, vote("all")},
	{"redux", "=t-", nil, func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		return s.call(builtins.SubGroup, "sub_group_reduce_"+in.Last(1), t, x...)
	}},
	{"mapa", "=r-", nil, func(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
		s.assume(ClusterNote)
		return x[0]
	}},

	{"bar warp", "*", nil, cudaCall("__threadfence")},
	{"barrier cluster arrive", "*", nil, nil}, // what waits is the other half
	{"barrier cluster wait", "*", nil, assuming(ClusterNote, cudaCall("__syncthreads"))},
	{"bar sync", "", nil, cudaCall("__syncthreads")},
	{"bar sync", "-", nil, cudaCall("__syncthreads")},
	{"bar sync", "--", nil, assuming(PartNote, partBarrier)},
	{"bar arrive", "--", nil, assuming(PartNote, partBarrier)},
	{"bar red popc", "=-p", nil, answered(counted)},
	{"bar red or", "=-p", nil, answered(vote("any"))},
	{"bar red and", "=-p", nil, answered(vote("all"))},
	{"bar red popc", "=--p", nil, assuming(PartNote, answered(counted))},
	{"bar red or", "=--p", nil, assuming(PartNote, answered(vote("any")))},
	{"bar red and", "=--p", nil, assuming(PartNote, answered(vote("all")))},
	{"barrier sync", "", nil, cudaCall("__syncthreads")},
	{"barrier sync", "-", nil, cudaCall("__syncthreads")},
	{"barrier sync", "--", nil, assuming(PartNote, partBarrier)},
	{"barrier arrive", "--", nil, assuming(PartNote, partBarrier)},
	{"membar", "*", nil, cudaCall("__threadfence")},
	{"fence", "*", nil, cudaCall("__threadfence")},
	{"nanosleep", "*", nil, nil},
	{"trap", "*", nil, nil},
	{"brkpt", "*", nil, nil},
	{"griddepcontrol", "*", nil, nil},
	{"setmaxnreg inc", "u", nil, grow},
	{"setmaxnreg", "-", nil, nil},

	{"cp async bulk commit_group", "*", nil, pipeline("bulk_commit")},
	{"cp async bulk wait_group", "u", nil, pipeline("bulk_prior")},
	{"cp async bulk multicast::cluster", "*", nil, refused("a copy to several groups of a cluster (", ") is")},
	{"cp async bulk prefetch", "*", nil, nil},
	{"cp async bulk bulk_group global tensor", "*", nil,
		refused("a store of a tensor's box (", "), whose size only the host knows, is")},
	{"cp async bulk bulk_group global", "GLl", nil, pipeline("bulk_store")},
	{"cp async commit_group", "*", nil, pipeline("commit")},
	{"cp async wait_group", "u", nil, pipeline("prior")},
	{"mbarrier init", "Bl", nil, stored},
	{"mbarrier inval", "-*", nil, nil},
	{"mbarrier expect_tx", "Bl", nil, pipeline("expect")},
	{"wgmma fence", "", nil, pipeline("wgmma_fence")},
	{"wgmma commit_group", "", nil, pipeline("wgmma_commit")},
	{"wgmma wait_group", "u", nil, pipeline("wgmma_prior")},
}

// executed are the instructions of more than one result or effect, or of operands of other forms, by their mnemonics. A
// function gives false of one that it does not know.
var executed = map[string]func(*statement, *Instruction) bool{
	"add": (*statement).extended, "addc": (*statement).extended, "sub": (*statement).extended,
	"subc": (*statement).extended, "mad": (*statement).extended, "madc": (*statement).extended,
	"mov": (*statement).move, "cvt": (*statement).conversion, "setp": (*statement).comparison,
	"ld": (*statement).load, "ldu": (*statement).load, "st": (*statement).store,
	"atom": (*statement).atomic, "red": (*statement).atomic,
	"cp": (*statement).copy, "mbarrier": (*statement).transactionBarrier,
	"prefetch": (*statement).ignored, "prefetchu": (*statement).ignored, "discard": (*statement).ignored,
	"applypriority": (*statement).ignored,
	"shfl":          (*statement).shuffle, "elect": (*statement).elect, "match": (*statement).match,
	"ldmatrix": (*statement).matrixLoad, "stmatrix": (*statement).matrixStore, "mma": (*statement).matrixProduct,
	"wgmma": (*statement).groupProduct,
}

func floating(t *ctypes.Type) bool     { return t.Base().IsFloat() }
func single(t *ctypes.Type) bool       { return t.Kind == ctypes.Float }
func predicate(t *ctypes.Type) bool    { return t.Kind == ctypes.Bool }
func wholeWords(t *ctypes.Type) bool   { return t.IsInteger() && t.Size() >= 4 }
func unsignedWord(t *ctypes.Type) bool { return t.Kind == ctypes.UInt }
func narrow(t *ctypes.Type) bool       { return wider(t) != nil }

// wider is the type of twice the width, nil of a type without one.
func wider(t *ctypes.Type) *ctypes.Type {
	switch t.Kind {
	case ctypes.Int, ctypes.UInt, ctypes.Short, ctypes.UShort:
		return ctypes.Scalar(t.Kind + 2) // kinds come in pairs of signed and unsigned
	}
	return nil
}

// rounding is OpenCL's name of the mode that an instruction rounds to, "" if it names none.
func (in *Instruction) rounding() string {
	for _, w := range in.Words[1:] {
		if mode := roundings[w]; mode != "" {
			return mode
		}
	}
	return ""
}

// operator is an operation of C. One that names its rounding is rounded by itself (PTX ISA, add and mul).
func operator(op ctypes.Op) operation {
	names := map[ctypes.Op]string{ctypes.Add: "add", ctypes.Sub: "sub", ctypes.Mul: "mul", ctypes.Div: "div"}
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		mode := in.rounding()
		var e ast.Expr
		switch {
		case len(x) == 1:
			return s.unary(op, x[0])
		case mode != "" && t.Base().IsFloat():
			e = s.call(builtins.Math, names[op]+"_"+mode, t, x...)
		case in.Has("sat") && t.IsInteger():
			if op != ctypes.Add && op != ctypes.Sub || in.Words[0] == "mad" {
				return nil
			}
			return s.call(builtins.Math, names[op]+"_sat", t, x...)
		default:
			e = s.binary(op, x[0], x[1])
		}
		return s.limited(in, e)
	}
}

// function is a mathematical function of the language.
func function(name string) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		mode, as := in.rounding(), name
		switch {
		case as == "dp4a" && in.Type(1) != t, in.Has("relu", "NaN", "sat") && !floating(t):
			return nil
		case in.Has("NaN"):
			as += "_nan"
		case mode != "" && mode != "rte" && name == "fma", mode != "" && name == "sqrt":
			as += "_" + mode
		}
		return s.limited(in, s.call(builtins.Math, as, t, x...))
	}
}

// limited is what an instruction gives with sat, between 0 and 1 and 0 of a NaN, or with relu, at least 0.
func (s *statement) limited(in *Instruction, e ast.Expr) ast.Expr {
	if !in.Has("sat", "relu") || s.err != nil {
		return e
	}
	t := e.Type()
	bound := func(n float64) ast.Expr {
		e := ast.Expr(ast.LiteralOf(ctypes.FloatValue(t.Base().Kind, n), s.pos))
		if t.Kind == ctypes.Vector {
			e = &ast.Convert{Typed: ast.Of(t, s.pos), X: e}
		}
		return e
	}
	if in.Has("relu") {
		return s.call(builtins.Math, "fmax_nan", t, e, bound(0))
	}
	return s.call(builtins.Math, "fmin", t, s.call(builtins.Math, "fmax", t, e, bound(0)), bound(1))
}

// funnelShift shifts two words by up to 32 with clamp, which leaves one of them, else by as much modulo 32.
func funnelShift(name string, whole int) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		e := s.call(builtins.Math, name, t, x...)
		if n, known := x[2].(*ast.Literal); in.Has("wrap") || known && uint32(n.Value.Int) < 32 {
			return e
		}
		over := s.binary(ctypes.Gt, x[2], s.number(ctypes.UInt, 31))
		return &ast.Cond{Typed: ast.Of(t, s.pos), C: over, X: x[whole], Y: s.register("shifted", t, e)}
	}
}

// videoShift shifts whole words of one type by at most 32, with wrap modulo 32 (PTX ISA, vshl and vshr).
func videoShift(op ctypes.Op) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		by := s.call(builtins.Math, "min", x[1].Type(), x[1], s.number(ctypes.UInt, 32))
		switch {
		case in.Has("wrap"):
			by = s.binary(ctypes.And, x[1], s.number(ctypes.UInt, 31))
		case !in.Has("clamp"):
			return nil
		}
		if n := len(in.Words); n < 4 || types[in.Words[2]] != t || types[in.Words[3]] != t || in.Has("sat") {
			return nil
		}
		return s.binary(op, x[0], by)
	}
}

// sumOf adds the third operand to a product of the others.
func sumOf(product operation) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		return s.binary(ctypes.Add, product(s, in, t, x[:2]), x[2])
	}
}

// pipeline is a function of asynchronous copies and what waits for them.
func pipeline(name string) operation {
	return func(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
		return s.call(builtins.Pipeline, name, ctypes.Scalar(ctypes.Void), x...)
	}
}

// cudaCall is a call of one of CUDA's functions without arguments.
func cudaCall(name string) operation {
	return func(s *statement, _ *Instruction, _ *ctypes.Type, _ []ast.Expr) ast.Expr { return s.cuda(name) }
}

// vote is true where any or all work items of the warp say so.
func vote(mode string) operation {
	return func(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
		answer := s.call(builtins.SubGroup, "sub_group_"+mode, ctypes.Scalar(ctypes.Int),
			s.convert(x[0], ctypes.Scalar(ctypes.Int), false))
		return s.convert(answer, ctypes.Scalar(ctypes.Bool), false)
	}
}

// counted is how many work items of the warp say so: those of other warps are not known.
func counted(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
	return s.call(builtins.Math, "popcount", ctypes.Scalar(ctypes.UInt), s.ballot(x[0]))
}

// answered is a barrier that answers a question, which costs a vote.
func answered(what operation) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		barrier, e := s.cuda("__syncthreads"), what(s, in, t, x)
		return &ast.Comma{Typed: ast.Of(e.Type(), s.pos), X: barrier, Y: e}
	}
}

// constantly is a number.
func constantly(k ctypes.Kind, n int64) operation {
	return func(s *statement, _ *Instruction, _ *ctypes.Type, _ []ast.Expr) ast.Expr { return s.number(k, n) }
}

// assuming notes what is taken otherwise than the program says.
func assuming(note string, what operation) operation {
	return func(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
		s.assume(note)
		return what(s, in, t, x)
	}
}

// refused is an instruction that is known but cannot be analysed.
func refused(before, behind string) operation {
	return func(s *statement, in *Instruction, _ *ctypes.Type, _ []ast.Expr) ast.Expr {
		return s.reject(before + in.Op + behind)
	}
}

// stored writes to an address.
func stored(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
	return s.assign(s.deref(x[0]), x[1])
}

func theOperand(_ *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr { return x[0] }

func partBarrier(s *statement, _ *Instruction, _ *ctypes.Type, _ []ast.Expr) ast.Expr {
	return s.call(builtins.Barrier, builtins.PartBarrier, ctypes.Scalar(ctypes.Void))
}

func reciprocal(s *statement, in *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
	return s.call(builtins.Math, "recip_"+in.rounding(), t, x[0])
}

// wideProduct is a product of twice the width, to which a third operand may be added.
func wideProduct(s *statement, _ *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
	e := s.binary(ctypes.Mul, s.convert(x[0], wider(t), true), s.convert(x[1], wider(t), true))
	if len(x) == 3 {
		e = s.binary(ctypes.Add, e, x[2])
	}
	return e
}

// highestBit is the number of the highest bit that is set.
func highestBit(s *statement, _ *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
	return s.binary(ctypes.Sub, s.number(ctypes.UInt, 31), s.call(builtins.Math, "clz", t, x...))
}

func selected(s *statement, _ *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
	return &ast.Cond{Typed: ast.Of(t, s.pos), C: x[2], X: x[0], Y: x[1]}
}

// logic is lop3: any function of three words, which the last operand tells. Where it has a name in C it
// is that. The table may be a parameter that is a constant where the function is inlined.
func logic(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
	const p, q = 0xf0, 0xcc // of the first two operands (PTX ISA, lop3)
	ops := map[int64]ctypes.Op{p & q: ctypes.And, p | q: ctypes.Or, p ^ q: ctypes.Xor}
	if table, ok := x[3].(*ast.Literal); ok && ops[table.Value.Int&0xff] != 0 {
		return s.binary(ops[table.Value.Int&0xff], x[0], x[1])
	}
	return s.call(builtins.Math, "lop3", ctypes.Scalar(ctypes.UInt), x...)
}

// extracted is bfe, whose last two operands are the field's place and length, words of which the lower 8 bits count
// (PTX ISA, bfe). An extraction from a constant place is a shift and a mask.
func extracted(s *statement, _ *Instruction, t *ctypes.Type, x []ast.Expr) ast.Expr {
	from, ok := x[1].(*ast.Literal)
	bits, ok2 := x[2].(*ast.Literal)
	width := 8 * t.Size()
	if !ok || !ok2 || bits.Value.Int <= 0 || bits.Value.Int > width || from.Value.Int < 0 ||
		from.Value.Int+bits.Value.Int > width {
		return s.call(builtins.Math, "bfe", t, x...)
	}
	if t.IsUnsigned() {
		mask := s.number(t.Kind, int64(^uint64(0)>>(64-bits.Value.Int)))
		return s.binary(ctypes.And, s.binary(ctypes.Shr, x[0], from), mask)
	}
	up := s.binary(ctypes.Shl, x[0], s.number(ctypes.UInt, width-from.Value.Int-bits.Value.Int))
	return s.binary(ctypes.Shr, up, s.number(ctypes.UInt, width-bits.Value.Int))
}

// grow says how many registers a work item may have from here on.
func grow(s *statement, _ *Instruction, _ *ctypes.Type, x []ast.Expr) ast.Expr {
	if _, ok := x[0].(*ast.Literal); !ok {
		return nil
	}
	return s.call(builtins.Pipeline, "grow", ctypes.Scalar(ctypes.Void), x...)
}
