package builtins

// openCL are the functions of OpenCL C 1.2 (specification 6.12) that
// are called by a fixed name, and those of the sub-group extension and of 2.0's
// atomics that mean the same. Names are sorted in each group.
var openCL = []group{
	// 6.12.1 work-item functions
	{WorkItem, "ulong(dim)", `get_enqueued_local_size=get_local_size get_global_id get_global_offset get_global_size
		get_group_id get_local_id get_local_size get_num_groups`},
	{WorkItem, "ulong()", "get_global_linear_id get_local_linear_id"},
	{WorkItem, "uint()", `get_enqueued_num_sub_groups=get_num_sub_groups get_max_sub_group_size=get_sub_group_size
		get_num_sub_groups get_sub_group_id get_sub_group_local_id get_sub_group_size get_work_dim`},

	// 6.12.2 math functions
	{Math, "f(f)", `acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi
		erf erfc exp exp10 exp2 expm1 fabs floor lgamma log log10 log1p log2 logb
		rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc`},
	{Math, "f(f,f)", "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder"},
	{Math, "f(f,f,f)", "fma mad"},
	{Math, "f(f,n)", "ldexp pown rootn"},
	{Math, "s(s)", `half_cos half_exp half_exp10 half_exp2 half_log half_log10 half_log2 half_recip half_rsqrt
		half_sin half_sqrt half_tan native_cos native_exp native_exp10 native_exp2 native_log native_log10
		native_log2 native_recip native_rsqrt native_sin native_sqrt native_tan`},
	{Math, "s(s,s)", "half_divide half_powr native_divide native_powr"},
	{Math, "n(f)", "ilogb"},
	{Math, "float(uint)", "nan"},
	{MathOut, "f(f,*f)", "fract modf sincos"},
	{MathOut, "f(f,*n)", "frexp lgamma_r"},
	{MathOut, "f(f,f,*n)", "remquo"},

	// 6.12.3 integer functions
	{Math, "u(i)", "abs"},
	{Math, "u(i,i)", "abs_diff"},
	{Math, "i(i)", "clz ctz popcount"},
	{Math, "i(i,i)", "add_sat hadd mul_hi rhadd rotate sub_sat"},
	{Math, "i(i,i,i)", "mad_hi mad_sat"},
	{Math, "t(t,t)", "mul24"},
	{Math, "t(t,t,t)", "mad24"},

	// 6.12.3 and 6.12.4: integers and floats
	{Math, "g(g,g)", "max min"},
	{Math, "g(g,g,g)", "clamp"},
	{Math, "f(f)", "degrees radians sign"},
	{Math, "f(f,f)", "step"},
	{Math, "f(f,f,f)", "mix smoothstep"},

	// 6.12.5 geometric functions
	{Geometric, "f(f,f)", "cross"},
	{Geometric, "e(f,f)", "distance dot fast_distance"},
	{Geometric, "e(f)", "fast_length length"},
	{Geometric, "f(f)", "fast_normalize normalize"},

	// 6.12.6 relational functions
	{Relational, "r(f,f)", `isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered
		isunordered`},
	{Relational, "r(f)", "isfinite isinf isnan isnormal signbit"},
	{AnyAll, "int(i)", "all any"},
	{Select, "g(g,g,g)", "bitselect"},
	{Select, "g(g,g,m)", "select"},

	// 6.12.8 and 6.12.9 synchronisation
	{Barrier, "void(uint)", "barrier work_group_barrier=barrier"},
	{Barrier, "void(uint,int)", "work_group_barrier=barrier"},
	{Fence, "void(uint)", "mem_fence read_mem_fence write_mem_fence"},
	{Fence, "void(uint,int,int)", "atomic_work_item_fence=mem_fence"},

	// 6.12.11 atomic functions, those of the 1.0 extensions and those of 2.0
	{Atomic, "g(*g,g)", `atom_add=atomic_add atom_and=atomic_and atom_max=atomic_max atom_min=atomic_min
		atom_or=atomic_or atom_sub=atomic_sub atom_xchg=atomic_xchg atom_xor=atomic_xor atomic_add atomic_and
		atomic_exchange=atomic_xchg atomic_fetch_add=atomic_add atomic_fetch_and=atomic_and
		atomic_fetch_max=atomic_max atomic_fetch_min=atomic_min atomic_fetch_or=atomic_or
		atomic_fetch_sub=atomic_sub atomic_fetch_xor=atomic_xor atomic_max atomic_min atomic_or atomic_sub
		atomic_xchg atomic_xor`},
	{Atomic, "g(*g)", "atomic_load"},
	{Atomic, "void(*g,g)", "atomic_init=atomic_store atomic_store"},
	{Atomic, "int(*g,*g,g)", `atomic_compare_exchange_strong
		atomic_compare_exchange_weak=atomic_compare_exchange_strong`},
	{Atomic, "int(*g)", "atomic_flag_test_and_set"},
	{Atomic, "void(*g)", "atomic_flag_clear"},
	{Atomic, "g(*g)", "atom_dec=atomic_dec atom_inc=atomic_inc atomic_dec atomic_inc"},
	{Atomic, "g(*g,g,g)", "atom_cmpxchg=atomic_cmpxchg atomic_cmpxchg"},

	// 6.12.10 copies between global and local memory
	{WaitEvents, "void(...)", "wait_group_events"},

	// The sub-group extensions (cl_khr_subgroups, cl_khr_subgroup_shuffle and
	// their like, cl_intel_subgroups)
	{SubGroup, "g(g,uint)", `intel_sub_group_shuffle=sub_group_shuffle intel_sub_group_shuffle_xor=sub_group_shuffle_xor
		sub_group_broadcast sub_group_non_uniform_broadcast=sub_group_broadcast sub_group_shuffle sub_group_shuffle_down
		sub_group_shuffle_up sub_group_shuffle_xor`},
	{SubGroup, "g(g)", `sub_group_broadcast_first sub_group_reduce_add sub_group_reduce_and sub_group_reduce_max
		sub_group_reduce_min sub_group_reduce_mul sub_group_reduce_or sub_group_reduce_xor
		sub_group_scan_exclusive_add sub_group_scan_exclusive_max sub_group_scan_exclusive_min
		sub_group_scan_exclusive_mul sub_group_scan_inclusive_add sub_group_scan_inclusive_max
		sub_group_scan_inclusive_min sub_group_scan_inclusive_mul`},
	{SubGroup, "int(int)", "sub_group_all sub_group_any"},
	{Fence, "void(uint)", "sub_group_barrier"},
	{Fence, "void(uint,int)", "sub_group_barrier"},

	// 6.12.10, 6.12.13: nothing that a model of time can tell
	{Ignored, "int(...)", "printf"},
	{Ignored, "void(...)", "prefetch"},
	{Ignored, "void(...)", "__builtin_assume __builtin_unreachable"},
}
