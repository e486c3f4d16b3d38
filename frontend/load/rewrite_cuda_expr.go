package load

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// cudaExpressions turns the C++ of device code into C:
//
//	static_cast<T>(e)     ((T)(e))
//	float(e)              ((float)(e))
//	N::f, ::f             f
//	if constexpr (c)      if (c)
//	int n = 5 (parameter) int n __attribute__((kl_default(5)))
//	1'000                 1000
//	{a, b}                see rewrite_cuda_braces.go
//
// What has no such form rejects the function that it stands in.
func (r *rewriter) cudaExpressions() {
	for i, t := range r.Tokens {
		if r.dead[i] || t.InDirective {
			continue
		}
		switch t.Kind {
		case tokens.Ident:
			r.cudaWord(i)
		case tokens.Number:
			if s := r.At(i); strings.Contains(s, "'") {
				r.replace(i, strings.ReplaceAll(s, "'", ""))
			}
		case tokens.Punct:
			r.cudaPunct(i)
		}
	}
}

func (r *rewriter) cudaWord(i int) {
	n := r.Next(i)
	if r.Is(n, "::") {
		r.qualified(i, n)
		return
	}
	switch s := r.At(i); s {
	case "namespace":
		if end := r.Find(i, len(r.Tokens), ";"); r.Shape.InBody(i) && end < len(r.Tokens) {
			r.blank(i, end)
		}
		return
	case "bool_constant", "integral_constant":
		if gt := r.angle(n); r.Is(n, "<") && gt > 0 {
			r.blank(n, gt+1)
			r.replace(i, "int")
			if open := r.Next(gt); r.Is(open, "{") && r.Shape.Closing(open) == r.Next(open) {
				r.replace(i, "0") // an object without content
				r.blank(open, r.Next(open)+1)
			}
		}
		return
	case "alignas":
		if c := r.Shape.Closing(n); r.Shape.InBody(i) && c > 0 {
			r.blank(i, c+1)
		}
		return
	case "thread_block_tile":
		if gt := r.angle(n); r.Is(n, "<") && gt > 0 {
			r.blank(n, gt+1) // tiled_partition says how large it is
		}
		return
	case "barrier", "pipeline", "pipeline_shared_state", "aligned_size_t", "pipeline_consumer_wait_prior", "wait_prior", "cp_async_bulk_wait_group_read", "cp_async_bulk_wait_group":
		if r.Is(n, "<") && r.asyncTemplate(i, n) {
			return
		}
	case "fragment":
		if r.Is(n, "<") && r.fragment(i, n) {
			return
		}
	case "and", "or", "not", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq":
		if r.Shape.InBody(i) {
			r.replace(i, alternativeTokens[s])
		}
		return
	case "tiled_partition", "plus", "less", "greater", "bit_and", "bit_or", "bit_xor":
		if r.Is(n, "<") && r.groupTemplate(i, n) {
			return
		}
	case "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast":
		r.cxxCast(i, n)
		return
	case "constexpr":
		if r.Is(r.Prev(i), "if") {
			r.replace(i, "")
		}
		return
	case "using":
		if r.Shape.InBody(i) {
			end := r.Find(i, len(r.Tokens), ";")
			if end < len(r.Tokens) {
				r.localUsing(i, end)
			}
		}
		return
	case "new", "delete":
		if p := r.Prev(i); r.Shape.InBody(i) && n < len(r.Tokens) && (r.KindOf(n) == tokens.Ident || r.Is(n, "[")) && !r.Is(p, ".") && !r.Is(p, "->") {
			r.unsupported(i, s+" in device code is", "use an array, or memory that the host allocates")
		}
		return
	case "try", "throw", "catch":
		if r.Shape.InBody(i) {
			r.unsupported(i, "an exception is", "return an error code")
		}
		return
	case "for":
		r.rangeFor(i, n)
		return
	case "if":
		if c := r.Shape.Closing(n); c > 0 && r.Find(n, c, ";") < c {
			r.unsupported(i, "an if with a declaration is", "declare the variable before it")
		}
		return
	case "struct":
		r.localStruct(i, n)
		return
	}
	if r.Is(n, "<") {
		if !r.trait(i, n) {
			r.templateCall(i, n)
		}
	} else if r.Is(n, "(") && r.l.Words.Types[r.At(i)] && r.Shape.InBody(i) {
		r.functionalCast(i, n)
	} else if r.Is(n, "(") && r.Is(i, "dim3") && r.Shape.InBody(i) && r.operandBefore(r.Prev(i)) {
		r.replace(i, cxx.MakeDim3)
	} else if r.Is(n, "{") && r.Shape.InBody(i) {
		r.bracedValue(i)
	}
}

// qualified takes the namespace at token i and the :: at token n out.
func (r *rewriter) qualified(i, n int) {
	switch s := r.At(i); s {
	case "pipeline_role":
		r.unsupported(i, encoding.PipelineRoles, encoding.PipelineRolesAdvice)
	case "cub", "thrust", "hipcub", "rocprim":
		if m := r.Next(n); r.Shape.InBody(i) && !r.inCUB(m) {
			r.unsupported(i, s+"::"+r.At(m)+" is", "write the algorithm out")
		}
	}
	r.blank(i, i+1)
	r.blank(n, n+1)
	if m := r.Next(n); r.Is(i, "std") && r.Is(m, "move") && r.Is(r.Next(m), "(") { // a value is moved by copying it
		r.blank(m, m+1)
	}
}

// alternativeTokens are the operators that C++ spells out, too.
var alternativeTokens = map[string]string{
	"and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "compl": "~", "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}

func (r *rewriter) cudaPunct(i int) {
	switch r.At(i) {
	case "::":
		r.blank(i, i+1)
	case "<<<":
		if r.Shape.InBody(i) {
			r.unsupported(i, "a kernel launch in device code is", "")
		}
	case "[":
		if r.Shape.InBody(i) && r.binding(i) {
			return
		}
		if r.Shape.InBody(i) && r.isLambda(i) && !r.lambda(i) {
			r.unsupported(i, "a lambda is", "make it a __device__ function")
		}
	case "&":
		r.referenceCast(i)
	case "=":
		r.defaultArgument(i)
	case "{":
		r.arrayBraces(i)
		r.contextBraces(i)
	}
}

// isLambda reports whether [ opens a capture list: no operand stands before it
// and what follows the ] is no declarator's.
func (r *rewriter) isLambda(i int) bool {
	p := r.Prev(i)
	if p < 0 {
		return false
	}
	switch s := r.At(p); {
	case s == ")" || s == "]" || r.KindOf(p) == tokens.String, r.KindOf(p) == tokens.Ident && s != "return":
		return false
	case s == "[":
		return false
	}
	n := r.Next(r.Shape.Closing(i))
	return r.Shape.Closing(i) > 0 && (r.Is(n, "(") || r.Is(n, "{"))
}

// angle returns the > that closes the < at token i, or -1. It may be one half
// of a >>, which only nested templates have.
func (r *rewriter) angle(i int) int {
	depth := 0
	for k := i; k < len(r.Tokens) && k < i+64; k++ {
		if r.Tokens[k].InDirective || r.KindOf(k) == tokens.Newline {
			continue
		}
		switch r.At(k) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return k
			}
		case "(", "[":
			c := r.Shape.Closing(k)
			if c < 0 {
				return -1
			}
			k = c
		case ";", "{", "}", ")", "]", "&&", "||", ">>", ">>>":
			return -1
		}
	}
	return -1
}

// cxxCast rewrites static_cast<T>(e) and its kin; a cast to a reference is one
// of the address.
func (r *rewriter) cxxCast(i, n int) {
	gt := -1
	if r.Is(n, "<") {
		gt = r.angle(n)
	}
	if gt < 0 {
		r.unsupported(i, r.At(i)+" to a template type is", "use a plain type")
		return
	}
	open := r.Next(gt)
	closing := r.Shape.Closing(open)
	if !r.Is(open, "(") || closing < 0 {
		return
	}
	if mark := r.referenceMark(n, gt); mark >= 0 {
		r.replace(i, "(*(")
		r.replace(n, "")
		r.replace(mark, "*")
		r.replace(gt, ")&")
		r.behind(closing, ")")
		return
	}
	r.replace(i, "((")
	r.replace(n, "")
	r.replace(gt, ")")
	r.behind(closing, ")")
}

// referenceCast rewrites (T &)x, whose & is token i: what stands at the address of x, taken as a T.
func (r *rewriter) referenceCast(i int) {
	open, closing := int(r.Shape.Parent[i]), r.Next(i)
	if !r.Shape.InBody(i) || open < 0 || !r.Is(open, "(") || r.Shape.Closing(open) != closing {
		return
	}
	for k := r.Next(open); k < i; k = r.Next(k) {
		if s := r.At(k); s != "const" && !r.l.Words.Types[s] && !ctypes.IsCUDAVector(s) && !slices.Contains(encoding.HalfPairNames, s) {
			return
		}
	}
	if p, n := r.Prev(open), r.Next(closing); r.Next(open) == i || r.KindOf(p) == tokens.Ident && !r.Is(p, "return") || r.KindOf(n) != tokens.Ident && !r.Is(n, "(") {
		return
	}
	r.before(open, "*")
	r.replace(i, "*")
	r.dead[i] = true
	r.behind(closing, "&")
}

// functionalCast rewrites T(e), unless T starts a declaration there.
func (r *rewriter) functionalCast(i, n int) {
	closing := r.Shape.Closing(n)
	m := r.Next(n)
	if closing < 0 || m == closing || r.Is(m, "*") && !r.operandBefore(r.Prev(i)) || r.Is(m, "&") {
		return
	}
	p := r.Prev(i)
	if r.Is(p, "unsigned") || r.Is(p, "long") || r.Is(p, "const") || !r.operandBefore(p) {
		return
	}
	r.replace(i, "(("+r.At(i)+")")
	r.behind(closing, ")")
}

// operandBefore reports whether an operand may follow token p.
func (r *rewriter) operandBefore(p int) bool {
	if p < 0 {
		return r.inMacro
	}
	if r.KindOf(p) == tokens.Ident {
		return r.Is(p, "return") || r.Is(p, "case")
	}
	switch r.At(p) {
	case ";", "{", "}", ")", "]":
		return false
	}
	return r.KindOf(p) == tokens.Punct
}

// droppedArguments are function templates of CUDA's headers that mean the same
// without their arguments, which the operands tell.
var droppedArguments = []string{"min", "max", "__ldg", "__ldcg", "__ldcs", "__ldca"}

// templateCall finds f<4>(x), which C would take for comparisons.
func (r *rewriter) templateCall(i, n int) {
	if !r.Shape.InBody(i) {
		return
	}
	gt := r.angle(n)
	if gt < 0 || !r.Is(r.Next(gt), "(") || !r.templateArguments(n+1, gt) {
		return
	}
	if slices.Contains(droppedArguments, r.At(i)) {
		r.blank(n, gt+1)
		return
	}
	_, _, isSurface := encoding.SurfaceFunction(r.At(i))
	if open := r.Next(gt); encoding.TextureDims[r.At(i)] > 0 || isSurface {
		if c := r.Find(n, gt, ","); c < gt { // the mode of reading
			r.blank(c, gt)
		}
		r.replace(i, encoding.TexturePrefix+r.At(i))
		r.replace(n, "((")
		r.replace(gt, " *)0,")
		r.blank(open, open+1)
		return
	}
	r.unsupported(i, "the template call "+r.At(i)+"<...>(...) is", "write the function out for these arguments")
}

// groupTemplate rewrites tiled_partition<32>(g) to tiled_partition(32, g)'s kin
// and takes the type of plus<int>() out.
func (r *rewriter) groupTemplate(i, n int) bool {
	gt := r.angle(n)
	open := r.Next(gt)
	if r.At(i) != "tiled_partition" {
		if c := r.Shape.Closing(open); gt < 0 || !r.Is(r.Prev(i), "::") || c != r.Next(open) {
			return false
		} else if r.Is(open, "{") {
			r.replace(open, "(")
			r.replace(c, ")")
		}
		r.blank(n, gt+1)
		return true
	}
	if gt < 0 || !r.Is(open, "(") {
		return false
	}
	r.replace(i, encoding.TilePartition)
	r.replace(n, "(")
	r.replace(gt, ",")
	r.blank(open, open+1)
	return true
}

// templateArguments reports whether tokens i to j can only be template
// arguments: names, numbers and types, but no other operator.
func (r *rewriter) templateArguments(i, j int) bool {
	if i >= j {
		return false
	}
	for ; i < j; i++ {
		if r.KindOf(i) == tokens.Punct {
			switch r.At(i) {
			case ",", "*", "&", "::", "<", ">":
			default:
				return false
			}
		}
	}
	return true
}

// localStruct makes the name of a struct of a function a type.
func (r *rewriter) localStruct(i, n int) {
	if !r.Shape.InBody(i) || n >= len(r.Tokens) || r.KindOf(n) != tokens.Ident || !r.Is(r.Next(n), "{") {
		return
	}
	switch r.At(r.Prev(i)) {
	case ";", "{", "}":
		r.before(i, "typedef struct "+r.At(n)+" "+r.At(n)+"; ")
		r.l.Words.Types[r.At(n)] = true
	}
}

// localUsing rewrites a using inside of a function.
func (r *rewriter) localUsing(i, end int) {
	name := r.Next(i)
	eq := r.Next(name)
	if !r.Is(eq, "=") {
		r.blank(i, end)
		return
	}
	r.l.Words.Types[r.At(name)] = true
	r.replace(i, "typedef")
	r.replace(name, "")
	r.replace(eq, "")
	r.before(end, " "+r.At(name))
}

// defaultArgument keeps a parameter's default value as its attribute.
func (r *rewriter) defaultArgument(i int) {
	open := r.Shape.Parent[i]
	if open < 0 || !r.Is(int(open), "(") || r.Shape.InBody(i) || r.Shape.KindAt(int(open)) != tokens.File && r.Shape.KindAt(int(open)) != tokens.Flat {
		return
	}
	it := r.itemAt(i)
	closing := r.Shape.Closing(int(open))
	if it == nil || !it.function || closing < 0 {
		return
	}
	end := closing
	for k := i + 1; k < closing; k++ {
		if r.Is(k, ",") && r.Shape.Parent[k] == open {
			end = k
			break
		}
	}
	if r.Has(i, end, "{") {
		it.reject(diag.Errorf(r.tokPos(i), CodeUnsupported, "a braced default argument is not supported"))
		return
	}
	r.replace(i, " __attribute__(("+encoding.AttrDefault+"(")
	r.behind(r.Prev(end), ")))")
}

// inCUB reports whether the name at token i, of the library, is one that cub.cuh knows.
func (r *rewriter) inCUB(i int) bool {
	if r.Is(i, "(") { // (Sum){0}
		i = r.Next(i)
	}
	name := r.At(i)
	_, isType := r.l.Templates.Types[name]
	_, isConstant := r.l.Templates.Consts[name]
	return isType || isConstant || r.l.Templates.Mangled[name] != nil || strings.HasPrefix(name, cxx.MemberMark)
}
