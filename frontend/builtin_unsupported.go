package frontend

import "strings"

// unsupportedCalls names functions of the languages that cannot be analysed,
// by prefix, with what to do instead.
var unsupportedCalls = []struct{ prefix, what, advice string }{
	{"__activemask", "warp votes are", "model them as an integer operation"},
	{"__all", "warp votes are", "model them as an integer operation"},
	{"__any", "warp votes are", "model them as an integer operation"},
	{"__ballot", "warp votes are", "model them as an integer operation"},
	{"__match_", "warp votes are", "model them as an integer operation"},
	{"__pipeline_", "asynchronous copies are", "copy in a loop of loads and stores"},
	{"__reduce_", "warp reductions are", "reduce through local memory"},
	{"__shfl", "warp shuffles are", "exchange the values through __shared__ memory"},
	{"__syncthreads_", "barriers that reduce are", "use __syncthreads() and shared memory"},
	{"async_work_group_", "asynchronous copies are", "copy in a loop of loads and stores"},
	{"clock", "reading the clock is", "remove it: the simulator counts the cycles"},
	{"create_user_event", "device-side enqueue is", "enqueue from the host"},
	{"enqueue_", "device-side enqueue is", "enqueue from the host"},
	{"free", "memory allocation in kernels is", "pass a buffer"},
	{"get_image_", "images are", "use a __global buffer with computed subscripts"},
	{"intel_sub_group_", "sub-group functions are", "exchange the values through __local memory"},
	{"malloc", "memory allocation in kernels is", "pass a buffer"},
	{"read_image", "images are", "use a __global buffer with computed subscripts"},
	{"read_pipe", "pipes are", "use a __global buffer"},
	{"reserve_", "pipes are", "use a __global buffer"},
	{"shuffle", "shuffle() is", "write the vector literal of the chosen components"},
	{"sub_group_", "sub-group functions are", "exchange the values through __local memory"},
	{"surf", "surfaces are", "use a buffer with computed subscripts"},
	{"tex", "textures are", "use a const __restrict__ buffer with computed subscripts"},
	{"upsample", "upsample() is", "write (long)hi << 32 | lo"},
	{"wait_group_events", "asynchronous copies are", "copy in a loop of loads and stores"},
	{"work_group_", "work-group functions are", "use barrier() and __local memory"},
	{"write_image", "images are", "use a __global buffer with computed subscripts"},
	{"write_pipe", "pipes are", "use a __global buffer"},
}

// unsupportedCall reports a call that is known but cannot be analysed.
func (c *checker) unsupportedCall(name string, pos Pos) bool {
	for _, u := range unsupportedCalls {
		if strings.HasPrefix(name, u.prefix) {
			c.unsupported(pos, name+": "+u.what, u.advice)
			return true
		}
	}
	return false
}
