package builtins

import "strings"

// unsupported names functions of the languages that cannot be analysed,
// by prefix, with what to do instead.
var unsupported = []struct{ prefix, what, advice string }{
	{"clock", "reading the clock is", "remove it: the simulator counts the cycles"},
	{"commit_read_pipe", "pipes are", "use a __global buffer"},
	{"commit_write_pipe", "pipes are", "use a __global buffer"},
	{"create_user_event", "device-side enqueue is", "enqueue from the host"},
	{"cub_block_exchange_sliced", "an exchange in slices of time is", "leave WARP_TIME_SLICING false, the default"},
	{"cub_block_load_", "this algorithm of CUB is",
		"take BLOCK_LOAD_DIRECT, BLOCK_LOAD_TRANSPOSE or BLOCK_LOAD_WARP_TRANSPOSE"},
	{"cub_block_reduce_raking", "this algorithm of CUB is", "take BLOCK_REDUCE_WARP_REDUCTIONS, the default"},
	{"cub_block_scan_memoize", "this algorithm of CUB is", "take BLOCK_SCAN_RAKING, the default"},
	{"cub_block_scan_prefix", "a prefix of a scan by warps is", "take BLOCK_SCAN_RAKING, the default"},
	{"cub_block_store_", "this algorithm of CUB is",
		"take BLOCK_STORE_DIRECT, BLOCK_STORE_TRANSPOSE or BLOCK_STORE_WARP_TRANSPOSE"},
	{"cuda_barrier_of_groups", "a barrier of several groups is", "use cuda::thread_scope_block"},
	{"cuda_memcpy_async_narrow", "memcpy_async of a group in words of less than 4 bytes is",
		"say with cuda::aligned_size_t<16>(size) what divides the size and the addresses"},
	{"cuda_pipeline_roles", "a pipeline with separate producers and consumers among the work items is",
		"let all work items of the group do both"},
	{"enqueue_", "device-side enqueue is", "enqueue from the host"},
	{"get_pipe_", "pipes are", "use a __global buffer"},
	{"intel_sub_group_", "this function of cl_intel_subgroups is",
		"write sub_group_... of the Khronos extensions, or loads and stores"},
	{"read_pipe", "pipes are", "use a __global buffer"},
	{"reserve_", "pipes are", "use a __global buffer"},
	{"sub_group_", "this sub-group function is",
		"write it with sub_group_shuffle or sub_group_reduce_add and their like"},
	{"surf", "surfaces are", "use a buffer with computed subscripts"},
	{"tex", "textures are", "use a const __restrict__ buffer with computed subscripts"},
	{"work_group_", "work-group functions are", "use barrier() and __local memory"},
	{"write_pipe", "pipes are", "use a __global buffer"},
}

// Unsupported says of a function of the languages that cannot be analysed what is not supported ("pipes are"), and what
// to do instead; ok is false of any other.
func Unsupported(name string) (what, advice string, ok bool) {
	for _, u := range unsupported {
		if strings.HasPrefix(name, u.prefix) {
			return u.what, u.advice, true
		}
	}
	return "", "", false
}
