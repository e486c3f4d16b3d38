package frontend

// asyncTypes are the types of libcu++ for asynchronous copies, as the prelude names them.
var asyncTypes = map[string]string{"barrier": typeBarrier, "pipeline": typePipeline, "pipeline_shared_state": typePipelineState}

// asyncFunctions are functions that have a number as their template argument, by the name of
// those that have it in front of the others.
var asyncFunctions = map[string]string{"aligned_size_t": makeAligned, "pipeline_consumer_wait_prior": waitPrior, "wait_prior": waitPrior,
	"cp_async_bulk_wait_group_read": waitBulk, "cp_async_bulk_wait_group": waitBulk}

// What is said of pipelines that only some work items fill.
const (
	pipelineRoles       = "a pipeline of which some work items only produce and others only consume is"
	pipelineRolesAdvice = "let all work items of the group do both"
)

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
		if name == typePipeline && block < gt {
			name = typePipelineAll
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
