package load

import "gpupipe/frontend/encoding"

// asyncTypes are the types of libcu++ for asynchronous copies, as the prelude names them.
var asyncTypes = map[string]string{"barrier": encoding.TypeBarrier, "pipeline": encoding.TypePipeline, "pipeline_shared_state": encoding.TypePipelineState}

// asyncFunctions are functions that have a number as their template argument, by the name of
// those that have it in front of the others.
var asyncFunctions = map[string]string{"aligned_size_t": encoding.MakeAligned, "pipeline_consumer_wait_prior": encoding.WaitPrior, "wait_prior": encoding.WaitPrior,
	"cp_async_bulk_wait_group_read": encoding.WaitBulk, "cp_async_bulk_wait_group": encoding.WaitBulk}

// asyncTemplate rewrites barrier<thread_scope_block> and its like, which needs no arguments,
// and aligned_size_t<16>(n), whose argument becomes the first of two.
func (r *rewriter) asyncTemplate(i, n int) bool {
	gt := r.angle(n)
	if gt < 0 {
		return false
	}
	if name := asyncTypes[r.At(i)]; name != "" {
		if scope := r.Find(n, gt, "thread_scope_device", "thread_scope_system"); scope < gt {
			r.unsupported(i, "a "+r.At(i)+" of several groups is", "use cuda::thread_scope_block")
			return true
		}
		block := r.Find(n, gt, "thread_scope_block")
		if block == gt && r.Find(n, gt, "thread_scope_thread") == gt {
			return false
		}
		if name == encoding.TypePipeline && block < gt {
			name = encoding.TypePipelineAll
		}
		r.replace(i, name)
		r.blank(n, gt+1)
		return true
	}
	open := r.Next(gt)
	if !r.Is(open, "(") {
		return false
	}
	r.replace(i, asyncFunctions[r.At(i)])
	r.replace(n, "(")
	r.replace(gt, ",")
	r.blank(open, open+1)
	return true
}
