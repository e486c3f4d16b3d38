package builtins

import (
	"regexp"
	"strings"

	"gpupipe/frontend/ctypes"
)

// cuda are CUDA's device functions (CUDA C++ Programming Guide; CUDA
// Math API Reference Manual), with OpenCL's name where the meaning is the same.
// Names are sorted in each group. cudaFloatVariants adds sinf to sin, and so on.
var cuda = []group{
	// Math functions, overloaded as in C++.
	{Math, "f(f)", cudaMath1},
	{Math, "f(f,f)", cudaMath2},
	{Math, "f(f,f,f)", cudaMath3},
	{Math, "f(f,n)", cudaMathInt},
	{Math, "n(f)", "ilogb"},
	{MathOut, "f(f,*f)", "modf"},
	{MathOut, "f(f,*n)", "frexp"},
	{MathOut, "f(f,f,*n)", "remquo"},
	{MathOut, "float(float,*float)", "modff=modf"},
	{MathOut, "float(float,*int)", "frexpf=frexp"},
	{MathOut, "float(float,float,*int)", "remquof=remquo"},
	{Math, "i(i)", "abs"},
	{Math, "f(f)", "abs=fabs"},
	{Math, "long(long)", "labs=abs llabs=abs"},
	{Math, "g(g,g)", "max min"},
	{Math, "long(long,long)", "llmax=max llmin=min"},
	{Math, "uint(uint,uint)", "umax=max umin=min"},
	{Math, "ulong(ulong,ulong)", "ullmax=max ullmin=min"},
	{Relational, "r(f)", "isfinite isinf isnan signbit"},
	{Relational, "int(float)", "__finitef=isfinite __isinff=isinf __isnanf=isnan __signbitf=signbit"},
	{Relational, "int(double)", "__finite=isfinite __isinf=isinf __isinfd=isinf __isnan=isnan __isnand=isnan " +
		"__signbitd=signbit"},

	// Single-precision intrinsics.
	{Math, "float(float)", `__cosf=native_cos __exp10f=native_exp10 __expf=native_exp
		__builtin_amdgcn_rcpf=native_recip __frsqrt_rn=rsqrt __log10f=native_log10 __log2f=native_log2
		__logf=native_log __sinf=native_sin
		__tanf=native_tan`},
	{Math, "float(float,float)", "__fdividef=native_divide __powf=native_powr"},

	// Integer intrinsics.
	{Math, "int(int)", "__clz=clz __ffs=ffs"},
	{Math, "int(uint)", "__popc=popcount"},
	{Math, "int(long)", "__clzll=clz __ffsll=ffs"},
	{Math, "int(ulong)", "__popcll=popcount"},
	{Math, "uint(uint)", "__brev=bit_reverse"},
	{Math, "ulong(ulong)", "__brevll=bit_reverse"},
	{Math, "int(int,int)", "__hadd=hadd __mul24=mul24 __mulhi=mul_hi __rhadd=rhadd"},
	{Math, "uint(uint,uint)", "__uhadd=hadd __umul24=mul24 __umulhi=mul_hi __urhadd=rhadd"},
	{Math, "long(long,long)", "__mul64hi=mul_hi"},
	{Math, "ulong(ulong,ulong)", "__umul64hi=mul_hi"},
	{Math, "uint(int,int,uint)", "__sad=sad"},
	{Math, "uint(uint,uint,uint)", `__funnelshift_l=funnelshift_l
		__funnelshift_r=funnelshift_r __usad=sad`},
	{Math, "int(int,int,int)", "__dp4a=dp4a"},
	{Math, "uint(uint,uint,uint)", "__dp4a=dp4a"},

	// HIP's number of the lane.
	{WorkItem, "uint()", "__lane_id=get_sub_group_local_id"},

	// What a clock shows is not known.
	{WorkItem, "long()", "clock64=get_special_clock64 clock=get_special_clock"},
	{WorkItem, "ulong()", "__globaltimer=get_special_globaltimer"},

	// Synchronisation.
	{Barrier, "void()", "__syncthreads=barrier"},
	{Fence, "void()", `__syncwarp=mem_fence __threadfence=mem_fence __threadfence_block=mem_fence
		__threadfence_system=mem_fence`},
	{Fence, "void(uint)", "__syncwarp=mem_fence"},

	// Atomic functions; the scope makes no difference to the operation.
	{Atomic, "g(*g,g)", `atomicAdd=atomic_add atomicAdd_block=atomic_add atomicAdd_system=atomic_add
		atomicAnd=atomic_and atomicAnd_block=atomic_and atomicAnd_system=atomic_and atomicDec=atomic_dec_wrap
		atomicDec_block=atomic_dec_wrap atomicDec_system=atomic_dec_wrap atomicExch=atomic_xchg
		atomicExch_block=atomic_xchg atomicExch_system=atomic_xchg atomicInc=atomic_inc_wrap
		atomicInc_block=atomic_inc_wrap atomicInc_system=atomic_inc_wrap atomicMax=atomic_max
		atomicMax_block=atomic_max atomicMax_system=atomic_max atomicMin=atomic_min atomicMin_block=atomic_min
		atomicMin_system=atomic_min atomicOr=atomic_or atomicOr_block=atomic_or atomicOr_system=atomic_or
		atomicSub=atomic_sub atomicSub_block=atomic_sub atomicSub_system=atomic_sub atomicXor=atomic_xor
		atomicXor_block=atomic_xor atomicXor_system=atomic_xor`},
	{Atomic, "g(*g,g,g)", "atomicCAS=atomic_cmpxchg atomicCAS_block=atomic_cmpxchg atomicCAS_system=atomic_cmpxchg"},

	// What reductions of cooperative groups come down to (groups.cuh of package prelude).
	{SubGroup, "g(g)", `__kl_reduce_add=sub_group_reduce_add __kl_reduce_and=sub_group_reduce_and
		__kl_reduce_max=sub_group_reduce_max __kl_reduce_min=sub_group_reduce_min __kl_reduce_or=sub_group_reduce_or
		__kl_reduce_xor=sub_group_reduce_xor __kl_scan_exclusive_add=sub_group_scan_exclusive_add
		__kl_scan_exclusive_and=sub_group_scan_exclusive_and __kl_scan_exclusive_max=sub_group_scan_exclusive_max
		__kl_scan_exclusive_min=sub_group_scan_exclusive_min __kl_scan_exclusive_or=sub_group_scan_exclusive_or
		__kl_scan_exclusive_xor=sub_group_scan_exclusive_xor __kl_scan_inclusive_add=sub_group_scan_inclusive_add
		__kl_scan_inclusive_and=sub_group_scan_inclusive_and __kl_scan_inclusive_max=sub_group_scan_inclusive_max
		__kl_scan_inclusive_min=sub_group_scan_inclusive_min __kl_scan_inclusive_or=sub_group_scan_inclusive_or
		__kl_scan_inclusive_xor=sub_group_scan_inclusive_xor`},

	// What libraries' copies and barriers come down to (async.cuh of package prelude).
	{Pipeline, "void(*uchar,*uchar,ulong)", "__kl_bulk_store=bulk_store __kl_copy=copy"},
	{Pipeline, "void(*uchar,*uchar,ulong,ulong)", "__kl_copy_all=copy_all"},
	// 0 bytes of a tensor's box, which has coordinates, are what the barrier expects.
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong,int)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong,int,int)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong,int,int,int)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong,int,int,int,int)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void(*uchar,*uchar,*ulong,ulong,int,int,int,int,int)", "__kl_bulk_load=bulk_load"},
	{Pipeline, "void()", `__kl_bulk_commit=bulk_commit __kl_commit=commit __kl_consume=consume __kl_release=release
		__pipeline_commit=commit`},
	{Pipeline, "void(uint)", "__kl_bulk_prior=bulk_prior __kl_prior=prior __pipeline_wait_prior=prior"},
	{Pipeline, "void(*ulong)", "__kl_await=await __kl_bind=bind __kl_meet=meet"},
	{Pipeline, "void(*ulong,ulong)", "__kl_await=await __kl_expect=expect"},
	{Pipeline, "void(*ulong,uint)", "__kl_await_parity=await_parity"},
	{Pipeline, "ulong(*ulong)", "__kl_arrive=arrive"},

	// Nothing that a model of time can tell.
	{Ignored, "int(...)", "cudaDeviceSynchronize cudaGetLastError cudaPeekAtLastError printf"},
	{Ignored, "void(...)", "__assert_fail __builtin_assume __builtin_unreachable __nanosleep __trap assert"},
}

// The math functions that exist for every floating type, and for float alone
// with an f behind the name.
const (
	cudaMath1 = `acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi
		erf erfc exp exp10 exp2 expm1 fabs floor lgamma log log10 log1p log2 logb
		nearbyint=rint normcdf rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc`
	cudaMath2   = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow powi=pown remainder"
	cudaMath3   = "fma"
	cudaMathInt = "ldexp scalbn=ldexp"
)

// floatOnly turns a generic signature into that of the float function.
var floatOnly = strings.NewReplacer("f", "float", "n", "int")

// cudaFloatVariants are the functions for float alone: sinf is sin.
func cudaFloatVariants() (groups []group) {
	word := regexp.MustCompile(`(\w+)(?:=(\w+))?`)
	for _, g := range cuda {
		switch g.names {
		case cudaMath1, cudaMath2, cudaMath3, cudaMathInt:
			names := word.ReplaceAllStringFunc(g.names, func(s string) string {
				name, as, _ := strings.Cut(s, "=")
				if as == "" {
					as = name
				}
				return name + "f=" + as
			})
			groups = append(groups, group{g.class, floatOnly.Replace(g.signature), names})
		}
	}
	return groups
}

// Roundings are OpenCL's names of the rounding modes by CUDA's. An operation that names its mode, as mul_rte for
// __fmul_rn, is rounded by itself: no product is contracted with its sum (CUDA Math API, Single Precision Intrinsics).
var Roundings = map[string]string{"rn": "rte", "rz": "rtz", "ru": "rtp", "rd": "rtn"}

// cudaRounded are the intrinsics of an operation and a rounding mode: __fadd_rz, __drcp_rn, __fma_ru.
func cudaRounded() (groups []group) {
	for _, t := range []struct{ letter, fma, name string }{{"f", "fmaf", "float"}, {"d", "fma", "double"}} {
		for n, list := range []string{"rcp=recip sqrt=sqrt", "add=add sub=sub mul=mul div=div", "fma=fma"} {
			for _, op := range strings.Fields(list) {
				name, as, _ := strings.Cut(op, "=")
				if name = t.letter + name; as == "fma" {
					name = t.fma
				}
				for mode, rounding := range Roundings {
					groups = append(groups, group{Math, t.name + "(" + strings.Repeat(","+t.name, n+1)[1:] + ")",
						"__" + name + "_" + mode + "=" + as + "_" + rounding})
				}
			}
		}
	}
	return groups
}

// cudaKinds are the names of types inside CUDA's conversion intrinsics.
var cudaKinds = map[string]ctypes.Kind{
	"int": ctypes.Int, "uint": ctypes.UInt, "ll": ctypes.Long, "ull": ctypes.ULong, "float": ctypes.Float,
	"double": ctypes.Double, "half": ctypes.Half, "short": ctypes.Short, "ushort": ctypes.UShort,
	"longlong": ctypes.Long, "char": ctypes.Char, "uchar": ctypes.UChar,
}

// CUDAConversion decodes the name of a conversion intrinsic: __float2int_rz,
// __half2float; bits is set for __float_as_int and its like.
func CUDAConversion(name string) (from, to ctypes.Kind, rounding string, bits, ok bool) {
	body, found := strings.CutPrefix(name, "__")
	if !found {
		return 0, 0, "", false, false
	}
	if a, b, as := strings.Cut(body, "_as_"); as {
		from, to = cudaKinds[a], cudaKinds[b]
		return from, to, "", true, from != 0 && to != 0
	}
	a, rest, found := strings.Cut(body, "2")
	if !found {
		return 0, 0, "", false, false
	}
	b, mode, _ := strings.Cut(rest, "_")
	from, to = cudaKinds[a], cudaKinds[b]
	return from, to, Roundings[mode], false, from != 0 && to != 0 && (mode == "" || Roundings[mode] != "")
}
